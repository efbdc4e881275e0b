/* SPDX-License-Identifier: ISC */
/* store/entry: what the cache holds of an agent, and its form as a file. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "store/entry.h"
#include "unit.h"

#define HEAD "sandkeeper 1\nagent=a\nowner=none\n"

static const char example[] = "sandkeeper 1\n"
			      "agent=be-dev-1\n"
			      "state=ready\n"
			      "owner=container:roboco-agent-be-dev-1\n"
			      "owner-id=77ab\n"
			      "daemon=default\n"
			      "created=1764515000\n"
			      "expires=0\n"
			      "hold=0\n"
			      "[postgres]\n"
			      "container=roboco-sandbox-pg-be-dev-1\n"
			      "id=8f3c\n"
			      "started=2026-11-30T15:00:00.123456789Z\n"
			      "image=postgres:16-alpine\n"
			      "host=roboco-sandbox-pg-be-dev-1\n"
			      "port=5432\n"
			      "user=sandbox\n"
			      "password=0123\n"
			      "database=sandbox\n"
			      "features=vector,postgis\n"
			      "export=PGHOST=%h\n"
			      "export=PGPORT=%p\n"
			      "[redis]\n"
			      "state=provisioning\n"
			      "container=roboco-sandbox-redis-be-dev-1\n"
			      "end\n";

static void
parse(struct agent_entry *entry, const char *text)
{
	struct error err = { 0 };
	int rc = agent_entry_parse(entry, text, strlen(text), &err);

	ck_assert_msg(rc == 0, "%s", err.msg);
}

static char *
written(const struct agent_entry *entry)
{
	struct strbuf sb = { 0 };

	agent_entry_write(entry, &sb);
	ck_assert_uint_eq(strlen(strbuf_str(&sb)), sb.len);
	return strbuf_detach(&sb);
}

START_TEST(reads_the_example)
{
	const struct service_entry *service;
	struct agent_entry entry;

	parse(&entry, example);
	ck_assert_str_eq(entry.agent, "be-dev-1");
	ck_assert_int_eq(entry.state, ENTRY_READY);
	ck_assert_str_eq(entry.owner, "container:roboco-agent-be-dev-1");
	ck_assert_str_eq(entry.owner_id, "77ab");
	ck_assert_str_eq(entry.daemon, "default");
	ck_assert_str_eq(entry.network, "");
	ck_assert_int_eq(entry.created, 1764515000);
	ck_assert_int_eq(entry.handed, 0);
	ck_assert_uint_eq(entry.service_count, 2);
	service = agent_entry_find(&entry, "postgres");
	ck_assert(!service->pending);
	ck_assert_str_eq(service->id, "8f3c");
	ck_assert_str_eq(service->started, "2026-11-30T15:00:00.123456789Z");
	ck_assert_int_eq(service->port, 5432);
	ck_assert_str_eq(service->password, "0123");
	ck_assert_uint_eq(service->features.len, 2);
	ck_assert_str_eq(service->features.items[1], "postgis");
	ck_assert_uint_eq(service->exports.len, 2);
	ck_assert_str_eq(service->exports.items[1], "PGPORT=%p");
	service = agent_entry_find(&entry, "redis");
	ck_assert(service->pending);
	ck_assert_uint_eq(service->exports.len, 0);
	ck_assert_str_eq(service->id, "");
	ck_assert_str_eq(service->password, "");
	ck_assert_ptr_null(agent_entry_find(&entry, "redi"));
	ck_assert(agent_entry_has_id(&entry, "8f3c"));
	ck_assert(!agent_entry_has_id(&entry, "8f3"));
	agent_entry_clear(&entry);
}
END_TEST

static const char *const odd[] = { "", " ", "=", "a=b", "[x]", "end",
	"end\nend", "line\nbreak", "\n", "tab\tcr\r", "back\\slash\\", "\\n",
	"\\", "#", "%41", "M-a^?", "\"quoted\" 'too'", " blanks around ",
	"\x01\x1b[0m\x7f", "\xc3\xa9\xe2\x82\xac", "\xff\xfe",
	"container:roboco-agent-be-dev-1", "a,b" };

static const char *const locales[] = { "C", "C.UTF-8" };

START_TEST(odd_values)
{
	const char *value = odd[_i];
	struct agent_entry entry = { 0 }, read;
	struct service_entry *service;
	char *text;
	size_t i;

	for (i = 0; i < ROWS(locales); i++) {
		(void)setlocale(LC_ALL, locales[i]);
		xstr_set(&entry.agent, "be-dev-1");
		xstr_set(&entry.owner, value);
		xstr_set(&entry.network, value);
		service = agent_entry_add(&entry, "postgres");
		xstr_set(&service->image, value);
		xstr_set(&service->password, value);
		strvec_add(&service->exports, value);
		text = written(&entry);
		parse(&read, text);
		ck_assert_str_eq(read.owner, value);
		ck_assert_str_eq(read.network, value);
		ck_assert_uint_eq(read.service_count, 1);
		ck_assert_str_eq(read.services[0].image, value);
		ck_assert_str_eq(read.services[0].password, value);
		ck_assert_str_eq(read.services[0].user, "");
		ck_assert_uint_eq(read.services[0].exports.len, 1);
		ck_assert_str_eq(read.services[0].exports.items[0], value);
		free(text);
		agent_entry_clear(&read);
		agent_entry_clear(&entry);
	}
}
END_TEST

START_TEST(numbers)
{
	struct agent_entry entry = { .state = ENTRY_READY,
		.created = 1,
		.handed = 1796050845,
		.expires = INT64_MAX,
		.hold = 7 };
	struct agent_entry read;
	char *text;

	xstr_set(&entry.agent, "a");
	agent_entry_add(&entry, "redis")->port = 65535;
	agent_entry_add(&entry, "mongo")->pending = true;
	text = written(&entry);
	parse(&read, text);
	ck_assert_int_eq(read.state, ENTRY_READY);
	ck_assert_int_eq(read.created, 1);
	ck_assert_int_eq(read.handed, 1796050845);
	ck_assert_int_eq(read.expires, INT64_MAX);
	ck_assert_int_eq(read.hold, 7);
	ck_assert_int_eq(read.services[0].port, 65535);
	ck_assert(!read.services[0].pending);
	ck_assert(read.services[1].pending);
	free(text);
	agent_entry_clear(&read);
	agent_entry_clear(&entry);
}
END_TEST

START_TEST(unknown_keys)
{
	static const char text[] = HEAD "later=x\\ny\n"
					"[redis]\nport=1\nzone=\\\\b\nempty=\n"
					"end\n";
	struct agent_entry entry, copy;
	char *one, *two;

	parse(&entry, text);
	agent_entry_copy(&copy, &entry);
	one = written(&entry);
	two = written(&copy);
	ck_assert_str_eq(one, two);
	ck_assert_ptr_nonnull(strstr(one, "\nlater=x\\ny\n"));
	ck_assert_ptr_nonnull(strstr(strstr(one, "[redis]"),
	    "\nzone=\\\\b\nempty=\n"));
	free(one);
	free(two);
	agent_entry_clear(&entry);
	agent_entry_clear(&copy);
}
END_TEST

START_TEST(absent_keys)
{
	struct agent_entry entry;

	parse(&entry, "sandkeeper 1\n[redis]\nend\n");
	ck_assert_str_eq(entry.agent, "");
	ck_assert_str_eq(entry.owner, "");
	/* not an intent: a sweep would carry it out */
	ck_assert_int_eq(entry.state, ENTRY_READY);
	ck_assert_int_eq(entry.expires, 0);
	ck_assert_str_eq(entry.services[0].id, "");
	ck_assert_str_eq(entry.services[0].memory, "");
	ck_assert(!entry.services[0].pending);
	agent_entry_clear(&entry);
}
END_TEST

static const struct {
	const char *text;
	size_t len; /* 0: strlen */
	enum error_kind kind;
} refused[] = {
	{ "sandkeeper 2\nagent=a\nend\n", 0, ERROR_NEWER },
	{ "sandkeeper 2\n", 0, ERROR_NEWER },
	{ "sandkeeper 10\nnonsense", 0, ERROR_NEWER },
	{ "", 0, ERROR_STATE_READ },
	{ "\n", 0, ERROR_STATE_READ },
	{ "end\n", 0, ERROR_STATE_READ },
	{ "sandkeeper\nend\n", 0, ERROR_STATE_READ },
	{ "sandkeeper 0\nend\n", 0, ERROR_STATE_READ },
	{ "sandkeeper -1\nend\n", 0, ERROR_STATE_READ },
	{ "sandkeeper x\nend\n", 0, ERROR_STATE_READ },
	{ "sandkeeper 1 \nend\n", 0, ERROR_STATE_READ },
	{ " sandkeeper 1\nend\n", 0, ERROR_STATE_READ },
	{ "sandkeeper 1\r\nend\r\n", 0, ERROR_STATE_READ },
	{ HEAD, 0, ERROR_STATE_READ },
	{ HEAD "end", 0, ERROR_STATE_READ },
	{ HEAD "en\n", 0, ERROR_STATE_READ },
	{ HEAD " end\n", 0, ERROR_STATE_READ },
	{ HEAD "end \n", 0, ERROR_STATE_READ },
	{ HEAD "end\n\n", 0, ERROR_STATE_READ },
	{ HEAD "end\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "end\nexpires=0\n", 0, ERROR_STATE_READ },
	{ HEAD "\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "no equals sign\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "=value\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "state=\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "state=Ready\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "created=\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "created=-1\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "created= 1\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "created=1x\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "created=0x10\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "expires=99999999999999999999\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "network=a\\Mx\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "[]\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "[redis\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "[redis]x\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "[redis]\n[redis]\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "[redis]\nport=65536\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "[redis]\nport=-1\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "[redis]\nport=x\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "[redis]\nstate=gone\nend\n", 0, ERROR_STATE_READ },
	{ HEAD "net\0work=x\nend\n", sizeof(HEAD) + 15, ERROR_STATE_READ },
	{ HEAD "end\n\0", sizeof(HEAD) + 4, ERROR_STATE_READ },
	{ "{\"agent\":\"a\"}\n", 0, ERROR_STATE_READ },
};

START_TEST(refuses)
{
	struct agent_entry entry;
	struct error err = { 0 };
	size_t len = refused[_i].len;

	if (len == 0)
		len = strlen(refused[_i].text);
	ck_assert_int_eq(agent_entry_parse(&entry, refused[_i].text, len, &err),
	    -1);
	ck_assert_int_eq(err.kind, refused[_i].kind);
	ck_assert_str_ne(err.msg, "");
	/* empty, nothing to clear */
	ck_assert_ptr_null(entry.agent);
	ck_assert_ptr_null(entry.services);
	ck_assert_uint_eq(entry.unknown.len, 0);
}
END_TEST

START_TEST(torn_at_every_length)
{
	struct agent_entry entry;
	struct error err;
	size_t len;

	for (len = 0; len < sizeof(example) - 1; len++) {
		ck_assert_msg(agent_entry_parse(&entry, example, len, &err) ==
			-1,
		    "%zu bytes", len);
		ck_assert_int_eq(err.kind, ERROR_STATE_READ);
		ck_assert_ptr_null(entry.agent);
	}
	parse(&entry, example);
	agent_entry_clear(&entry);
}
END_TEST

START_TEST(no_secret_in_the_reason)
{
	static const char text[] = HEAD "[redis]\npassword=s3cret\n"
					"password=s3cret\\Mx\nend\n";
	struct agent_entry entry;
	struct error err;

	ck_assert_int_eq(agent_entry_parse(&entry, text, sizeof(text) - 1,
			     &err),
	    -1);
	ck_assert_ptr_null(strstr(err.msg, "s3cret"));
}
END_TEST

START_TEST(sections)
{
	struct agent_entry entry, copy;
	struct service_entry *service;

	parse(&entry, example);
	ck_assert_ptr_eq(agent_entry_add(&entry, "redis"), &entry.services[1]);
	ck_assert_uint_eq(entry.service_count, 2);
	service = agent_entry_add(&entry, "mongo");
	ck_assert_str_eq(service->password, "");
	agent_entry_copy(&copy, &entry);
	agent_entry_remove(&entry, "none");
	ck_assert_uint_eq(entry.service_count, 3);
	agent_entry_remove(&entry, "redis");
	ck_assert_uint_eq(entry.service_count, 2);
	ck_assert_str_eq(entry.services[0].service, "postgres");
	ck_assert_str_eq(entry.services[1].service, "mongo");
	agent_entry_remove(&entry, "postgres");
	agent_entry_remove(&entry, "mongo");
	ck_assert_uint_eq(entry.service_count, 0);
	agent_entry_clear(&entry);
	ck_assert_uint_eq(copy.service_count, 3);
	ck_assert_str_eq(copy.services[0].password, "0123");
	ck_assert_uint_eq(copy.services[0].features.len, 2);
	ck_assert_uint_eq(copy.services[0].exports.len, 2);
	agent_entry_clear(&copy);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("entry");

	unit_add(suite, "the file of DESIGN 4 is read", reads_the_example);
	unit_add_each(suite, "any value survives being written and read",
	    odd_values, ROWS(odd));
	unit_add(suite, "numbers, states and ports survive", numbers);
	unit_add(suite, "keys of a later writer are kept", unknown_keys);
	unit_add(suite, "absent keys are accepted, and empty", absent_keys);
	unit_add_each(suite, "a later version is refused, what is torn too",
	    refuses, ROWS(refused));
	unit_add(suite, "an entry cut anywhere is never taken for whole",
	    torn_at_every_length);
	unit_add(suite, "E8: no reason quotes a password",
	    no_secret_in_the_reason);
	unit_add(suite, "sections are added once, removed, copied", sections);
	return suite;
}

UNIT_MAIN(make_suite)
