/* SPDX-License-Identifier: ISC */
/* Removing sandbox containers. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "core/removal.h"
#include "process/interrupt.h"

/* How often, and how long apart, a container that stays is tried. */
static const int tries = 6;
static const int64_t pause_ms = 400;
/* How old a look may be: about as long as the removals of one batch take. */
static const int64_t fresh_ms = 1500;

static void
stop_first(const struct core *core, const struct removal *removals,
    size_t count)
{
	struct strvec ids = { 0 };
	struct error err;
	size_t i;

	if (core->settings->stop_timeout == 0)
		return;
	for (i = 0; i < count; i++)
		strvec_add(&ids, removals[i].id);
	/* whatever comes of it, the removal follows */
	if (docker_stop(core->docker, &ids, core->settings->stop_timeout,
		&err) == -1)
		log_verbose("stopping first: %s", err.msg);
	strvec_clear(&ids);
}

static void
remove_all(const struct core *core, struct removal *removals, size_t count,
    size_t per_call, size_t parallel, struct docker_look *look)
{
	size_t groups = (count + per_call - 1) / per_call, i;
	struct strvec *ids = xcalloc(groups, sizeof(*ids));
	struct error *errors = xcalloc(groups, sizeof(*errors));

	for (i = 0; i < count; i++)
		strvec_add(&ids[i / per_call], removals[i].id);
	docker_remove_many(core->docker, ids, groups, parallel, errors, look);
	for (i = 0; i < count; i++)
		removals[i].error = errors[i / per_call];
	for (i = 0; i < groups; i++)
		strvec_clear(&ids[i]);
	free(errors);
	free(ids);
}

static bool
is_open(const struct removal *removal)
{
	return removal->error.kind != ERROR_NONE;
}

/* Nobody is helped by asking a daemon that is out of reach again. */
static bool
is_hopeless(const struct removal *removal)
{
	return removal->error.kind == ERROR_DAEMON ||
	    removal->error.kind == ERROR_DAEMON_DENIED ||
	    removal->error.kind == ERROR_DOCKER_MISSING ||
	    removal->error.kind == ERROR_INTERRUPTED;
}

/* Which of the unconfirmed are gone by now?  False where docker cannot say. */
static bool
look_again(const struct core *core, struct removal *removals, size_t count)
{
	struct container_list found = { 0 };
	struct strvec ids = { 0 };
	struct error err;
	bool told;
	size_t i;

	for (i = 0; i < count; i++)
		if (is_open(&removals[i]))
			strvec_add(&ids, removals[i].id);
	told = docker_inspect(core->docker, &ids, &found, &err) == 0;
	for (i = 0; told && i < count; i++)
		if (is_open(&removals[i]) &&
		    container_list_find(&found, removals[i].id) == NULL)
			error_clear(&removals[i].error);
	container_list_clear(&found);
	strvec_clear(&ids);
	return told;
}

/* One more try for each that stays, by a call of its own. */
static void
remove_again(const struct core *core, struct removal *removals, size_t count)
{
	struct strvec id = { 0 };
	size_t i;

	for (i = 0; i < count; i++) {
		if (!is_open(&removals[i]) ||
		    removals[i].error.kind == ERROR_TIMEOUT)
			continue;
		strvec_add(&id, removals[i].id);
		error_clear(&removals[i].error);
		(void)docker_remove(core->docker, &id, true,
		    &removals[i].error);
		strvec_clear(&id);
	}
}

static bool
any_left(const struct removal *removals, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (is_open(&removals[i]) && !is_hopeless(&removals[i]))
			return true;
	return false;
}

/* Until each is gone, or nothing more is to be hoped for. */
static void
insist(const struct core *core, struct removal *removals, size_t count)
{
	struct error ignored;
	int i;

	for (i = 0; i < tries && any_left(removals, count); i++) {
		if (!look_again(core, removals, count) ||
		    !any_left(removals, count))
			return;
		if (interrupt_sleep_ms(pause_ms, &ignored) == -1)
			return;
		remove_again(core, removals, count);
	}
}

void
removal_run(const struct core *core, struct removal *removals, size_t count,
    size_t per_call, size_t parallel, struct docker_look *look)
{
	if (count == 0) {
		if (look != NULL)
			docker_look_make(core->docker, look);
		return;
	}
	stop_first(core, removals, count);
	remove_all(core, removals, count, per_call, parallel, look);
	insist(core, removals, count);
	if (look != NULL && look->error.kind == ERROR_NONE &&
	    clock_monotonic_ms() - look->answered_ms > fresh_ms)
		docker_look_make(core->docker, look);
}
