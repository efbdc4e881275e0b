/* SPDX-License-Identifier: ISC */
/* One batch of a sweep. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/progress.h"
#include "core/chronicle.h"
#include "core/removal.h"
#include "core/sweep_look.h"

/*
 * Ids a "docker rm" and calls at once.  Measured beside the pipeline that an
 * operator would type (one rm of all, 50 in flight): 4 and 3 took 0.87 of its
 * time, 1 and 8 0.88, 8 and 2 1.00, 16 and 1 1.02 to 1.12.
 */
static const size_t ids_per_call = 4;
static const size_t parallel_calls = 3;

static bool
has_died(const struct container *c)
{
	return c->state == CONTAINER_EXITED &&
	    (c->exit_code != 0 || c->oom_killed);
}

static void
note_removed(const struct sweep_batch *batch, const struct target *target,
    struct sweep_report *report)
{
	const struct container *c = target->sandbox.container;
	char age[DURATION_TEXT];
	struct ending ending = { 0 };

	ending.agent = target->sandbox.slug;
	ending.container = c->name;
	ending.id = c->id;
	ending.service = target->sandbox.service;
	ending.cause =
	    batch->options->cause != NULL ? batch->options->cause : "sweep";
	ending.reason = verdict_word(target->judgement.verdict);
	ending.age = chronicle_age(c);
	ending.dead = has_died(c) ? c : NULL;
	ending.last_lines = target->last_lines;
	chronicle_end(batch->core, &ending);
	duration_format(age, ending.age);
	log_info("%s: removed %s: %s (%s old)", target->sandbox.slug, c->name,
	    verdict_text(target->judgement.verdict),
	    ending.age < 0 ? "?" : age);
	(void)sweep_report_add(report, target->sandbox.slug, &target->sandbox,
	    target->judgement, SWEEP_REMOVED);
}

static void
note_failed(const struct target *target, const struct error *err,
    struct sweep_report *report)
{
	struct sweep_decision *decision;

	log_warn("%s: %s stays, and the next sweep tries again: %s",
	    target->sandbox.slug, target->sandbox.container->name, err->msg);
	decision = sweep_report_add(report, target->sandbox.slug,
	    &target->sandbox, target->judgement, SWEEP_FAILED);
	xstr_set(&decision->problem, err->msg);
}

static void
read_last_lines(const struct sweep_batch *batch, struct targets *targets)
{
	struct target *target;
	size_t i;

	for (i = 0; i < targets->len; i++) {
		target = &targets->items[i];
		if (has_died(target->sandbox.container))
			target->last_lines = chronicle_last_lines(batch->core,
			    target->sandbox.container->id,
			    target->agent != NULL && target->agent->recorded ?
				&target->agent->entry :
				NULL);
	}
}

/* Which agents have a container that is still there after this? */
static void
remove_targets(const struct sweep_batch *batch, struct targets *targets,
    struct docker_look *look, struct strvec *stuck, struct sweep_report *report)
{
	struct removal *removals = xcalloc(targets->len, sizeof(*removals));
	size_t i;

	read_last_lines(batch, targets);
	for (i = 0; i < targets->len; i++)
		removals[i].id = targets->items[i].sandbox.container->id;
	if (targets->len > 0)
		progress_begin("sweeping: %zu removed, %zu at work",
		    report->removed, targets->len);
	removal_run(batch->core, removals, targets->len, ids_per_call,
	    parallel_calls, look);
	progress_end();
	for (i = 0; i < targets->len; i++) {
		if (removals[i].error.kind == ERROR_NONE) {
			note_removed(batch, &targets->items[i], report);
			continue;
		}
		note_failed(&targets->items[i], &removals[i].error, report);
		strvec_add_once(stuck, targets->items[i].sandbox.slug);
	}
	free(removals);
}

static void
note_would(const struct targets *targets, struct sweep_report *report)
{
	size_t i;

	for (i = 0; i < targets->len; i++)
		(void)sweep_report_add(report, targets->items[i].sandbox.slug,
		    &targets->items[i].sandbox, targets->items[i].judgement,
		    SWEEP_WOULD_REMOVE);
}

/* Is every container that its entry records gone, or not ours? */
static bool
all_gone(const struct sweep_batch *batch, const struct survey_agent *agent,
    const struct container_list *found, const struct targets *targets)
{
	struct sandbox sandbox;
	size_t i;

	for (i = 0; i < found->len; i++) {
		sandbox_read(&sandbox, batch->core, &found->items[i]);
		/* one that its entry records by id is the one, whatever its
		 * labels say: without the entry nothing would find it */
		if ((sandbox.kind == SANDBOX_STRANGER ||
			sandbox.kind == SANDBOX_FOREIGN ||
			strcmp(sandbox.slug, agent->slug) != 0) &&
		    !(agent->recorded &&
			agent_entry_has_id(&agent->entry, found->items[i].id)))
			continue;
		if (!targets_has(targets, found->items[i].id))
			return false;
	}
	return true;
}

static struct judgement
judge_entry_again(const struct sweep_batch *batch,
    const struct survey_agent *agent, const struct container_list *found)
{
	if (batch->options->drain)
		return (struct judgement){ VERDICT_DRAINED, 0 };
	return judge_entry(&agent->entry, agent->released,
	    sweep_look_owner(batch, found, agent->entry.owner, &agent->entry),
	    &batch->rules);
}

static void
evict(const struct sweep_batch *batch, const struct survey_agent *agent,
    enum verdict verdict, struct sweep_report *report)
{
	struct error err;

	if (store_remove(batch->core->store, agent->slug, &err) == -1 ||
	    store_unmark(batch->core->store, agent->slug, &err) == -1) {
		log_warn("%s: its entry stays: %s", agent->slug, err.msg);
		(void)error_wrap(&err, "the entry of %s stays", agent->slug);
		if (report->entry_stays.kind == ERROR_NONE)
			report->entry_stays = err;
		return;
	}
	store_forget_damaged(batch->core->store, agent->slug);
	report->evicted++;
	if (agent->recorded && agent->rows == 0)
		sweep_report_forget(report, agent->slug, agent->entry.owner,
		    verdict);
	log_verbose("%s: its entry is forgotten", agent->slug);
}

static void
evict_entries(const struct sweep_batch *batch,
    const struct container_list *found, const struct targets *targets,
    const struct strvec *stuck, struct sweep_report *report)
{
	const struct survey_agent *agent;
	struct judgement judged;
	size_t i;

	for (i = 0; i < batch->agent_count; i++) {
		agent = batch->agents[i];
		if (batch->locks[i].fd == -1 || agent->unreadable ||
		    strvec_has(stuck, agent->slug) ||
		    !all_gone(batch, agent, found, targets))
			continue;
		if (!agent->recorded) {
			if (agent->released)
				evict(batch, agent, VERDICT_RELEASED, report);
			continue;
		}
		judged = judge_entry_again(batch, agent, found);
		if (verdict_removes(judged.verdict))
			evict(batch, agent, judged.verdict, report);
	}
}

/* What the batch's own look says is done, and the next one's look is made. */
static void
carry_out(struct sweep_batch *batch, struct docker_look *next,
    struct sweep_report *report)
{
	struct targets targets = { 0 };
	struct strvec stuck = { 0 };

	sweep_look_choose(batch, &batch->look.found, &targets, report);
	if (batch->options->dry_run) {
		note_would(&targets, report);
		if (next != NULL)
			docker_look_make(batch->core->docker, next);
	} else {
		remove_targets(batch, &targets, next, &stuck, report);
		evict_entries(batch, &batch->look.found, &targets, &stuck,
		    report);
	}
	targets_clear(&targets);
	strvec_clear(&stuck);
}

int
sweep_batch_begin(struct sweep_batch *batch, struct sweep_batch *before,
    struct sweep_report *report, struct error *err)
{
	struct docker_look *look = &batch->look;

	sweep_look_lock(batch);
	sweep_look_names(batch, &look->names);
	/* what ends or begins while docker answers is younger than this */
	batch->rules.now = clock_now();
	if (look->names.len == 0)
		look = NULL;
	if (before != NULL) {
		carry_out(before, look, report);
		sweep_batch_close(before);
	} else if (look != NULL) {
		docker_look_make(batch->core->docker, look);
	}
	if (look == NULL || look->error.kind == ERROR_NONE)
		return 0;
	*err = look->error;
	sweep_batch_close(batch);
	return -1;
}

void
sweep_batch_end(struct sweep_batch *batch, struct sweep_report *report)
{
	carry_out(batch, NULL, report);
	sweep_batch_close(batch);
}

void
sweep_batch_close(struct sweep_batch *batch)
{
	size_t i;

	for (i = 0; i < batch->agent_count; i++)
		lock_release(&batch->locks[i]);
	docker_look_clear(&batch->look);
	batch->row_count = 0;
	batch->agent_count = 0;
}
