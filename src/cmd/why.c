/* SPDX-License-Identifier: ISC */
/*
 * why - why an agent's sandbox containers are still here and what will end
 * them; then what ended them before, newest first, from the history.
 */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cmd/cmd.h"
#include "cmd/look.h"
#include "cmd/meant.h"
#include "cmd/output.h"
#include "store/logdir.h"

static const size_t history_most = 20;

struct question {
	struct app *app;
	const char *asked; /* as given */
	const char *slug;  /* the agent it is about; NULL: none */
	json_t *present;
	json_t *past;
	bool any;
};

static bool
is_about(const struct question *question, const char *slug, const char *name)
{
	return strcmp(question->asked, name) == 0 ||
	    (question->slug != NULL && strcmp(question->slug, slug) == 0);
}

static void
tell_present(struct question *question, const char *container,
    const char *state, struct judgement judged)
{
	char until[80] = "; until ", left[DURATION_TEXT];

	question->any = true;
	if (judged.until > 0) {
		time_format(until + strlen(until), judged.until);
		duration_format(left, judged.until - clock_now());
		(void)strlcat(until, " (in ", sizeof(until));
		(void)strlcat(until, left, sizeof(until));
		(void)strlcat(until, ")", sizeof(until));
	}
	if (question->app->json) {
		(void)json_array_append_new(question->present,
		    json_pack("{s:s,s:s,s:s,s:s,s:b,s:I}", "container",
			container, "state", state, "verdict",
			verdict_word(judged.verdict), "why",
			verdict_text(judged.verdict), "removed_next",
			verdict_removes(judged.verdict), "until",
			(json_int_t)judged.until));
		return;
	}
	if (verdict_removes(judged.verdict))
		(void)strlcpy(until, "; the next sweep removes it",
		    sizeof(until));
	else if (judged.until == 0)
		(void)strlcpy(until, "; it stays", sizeof(until));
	output_line("%s (%s): %s%s", container, state,
	    verdict_text(judged.verdict), until);
}

/* "512m" as "512M"; what is not known is left out. */
static void
add_size(struct strbuf *line, const char *what, const char *size)
{
	char text[SIZE_TEXT];
	int64_t bytes;

	if (size_parse(size, &bytes) == -1 || bytes == 0)
		return;
	size_format(text, bytes);
	strbuf_addf(line, ", %s %s", what, text);
}

/* Whose it is, and what, where its entry tells. */
static void
tell_details(const struct question *question, const struct survey_row *row)
{
	const struct survey_agent *agent = row->agent;
	const char *container = row->sandbox.container->name;
	const struct service_entry *service = NULL;
	struct strbuf line = { 0 };
	size_t i;

	if (question->app->json)
		return;
	if (*row->sandbox.owner_text != '\0')
		strbuf_addf(&line, ", owner %s (%s)", row->sandbox.owner_text,
		    owner_state_word(row->owner.state));
	for (i = 0;
	     agent != NULL && agent->recorded && i < agent->entry.service_count;
	     i++)
		if (strcmp(agent->entry.services[i].container, container) == 0)
			service = &agent->entry.services[i];
	if (service != NULL) {
		strbuf_addf(&line, ", %s", service->image);
		add_size(&line, "memory", service->memory);
		add_size(&line, "data", service->data_size);
	}
	if (line.len > 0)
		output_line("%s: %s", container,
		    strbuf_str(&line) + strlen(", "));
	strbuf_clear(&line);
}

static void
tell_survey(struct question *question, const struct survey *survey)
{
	const struct survey_agent *agent;
	const struct survey_row *row;
	size_t i, k;

	for (i = 0; i < survey->row_count; i++) {
		row = &survey->rows[i];
		if (!is_about(question, row->sandbox.slug,
			row->sandbox.container->name))
			continue;
		tell_present(question, row->sandbox.container->name,
		    container_state_name(row->sandbox.container->state),
		    row->judgement);
		tell_details(question, row);
	}
	for (i = 0; i < survey->agent_count; i++) {
		agent = &survey->agents[i];
		if (!agent->recorded || agent->rows > 0)
			continue;
		for (k = 0; k < agent->entry.service_count; k++)
			if (is_about(question, agent->slug,
				agent->entry.services[k].container))
				tell_present(question,
				    agent->entry.services[k].container,
				    "recorded, not running", agent->judgement);
	}
}

static void
print_past(const json_t *line)
{
	char died[60] = "";

	if (json_object_get(line, "exit_code") != NULL)
		(void)snprintf(died, sizeof(died),
		    " (it had died: exit code %lld%s)",
		    (long long)json_integer_value(json_object_get(line,
			"exit_code")),
		    json_flag(line, "oom_killed") ? ", out of memory" : "");
	output_line("%s  %s  %s%s%s%s", json_text_or_empty(line, "time"),
	    json_text_or_empty(line, "container"),
	    json_text_or_empty(line, "cause"),
	    json_text(line, "reason") != NULL ? ": " : "",
	    json_text_or_empty(line, "reason"), died);
}

static bool
tell_past(const char *text, void *arg)
{
	struct question *question = arg;
	json_t *line = json_read(text, strlen(text));

	if (line != NULL &&
	    is_about(question, json_text_or_empty(line, "agent"),
		json_text_or_empty(line, "container")))
		(void)json_array_append(question->past, line);
	json_decref(line);
	return json_array_size(question->past) < history_most;
}

static void
print(struct question *question)
{
	json_t *line;
	size_t i;

	if (question->app->json) {
		output_json(json_pack("{s:O,s:O}", "present", question->present,
		    "past", question->past));
		return;
	}
	if (!question->any)
		output_line("%s: no sandbox container is here",
		    question->asked);
	if (json_array_size(question->past) > 0)
		output_text("\nbefore:\n");
	else if (!question->any)
		meant_tell(question->app, question->slug);
	json_array_foreach (question->past, i, line)
		print_past(line);
}

static int
answer(struct app *app, struct question *question, struct error *err)
{
	struct survey survey = { 0 };
	bool listed;
	int rc;

	rc = look_at_everything(app, &survey, &listed, err);
	if (rc == 0 && listed)
		survey_look_closer(&app->core, &survey, question->slug);
	if (rc == 0)
		tell_survey(question, &survey);
	survey_clear(&survey);
	if (rc == 0)
		rc = history_read(app->log_dir, tell_past, question, err);
	if (rc == 0)
		print(question);
	return rc;
}

static int
why_exec(struct app *app, const struct args *args, struct error *err)
{
	struct question question = { .app = app };
	int rc;

	if (args_expect(args, 1, 1, "the agent or container", err) == -1 ||
	    app_settings(app, err) == -1)
		return -1;
	question.asked = args->operands.items[0];
	question.slug = scheme_slug_of(&app->core.scheme, question.asked);
	if (question.slug == NULL)
		question.slug = question.asked;
	question.present = json_array();
	question.past = json_array();
	rc = answer(app, &question, err);
	json_decref(question.present);
	json_decref(question.past);
	return rc;
}

const struct cmd cmd_why = {
	.name = "why",
	.args = "AGENT|CONTAINER",
	.help = "show why a sandbox is still here, or what ended it",
	.exec = why_exec,
};
