/* SPDX-License-Identifier: ISC */
/* The janitor that hears the death. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "core/process_owner.h"
#include "core/watch.h"
#include "core/watch_sweep.h"
#include "docker/events.h"
#include "process/interrupt.h"
#include "process/notify.h"

/* Each wait is between the half of it and all of it. */
static const int64_t backoff_first_ms = 2000;
static const int64_t backoff_last_ms = 60000;
/* One that has held so long is one: not before is its return told. */
static const int64_t steady_ms = 1000;
/* How often processes that own a sandbox are looked at. */
static const int64_t process_look_ms = 5000;
/* Owners that die together go together: so long the first waits for others. */
static const int64_t gather_ms = 250;
/* When to sweep where a line was lost. */
static const int64_t left_out_ms = 5000;

struct watch {
	const struct core *core;
	const struct watch_hooks *hooks;
	struct watch_ear ear;
	struct stream *events;
	bool sweep_now;
	bool told_ready;
	bool told_lost;
	bool off; /* sandboxes were switched off: the end */
	int64_t backoff_ms;
	int64_t connected_ms; /* monotonic, as all of these; 0: it is not */
	int64_t next_connect_ms;
	int64_t next_sweep_ms;
	int64_t next_process_ms;
	int64_t next_ping_ms;
};

/* The watchdog must be told while docker is waited for, too. */
static bool
ping(void *arg)
{
	struct watch *watch = arg;
	int64_t every = notify_watchdog_ms(), now = clock_monotonic_ms();

	if (every > 0 && now >= watch->next_ping_ms) {
		notify_watchdog();
		watch->next_ping_ms = now + every;
	}
	return false;
}

/* A full one, or one for the owners alone whose clocks have run out. */
static int
sweep(struct watch *watch, bool narrow, struct error *err)
{
	bool busy;
	int rc;

	if (!narrow) {
		watch->sweep_now = false;
		watch->next_sweep_ms = INT64_MAX;
	}
	rc = watch_sweep(&watch->ear, narrow, &busy, err);
	/* cron's sweep is at work: what it leaves is for ours, soon */
	if (!narrow && (rc == -1 || busy)) {
		watch->next_sweep_ms = clock_monotonic_ms() + WATCH_BUSY_MS;
		watch->ear.memory.next_change = 0;
		watch->ear.memory.added = 0;
	}
	return rc;
}

static bool
a_process_died(const struct watch *watch)
{
	const struct strvec *processes = &watch->ear.memory.processes;
	size_t i;

	for (i = 0; i < processes->len; i++)
		if (process_owner_judge(processes->items[i]).state ==
		    OWNER_STOPPED)
			return true;
	return false;
}

static int64_t
earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* When the sweep is due of those whose clocks run out. */
static int64_t
next_clock_ms(const struct watch *watch)
{
	int64_t next = watch_clock_next(&watch->ear.memory);

	if (next == INT64_MAX)
		return next;
	return next + (watch->core->settings->owner_grace > 0 ? gather_ms : 0);
}

/* Milliseconds until there is something to do without being told. */
static int64_t
time_left(const struct watch *watch)
{
	const struct watch_memory *memory = &watch->ear.memory;
	int64_t now = clock_monotonic_ms(), change, next;

	next = earlier(watch->next_connect_ms, watch->next_sweep_ms);
	next = earlier(next, next_clock_ms(watch));
	if (memory->processes.len > 0)
		next = earlier(next, watch->next_process_ms);
	if (notify_watchdog_ms() > 0)
		next = earlier(next, watch->next_ping_ms);
	if (watch->told_lost)
		next = earlier(next, watch->connected_ms + steady_ms);
	if (memory->next_change > 0) {
		change = memory->next_change - clock_now();
		next = earlier(next, now + (change > 0 ? change : 0) * 1000);
	}
	return next > now ? next - now : 0;
}

static void
wait_for_news(const struct watch *watch, int64_t ms)
{
	struct pollfd fds[2];
	struct timespec timeout = { ms / 1000, (ms % 1000) * 1000000 };
	size_t count = stream_poll(watch->events, fds);
	sigset_t before;

	interrupt_block(&before);
	if (interrupt_pending() == 0 && !interrupt_has_request())
		(void)ppoll(fds, (nfds_t)count, &timeout, &before);
	interrupt_restore(&before);
}

static void
reload(struct watch *watch)
{
	struct error err;

	notify_reloading();
	if (watch->hooks->reload(watch->hooks->arg, &err) == -1)
		log_warn("the settings are as they were: %s", err.msg);
	else
		log_info("the settings were read anew");
	/* not before the first sweep */
	if (watch->told_ready)
		notify_ready();
	/* the client may be another one: its events are, too */
	watch->next_connect_ms = 0;
	watch->sweep_now = true;
	watch->off = !watch->core->settings->enabled;
	if (watch->off)
		log_info("sandboxes are switched off: nothing to watch");
}

static void
take_requests(struct watch *watch)
{
	(void)ping(watch);
	if (interrupt_reload_asked())
		reload(watch);
	if (interrupt_sweep_asked())
		watch->sweep_now = true;
}

static bool
is_over(const struct watch *watch)
{
	return watch->off || interrupt_pending() != 0;
}

static void
tell_ready(struct watch *watch)
{
	if (!watch->told_ready)
		notify_ready();
	watch->told_ready = true;
}

/*
 * The events, and a full sweep for what they did not tell.  The events first:
 * what happens during the sweep is not missed; nor is what the ones before,
 * that go, still have to tell.
 */
static int
connect_events(struct watch *watch, struct error *err)
{
	struct stream *before = watch->events;
	int64_t interval_ms = watch->core->settings->interval * 1000;
	int rc = -1;

	watch->events = docker_events_open(watch->core->docker, err);
	if (watch->events != NULL)
		rc = sweep(watch, false, err);
	if (before != NULL)
		(void)stream_read(before, watch_hear, &watch->ear);
	stream_close(before);
	/* one that has fallen silent cannot be told from one of quiet times */
	watch->next_connect_ms = clock_monotonic_ms() +
	    (interval_ms > WATCH_BUSY_MS ? interval_ms : WATCH_BUSY_MS);
	if (rc == 0)
		tell_ready(watch);
	return rc;
}

/* -1: they ended, or somebody else than docker tells them. */
static int
hear_events(struct watch *watch, struct error *err)
{
	char *line;
	int rc = 0;

	if (!stream_read(watch->events, watch_hear, &watch->ear)) {
		line = text_last_line(stream_complaint(watch->events), 200);
		rc = error_set(err, ERROR_DAEMON, "docker events ended%s%s",
		    *line != '\0' ? ": " : "", line);
		free(line);
	} else if (watch->ear.garbage) {
		rc = error_set(err, ERROR_DAEMON,
		    "docker events printed what is no event");
	}
	watch->ear.garbage = false;
	/* it may have told of a death */
	if (stream_left_out(watch->events))
		watch->next_sweep_ms = earlier(watch->next_sweep_ms,
		    clock_monotonic_ms() + left_out_ms);
	return rc;
}

static bool
sweep_is_due(struct watch *watch)
{
	const struct watch_memory *memory = &watch->ear.memory;
	int64_t now = clock_monotonic_ms();

	if (now >= watch->next_process_ms) {
		watch->next_process_ms = now + process_look_ms;
		watch->sweep_now |= a_process_died(watch);
	}
	return watch->sweep_now || now >= watch->next_sweep_ms ||
	    watch_memory_is_full(memory) ||
	    (memory->next_change > 0 && memory->next_change <= clock_now());
}

/* Everything that is due.  -1: reconnect, or end. */
static int
do_what_is_due(struct watch *watch, struct error *err)
{
	int64_t now = clock_monotonic_ms();

	take_requests(watch);
	if (is_over(watch))
		return 0;
	if (watch->told_lost && now >= watch->connected_ms + steady_ms) {
		log_info("the daemon answers again");
		watch->told_lost = false;
	}
	if (now >= watch->next_connect_ms)
		return connect_events(watch, err);
	if (sweep_is_due(watch))
		return sweep(watch, false, err);
	return now >= next_clock_ms(watch) ? sweep(watch, true, err) : 0;
}

/* One connection: from its first sweep to its end. */
static void
attend(struct watch *watch, struct error *err)
{
	watch->connected_ms = 0;
	if (connect_events(watch, err) == -1)
		return;
	watch->connected_ms = clock_monotonic_ms();
	while (!is_over(watch)) {
		wait_for_news(watch, time_left(watch));
		if (hear_events(watch, err) == -1 ||
		    do_what_is_due(watch, err) == -1)
			return;
	}
}

/* Wait before the next try; one line for the loss, none for each try. */
static void
back_off(struct watch *watch, const struct error *err)
{
	struct error ignored;
	struct deadline end;
	int64_t half;

	/* it held longer than it was waited for: that was no vain try */
	if (watch->connected_ms > 0 &&
	    clock_monotonic_ms() - watch->connected_ms >= watch->backoff_ms / 2)
		watch->backoff_ms = backoff_first_ms;
	if (!watch->told_lost)
		log_warn("the daemon is lost: %s: trying again", err->msg);
	watch->told_lost = true;
	/* whoever starts us need not wait for it, too */
	tell_ready(watch);
	notify_status("waiting for the daemon");
	half = watch->backoff_ms / 2;
	end = deadline_in_ms(half +
	    (int64_t)arc4random_uniform((uint32_t)half + 1));
	watch->backoff_ms = earlier(watch->backoff_ms * 2, backoff_last_ms);
	/* in parts: the watchdog must be told meanwhile */
	watch->sweep_now = false;
	while (deadline_left_ms(end) > 0 && !watch->off && !watch->sweep_now) {
		if (interrupt_sleep_ms(earlier(deadline_left_ms(end), 250),
			&ignored) == -1)
			return;
		take_requests(watch);
	}
}

int
watch_run(const struct core *core, const struct watch_hooks *hooks,
    struct error *err)
{
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct watch watch = { .core = core,
		.hooks = hooks,
		.ear = { .core = core, .hooks = hooks },
		.backoff_ms = backoff_first_ms };

	interrupt_stay();
	if (lock_watch(core->store, &lock, err) == -1)
		return -1;
	core->docker->control.stop = ping;
	core->docker->control.stop_arg = &watch;
	while (!is_over(&watch)) {
		error_clear(err);
		attend(&watch, err);
		stream_close(watch.events);
		watch.events = NULL;
		if (!is_over(&watch))
			back_off(&watch, err);
	}
	notify_stopping();
	watch_memory_clear(&watch.ear.memory);
	lock_release(&lock);
	return 0;
}
