/* SPDX-License-Identifier: ISC */
/* core/judge: the judgement of an entry by itself; core/owner's views. */
#include <string.h>

#include "core/judge.h"
#include "unit.h"

#define NOW INT64_C(1796050845)
#define OLD 100000
#define NEVER INT64_MIN

static const struct judge_rules rules = { NOW, 180, 30, 86400 };

static int64_t
ago(int64_t seconds, int64_t never)
{
	return seconds == NEVER ? never : NOW - seconds;
}

static int64_t
in(int64_t seconds)
{
	return seconds == NEVER ? 0 : NOW + seconds;
}

static const struct {
	const char *owner;
	enum owner_state state;
	int64_t stopped, created, handed, lease_in, hold_in;
	bool provisioning, released;
	enum verdict verdict;
	int64_t until_in;
} rows[] = {
	{ "container:ab", OWNER_ALIVE, NEVER, OLD, OLD, NEVER, NEVER, false,
	    false, VERDICT_OWNER_ALIVE, 0 },
	{ "container:ab", OWNER_UNKNOWN, NEVER, OLD, OLD, NEVER, NEVER, false,
	    false, VERDICT_OWNER_UNKNOWN, 0 },
	{ "container:ab", OWNER_ABSENT, NEVER, OLD, OLD, NEVER, NEVER, false,
	    false, VERDICT_OWNER_ABSENT, 0 },
	{ "container:ab", OWNER_STOPPED, 30, OLD, OLD, NEVER, NEVER, false,
	    false, VERDICT_OWNER_STOPPED, 0 },
	{ "container:ab", OWNER_STOPPED, 29, OLD, OLD, NEVER, NEVER, false,
	    false, VERDICT_OWNER_GRACE, 1 },
	{ "container:ab", OWNER_STOPPED, NEVER, OLD, OLD, NEVER, NEVER, false,
	    false, VERDICT_OWNER_UNKNOWN, 0 },
	/* ages */
	{ "container:ab", OWNER_ABSENT, NEVER, 180, 0, NEVER, NEVER, false,
	    false, VERDICT_YOUNG, 180 },
	{ "container:ab", OWNER_ABSENT, NEVER, OLD, 179, NEVER, NEVER, false,
	    false, VERDICT_YOUNG, 1 },
	{ "container:ab", OWNER_ABSENT, NEVER, 179, OLD, NEVER, NEVER, false,
	    false, VERDICT_YOUNG, 1 },
	{ "container:ab", OWNER_ABSENT, NEVER, 180, 180, NEVER, NEVER, false,
	    false, VERDICT_OWNER_ABSENT, 0 },
	{ "container:ab", OWNER_ABSENT, NEVER, OLD, -1, NEVER, NEVER, false,
	    false, VERDICT_AGE_UNKNOWN, 0 },
	{ "container:ab", OWNER_ABSENT, NEVER, -1, OLD, NEVER, NEVER, false,
	    false, VERDICT_AGE_UNKNOWN, 0 },
	/* an intent that was cut off */
	{ "container:ab", OWNER_ALIVE, NEVER, OLD, OLD, NEVER, NEVER, true,
	    false, VERDICT_ABANDONED, 0 },
	{ "container:ab", OWNER_ALIVE, NEVER, 179, NEVER, NEVER, NEVER, true,
	    false, VERDICT_YOUNG, 1 },
	/* leases */
	{ "none", OWNER_UNKNOWN, NEVER, OLD, OLD, 1, NEVER, false, false,
	    VERDICT_LEASED, 1 },
	{ "none", OWNER_UNKNOWN, NEVER, OLD, OLD, 0, NEVER, false, false,
	    VERDICT_LEASE_OVER, 0 },
	{ "container:ab", OWNER_ALIVE, NEVER, OLD, OLD, -1, NEVER, false, false,
	    VERDICT_LEASE_OVER, 0 },
	{ "none", OWNER_UNKNOWN, NEVER, OLD, 100, -1, NEVER, false, false,
	    VERDICT_YOUNG, 80 },
	{ "none", OWNER_UNKNOWN, NEVER, OLD, OLD, NEVER, NEVER, false, false,
	    VERDICT_NO_OWNER, 0 },
	{ "", OWNER_UNKNOWN, NEVER, OLD, OLD, NEVER, NEVER, false, false,
	    VERDICT_NO_OWNER, 0 },
	{ "something new", OWNER_UNKNOWN, NEVER, OLD, OLD, NEVER, NEVER, false,
	    false, VERDICT_OWNER_UNKNOWN, 0 },
	/* processes have no grace */
	{ "pid:m:b:1:2:3", OWNER_STOPPED, NOW, 1, 1, NEVER, NEVER, false, false,
	    VERDICT_OWNER_STOPPED, 0 },
	{ "pid:m:b:1:2:3", OWNER_UNKNOWN, NEVER, 1, 1, 60, NEVER, false, false,
	    VERDICT_OWNER_UNKNOWN, 60 },
	{ "pid:m:b:1:2:3", OWNER_ALIVE, NEVER, OLD, OLD, NEVER, NEVER, false,
	    false, VERDICT_OWNER_ALIVE, 0 },
	/* held, released */
	{ "container:ab", OWNER_ABSENT, NEVER, OLD, OLD, -1, 7, true, true,
	    VERDICT_HELD, 7 },
	{ "container:ab", OWNER_ABSENT, NEVER, OLD, OLD, NEVER, 0, false, false,
	    VERDICT_OWNER_ABSENT, 0 },
	{ "container:ab", OWNER_ALIVE, NEVER, 0, 0, NEVER, NEVER, false, true,
	    VERDICT_RELEASED, 0 },
};

START_TEST(entries)
{
	struct owner_view view = { rows[_i].state,
		ago(rows[_i].stopped, TIME_UNKNOWN) };
	struct agent_entry entry = { .created = ago(rows[_i].created, 0),
		.handed = ago(rows[_i].handed, 0),
		.expires = in(rows[_i].lease_in),
		.hold = in(rows[_i].hold_in),
		.state =
		    rows[_i].provisioning ? ENTRY_PROVISIONING : ENTRY_READY };
	struct judgement judged;
	char owner[40];

	(void)snprintf(owner, sizeof(owner), "%s", rows[_i].owner);
	entry.owner = owner;
	judged = judge_entry(&entry, rows[_i].released, view, &rules);
	ck_assert_msg(judged.verdict == rows[_i].verdict, "row %d: %s", _i,
	    verdict_word(judged.verdict));
	ck_assert_int_eq(judged.until,
	    rows[_i].until_in != 0 ? NOW + rows[_i].until_in : 0);
}
END_TEST

static const struct {
	enum container_state state;
	int64_t created, finished; /* ago */
	bool exact;
	enum owner_state owner;
	int64_t since; /* ago */
} views[] = {
	{ CONTAINER_RUNNING, OLD, NEVER, false, OWNER_ALIVE, NEVER },
	{ CONTAINER_RUNNING, NEVER, 5, true, OWNER_ALIVE, NEVER },
	{ CONTAINER_PAUSED, OLD, NEVER, true, OWNER_ALIVE, NEVER },
	{ CONTAINER_RESTARTING, OLD, 5, true, OWNER_ALIVE, NEVER },
	{ CONTAINER_CREATED, 0, NEVER, true, OWNER_ALIVE, NEVER },
	{ CONTAINER_CREATED, 179, NEVER, true, OWNER_ALIVE, NEVER },
	{ CONTAINER_CREATED, 180, NEVER, true, OWNER_STOPPED, 180 },
	{ CONTAINER_CREATED, 180, NEVER, false, OWNER_STOPPED, 180 },
	{ CONTAINER_CREATED, NEVER, NEVER, true, OWNER_UNKNOWN, NEVER },
	{ CONTAINER_CREATED, -1, NEVER, true, OWNER_UNKNOWN, NEVER },
	{ CONTAINER_EXITED, OLD, 5, true, OWNER_STOPPED, 5 },
	{ CONTAINER_EXITED, OLD, NEVER, true, OWNER_STOPPED, NEVER },
	{ CONTAINER_EXITED, OLD, NEVER, false, OWNER_STOPPED, NOW },
	{ CONTAINER_DEAD, OLD, 5, true, OWNER_STOPPED, 5 },
	{ CONTAINER_REMOVING, OLD, 5, true, OWNER_STOPPED, 5 },
	{ CONTAINER_UNKNOWN, OLD, 5, true, OWNER_UNKNOWN, NEVER },
	{ CONTAINER_UNKNOWN, OLD, 5, false, OWNER_UNKNOWN, NEVER },
};

START_TEST(owners)
{
	struct container c = { .state = views[_i].state,
		.created = ago(views[_i].created, TIME_UNKNOWN),
		.finished = ago(views[_i].finished, TIME_UNKNOWN) };
	struct owner_view view = owner_judge(&c, NOW, 180, views[_i].exact);

	ck_assert_int_eq(view.state, views[_i].owner);
	ck_assert_int_eq(view.since, ago(views[_i].since, TIME_UNKNOWN));
}
END_TEST

START_TEST(no_owner_container)
{
	ck_assert_int_eq(owner_judge(NULL, NOW, 180, true).state, OWNER_ABSENT);
	ck_assert_int_eq(owner_judge(NULL, NOW, 180, false).state,
	    OWNER_ABSENT);
}
END_TEST

static const struct {
	const char *text;
	enum owner_type type;
	const char *name;
} texts[] = {
	{ "", OWNER_MISSING, "" },
	{ "none", OWNER_LEASE, "" },
	{ "container:roboco-agent-a", OWNER_CONTAINER, "roboco-agent-a" },
	{ "container:", OWNER_STRANGE, NULL },
	{ "container:a", OWNER_STRANGE, NULL },
	{ "container:../x", OWNER_STRANGE, NULL },
	{ "container:ab\ncd", OWNER_STRANGE, NULL },
	{ "container:-ab", OWNER_STRANGE, NULL },
	{ "Container:ab", OWNER_STRANGE, NULL },
	{ "pid:m:b:1:2:3", OWNER_PROCESS, NULL },
	{ "nonesuch", OWNER_STRANGE, NULL },
	{ "None", OWNER_STRANGE, NULL },
	{ "service:x", OWNER_STRANGE, NULL },
	{ "roboco-agent-a", OWNER_STRANGE, NULL },
};

START_TEST(owner_texts)
{
	struct owner owner = owner_parse(texts[_i].text);

	ck_assert_int_eq(owner.type, texts[_i].type);
	if (texts[_i].name != NULL)
		ck_assert_str_eq(owner.name, texts[_i].name);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("judge-entry");

	unit_add_each(suite, "S4, S5, S8: when an entry may go", entries,
	    ROWS(rows));
	unit_add_each(suite, "O1: is a container alive as an owner?", owners,
	    ROWS(views));
	unit_add(suite, "O1: an owner that is not there is absent",
	    no_owner_container);
	unit_add_each(suite, "owners as text; a strange one is no owner",
	    owner_texts, ROWS(texts));
	return suite;
}

UNIT_MAIN(make_suite)
