/* SPDX-License-Identifier: ISC */
/* The janitor's pass. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/progress.h"
#include "core/sweep.h"
#include "core/sweep_queue.h"
#include "process/interrupt.h"

struct pass {
	const struct core *core;
	const struct sweep_options *options;
	struct survey survey;
	struct sweep_report *report;
};

/* Would anything but its owner keep it? */
static bool
is_suspect(const struct pass *pass, const struct survey_row *row)
{
	enum verdict verdict = row->judgement.verdict;

	return (verdict == VERDICT_OWNER_ALIVE ||
		   verdict == VERDICT_OWNER_UNKNOWN ||
		   verdict == VERDICT_OWNER_GRACE ||
		   verdict == VERDICT_OWNER_ABSENT) &&
	    sweep_is_suspect(pass->options, &row->sandbox.owner);
}

static bool
is_candidate(const struct pass *pass, const struct survey_row *row)
{
	if (pass->options->drain)
		return row->sandbox.kind == SANDBOX_OURS;
	if (is_suspect(pass, row))
		return true;
	return verdict_removes(row->judgement.verdict);
}

/* Is it one of those whose owner may be on its way back? */
static bool
must_wait(const struct pass *pass, const struct survey_row *row)
{
	return !pass->options->drain && !is_suspect(pass, row) &&
	    pass->survey.rules.owner_grace > 0 &&
	    row->judgement.verdict == VERDICT_OWNER_ABSENT;
}

/* An entry without any container in the list, or one to be set aside. */
static bool
is_empty_candidate(const struct pass *pass, const struct survey_agent *agent)
{
	if (agent->lost && store_has(pass->core->store, agent->slug))
		return true;
	if (agent->rows > 0 || agent->unreadable)
		return false;
	if (!agent->recorded)
		return agent->released;
	return pass->options->drain ||
	    verdict_removes(agent->judgement.verdict);
}

static int
compare_slugs(const void *a, const void *b)
{
	const struct survey_row *const *one = a, *const *two = b;

	return strcmp((*one)->sandbox.slug, (*two)->sandbox.slug);
}

/* The candidates that have (or have not) waited, agent by agent. */
static size_t
collect(const struct pass *pass, bool waited, struct survey_row **rows)
{
	struct survey_row *row;
	size_t i, count = 0;

	for (i = 0; i < pass->survey.row_count; i++) {
		row = &pass->survey.rows[i];
		if (is_candidate(pass, row) && must_wait(pass, row) == waited)
			rows[count++] = row;
	}
	if (count > 1)
		qsort(rows, count, sizeof(struct survey_row *), compare_slugs);
	return count;
}

static size_t
same_agent(struct survey_row *const *rows, size_t count)
{
	size_t len = 1;

	while (len < count && compare_slugs(&rows[0], &rows[len]) == 0)
		len++;
	return len;
}

static int
take_up_rows(struct sweep_queue *queue, struct survey_row **rows, size_t count,
    struct error *err)
{
	size_t i, len;

	for (i = 0; i < count; i += len) {
		len = same_agent(rows + i, count - i);
		if (sweep_queue_add_rows(queue, rows + i, len, err) == -1)
			return -1;
	}
	return 0;
}

static int
take_up_entries(const struct pass *pass, struct sweep_queue *queue,
    struct error *err)
{
	struct survey_agent *agent;
	size_t i;

	for (i = 0; i < pass->survey.agent_count; i++) {
		agent = &pass->survey.agents[i];
		if (is_empty_candidate(pass, agent) &&
		    sweep_queue_add_agent(queue, agent, err) == -1)
			return -1;
	}
	return 0;
}

static int
take_up(struct pass *pass, bool waited, struct error *err)
{
	struct survey_row **rows =
	    xcalloc(pass->survey.row_count, sizeof(struct survey_row *));
	size_t count = collect(pass, waited, rows);
	const struct judge_rules *rules = &pass->survey.rules;
	struct sweep_queue queue;
	int rc;

	sweep_queue_init(&queue, pass->core, pass->options, rules,
	    waited || rules->owner_grace == 0 || pass->options->dry_run, count,
	    pass->report);
	rc = take_up_rows(&queue, rows, count, err);
	if (rc == 0 && !waited)
		rc = take_up_entries(pass, &queue, err);
	if (rc == 0)
		rc = sweep_queue_finish(&queue, err);
	sweep_queue_clear(&queue);
	free(rows);
	return rc;
}

static size_t
count_waiting(const struct pass *pass)
{
	size_t i, count = 0;

	for (i = 0; i < pass->survey.row_count; i++)
		if (is_candidate(pass, &pass->survey.rows[i]) &&
		    must_wait(pass, &pass->survey.rows[i]))
			count++;
	return count;
}

/* The owner's grace, within the limit of time for the whole command. */
static int
wait_for_owners(const struct pass *pass, struct error *err)
{
	int64_t wait_ms = pass->survey.rules.owner_grace * 1000;
	int64_t left_ms =
	    deadline_left_ms(pass->core->docker->control.deadline);

	if (left_ms < wait_ms) {
		(void)error_set(err, ERROR_TIMEOUT,
		    "--timeout is over before the owners' grace");
		return error_hint(err,
		    "give it longer than owner-grace: the rest waits for the "
		    "next sweep");
	}
	return interrupt_sleep_ms(wait_ms, err);
}

/* Name the absent owners for a caller that has better to do than to wait. */
static void
defer(const struct pass *pass)
{
	struct survey_row *row;
	size_t i;

	for (i = 0; i < pass->survey.row_count; i++) {
		row = &pass->survey.rows[i];
		if (!is_candidate(pass, row) || !must_wait(pass, row))
			continue;
		strvec_add_once(pass->options->deferred,
		    row->sandbox.owner.name);
		row->judgement.verdict = VERDICT_OWNER_GRACE;
		(void)sweep_report_add(pass->report, row->sandbox.slug,
		    &row->sandbox, row->judgement, SWEEP_KEPT);
	}
}

static int
take_up_waiting(struct pass *pass, struct error *err)
{
	char grace[DURATION_TEXT];
	size_t count = count_waiting(pass);
	int rc;

	if (count == 0)
		return 0;
	if (pass->options->deferred != NULL) {
		defer(pass);
		return 0;
	}
	if (!pass->options->dry_run) {
		duration_format(grace, pass->survey.rules.owner_grace);
		log_info("%zu sandbox container%s without an owner: looking "
			 "again in %s, for the owner may be on its way back",
		    count, count == 1 ? "" : "s", grace);
		progress_begin("waiting for owners that may be on their way "
			       "back");
		rc = wait_for_owners(pass, err);
		progress_end();
		if (rc == -1)
			return -1;
	}
	return take_up(pass, true, err);
}

/* What an operator should know of, whether it is ours to touch or not. */
static void
tell_odd(const struct sweep_options *options, const struct survey_row *row)
{
	const char *name = row->sandbox.container->name;
	enum verdict verdict = row->judgement.verdict;

	/* who stays has told it at the start */
	if (options->deferred != NULL)
		return;
	if (verdict == VERDICT_FOREIGN)
		log_info("%s: kept: %s, %s", name, verdict_text(verdict),
		    row->sandbox.keeper);
	else if (verdict == VERDICT_AGE_UNKNOWN || verdict == VERDICT_STRANGER)
		log_info("%s: kept: %s", name, verdict_text(verdict));
}

static void
note_kept(struct pass *pass)
{
	const struct survey_row *row;
	size_t i;

	for (i = 0; i < pass->survey.row_count; i++) {
		row = &pass->survey.rows[i];
		if (is_candidate(pass, row))
			continue;
		(void)sweep_report_add(pass->report, row->sandbox.slug,
		    &row->sandbox, row->judgement, SWEEP_KEPT);
		tell_odd(pass->options, row);
	}
}

static int
run_locked(struct pass *pass, struct error *err)
{
	int rc;

	if (pass->options->suspects_only) {
		pass->survey.sandboxes = *pass->options->listing;
		memset(pass->options->listing, 0,
		    sizeof(*pass->options->listing));
		rc = survey_take_known(pass->core, &pass->survey, err);
	} else {
		rc = survey_take(pass->core, &pass->survey, err);
	}
	if (rc == -1)
		return error_wrap(err,
		    "nothing is removed on partial "
		    "knowledge");
	if (!pass->options->dry_run)
		store_tidy(pass->core->store);
	pass->report->listed = true;
	pass->report->found = pass->survey.row_count;
	note_kept(pass);
	if (take_up(pass, false, err) == -1 || take_up_waiting(pass, err) == -1)
		return -1;
	/* what failed since failed because of it */
	if (pass->report->failed > 0 && interrupt_pending() != 0)
		return interrupt_error(err);
	return 0;
}

/* Who borrows from it, the survey's rows, is cleared next. */
static void
hand_over_listing(struct pass *pass)
{
	struct container_list *listing = pass->options->listing;

	if (listing == NULL)
		return;
	container_list_clear(listing);
	*listing = pass->survey.sandboxes;
	memset(&pass->survey.sandboxes, 0, sizeof(pass->survey.sandboxes));
}

int
sweep_run(const struct core *core, const struct sweep_options *options,
    struct sweep_report *report, struct error *err)
{
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct pass pass = { .core = core,
		.options = options,
		.report = report };
	int rc;

	memset(report, 0, sizeof(*report));
	if (lock_sweep(core->store, &lock, err) == -1) {
		if (err->kind != ERROR_LOCKED)
			return -1;
		report->busy = true;
		return 0;
	}
	rc = run_locked(&pass, err);
	hand_over_listing(&pass);
	survey_clear(&pass.survey);
	lock_release(&lock);
	return rc;
}
