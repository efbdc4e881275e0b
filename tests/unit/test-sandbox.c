/* SPDX-License-Identifier: ISC */
/* core/scheme and core/sandbox: names, labels, and whose a container is. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "core/sandbox.h"
#include "unit.h"

#define OURS "0123456789abcdef0123456789abcdef"
#define THEIRS "ffffffffffffffffffffffffffffffff"

static char container_prefix[] = "roboco-agent-";
static char sandbox_prefix[] = "roboco-sandbox-";
static char label[] = "roboco.sandbox";
static struct settings settings = { .container_prefix = container_prefix,
	.sandbox_prefix = sandbox_prefix,
	.label = label };
static struct store store = { .keeper = OURS };
static struct core core = { .settings = &settings, .store = &store };

static void
make_core(void)
{
	scheme_init(&core.scheme, &settings);
}

static void
clear_core(void)
{
	scheme_clear(&core.scheme);
}

START_TEST(names_made)
{
	char *name = scheme_agent_container(&core.scheme, "be-dev-1");

	ck_assert_str_eq(name, "roboco-agent-be-dev-1");
	ck_assert_str_eq(scheme_slug_of(&core.scheme, name), "be-dev-1");
	free(name);
	name = scheme_sandbox_name(&core.scheme, "pg", "be-dev-1");
	ck_assert_str_eq(name, "roboco-sandbox-pg-be-dev-1");
	free(name);
	ck_assert_str_eq(core.scheme.owner_label, "roboco.sandbox.owner");
	ck_assert_str_eq(core.scheme.filter, "roboco.sandbox=1");
	ck_assert(strvec_has(&core.scheme.keys, "roboco.sandbox.owner"));
	ck_assert(strvec_has(&core.scheme.keys, LABEL_KEEPER));
}
END_TEST

static const struct {
	const char *container, *slug; /* NULL: none */
} agents[] = {
	{ "roboco-agent-a", "a" },
	{ "roboco-agent-agent-1", "agent-1" },
	{ "roboco-agent-roboco-agent-a", "roboco-agent-a" },
	{ "roboco-agent-", NULL },
	{ "roboco-agent", NULL },
	{ "roboco-agent-A", NULL },
	{ "roboco-agent--a", NULL },
	{ "roboco-agent-a.", NULL },
	{ "roboco-agent-a/b", NULL },
	{ "myapp-roboco-agent-a", NULL },
	{ "Roboco-agent-a", NULL },
	{ "/roboco-agent-a", NULL },
	{ "", NULL },
};

START_TEST(slug_of_a_container)
{
	const char *slug = scheme_slug_of(&core.scheme, agents[_i].container);

	if (agents[_i].slug == NULL)
		ck_assert_ptr_null(slug);
	else
		ck_assert_str_eq(slug, agents[_i].slug);
}
END_TEST

static const struct {
	const char *name, *slug, *short_name; /* NULL: not its name */
} names[] = {
	{ "roboco-sandbox-pg-be-dev-1", "be-dev-1", "pg" },
	{ "roboco-sandbox-redis-a", "a", "redis" },
	{ "roboco-sandbox-x1-a.b_c", "a.b_c", "x1" },
	/* "dev-1" is not agent "1" of an engine "dev" or "pg-dev" */
	{ "roboco-sandbox-dev-1", "1", "dev" },
	{ "roboco-sandbox-dev-1", "dev-1", NULL },
	{ "roboco-sandbox-pg-dev-1", "1", NULL },
	{ "roboco-sandbox-pg-dev-1", "dev-1", "pg" },
	{ "roboco-sandbox-pg-be-dev-1", "dev-1", NULL },
	{ "roboco-sandbox-pg-be-dev-1", "1", NULL },
	/* one slug is a part of the other */
	{ "roboco-sandbox-pg-dev-10", "dev-1", NULL },
	{ "roboco-sandbox-pg-dev-1", "dev-10", NULL },
	{ "roboco-sandbox-pg-xdev-1", "dev-1", NULL },
	{ "roboco-sandbox-pg-dev-1-x", "dev-1", NULL },
	/* look-alikes */
	{ "roboco-sandbox-pg-a", "b", NULL },
	{ "roboco-sandbox-PG-a", "a", NULL },
	{ "roboco-sandbox-p.g-a", "a", NULL },
	{ "roboco-sandbox-p_g-a", "a", NULL },
	{ "roboco-sandbox--a", "a", NULL },
	{ "roboco-sandbox-a", "a", NULL },
	{ "roboco-sandbox-pga", "a", NULL },
	{ "roboco-sandbox-pg_a", "a", NULL },
	{ "roboco-sandbox-pg-", "", "pg" },
	{ "roboco-sandbox-", "", NULL },
	{ "my-roboco-sandbox-pg-a", "a", NULL },
	{ "roboco-sandboxpg-a", "a", NULL },
	{ "roboco-Sandbox-pg-a", "a", NULL },
	{ "/roboco-sandbox-pg-a", "a", NULL },
	{ "pg-a", "a", NULL },
	{ "", "a", NULL },
	{ "roboco-sandbox-0123456789012345678901234567890123456789"
	  "012345678901234567890123-a",
	    "a", NULL },
};

START_TEST(sandbox_names)
{
	char short_name[64] = "unchanged";
	bool is = scheme_is_sandbox_name(&core.scheme, names[_i].name,
	    names[_i].slug, short_name);

	ck_assert_msg(is == (names[_i].short_name != NULL), "'%s' of '%s'",
	    names[_i].name, names[_i].slug);
	if (is)
		ck_assert_str_eq(short_name, names[_i].short_name);
	ck_assert(scheme_is_sandbox_name(&core.scheme, names[_i].name,
		      names[_i].slug, NULL) == is);
}
END_TEST

#define LABEL "\"roboco.sandbox\":\"1\""
#define OWNER(name) ",\"roboco.sandbox.owner\":\"" name "\""
#define AGENT(slug) ",\"sandkeeper.agent\":\"" slug "\""
#define KEEPER(id) ",\"sandkeeper.keeper\":\"" id "\""
#define FULL(text) ",\"sandkeeper.owner\":\"" text "\""
#define PG_A "roboco-sandbox-pg-a"
#define OWNER_A OWNER("roboco-agent-a")
#define MINE \
	LABEL OWNER_A AGENT("a") KEEPER(OURS) FULL("container:roboco-agent-a")

static const struct {
	const char *name, *labels;
	enum sandbox_kind kind;
	const char *slug;
	enum owner_type owner;
} whose[] = {
	{ PG_A, MINE, SANDBOX_OURS, "a", OWNER_CONTAINER },
	{ PG_A, LABEL OWNER_A, SANDBOX_UNKEPT, "a", OWNER_CONTAINER },
	{ PG_A, LABEL OWNER_A KEEPER(""), SANDBOX_UNKEPT, "a",
	    OWNER_CONTAINER },
	{ PG_A, LABEL OWNER_A AGENT("a") KEEPER(THEIRS), SANDBOX_FOREIGN, "a",
	    OWNER_CONTAINER },
	{ PG_A, LABEL OWNER_A KEEPER("x"), SANDBOX_FOREIGN, "a",
	    OWNER_CONTAINER },
	{ PG_A, LABEL AGENT("a") KEEPER(OURS) FULL("none"), SANDBOX_OURS, "a",
	    OWNER_LEASE },
	{ PG_A, LABEL AGENT("a") KEEPER(OURS) FULL("pid:m:b:1:2:3"),
	    SANDBOX_OURS, "a", OWNER_PROCESS },
	{ PG_A, LABEL AGENT("a") KEEPER(OURS) FULL("container:web"),
	    SANDBOX_OURS, "a", OWNER_CONTAINER },
	{ PG_A, LABEL AGENT("a") KEEPER(OURS), SANDBOX_OURS, "a",
	    OWNER_MISSING },
	{ PG_A, LABEL AGENT("a") KEEPER(OURS) FULL("later:x"), SANDBOX_OURS,
	    "a", OWNER_STRANGE },
	/* without the exact label */
	{ PG_A, &OWNER_A[1], SANDBOX_STRANGER, "", OWNER_CONTAINER },
	{ PG_A, "\"roboco.sandbox\":\"\"" OWNER_A, SANDBOX_STRANGER, "",
	    OWNER_CONTAINER },
	{ PG_A, "\"roboco.sandbox\":\"true\"" OWNER_A, SANDBOX_STRANGER, "",
	    OWNER_CONTAINER },
	{ PG_A, "\"roboco.sandbox\":\"11\"" OWNER_A, SANDBOX_STRANGER, "",
	    OWNER_CONTAINER },
	{ PG_A, "\"roboco.sandbox\":\"1\\n\"" OWNER_A, SANDBOX_STRANGER, "",
	    OWNER_CONTAINER },
	/* a committed image: our labels, and a name of its own */
	{ "web", MINE, SANDBOX_STRANGER, "", OWNER_CONTAINER },
	{ "roboco-sandbox-pg-b", MINE, SANDBOX_STRANGER, "", OWNER_CONTAINER },
	{ "roboco-sandbox-pg-a-1", MINE, SANDBOX_STRANGER, "",
	    OWNER_CONTAINER },
	{ "roboco-agent-a", MINE, SANDBOX_STRANGER, "", OWNER_CONTAINER },
	/* labels that give no slug */
	{ PG_A, LABEL, SANDBOX_STRANGER, "", OWNER_MISSING },
	{ PG_A, LABEL OWNER("web"), SANDBOX_STRANGER, "", OWNER_CONTAINER },
	{ PG_A, LABEL OWNER("roboco-agent-"), SANDBOX_STRANGER, "",
	    OWNER_CONTAINER },
	{ PG_A, LABEL OWNER_A AGENT("../a"), SANDBOX_STRANGER, "",
	    OWNER_CONTAINER },
	{ PG_A, LABEL OWNER_A AGENT("A"), SANDBOX_STRANGER, "",
	    OWNER_CONTAINER },
	{ PG_A, LABEL OWNER_A AGENT("a\\n"), SANDBOX_STRANGER, "",
	    OWNER_CONTAINER },
	/* labels that contradict each other say nothing of an owner */
	{ PG_A,
	    LABEL OWNER("roboco-agent-b") AGENT("a") KEEPER(OURS)
		FULL("container:roboco-agent-a"),
	    SANDBOX_OURS, "a", OWNER_STRANGE },
	{ PG_A, LABEL OWNER_A AGENT("a") KEEPER(OURS) FULL("none"),
	    SANDBOX_OURS, "a", OWNER_STRANGE },
	{ PG_A, LABEL OWNER_A AGENT("b") KEEPER(OURS), SANDBOX_STRANGER, "",
	    OWNER_CONTAINER },
	/* a newline in a label forges nothing */
	{ PG_A, LABEL OWNER("roboco-agent-a\\nroboco-agent-b"),
	    SANDBOX_STRANGER, "", OWNER_STRANGE },
	{ PG_A,
	    LABEL AGENT("a") KEEPER(OURS) FULL("container:roboco-agent-a\\nx"),
	    SANDBOX_OURS, "a", OWNER_STRANGE },
	{ PG_A, LABEL OWNER_A KEEPER(OURS "\\n"), SANDBOX_FOREIGN, "a",
	    OWNER_CONTAINER },
};

static void
read_sandbox(struct sandbox *sandbox, struct container *c, const char *name,
    const char *labels)
{
	static char buf[200];
	char text[1200];
	json_t *object;

	(void)snprintf(buf, sizeof(buf), "%s", name);
	(void)snprintf(text, sizeof(text), "{%s}", labels);
	memset(c, 0, sizeof(*c));
	c->name = buf;
	object = json_read(text, strlen(text));
	ck_assert_msg(object != NULL, "%s", text);
	container_set_labels(c, object);
	json_decref(object);
	sandbox_read(sandbox, &core, c);
}

START_TEST(whose_it_is)
{
	struct sandbox sandbox;
	struct container c;

	read_sandbox(&sandbox, &c, whose[_i].name, whose[_i].labels);
	ck_assert_msg(sandbox.kind == whose[_i].kind, "row %d: %d", _i,
	    sandbox.kind);
	ck_assert_str_eq(sandbox.slug, whose[_i].slug);
	ck_assert_int_eq(sandbox.owner.type, whose[_i].owner);
	free(c.labels);
}
END_TEST

/* Rows are sorted and targets copied: nothing may point into the struct. */
START_TEST(moved)
{
	struct sandbox sandbox, copy;
	struct container c;

	read_sandbox(&sandbox, &c, whose[_i].name, whose[_i].labels);
	copy = sandbox;
	memset(&sandbox, 'x', sizeof(sandbox));
	if (copy.owner.type == OWNER_CONTAINER)
		ck_assert_str_eq(copy.owner.name,
		    copy.owner_text + strlen("container:"));
	free(c.labels);
}
END_TEST

START_TEST(no_keeper_yet)
{
	struct sandbox sandbox;
	struct container c;

	store.keeper[0] = '\0';
	read_sandbox(&sandbox, &c, PG_A, MINE);
	ck_assert_int_eq(sandbox.kind, SANDBOX_FOREIGN);
	free(c.labels);
	read_sandbox(&sandbox, &c, PG_A, LABEL OWNER_A);
	ck_assert_int_eq(sandbox.kind, SANDBOX_UNKEPT);
	free(c.labels);
	memcpy(store.keeper, OURS, sizeof(OURS));
}
END_TEST

static const struct {
	const char *text;
	int64_t expires;
} expiries[] = { { "", 0 }, { "0", 0 }, { "1796050845", 1796050845 },
	{ "9223372036854775807", INT64_MAX }, { "-1", 0 }, { "soon", 0 },
	{ "1796050845x", 0 }, { "99999999999999999999", 0 } };

START_TEST(lease_labels)
{
	struct sandbox sandbox;
	struct container c;
	char labels[300];

	(void)snprintf(labels, sizeof(labels),
	    LABEL OWNER_A ",\"sandkeeper.expires\":\"%s\","
			  "\"sandkeeper.service\":\"postgres\"",
	    expiries[_i].text);
	read_sandbox(&sandbox, &c, PG_A, labels);
	ck_assert_int_eq(sandbox.expires, expiries[_i].expires);
	ck_assert_str_eq(sandbox.service, "postgres");
	ck_assert_str_eq(sandbox.short_name, "pg");
	ck_assert_str_eq(sandbox.owner_text, "container:roboco-agent-a");
	free(c.labels);
}
END_TEST

START_TEST(long_owner)
{
	struct sandbox sandbox;
	struct container c;
	char labels[600], name[300];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	(void)snprintf(labels, sizeof(labels),
	    LABEL AGENT("a") KEEPER(OURS) FULL("container:%s"), name);
	read_sandbox(&sandbox, &c, PG_A, labels);
	ck_assert_int_eq(sandbox.kind, SANDBOX_OURS);
	ck_assert_int_eq(sandbox.owner.type, OWNER_STRANGE);
	free(c.labels);
}
END_TEST

static void
add(Suite *suite, const char *sentence, const TTest *test, size_t count)
{
	unit_add_with(suite, sentence, test, make_core, clear_core, count);
}

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("sandbox");

	add(suite, "names and labels of an agent", names_made, 1);
	add(suite, "R4: the slug of an agent container's name",
	    slug_of_a_container, ROWS(agents));
	add(suite, "K4: whose sandbox a name can be", sandbox_names,
	    ROWS(names));
	add(suite, "K2, K4: whose a container is, by labels and name",
	    whose_it_is, ROWS(whose));
	add(suite, "one that is copied points into no other", moved,
	    ROWS(whose));
	add(suite, "K2: without an id of our own nothing is ours",
	    no_keeper_yet, 1);
	add(suite, "the lease of a label; an unreadable one is none",
	    lease_labels, ROWS(expiries));
	add(suite, "an owner's label that is too long names nobody", long_owner,
	    1);
	return suite;
}

UNIT_MAIN(make_suite)
