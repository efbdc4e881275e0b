/* SPDX-License-Identifier: ISC */
/* A sweep that a watch makes. */
#include "core/watch_sweep.h"
#include "base/clock.h"
#include "process/notify.h"

static void
tell_report(const struct watch_ear *ear, const struct sweep_report *report)
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
		ear->hooks->tell(ear->hooks->arg, &news);
	}
	if (report->listed)
		notify_status("%zu sandbox containers kept", report->kept);
}

static void
start_clocks(struct watch_ear *ear, const struct strvec *owners, int64_t in_ms)
{
	size_t i;

	for (i = 0; i < owners->len; i++)
		(void)watch_clock_start(&ear->memory, owners->items[i], in_ms);
}

int
watch_sweep(struct watch_ear *ear, bool narrow, bool *busy, struct error *err)
{
	struct strvec suspects = { 0 }, deferred = { 0 };
	struct sweep_options options = { .cause = "watch",
		.suspects = &suspects,
		.suspects_only = narrow,
		.listing = &ear->memory.sandboxes,
		.deferred = &deferred };
	struct sweep_report report;
	int rc;

	watch_clock_take(&ear->memory, clock_monotonic_ms(), &suspects);
	rc = sweep_run(ear->core, &options, &report, err);
	tell_report(ear, &report);
	*busy = report.busy;
	if (rc == -1 || *busy)
		start_clocks(ear, &suspects, *busy ? WATCH_BUSY_MS : 0);
	else if (narrow)
		watch_memory_learn_suspects(&ear->memory, &report, &suspects);
	else
		watch_memory_learn(&ear->memory, &report, &suspects);
	/* absent owners have their grace from now on */
	if (rc == 0)
		start_clocks(ear, &deferred,
		    ear->core->settings->owner_grace * 1000);
	sweep_report_clear(&report);
	strvec_clear(&suspects);
	strvec_clear(&deferred);
	return rc;
}
