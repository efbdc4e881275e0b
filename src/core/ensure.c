/* SPDX-License-Identifier: ISC */
/* ensure: the steps in their order, the lock, the intent and the commit. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "core/deliver.h"
#include "core/ensure_work.h"
#include "core/judge.h"
#include "core/process_owner.h"
#include "core/release.h"
#include "process/interrupt.h"

static int
look(struct ensure_work *work, struct error *err)
{
	struct strvec names = { 0 };
	size_t i;
	int rc;

	if (work->owns.type == OWNER_CONTAINER)
		strvec_add(&names, work->owns.name);
	for (i = 0; i < work->service_count; i++)
		strvec_add_once(&names, work->services[i].container);
	rc = docker_inspect(work->core->docker, &names, &work->found, err);
	strvec_clear(&names);
	if (work->owns.type == OWNER_CONTAINER)
		work->owner =
		    container_list_find(&work->found, work->owns.name);
	return rc;
}

static int
wake_paused(struct ensure_work *work, struct error *err)
{
	struct strvec ids = { 0 };
	size_t i;
	int rc = 0;

	for (i = 0; i < work->service_count; i++)
		if (!work->services[i].make &&
		    work->services[i].there->state == CONTAINER_PAUSED)
			strvec_add(&ids, work->services[i].there->id);
	if (ids.len > 0)
		rc = docker_unpause(work->core->docker, &ids, err);
	strvec_clear(&ids);
	return rc;
}

/* The entry back to what it was; the intent stays where that is not safe. */
static void
roll_back(struct ensure_work *work)
{
	struct error err;
	int rc;

	/* neither a signal nor the command's deadline ends the cleaning up */
	work->core->docker->control.stop = NULL;
	work->core->docker->control.deadline = DEADLINE_NEVER;
	interrupt_shield(true);
	rc = ensure_undo(work, &err);
	if (rc == 0)
		rc = work->recorded ?
		    store_write(work->core->store, &work->before, &err) :
		    store_remove(work->core->store, work->request->slug, &err);
	interrupt_shield(false);
	if (rc == -1)
		log_warn("%s: cleaning up is not confirmed (%s): the next "
			 "sweep finishes it",
		    work->request->slug, err.msg);
}

static bool
is_hit(const struct ensure_work *work)
{
	size_t i;

	for (i = 0; i < work->service_count; i++)
		if (work->services[i].make || work->services[i].enable)
			return false;
	return true;
}

static void
warn_of_owner(const struct ensure_work *work)
{
	log_warn("%s: its owner, the container %s, does not run: the "
		 "sandbox is swept once its grace is over",
	    work->request->slug, work->owns.name);
}

/* What a hit changes of its entry; false where that is nothing. */
static bool
refresh(struct ensure_work *work)
{
	bool lives = work->owner != NULL && container_is_up(work->owner);
	bool changed = false;

	if (work->owns.type == OWNER_CONTAINER && !lives) {
		warn_of_owner(work);
		work->entry.handed = clock_now();
		changed = true;
	} else if (lives &&
	    strcmp(work->entry.owner_id, work->owner->id) != 0) {
		/* respawned under its name: it keeps its sandbox */
		xstr_set(&work->entry.owner_id, work->owner->id);
		changed = true;
	}
	changed |= ensure_record_exports(work);
	return ensure_extend_lease(work) || changed;
}

/* Before anything is made: --into needs an owner that takes the file. */
static int
check_into(const struct ensure_work *work, struct error *err)
{
	if (work->request->into == NULL)
		return 0;
	if (work->owner != NULL && work->owner->state == CONTAINER_RUNNING)
		return 0;
	(void)error_set(err, ERROR_OWNER,
	    "--into: its owner, the container %s, does not run",
	    work->owns.name);
	return error_hint(err,
	    "start it, or take the variables from 'sandkeeper env'");
}

static int
deliver(const struct ensure_work *work, struct error *err)
{
	if (work->request->into == NULL)
		return 0;
	return deliver_file(work->core, work->owner->id, &work->entry,
	    &work->request->services, work->request->into, err);
}

/* Everything is there: hand it over as it is. */
static int
hand_over(struct ensure_work *work, struct error *err)
{
	bool changed = refresh(work);

	if (wake_paused(work, err) == -1 || deliver(work, err) == -1)
		return -1;
	return changed ? store_write(work->core->store, &work->entry, err) : 0;
}

static int
make_and_commit(struct ensure_work *work, struct error *err)
{
	if (ensure_choose_network(work, err) == -1)
		return -1;
	/* a cold one is on disk already, with its passwords */
	if (work->recorded && ensure_intend(work, err) == -1)
		return -1;
	if (wake_paused(work, err) == -1 || ensure_make(work, err) == -1 ||
	    deliver(work, err) == -1)
		return -1;
	return ensure_commit(work, err);
}

/* A docker call that was stopped does not know why. */
static void
explain_stop(const struct ensure_work *work, struct error *err)
{
	if (err->kind == ERROR_RELEASED)
		(void)ensure_go_on(work, err);
}

static int
run_steps(struct ensure_work *work, struct error *err)
{
	bool cold = !work->recorded;

	if (cold && ensure_intend_all(work, err) == -1)
		return -1;
	work->core->docker->control.stop = ensure_was_released;
	work->core->docker->control.stop_arg = work;
	if (look(work, err) == -1 || check_into(work, err) == -1 ||
	    ensure_decide(work, err) == -1) {
		/* nothing was made; only a cold intent is to be undone */
		explain_stop(work, err);
		work->core->docker->control.stop = NULL;
		if (cold)
			(void)store_remove(work->core->store,
			    work->request->slug, &(struct error){ 0 });
		return -1;
	}
	if (is_hit(work)) {
		work->core->docker->control.stop = NULL;
		return hand_over(work, err);
	}
	if (make_and_commit(work, err) == -1) {
		explain_stop(work, err);
		roll_back(work);
		return -1;
	}
	work->core->docker->control.stop = NULL;
	/* one that is not there, or just made, may be on its way */
	if (work->owns.type == OWNER_CONTAINER && work->owner != NULL &&
	    (work->owner->state == CONTAINER_EXITED ||
		work->owner->state == CONTAINER_DEAD))
		warn_of_owner(work);
	return 0;
}

static void
fill_result(struct ensure_work *work, struct ensure_result *result)
{
	size_t i;

	strvec_append(&result->shown, &work->request->services);
	for (i = 0; i < work->service_count; i++)
		if (work->services[i].make)
			strvec_add(&result->made,
			    work->services[i].engine->name);
	result->entry = work->entry;
	memset(&work->entry, 0, sizeof(work->entry));
}

/* A process never comes back: the next sweep would remove what it owned. */
static bool
is_a_dead_process_own(const struct ensure_work *work)
{
	return work->recorded && work->before.hold <= clock_now() &&
	    process_owner_judge(work->before.owner).state == OWNER_STOPPED;
}

/* A release, or an end, that nobody has carried out comes first. */
static int
carry_out_release(struct ensure_work *work, struct error *err)
{
	struct release release = { .slug = work->request->slug,
		.cause = "release" };
	size_t removed;

	if (!store_is_marked(work->core->store, work->request->slug)) {
		if (!is_a_dead_process_own(work))
			return 0;
		release.cause = "ensure";
		release.reason = verdict_word(VERDICT_OWNER_STOPPED);
	}
	if (release_carry_out(work->core, &release,
		work->recorded ? &work->before : NULL, &removed, err) == -1)
		return -1;
	agent_entry_clear(&work->before);
	work->recorded = false;
	return 0;
}

static int
under_lock(struct ensure_work *work, struct error *err)
{
	if (store_read(work->core->store, work->request->slug, true,
		&work->before, &work->recorded, err) == -1 ||
	    carry_out_release(work, err) == -1)
		return -1;
	if (work->recorded && work->request->must_be_new) {
		(void)error_set(err, ERROR_VALUE,
		    "it has a sandbox already, which this call did not make");
		return error_hint(err,
		    "choose another name, or release it first");
	}
	if (ensure_plan(work, err) == -1)
		return -1;
	ensure_new_entry(work);
	return run_steps(work, err);
}

int
ensure_run(const struct core *core, const struct ensure_request *request,
    struct ensure_result *result, struct error *err)
{
	struct ensure_work work = { .core = core, .request = request };
	struct agent_lock lock = AGENT_LOCK_NONE;
	int rc;

	memset(result, 0, sizeof(*result));
	if (request->owner != NULL)
		work.owner_text = xstrdup(request->owner);
	else
		work.owner_text = xasprintf("container:%s%s",
		    core->scheme.container_prefix, request->slug);
	work.owns = owner_parse(work.owner_text);
	if (request->into != NULL && work.owns.type != OWNER_CONTAINER) {
		(void)error_set(err, ERROR_VALUE,
		    "--into needs an owner that is a container");
		rc = error_hint(err, "take them from 'sandkeeper env'");
	} else
		rc = lock_take(core->store, request->slug,
		    deadline_in_ms(core->settings->lock_timeout * 1000), &lock,
		    err);
	if (rc == 0)
		rc = under_lock(&work, err);
	lock_release(&lock);
	if (rc == 0)
		fill_result(&work, result);
	ensure_work_clear(&work);
	return rc == -1 ? error_about(err, request->slug, NULL) : 0;
}
