/* SPDX-License-Identifier: ISC */
/* core/watch_clock.h: what a watch remembers. */
#include "base/alloc.h"
#include "base/clock.h"
#include "core/watch_clock.h"
#include "unit.h"

static struct watch_memory memory;
static struct sweep_report report;

static void
setup(void)
{
	memset(&memory, 0, sizeof(memory));
	memset(&report, 0, sizeof(report));
}

static void
teardown(void)
{
	watch_memory_clear(&memory);
	sweep_report_clear(&report);
}

/* What a sweep decided on one sandbox container. */
static void
decide(const char *id, const char *owner, enum verdict verdict,
    enum sweep_outcome outcome, int64_t until)
{
	struct container c = { .id = xstrdup(id), .name = xstrdup("box") };
	struct sandbox sandbox = { .container = &c,
		.service = "pg",
		.keeper = "" };
	struct judgement judged = { verdict, until };

	(void)strlcpy(sandbox.owner_text, owner, sizeof(sandbox.owner_text));
	(void)sweep_report_add(&report, "a", &sandbox, judged, outcome);
	free(c.id);
	free(c.name);
}

START_TEST(owners_are_known_by_whole_names)
{
	decide("1", "container:ob", VERDICT_OWNER_ALIVE, SWEEP_KEPT, 0);
	decide("2", "container:oa", VERDICT_OWNER_ALIVE, SWEEP_KEPT, 0);
	decide("3", "container:ob", VERDICT_OWNER_ALIVE, SWEEP_KEPT, 0);
	decide("4", "container:gone", VERDICT_OWNER_STOPPED, SWEEP_REMOVED, 0);
	decide("5", "container:theirs", VERDICT_FOREIGN, SWEEP_KEPT, 0);
	watch_memory_learn(&memory, &report, NULL);
	ck_assert(watch_memory_knows(&memory, "oa"));
	ck_assert(watch_memory_knows(&memory, "ob"));
	ck_assert(!watch_memory_knows(&memory, "gone"));
	ck_assert(!watch_memory_knows(&memory, "theirs"));
	ck_assert(!watch_memory_knows(&memory, ""));
	ck_assert_uint_eq(memory.owners.len, 2);
	watch_memory_add(&memory, "container:oab", 0);
	watch_memory_add(&memory, "container:o0", 0);
	watch_memory_add(&memory, "container:oc", 0);
	watch_memory_add(&memory, "container:oc", 0);
	ck_assert(watch_memory_knows(&memory, "o0"));
	ck_assert(watch_memory_knows(&memory, "oab"));
	ck_assert(watch_memory_knows(&memory, "oc"));
	ck_assert(watch_memory_knows(&memory, "oa"));
	ck_assert_uint_eq(memory.owners.len, 5);
}
END_TEST

START_TEST(it_is_full_when_much_was_added)
{
	char name[32];
	int i;

	for (i = 0; i < 1000; i++) {
		ck_assert(!watch_memory_is_full(&memory));
		(void)snprintf(name, sizeof(name), "container:x%d", i);
		watch_memory_add(&memory, name, 0);
	}
	ck_assert(watch_memory_is_full(&memory));
	watch_memory_learn(&memory, &report, NULL);
	ck_assert(!watch_memory_is_full(&memory));
	ck_assert_uint_eq(memory.owners.len, 0);
}
END_TEST

START_TEST(the_first_change_counts)
{
	decide("1", "container:oa", VERDICT_HELD, SWEEP_KEPT, 500);
	decide("2", "none", VERDICT_LEASED, SWEEP_KEPT, 300);
	decide("3", "container:ob", VERDICT_OWNER_ALIVE, SWEEP_KEPT, 0);
	decide("4", "container:oc", VERDICT_LEASE_OVER, SWEEP_FAILED, 100);
	watch_memory_learn(&memory, &report, NULL);
	ck_assert_int_eq(memory.next_change, 300);
	watch_memory_add(&memory, "none", 0);
	ck_assert_int_eq(memory.next_change, 300);
	watch_memory_add(&memory, "none", 200);
	ck_assert_int_eq(memory.next_change, 200);
}
END_TEST

START_TEST(processes_are_looked_at_while_they_live)
{
	decide("1", "pid:x", VERDICT_OWNER_ALIVE, SWEEP_KEPT, 9);
	decide("2", "pid:y", VERDICT_HELD, SWEEP_KEPT, 9);
	decide("3", "pid:z", VERDICT_OWNER_STOPPED, SWEEP_FAILED, 0);
	watch_memory_learn(&memory, &report, NULL);
	ck_assert_uint_eq(memory.processes.len, 1);
	ck_assert_str_eq(memory.processes.items[0], "pid:x");
}
END_TEST

START_TEST(a_clock_runs_once)
{
	struct strvec out = { 0 };
	int64_t now = clock_monotonic_ms();

	ck_assert_int_eq(watch_clock_next(&memory), INT64_MAX);
	ck_assert(watch_clock_start(&memory, "oa", 5000));
	ck_assert(!watch_clock_start(&memory, "oa", 1));
	ck_assert(watch_clock_start(&memory, "ob", 9000));
	ck_assert_int_ge(watch_clock_next(&memory), now + 5000);
	ck_assert_int_lt(watch_clock_next(&memory), now + 8000);
	watch_clock_take(&memory, now + 4000, &out);
	ck_assert_uint_eq(out.len, 0);
	watch_clock_take(&memory, now + 8000, &out);
	ck_assert_uint_eq(out.len, 1);
	ck_assert_str_eq(out.items[0], "oa");
	ck_assert(watch_clock_stop(&memory, "ob"));
	ck_assert(!watch_clock_stop(&memory, "ob"));
	ck_assert_int_eq(watch_clock_next(&memory), INT64_MAX);
	strvec_clear(&out);
}
END_TEST

START_TEST(a_suspect_that_is_kept_for_a_while_stays_one)
{
	struct strvec suspects = { 0 };
	int64_t now = clock_now();

	strvec_add_all(&suspects, "oa", "ob", "oc", "od", NULL);
	decide("1", "container:oa", VERDICT_YOUNG, SWEEP_KEPT, now + 100);
	decide("2", "container:ob", VERDICT_OWNER_ALIVE, SWEEP_KEPT, now + 100);
	decide("3", "container:oc", VERDICT_LOCKED, SWEEP_KEPT, 0);
	decide("4", "container:od", VERDICT_OWNER_ABSENT, SWEEP_REMOVED, 0);
	decide("5", "container:oe", VERDICT_YOUNG, SWEEP_KEPT, now + 100);
	watch_memory_learn_suspects(&memory, &report, &suspects);
	ck_assert(watch_clock_stop(&memory, "oa"));
	ck_assert(!watch_clock_stop(&memory, "ob"));
	ck_assert(watch_clock_stop(&memory, "oc"));
	ck_assert(!watch_clock_stop(&memory, "od"));
	ck_assert(!watch_clock_stop(&memory, "oe"));
	ck_assert(watch_memory_knows(&memory, "ob"));
	ck_assert(!watch_memory_knows(&memory, "od"));
	strvec_clear(&suspects);
}
END_TEST

START_TEST(a_renamed_owner_is_known_by_its_id)
{
	watch_memory_add(&memory, "container:oa", 0);
	watch_renamed_add(&memory, "123", "oa");
	ck_assert_str_eq(watch_renamed_find(&memory, "123"), "oa");
	ck_assert_ptr_null(watch_renamed_find(&memory, "12"));
	ck_assert_ptr_null(watch_renamed_find(&memory, "1234"));
	watch_renamed_forget(&memory, "123");
	ck_assert_ptr_null(watch_renamed_find(&memory, "123"));
	watch_renamed_add(&memory, "1", "oa");
	watch_renamed_add(&memory, "2", "oa");
	watch_renamed_forget_owner(&memory, "oa");
	ck_assert_uint_eq(memory.renamed.len, 0);
	/* whose sandbox is gone is nobody's owner */
	watch_renamed_add(&memory, "1", "oa");
	watch_memory_learn(&memory, &report, NULL);
	ck_assert_uint_eq(memory.renamed.len, 0);
}
END_TEST

START_TEST(what_is_gone_is_not_listed)
{
	json_t *labels = json_pack("{s:s}", "k", "v");

	watch_memory_add_sandbox(&memory, "1", "one", labels);
	watch_memory_add_sandbox(&memory, "2", "two", labels);
	watch_memory_add_sandbox(&memory, "2", "two", labels);
	ck_assert_uint_eq(memory.sandboxes.len, 2);
	ck_assert_str_eq(container_label(&memory.sandboxes.items[1], "k"), "v");
	decide("1", "container:oa", VERDICT_OWNER_STOPPED, SWEEP_REMOVED, 0);
	decide("2", "container:ob", VERDICT_OWNER_STOPPED, SWEEP_FAILED, 0);
	watch_memory_learn(&memory, &report, NULL);
	ck_assert_uint_eq(memory.sandboxes.len, 1);
	ck_assert_str_eq(memory.sandboxes.items[0].id, "2");
	watch_memory_drop_sandbox(&memory, "2");
	watch_memory_drop_sandbox(&memory, "3");
	ck_assert_uint_eq(memory.sandboxes.len, 0);
	json_decref(labels);
}
END_TEST

static Suite *
make_suite(void)
{
	static const struct {
		const char *sentence;
		const TTest **test;
	} tests[] = {
		{ "W1: owners are known by their whole names",
		    &owners_are_known_by_whole_names },
		{ "W6: it is full when much was added since a sweep",
		    &it_is_full_when_much_was_added },
		{ "W1: the first change counts", &the_first_change_counts },
		{ "issue 6: processes are looked at while they live",
		    &processes_are_looked_at_while_they_live },
		{ "W1: a clock runs once", &a_clock_runs_once },
		{ "W1: a suspect that is kept for a while stays one",
		    &a_suspect_that_is_kept_for_a_while_stays_one },
		{ "O1: a renamed owner is known by its id",
		    &a_renamed_owner_is_known_by_its_id },
		{ "W6: what is gone is not listed",
		    &what_is_gone_is_not_listed },
	};
	Suite *suite = suite_create("watch-clock");
	size_t i;

	for (i = 0; i < ROWS(tests); i++)
		unit_add_with(suite, tests[i].sentence, *tests[i].test, setup,
		    teardown, 1);
	return suite;
}

UNIT_MAIN(make_suite)
