/* SPDX-License-Identifier: ISC */
/* core/judge: the janitor's judgement of a sandbox container, by table. */
#include <stdlib.h>
#include <string.h>

#include "core/judge.h"
#include "unit.h"

#define NOW INT64_C(1796050845)
#define OLD 100000
/* No such moment: it is not set, or not known. */
#define NEVER INT64_MIN

static const struct judge_rules rules = { NOW, 180, 30, 86400 };

/*
 * One of ours, made 100,000 s ago, recorded by a ready entry and owned by a
 * container, but for the facts: words, and NAME=SECONDS before now ("-in":
 * after now; "never": not set, not known).
 */
struct row {
	const char *facts;
	enum verdict verdict;
	int64_t until_in; /* 0: no date */
};

static const struct row rows[] = {
	/* owners */
	{ "alive", VERDICT_OWNER_ALIVE, 0 },
	{ "absent", VERDICT_OWNER_ABSENT, 0 },
	{ "unknown", VERDICT_OWNER_UNKNOWN, 0 },
	{ "stopped=100000", VERDICT_OWNER_STOPPED, 0 },
	{ "stopped=31", VERDICT_OWNER_STOPPED, 0 },
	{ "stopped=30", VERDICT_OWNER_STOPPED, 0 },
	{ "stopped=29", VERDICT_OWNER_GRACE, 1 },
	{ "stopped=0", VERDICT_OWNER_GRACE, 30 },
	{ "stopped=-1", VERDICT_OWNER_UNKNOWN, 0 },
	{ "stopped=never", VERDICT_OWNER_UNKNOWN, 0 },
	{ "stopped=1796050845", VERDICT_OWNER_STOPPED, 0 },
	{ "strange unknown", VERDICT_OWNER_UNKNOWN, 0 },
	{ "unkept absent no-entry", VERDICT_OWNER_ABSENT, 0 },
	{ "unkept alive no-entry", VERDICT_OWNER_ALIVE, 0 },
	/* processes: no grace of any kind */
	{ "process stopped=1796050845 created=1 handed=0",
	    VERDICT_OWNER_STOPPED, 0 },
	{ "process stopped=1796050845 provisioning created=1 handed=1",
	    VERDICT_OWNER_STOPPED, 0 },
	{ "process alive", VERDICT_OWNER_ALIVE, 0 },
	{ "process unknown lease-in=60", VERDICT_OWNER_UNKNOWN, 60 },
	{ "process unknown lease-in=0", VERDICT_LEASE_OVER, 0 },
	{ "process stopped=1796050845 created=-1", VERDICT_AGE_UNKNOWN, 0 },
	/* leases: the entry's wins over the label's */
	{ "lease alive lease-in=1", VERDICT_LEASED, 1 },
	{ "lease alive lease-in=0", VERDICT_LEASE_OVER, 0 },
	{ "alive lease-in=-1", VERDICT_LEASE_OVER, 0 },
	{ "alive lease-in=1", VERDICT_OWNER_ALIVE, 1 },
	{ "lease alive label-lease-in=-1 lease-in=60", VERDICT_LEASED, 60 },
	{ "lease unkept alive label-lease-in=5 no-entry", VERDICT_LEASED, 5 },
	{ "lease unkept alive label-lease-in=0 no-entry", VERDICT_LEASE_OVER,
	    0 },
	/* neither owner nor lease: never */
	{ "missing absent", VERDICT_NO_OWNER, 0 },
	{ "lease absent", VERDICT_NO_OWNER, 0 },
	{ "missing absent no-entry", VERDICT_NO_OWNER, 0 },
	{ "missing absent other", VERDICT_NO_OWNER, 0 },
	{ "missing absent provisioning", VERDICT_NO_OWNER, 0 },
	{ "missing unkept absent no-entry", VERDICT_NO_OWNER, 0 },
	{ "missing foreign absent", VERDICT_NO_OWNER, 0 },
	/* not recorded, cut off */
	{ "alive no-entry", VERDICT_UNRECORDED, 0 },
	{ "alive other", VERDICT_UNRECORDED, 0 },
	{ "alive provisioning", VERDICT_ABANDONED, 0 },
	/* what a damaged entry recorded is not known */
	{ "alive no-entry lost", VERDICT_OWNER_ALIVE, 0 },
	{ "alive other lost", VERDICT_OWNER_ALIVE, 0 },
	{ "absent no-entry lost", VERDICT_OWNER_ABSENT, 0 },
	{ "unkept alive no-entry", VERDICT_OWNER_ALIVE, 0 },
	{ "unkept alive other", VERDICT_OWNER_ALIVE, 0 },
	{ "unkept alive provisioning", VERDICT_OWNER_ALIVE, 0 },
	{ "unkept absent other handed=0", VERDICT_OWNER_ABSENT, 0 },
	/* the grace, by the youngest of three dates */
	{ "absent created=180", VERDICT_OWNER_ABSENT, 0 },
	{ "absent created=179", VERDICT_YOUNG, 1 },
	{ "absent created=0", VERDICT_YOUNG, 180 },
	{ "absent entry-created=179", VERDICT_YOUNG, 1 },
	{ "absent entry-created=180", VERDICT_OWNER_ABSENT, 0 },
	{ "absent handed=179", VERDICT_YOUNG, 1 },
	{ "absent handed=180", VERDICT_OWNER_ABSENT, 0 },
	{ "absent created=10 handed=5", VERDICT_YOUNG, 175 },
	{ "alive provisioning created=179", VERDICT_YOUNG, 1 },
	{ "alive no-entry created=179", VERDICT_YOUNG, 1 },
	{ "alive lease-in=-1 handed=170", VERDICT_YOUNG, 10 },
	{ "stopped=100000 created=179", VERDICT_YOUNG, 1 },
	{ "stopped=29 created=5", VERDICT_OWNER_GRACE, 1 },
	{ "alive created=5", VERDICT_OWNER_ALIVE, 0 },
	/* an age that is unknown or in the future */
	{ "absent created=never", VERDICT_AGE_UNKNOWN, 0 },
	{ "absent created=-1", VERDICT_AGE_UNKNOWN, 0 },
	{ "absent created=-100000", VERDICT_AGE_UNKNOWN, 0 },
	{ "absent entry-created=-1", VERDICT_AGE_UNKNOWN, 0 },
	{ "absent handed=-1", VERDICT_AGE_UNKNOWN, 0 },
	{ "absent provisioning created=never", VERDICT_AGE_UNKNOWN, 0 },
	{ "alive created=never", VERDICT_OWNER_ALIVE, 0 },
	/* held, released, unreadable */
	{ "absent hold-in=1", VERDICT_HELD, 1 },
	{ "absent hold-in=0", VERDICT_OWNER_ABSENT, 0 },
	{ "absent hold-in=9 provisioning", VERDICT_HELD, 9 },
	{ "absent hold-in=9 lease-in=-9", VERDICT_HELD, 9 },
	{ "absent hold-in=9 released", VERDICT_HELD, 9 },
	{ "unkept absent hold-in=9 other", VERDICT_HELD, 9 },
	{ "alive released", VERDICT_RELEASED, 0 },
	{ "alive released created=1", VERDICT_RELEASED, 0 },
	{ "alive released no-entry", VERDICT_RELEASED, 0 },
	{ "absent unreadable no-entry", VERDICT_UNREADABLE, 0 },
	{ "absent unreadable released no-entry", VERDICT_UNREADABLE, 0 },
	/* recorded under another name of this daemon */
	{ "alive elsewhere no-entry", VERDICT_ELSEWHERE, 0 },
	{ "absent elsewhere other", VERDICT_ELSEWHERE, 0 },
	{ "absent elsewhere released no-entry", VERDICT_ELSEWHERE, 0 },
	/* another keeper's: by its labels alone */
	{ "foreign absent created=86399", VERDICT_FOREIGN, 1 },
	{ "foreign absent created=86400", VERDICT_OWNER_ABSENT, 0 },
	{ "foreign alive", VERDICT_OWNER_ALIVE, 0 },
	{ "foreign absent created=never", VERDICT_AGE_UNKNOWN, 0 },
	{ "foreign absent created=-1", VERDICT_AGE_UNKNOWN, 0 },
	{ "foreign alive released", VERDICT_OWNER_ALIVE, 0 },
	{ "foreign alive provisioning", VERDICT_OWNER_ALIVE, 0 },
	{ "foreign absent hold-in=9 handed=0", VERDICT_OWNER_ABSENT, 0 },
	{ "foreign absent unreadable", VERDICT_OWNER_ABSENT, 0 },
	{ "foreign alive lease-in=-1", VERDICT_OWNER_ALIVE, 0 },
	{ "foreign alive label-lease-in=-1", VERDICT_LEASE_OVER, 0 },
	/* a stranger's: never */
	{ "stranger absent", VERDICT_STRANGER, 0 },
	{ "stranger absent released label-lease-in=-1", VERDICT_STRANGER, 0 },
};

enum entry_kind {
	NO_ENTRY,
	READY,        /* and records the container */
	READY_OTHER,  /* records another one */
	PROVISIONING, /* records nothing yet */
};

struct facts {
	enum sandbox_kind kind;
	enum owner_type owner;
	enum owner_state state;
	enum entry_kind entry;
	bool unreadable, released, lost, elsewhere;
	int64_t stopped, created, entry_created, handed; /* ago */
	int64_t label_lease_in, lease_in, hold_in;
};

static const struct {
	const char *word;
	size_t offset;
	int value;
} words[] = {
	{ "unkept", offsetof(struct facts, kind), SANDBOX_UNKEPT },
	{ "foreign", offsetof(struct facts, kind), SANDBOX_FOREIGN },
	{ "stranger", offsetof(struct facts, kind), SANDBOX_STRANGER },
	{ "process", offsetof(struct facts, owner), OWNER_PROCESS },
	{ "lease", offsetof(struct facts, owner), OWNER_LEASE },
	{ "missing", offsetof(struct facts, owner), OWNER_MISSING },
	{ "strange", offsetof(struct facts, owner), OWNER_STRANGE },
	{ "alive", offsetof(struct facts, state), OWNER_ALIVE },
	{ "absent", offsetof(struct facts, state), OWNER_ABSENT },
	{ "unknown", offsetof(struct facts, state), OWNER_UNKNOWN },
	{ "stopped", offsetof(struct facts, state), OWNER_STOPPED },
	{ "no-entry", offsetof(struct facts, entry), NO_ENTRY },
	{ "other", offsetof(struct facts, entry), READY_OTHER },
	{ "provisioning", offsetof(struct facts, entry), PROVISIONING },
};

static const struct {
	const char *word;
	size_t offset;
} numbers[] = {
	{ "stopped", offsetof(struct facts, stopped) },
	{ "created", offsetof(struct facts, created) },
	{ "entry-created", offsetof(struct facts, entry_created) },
	{ "handed", offsetof(struct facts, handed) },
	{ "label-lease-in", offsetof(struct facts, label_lease_in) },
	{ "lease-in", offsetof(struct facts, lease_in) },
	{ "hold-in", offsetof(struct facts, hold_in) },
};

static void
read_fact(struct facts *facts, const char *word, const char *number)
{
	int64_t value = NEVER;
	bool known = false;
	size_t i;

	for (i = 0; i < ROWS(words); i++)
		if (strcmp(words[i].word, word) == 0) {
			memcpy((char *)facts + words[i].offset, &words[i].value,
			    sizeof(int));
			known = true;
		}
	if (number != NULL && strcmp(number, "never") != 0)
		value = strtoll(number, NULL, 10);
	for (i = 0; number != NULL && i < ROWS(numbers); i++)
		if (strcmp(numbers[i].word, word) == 0) {
			memcpy((char *)facts + numbers[i].offset, &value,
			    sizeof(value));
			known = true;
		}
	if (strcmp(word, "unreadable") == 0)
		facts->unreadable = known = true;
	if (strcmp(word, "released") == 0)
		facts->released = known = true;
	if (strcmp(word, "lost") == 0)
		facts->lost = known = true;
	if (strcmp(word, "elsewhere") == 0)
		facts->elsewhere = known = true;
	ck_assert_msg(known, "what is '%s'?", word);
}

static struct facts
read_facts(const char *text)
{
	struct facts facts = { SANDBOX_OURS, OWNER_CONTAINER, OWNER_ABSENT,
		READY, false, false, false, false, NEVER, OLD, OLD, OLD, NEVER,
		NEVER, NEVER };
	char copy[200], *rest = copy, *word, *number;

	ck_assert_uint_lt(strlcpy(copy, text, sizeof(copy)), sizeof(copy));
	while ((word = strsep(&rest, " ")) != NULL) {
		number = word;
		(void)strsep(&number, "=");
		read_fact(&facts, word, number);
	}
	return facts;
}

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

static char id[] = "8f3c", other_id[] = "77ab", nothing[] = "";

static void
fill_entry(struct agent_entry *entry, struct service_entry *service,
    const struct facts *facts)
{
	memset(entry, 0, sizeof(*entry));
	memset(service, 0, sizeof(*service));
	service->id = nothing;
	if (facts->entry != PROVISIONING)
		service->id = facts->entry == READY ? id : other_id;
	service->pending = facts->entry == PROVISIONING;
	entry->state =
	    facts->entry == PROVISIONING ? ENTRY_PROVISIONING : ENTRY_READY;
	entry->services = service;
	entry->service_count = 1;
	entry->created = ago(facts->entry_created, 0);
	entry->handed = ago(facts->handed, 0);
	entry->expires = in(facts->lease_in);
	entry->hold = in(facts->hold_in);
}

static struct judgement
judge_facts(const char *text, const struct judge_rules *by)
{
	struct facts facts = read_facts(text);
	struct container container = { .id = id,
		.created = ago(facts.created, TIME_UNKNOWN) };
	struct sandbox sandbox = { .kind = facts.kind,
		.container = &container,
		.owner = { facts.owner, "o" },
		.expires = in(facts.label_lease_in),
		.entry_lost = facts.lost,
		.elsewhere = facts.elsewhere };
	struct owner_view view = { facts.state,
		ago(facts.stopped, TIME_UNKNOWN) };
	struct service_entry service;
	struct agent_entry entry;

	fill_entry(&entry, &service, &facts);
	return judge(&sandbox, facts.entry != NO_ENTRY ? &entry : NULL,
	    facts.unreadable, facts.released, view, by);
}

START_TEST(verdicts)
{
	const struct row *row = &rows[_i];
	struct judgement judged = judge_facts(row->facts, &rules);
	int64_t until = row->until_in != 0 ? NOW + row->until_in : 0;

	ck_assert_msg(judged.verdict == row->verdict, "%s: %s, not %s",
	    row->facts, verdict_word(judged.verdict),
	    verdict_word(row->verdict));
	ck_assert_msg(judged.until == until, "%s: until now%+lld", row->facts,
	    (long long)(judged.until - NOW));
}
END_TEST

/* Graces of zero: only what is told by a date is younger. */
START_TEST(no_grace)
{
	static const struct judge_rules none = { NOW, 0, 0, 0 };

	ck_assert_int_eq(judge_facts("absent created=0 handed=0", &none)
			     .verdict,
	    VERDICT_OWNER_ABSENT);
	ck_assert_int_eq(judge_facts("stopped=0", &none).verdict,
	    VERDICT_OWNER_STOPPED);
	ck_assert_int_eq(judge_facts("absent created=-1", &none).verdict,
	    VERDICT_AGE_UNKNOWN);
	/* K2: 0 means never */
	ck_assert_int_eq(judge_facts("foreign absent", &none).verdict,
	    VERDICT_FOREIGN);
}
END_TEST

START_TEST(verdict_words)
{
	int i, k;

	for (i = 0; i < VERDICT_COUNT; i++) {
		ck_assert_str_ne(verdict_word((enum verdict)i), "");
		ck_assert_str_ne(verdict_text((enum verdict)i), "");
		for (k = 0; k < i; k++)
			ck_assert_str_ne(verdict_word((enum verdict)i),
			    verdict_word((enum verdict)k));
		ck_assert(verdict_removes((enum verdict)i) ==
		    (i > VERDICT_LOCKED));
	}
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("judge");

	unit_add_each(suite, "S3 to S5, K2, O2: every verdict, every boundary",
	    verdicts, ROWS(rows));
	unit_add(suite, "S5: a grace of 0 keeps nothing but the future",
	    no_grace);
	unit_add(suite, "every verdict has a word of its own", verdict_words);
	return suite;
}

UNIT_MAIN(make_suite)
