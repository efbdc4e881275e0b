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
#include "core/watch_clock.h"
#include "docker/events.h"
#include "process/interrupt.h"
#include "process/notify.h"

static const int64_t backoff_first_ms = 1000;
static const int64_t backoff_last_ms = 60000;
/* How often processes that own a sandbox are looked at. */
static const int64_t process_look_ms = 5000;

struct watch {
	const struct core *core;
	const struct watch_hooks *hooks;
	struct watch_memory memory;
	struct stream *events;
	bool sweep_now;
	bool told_ready;
	bool told_lost;
	bool off; /* sandboxes were switched off: the end */
	int64_t backoff_ms;
	int64_t next_sweep_ms; /* monotonic, as all of these */
	int64_t next_process_ms;
	int64_t next_ping_ms;
};

static void
tell(const struct watch *watch, const char *event, const char *container,
    const char *why, int64_t until)
{
	struct watch_news news = { event, container, NULL, why, until };

	watch->hooks->tell(watch->hooks->arg, &news);
}

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

static void
owner_died(struct watch *watch, const char *name)
{
	int64_t grace = watch->core->settings->owner_grace;

	if (!watch_memory_knows(&watch->memory, name))
		return;
	watch_clock_start(&watch->memory, name, grace * 1000);
	log_verbose("%s: an owner has died: its sandbox goes in %lld s", name,
	    (long long)grace);
	tell(watch, "owner-died", name, NULL, clock_now() + grace);
}

static void
owner_started(struct watch *watch, const char *name)
{
	if (!watch_clock_stop(&watch->memory, name))
		return;
	log_verbose("%s: the owner is back: its sandbox stays", name);
	tell(watch, "owner-back", name, NULL, 0);
}

/* A sandbox container that starts tells whom to listen for. */
static void
sandbox_started(struct watch *watch, const struct event *event)
{
	const struct scheme *scheme = &watch->core->scheme;
	const char *owner = event_label(event, LABEL_OWNER), *problem;
	char text[160];

	if (strcmp(event_label(event, scheme->label), LABEL_YES) != 0)
		return;
	if (*owner == '\0')
		(void)snprintf(text, sizeof(text), "container:%s",
		    event_label(event, scheme->owner_label));
	else
		(void)strlcpy(text, owner, sizeof(text));
	watch_memory_add(&watch->memory, text,
	    strtonum(event_label(event, LABEL_EXPIRES), 0, INT64_MAX,
		&problem));
}

static void
take_line(char *line, void *arg)
{
	struct watch *watch = arg;
	struct event event;

	if (!event_parse(line, &event))
		return;
	switch (event.action) {
	case EVENT_START:
		sandbox_started(watch, &event);
		owner_started(watch, event.name);
		break;
	case EVENT_DIE:
	case EVENT_DESTROY:
		owner_died(watch, event.name);
		break;
	case EVENT_RENAME:
		owner_died(watch, event.old_name);
		owner_started(watch, event.name);
		break;
	case EVENT_OTHER:
		break;
	}
	event_clear(&event);
}

static void
tell_report(const struct watch *watch, const struct sweep_report *report)
{
	const struct sweep_decision *decision;
	struct watch_news news = { 0 };
	size_t i;

	for (i = 0; i < report->decision_count; i++) {
		decision = &report->decisions[i];
		if (decision->outcome == SWEEP_KEPT)
			continue;
		news.event = sweep_outcome_word(decision->outcome);
		news.container = decision->container;
		news.agent = decision->agent;
		news.why = verdict_word(decision->verdict);
		watch->hooks->tell(watch->hooks->arg, &news);
	}
	notify_status("%zu sandbox containers kept", report->kept);
}

/* Absent owners have their grace from now on. */
static void
start_clocks(struct watch *watch, const struct strvec *deferred)
{
	size_t i;

	for (i = 0; i < deferred->len; i++)
		watch_clock_start(&watch->memory, deferred->items[i],
		    watch->core->settings->owner_grace * 1000);
}

/* -1: the daemon did not answer, or we are asked to end. */
static int
sweep(struct watch *watch, const struct strvec *suspects, struct error *err)
{
	struct strvec deferred = { 0 };
	struct sweep_options options = { .suspects = suspects,
		.deferred = &deferred };
	struct sweep_report report;
	int rc = sweep_run(watch->core, &options, &report, err);

	tell_report(watch, &report);
	if (rc == 0 && !report.busy) {
		watch_memory_learn(&watch->memory, &report);
		start_clocks(watch, &deferred);
	}
	/* cron's sweep is at work: what it leaves is for ours, soon */
	watch->next_sweep_ms = clock_monotonic_ms() +
	    (report.busy ? 1000 : watch->core->settings->interval * 1000);
	sweep_report_clear(&report);
	strvec_clear(&deferred);
	return rc;
}

static bool
a_process_died(const struct watch *watch)
{
	size_t i;

	for (i = 0; i < watch->memory.processes.len; i++)
		if (process_owner_judge(watch->memory.processes.items[i])
			.state == OWNER_STOPPED)
			return true;
	return false;
}

static int64_t
earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Milliseconds until there is something to do without being told. */
static int64_t
time_left(const struct watch *watch)
{
	int64_t now = clock_monotonic_ms(), change, next;

	next = earlier(watch->next_sweep_ms, watch_clock_next(&watch->memory));
	if (watch->memory.processes.len > 0)
		next = earlier(next, watch->next_process_ms);
	if (notify_watchdog_ms() > 0)
		next = earlier(next, watch->next_ping_ms);
	if (watch->memory.next_change > 0) {
		change = watch->memory.next_change - clock_now();
		next = earlier(next, now + (change > 0 ? change : 0) * 1000);
	}
	return next > now ? next - now : 0;
}

static void
wait_for_news(const struct watch *watch, int64_t ms)
{
	struct pollfd fds[2];
	struct timespec timeout = { ms / 1000, (ms % 1000) * 1000000 };
	size_t count =
	    watch->events != NULL ? stream_poll(watch->events, fds) : 0;
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
	watch->sweep_now = true;
	watch->off = !watch->core->settings->enabled;
	if (watch->off)
		log_info("sandboxes are switched off: nothing to watch");
}

static bool
is_over(const struct watch *watch)
{
	return watch->off || interrupt_pending() != 0;
}

/* Everything that is due.  -1: reconnect, or end. */
static int
do_what_is_due(struct watch *watch, struct error *err)
{
	struct strvec suspects = { 0 };
	int64_t now = clock_monotonic_ms();
	int rc = 0;

	(void)ping(watch);
	if (interrupt_reload_asked())
		reload(watch);
	if (watch->off)
		return 0;
	if (interrupt_sweep_asked())
		watch->sweep_now = true;
	watch_clock_take(&watch->memory, now, &suspects);
	if (now >= watch->next_process_ms) {
		watch->next_process_ms = now + process_look_ms;
		watch->sweep_now |= a_process_died(watch);
	}
	if (watch->memory.next_change > 0 &&
	    watch->memory.next_change <= clock_now())
		watch->sweep_now = true;
	if (watch->sweep_now || suspects.len > 0 ||
	    now >= watch->next_sweep_ms) {
		watch->sweep_now = false;
		rc = sweep(watch, &suspects, err);
	}
	strvec_clear(&suspects);
	return rc;
}

static void
tell_ready(struct watch *watch)
{
	if (!watch->told_ready)
		notify_ready();
	watch->told_ready = true;
}

static void
tell_connected(struct watch *watch)
{
	if (watch->told_lost)
		log_info("the daemon answers again");
	watch->told_lost = false;
	watch->backoff_ms = backoff_first_ms;
	tell_ready(watch);
}

/* One connection: from its first sweep to its end. */
static void
attend(struct watch *watch, struct error *err)
{
	const char *complaint;
	char *line;

	/* the events first: what happens during the sweep is not missed */
	watch->events = docker_events_open(watch->core->docker, err);
	if (watch->events == NULL || sweep(watch, NULL, err) == -1)
		return;
	tell_connected(watch);
	while (!is_over(watch)) {
		wait_for_news(watch, time_left(watch));
		if (!stream_read(watch->events, take_line, watch)) {
			complaint = stream_complaint(watch->events);
			line = text_last_line(complaint, 200);
			(void)error_set(err, ERROR_DAEMON,
			    "docker events ended%s%s",
			    *line != '\0' ? ": " : "", line);
			free(line);
			return;
		}
		if (do_what_is_due(watch, err) == -1)
			return;
	}
}

/* Wait before the next try; one line for the loss, none for each try. */
static void
back_off(struct watch *watch, const struct error *err)
{
	struct error ignored;
	int64_t wait_ms = watch->backoff_ms / 2 +
	    (int64_t)arc4random_uniform((uint32_t)watch->backoff_ms / 2 + 1);
	struct deadline end;

	if (!watch->told_lost)
		log_warn("the daemon is lost: %s: trying again", err->msg);
	watch->told_lost = true;
	/* whoever starts us need not wait for it, too */
	tell_ready(watch);
	notify_status("waiting for the daemon");
	/* in parts: the watchdog must be told meanwhile */
	end = deadline_in_ms(wait_ms);
	while (deadline_left_ms(end) > 0 && !watch->off) {
		(void)ping(watch);
		if (interrupt_reload_asked())
			reload(watch);
		if (interrupt_sleep_ms(earlier(deadline_left_ms(end), 500),
			&ignored) == -1)
			return;
	}
	watch->backoff_ms = earlier(watch->backoff_ms * 2, backoff_last_ms);
}

int
watch_run(const struct core *core, const struct watch_hooks *hooks,
    struct error *err)
{
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct watch watch = { .core = core,
		.hooks = hooks,
		.backoff_ms = backoff_first_ms };

	if (lock_watch(core->store, &lock, err) == -1)
		return -1;
	interrupt_stay();
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
	watch_memory_clear(&watch.memory);
	lock_release(&lock);
	return 0;
}
