/* SPDX-License-Identifier: ISC */
/*
 * sweep - the janitor: remove orphans, and nothing else.
 *
 * It exits 0 whatever docker did, unless --strict is given: it must never
 * break the cron job beside it.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cmd/cmd.h"
#include "cmd/failure.h"
#include "cmd/output.h"
#include "core/metrics.h"
#include "core/sweep.h"
#include "docker/endpoint.h"

enum {
	OPT_DRY_RUN = 256 + 64,
	OPT_EXPLAIN,
	OPT_GRACE,
	OPT_STRICT,
	OPT_METRICS,
	OPT_DRAIN,
	OPT_YES
};

static const struct option_spec options[] = {
	{ OPT_DRY_RUN, "dry-run", NULL, "say what would go, remove nothing" },
	{ OPT_EXPLAIN, "explain", NULL, "every sandbox: verdict and why" },
	{ OPT_GRACE, "grace", "D", "set both graces" },
	{ OPT_STRICT, "strict", NULL, "let the exit code tell of failures" },
	{ OPT_METRICS, "metrics", "FILE", "write numbers for Prometheus" },
	{ OPT_DRAIN, "drain", NULL, "remove everything that this keeper made" },
	{ OPT_YES, "yes", NULL, "do not ask before --drain" },
	{ 0, NULL, NULL, NULL },
};

/* An entry that is forgotten has no container. */
static const char *
known(const char *text)
{
	return *text != '\0' ? text : NULL;
}

static json_t *
decision_json(const struct sweep_decision *decision)
{
	json_t *object = json_object();

	json_put_text(object, "agent", decision->agent);
	json_put_text(object, "container", known(decision->container));
	json_put_text(object, "id", known(decision->id));
	json_put_text(object, "service", known(decision->service));
	json_put_text(object, "owner", decision->owner);
	json_put_text(object, "keeper", decision->keeper);
	json_put_text(object, "outcome", sweep_outcome_word(decision->outcome));
	json_put_text(object, "verdict", verdict_word(decision->verdict));
	json_put_text(object, "why", verdict_text(decision->verdict));
	json_put_number(object, "age", (json_int_t)decision->age);
	json_put_number(object, "until", (json_int_t)decision->until);
	json_put_text(object, "problem", decision->problem);
	return object;
}

static void
print_json(const struct sweep_report *report)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < report->decision_count; i++)
		(void)json_array_append_new(list,
		    decision_json(&report->decisions[i]));
	for (i = 0; i < report->forgotten_count; i++)
		(void)json_array_append_new(list,
		    decision_json(&report->forgotten[i]));
	output_json(json_pack("{s:I,s:I,s:I,s:I,s:I,s:b,s:o}", "found",
	    (json_int_t)report->found, "removed", (json_int_t)report->removed,
	    "kept", (json_int_t)report->kept, "failed",
	    (json_int_t)report->failed, "evicted", (json_int_t)report->evicted,
	    "busy", report->busy, "decisions", list));
}

static void
print_table(const struct sweep_report *report)
{
	struct output_table table = { 4, { 0 }, 0 };
	const struct sweep_decision *decision;
	char age[DURATION_TEXT];
	size_t i;

	output_row(&table, "CONTAINER", "OUTCOME", "AGE", "WHY");
	for (i = 0; i < report->decision_count; i++) {
		decision = &report->decisions[i];
		duration_format(age, decision->age);
		output_row(&table, decision->container,
		    sweep_outcome_word(decision->outcome),
		    decision->age < 0 ? "?" : age,
		    verdict_text(decision->verdict));
	}
	output_table(&table);
}

static int
confirm_drain(const struct args *args, struct error *err)
{
	char answer[8] = "";

	if (args_has(args, OPT_YES))
		return 0;
	if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO)) {
		log_line("this removes every sandbox that this keeper made, "
			 "whether it is in use or not: type 'yes' to go on");
		if (fgets(answer, sizeof(answer), stdin) != NULL &&
		    strcmp(answer, "yes\n") == 0)
			return 0;
		return error_set(err, ERROR_USAGE, "nothing was drained");
	}
	(void)error_set(err, ERROR_USAGE,
	    "--drain removes what is alive, "
	    "too");
	return error_hint(err, "add --yes if that is meant");
}

static void
sum_up(const struct sweep_report *report, bool dry_run)
{
	if (report->busy)
		log_info("another sweep is at work: nothing to do");
	else
		log_info("swept: %zu found, %zu %s, %zu kept, %zu failed",
		    report->found, report->removed,
		    dry_run ? "would be removed" : "removed", report->kept,
		    report->failed);
}

static void
print(const struct app *app, const struct args *args,
    const struct sweep_report *report)
{
	bool table = args_has(args, OPT_EXPLAIN) || args_has(args, OPT_DRY_RUN);

	if (table && !app->json && !report->busy)
		print_table(report);
	sum_up(report, args_has(args, OPT_DRY_RUN));
}

/*
 * Written also where docker is down.  Another sweep at work writes its own;
 * numbers that cannot be written are a failure of the sweep, as others are.
 */
static int
save_metrics(struct app *app, const struct args *args,
    const struct sweep_report *report, int64_t began_ms, int rc,
    struct error *err)
{
	const char *path = args_value(args, OPT_METRICS);
	struct metrics metrics = { .report = report,
		.state_dir = app->state_dir,
		.duration_ms = clock_monotonic_ms() - began_ms };
	struct error lost = { 0 };

	if (path == NULL || report->busy)
		return rc;
	/* without a client nobody has asked for it yet */
	if (app->endpoint == NULL)
		(void)endpoint_resolve(app->context, &app->endpoint, &lost);
	metrics.daemon = app->endpoint != NULL ? app->endpoint : "";
	if (metrics_save(&metrics, rc == 0 && report->failed == 0, path,
		&lost) == 0)
		return rc;
	if (rc == -1)
		log_warn("%s", lost.msg);
	else
		*err = lost;
	return -1;
}

static int
check_metrics(const struct args *args, struct error *err)
{
	const char *path = args_value(args, OPT_METRICS);

	if (path == NULL)
		return 0;
	if (args_has(args, OPT_DRY_RUN))
		return error_set(err, ERROR_USAGE,
		    "--metrics: a dry run does nothing that could be measured");
	if (*path == '\0' || path[strlen(path) - 1] == '/')
		return error_set(err, ERROR_VALUE,
		    "--metrics: '%s' is no name of a file", path);
	return 0;
}

/* A failure that a strict sweep reports, and another only warns of. */
static int
tell(const struct args *args, const struct sweep_report *report, int rc,
    struct error *err)
{
	if (rc == 0 && report->failed > 0) {
		(void)error_set(err, ERROR_BUSY,
		    "%zu sandbox container%s could not be removed",
		    report->failed, report->failed == 1 ? "" : "s");
		rc = error_hint(err, "the next sweep tries again");
	} else if (rc == 0 && args_has(args, OPT_STRICT) &&
	    report->entry_stays.kind != ERROR_NONE) {
		/* warned of already */
		*err = report->entry_stays;
		rc = -1;
	}
	if (rc == 0 || args_has(args, OPT_STRICT) ||
	    err->kind == ERROR_INTERRUPTED || err->kind == ERROR_UNSAFE ||
	    err->kind == ERROR_PERMISSION || err->kind == ERROR_DAEMON_DENIED)
		return rc;
	failure_warn("sweep", err);
	return 0;
}

/* Cron would mail it every few minutes; who types it has to know. */
static void
tell_off(void)
{
	const char *text = "sandboxes are switched off (enabled = false): "
			   "nothing is swept";

	if (isatty(STDERR_FILENO))
		log_info("%s", text);
	else
		log_verbose("%s", text);
}

static int
sweep_exec(struct app *app, const struct args *args, struct error *err)
{
	struct sweep_options how = { .dry_run = args_has(args, OPT_DRY_RUN),
		.drain = args_has(args, OPT_DRAIN) };
	struct sweep_report report = { 0 };
	int64_t grace = -1, began_ms = clock_monotonic_ms();
	int rc;

	if (args_expect(args, 0, 0, "", err) == -1 ||
	    check_metrics(args, err) == -1 ||
	    args_duration(args, OPT_GRACE, &grace, err) == -1 ||
	    app_settings(app, err) == -1)
		return -1;
	if (!app->settings.enabled && !how.drain) {
		tell_off();
		if (app->json)
			print_json(&report);
		return 0;
	}
	if (how.drain && !how.dry_run && confirm_drain(args, err) == -1)
		return -1;
	if (grace >= 0)
		app->settings.grace = app->settings.owner_grace = grace;
	rc = app_everything(app, err);
	if (rc == -1 && err->kind == ERROR_SETTINGS)
		return -1;
	if (rc == 0) {
		rc = sweep_run(&app->core, &how, &report, err);
		if (rc == 0)
			print(app, args, &report);
		else if (report.found > 0)
			sum_up(&report, how.dry_run);
	}
	rc = save_metrics(app, args, &report, began_ms, rc, err);
	rc = tell(args, &report, rc, err);
	/* one document: what was done, or the error that main prints */
	if (rc == 0 && app->json)
		print_json(&report);
	sweep_report_clear(&report);
	return rc;
}

const struct cmd cmd_sweep = {
	.name = "sweep",
	.args = "",
	.help = "the janitor: remove the sandboxes whose owners are gone",
	.options = options,
	.exec = sweep_exec,
};
