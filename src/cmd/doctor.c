/* SPDX-License-Identifier: ISC */
/*
 * doctor - does everything that is needed look as it should?
 *
 * It prepares what can be had and hands over why the rest cannot: it works
 * without docker, with the daemon down, with broken settings, switched off.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/json.h"
#include "cmd/cmd.h"
#include "cmd/failure.h"
#include "cmd/output.h"
#include "core/doctor.h"

/* Nobody waits longer for a look, whatever the settings say. */
static const int64_t look_ms = 10000;

/* The first problem's, as with several arguments. */
static int
exit_code(const struct doctor_report *report)
{
	struct error err = { 0 };
	size_t i;

	for (i = 0; i < report->len; i++)
		if (report->items[i].level == DOCTOR_PROBLEM) {
			err.kind = report->items[i].kind;
			return failure_exit_code(&err);
		}
	return 0;
}

static json_t *
finding_json(const struct doctor_finding *finding)
{
	json_t *object = json_object();
	struct error err = { .kind = finding->kind };

	json_put_text(object, "check", finding->check);
	json_put_text(object, "level", doctor_level_word(finding->level));
	json_put_text(object, "kind",
	    finding->kind != ERROR_NONE ? failure_kind(&err) : NULL);
	json_put_text(object, "message", finding->what);
	json_put_text(object, "remedy", finding->remedy);
	return object;
}

static void
print_json(const struct doctor_report *report)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < report->len; i++)
		(void)json_array_append_new(list,
		    finding_json(&report->items[i]));
	output_json(json_pack("{s:o,s:I,s:I,s:i}", "checks", list, "problems",
	    (json_int_t)report->problems, "warnings",
	    (json_int_t)report->warnings, "exit", exit_code(report)));
}

static void
print_lines(const struct doctor_report *report, bool quiet)
{
	struct output_table table = { 3, { 0 }, 0 };
	const struct doctor_finding *finding;
	char *text;
	size_t i;

	for (i = 0; i < report->len; i++) {
		finding = &report->items[i];
		if (quiet && finding->level < DOCTOR_WARNING)
			continue;
		text = xasprintf("%s%s%s", finding->what,
		    finding->remedy != NULL ? "; remedy: " : "",
		    finding->remedy != NULL ? finding->remedy : "");
		output_row(&table, doctor_level_word(finding->level),
		    finding->check, text);
		free(text);
	}
	output_table(&table);
}

static void
shorten(int64_t *timeout_ms)
{
	if (*timeout_ms > look_ms)
		*timeout_ms = look_ms;
}

/* docker and store: those that can be had; the errors of the others. */
static void
prepare(struct app *app, struct error *docker_error, struct error *store_error)
{
	if (app_docker(app, docker_error) == 0) {
		shorten(&app->docker.timeouts.inspect);
		shorten(&app->docker.timeouts.list);
	}
	(void)app_store(app, STORE_LOOK, store_error);
}

static int
doctor_exec(struct app *app, const struct args *args, struct error *err)
{
	struct mistakes settings = { 0 }, engines = { 0 };
	struct error docker_error = { 0 }, store_error = { 0 };
	struct doctor_report report;
	char *usual;
	int rc;

	if (args_expect(args, 0, 0, "", err) == -1)
		return -1;
	app_settings_anyhow(app, &settings, &engines);
	prepare(app, &docker_error, &store_error);
	usual = settings_usual_file();
	rc = doctor_run(
	    &(struct doctor_question){
		.core = &app->core,
		.settings = &settings,
		.engines = &engines,
		.docker_error = &docker_error,
		.store_error = &store_error,
		.state_dir = app->state_dir,
		.log_dir = app->log_dir,
		.state_dir_is_usual = app_state_dir_is_usual(app),
		.settings_file = app->config != NULL ? app->config :
		    app->settings.file != NULL       ? app->settings.file :
						       usual,
		.config = app->config,
		.endpoint = app->endpoint,
	    },
	    &report, err);
	if (rc == 0) {
		if (app->json)
			print_json(&report);
		else
			print_lines(&report, app->quiet);
		app->exit_code = exit_code(&report);
	}
	doctor_report_clear(&report);
	mistakes_clear(&settings);
	mistakes_clear(&engines);
	free(usual);
	return rc;
}

const struct cmd cmd_doctor = {
	.name = "doctor",
	.args = "",
	.help = "check docker, settings, state and janitor, and say what to do",
	.exec = doctor_exec,
};
