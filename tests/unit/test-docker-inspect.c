/* SPDX-License-Identifier: ISC */
/* docker/parse and docker/container: what inspect tells. */
#include <stdio.h>
#include <string.h>

#include "docker/docker.h"
#include "docker/parse.h"
#include "unit.h"

#define HEX16 "0123456789abcdef"
#define ID HEX16 HEX16 HEX16 HEX16

static int
parse(const char *text, struct container_list *list)
{
	struct strbuf output = { 0 };
	struct error err;
	int rc;

	strbuf_adds(&output, text);
	rc = parse_inspect(&output, list, &err);
	strbuf_clear(&output);
	return rc;
}

static const char whole[] =
    "{\"id\":\"" ID "\",\"name\":\"/roboco-sandbox-pg-a\","
    "\"created\":\"2026-11-30T15:00:45.12345678Z\",\"state\":\"exited\","
    "\"started\":\"2026-11-30T15:00:46.5Z\","
    "\"finished\":\"2026-11-30T15:01:45.5Z\",\"exit\":137,\"oom\":true,"
    "\"failure\":\"it\\nfailed\",\"image\":\"postgres:16\","
    "\"labels\":{\"a\":\"1\\n2\",\"b\":\"x,y=z\"},\"mode\":\"net\","
    "\"networks\":{\"net\":{\"IPAddress\":\"10.0.0.2\"},"
    "\"six\":{\"IPAddress\":\"\",\"GlobalIPv6Address\":\"fd00::2\"},"
    "\"none\":{\"IPAddress\":\"\"}},"
    "\"ports\":{\"5432/tcp\":[{\"HostIp\":\"127.0.0.1\",\"HostPort\":"
    "\"32768\"},{\"HostIp\":\"::\",\"HostPort\":\"32769\"}],"
    "\"80/tcp\":null}}\n";

START_TEST(everything)
{
	struct container_list list = { 0 };
	const struct container *c;

	ck_assert_int_eq(parse(whole, &list), 0);
	ck_assert_uint_eq(list.len, 1);
	c = &list.items[0];
	ck_assert_str_eq(c->id, ID);
	ck_assert_str_eq(c->name, "roboco-sandbox-pg-a");
	ck_assert_int_eq(c->created, 1796050845);
	ck_assert_int_eq(c->state, CONTAINER_EXITED);
	ck_assert_str_eq(c->started, "2026-11-30T15:00:46.5Z");
	ck_assert_int_eq(c->finished, 1796050905);
	ck_assert_int_eq(c->exit_code, 137);
	ck_assert(c->oom_killed);
	ck_assert_str_eq(c->failure, "it\nfailed");
	ck_assert_str_eq(c->image, "postgres:16");
	ck_assert_str_eq(container_label(c, "a"), "1\n2");
	ck_assert_str_eq(container_label(c, "b"), "x,y=z");
	ck_assert_str_eq(container_label(c, "c"), "");
	ck_assert_str_eq(c->mode, "net");
	ck_assert_str_eq(container_address(c, "net"), "10.0.0.2");
	ck_assert_str_eq(container_address(c, "six"), "fd00::2");
	ck_assert_str_eq(container_address(c, "none"), "");
	ck_assert_ptr_null(container_address(c, "ne"));
	ck_assert_uint_eq(c->port_count, 2);
	ck_assert_int_eq(c->ports[0].port, 5432);
	ck_assert_str_eq(c->ports[0].host, "127.0.0.1");
	ck_assert_int_eq(c->ports[0].host_port, 32768);
	ck_assert_int_eq(c->ports[1].host_port, 32769);
	container_list_clear(&list);
}
END_TEST

START_TEST(least)
{
	struct container_list list = { 0 };
	const struct container *c;

	/* podman's name has no slash; a container may have no labels */
	ck_assert_int_eq(parse("\n\n{\"id\":\"" ID "\",\"name\":\"a\","
			       "\"state\":\"created\",\"labels\":null,"
			       "\"finished\":\"0001-01-01T00:00:00Z\","
			       "\"networks\":null,\"ports\":{}}\n\n",
			     &list),
	    0);
	c = &list.items[0];
	ck_assert_str_eq(c->name, "a");
	ck_assert_int_eq(c->state, CONTAINER_CREATED);
	ck_assert_int_eq(c->created, TIME_UNKNOWN);
	ck_assert_int_eq(c->finished, TIME_UNKNOWN);
	ck_assert_str_eq(c->started, "");
	ck_assert_str_eq(c->failure, "");
	ck_assert_str_eq(container_label(c, "a"), "");
	ck_assert_uint_eq(c->network_count, 0);
	ck_assert_uint_eq(c->port_count, 0);
	container_list_clear(&list);
}
END_TEST

static const char *const bad[] = {
	"[]\n",
	"{}\n",
	"{\"id\":\"" ID "\",\"name\":\"a\"}\n",
	"{\"id\":\"" ID "\",\"state\":\"running\"}\n",
	"{\"id\":\"0123456789ab\",\"name\":\"a\",\"state\":\"running\"}\n",
	"{\"id\":\"" ID "\",\"name\":\"a\",\"state\":\"running\"}",
	"{\"id\":\"" ID "\",\"name\":\"a\",\"state\":null}\n",
	"garbage\n",
	" \n",
};

START_TEST(bad_documents)
{
	struct container_list list = { 0 };

	ck_assert_int_eq(parse(whole, &list), 0);
	ck_assert_int_eq(parse(bad[_i], &list), -1);
	ck_assert_uint_eq(list.len, 1);
	container_list_clear(&list);
}
END_TEST

START_TEST(cut_anywhere)
{
	struct container_list list = { 0 };
	char text[sizeof(whole)];
	size_t len;

	for (len = 1; len < sizeof(whole) - 1; len++) {
		memcpy(text, whole, len);
		text[len] = '\0';
		ck_assert_msg(parse(text, &list) == -1, "%zu bytes", len);
	}
	ck_assert_uint_eq(list.len, 0);
}
END_TEST

static const struct {
	const char *word;
	enum container_state state;
	bool up;
} states[] = {
	{ "created", CONTAINER_CREATED, false },
	{ "running", CONTAINER_RUNNING, true },
	{ "paused", CONTAINER_PAUSED, true },
	{ "restarting", CONTAINER_RESTARTING, true },
	{ "removing", CONTAINER_REMOVING, false },
	{ "exited", CONTAINER_EXITED, false },
	{ "dead", CONTAINER_DEAD, false },
	{ "unknown", CONTAINER_UNKNOWN, false },
	{ "", CONTAINER_UNKNOWN, false },
	{ "Running", CONTAINER_UNKNOWN, false },
	{ "initialized", CONTAINER_UNKNOWN, false },
};

START_TEST(state_words)
{
	struct container c = { .state = states[_i].state };

	ck_assert_int_eq(container_state_parse(states[_i].word),
	    states[_i].state);
	ck_assert(container_is_up(&c) == states[_i].up);
	if (_i < 8)
		ck_assert_str_eq(container_state_name(states[_i].state),
		    states[_i].word);
}
END_TEST

/* A list of the containers named so, whose ids end in their index. */
static void
make_list(struct container_list *list, const char *const names[], size_t count)
{
	char text[300];
	size_t i;

	for (i = 0; i < count; i++) {
		(void)snprintf(text, sizeof(text),
		    "{\"id\":\"" HEX16 HEX16 HEX16 "0123456789abcd%02zx\","
		    "\"name\":\"/%s\",\"state\":\"running\"}\n",
		    i, names[i]);
		ck_assert_int_eq(parse(text, list), 0);
	}
}

START_TEST(look_ups)
{
	static const char *const names[] = { "dev-10", "dev-1", "a", "dev-1-x",
		"dev", "zz", "Dev-1", "b" };
	struct container_list list = { 0 };
	const struct container *c;
	size_t i;

	make_list(&list, names, ROWS(names));
	for (i = 0; i < ROWS(names); i++) {
		c = container_list_find(&list, names[i]);
		ck_assert_ptr_nonnull(c);
		ck_assert_str_eq(c->name, names[i]);
		ck_assert_ptr_eq(container_list_find(&list, c->id), c);
	}
	ck_assert_ptr_null(container_list_find(&list, "dev-"));
	ck_assert_ptr_null(container_list_find(&list, "0123456789ab"));
	ck_assert_ptr_null(container_list_find(&list, ""));
	container_list_sort(&list);
	for (i = 0; i < ROWS(names); i++)
		ck_assert_str_eq(container_list_find_name(&list, names[i])
				     ->name,
		    names[i]);
	ck_assert_ptr_null(container_list_find_name(&list, "dev-"));
	ck_assert_ptr_null(container_list_find_name(&list, "dev-100"));
	ck_assert_ptr_null(container_list_find_name(&list, ""));
	container_list_clear(&list);
	container_list_sort(&list);
	ck_assert_ptr_null(container_list_find_name(&list, "a"));
	ck_assert_ptr_null(container_list_find(&list, "a"));
}
END_TEST

static const struct {
	const char *name;
	bool safe;
} safe_names[] = {
	{ "roboco-agent-be-dev-1", true },
	{ "A0", true },
	{ "a.b_c-d", true },
	{ "0a", true },
	{ "a-", true },
	{ "", false },
	{ "a", false },
	{ "-a", false },
	{ ".a", false },
	{ "_a", false },
	{ "..", false },
	{ "../volumes/x", false },
	{ "a/b", false },
	{ "/ab", false },
	{ "a b", false },
	{ "ab\n", false },
	{ "a\tb", false },
	{ "a:b", false },
	{ "a;b", false },
	{ "a$b", false },
	{ "ab\xc3\xa9", false },
	{ "--rm", false },
};

START_TEST(name_safety)
{
	ck_assert_msg(docker_name_is_safe(safe_names[_i].name) ==
		safe_names[_i].safe,
	    "'%s'", safe_names[_i].name);
}
END_TEST

START_TEST(full_ids)
{
	ck_assert(docker_id_is_full(ID));
	ck_assert(!docker_id_is_full(""));
	ck_assert(!docker_id_is_full("0123456789ab"));
	ck_assert(!docker_id_is_full(ID "0"));
	ck_assert(!docker_id_is_full("G" HEX16 HEX16 HEX16 "123456789abcdef"));
	ck_assert(!docker_id_is_full("F" HEX16 HEX16 HEX16 "123456789abcdef"));
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("docker-inspect");

	unit_add(suite, "every field of inspect", everything);
	unit_add(suite, "fields may be empty or null; blank lines are none",
	    least);
	unit_add_each(suite, "S2: what cannot be read adds nothing",
	    bad_documents, ROWS(bad));
	unit_add(suite, "S2: an answer cut anywhere is none", cut_anywhere);
	unit_add_each(suite, "state words, and which of them are up",
	    state_words, ROWS(states));
	unit_add(suite, "look-ups match whole names and full ids", look_ups);
	unit_add_each(suite, "names that may be given to docker", name_safety,
	    ROWS(safe_names));
	unit_add(suite, "full ids", full_ids);
	return suite;
}

UNIT_MAIN(make_suite)
