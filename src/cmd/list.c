/* SPDX-License-Identifier: ISC */
/*
 * list - the sandboxes: service, container, state, owner and whether it lives.
 *
 * With the daemon out of reach it shows what the cache holds.
 */
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/look.h"
#include "cmd/meant.h"
#include "cmd/output.h"
#include "core/chronicle.h"

struct line {
	const char *agent, *service, *container, *id, *state;
	const char *owner, *owner_state;
	int64_t age, expires, hold;
	const struct judgement *judgement; /* NULL: not in the list */
};

static json_t *
line_json(const struct line *line)
{
	json_t *object = json_object();

	json_put_text(object, "agent", line->agent);
	json_put_text(object, "service", line->service);
	json_put_text(object, "container", line->container);
	json_put_text(object, "id", line->id);
	json_put_text(object, "state", line->state);
	json_put_text(object, "owner", line->owner);
	json_put_text(object, "owner_state", line->owner_state);
	json_put_number(object, "age", (json_int_t)line->age);
	json_put_number(object, "expires", (json_int_t)line->expires);
	json_put_number(object, "hold", (json_int_t)line->hold);
	json_put_text(object, "verdict",
	    line->judgement != NULL ? verdict_word(line->judgement->verdict) :
				      NULL);
	return object;
}

static void
format_left(char text[DURATION_TEXT], int64_t at)
{
	int64_t now = clock_now();

	if (at == 0)
		(void)strlcpy(text, "-", DURATION_TEXT);
	else if (at <= now)
		(void)strlcpy(text, "over", DURATION_TEXT);
	else
		duration_format(text, at - now);
}

static void
add_line(struct output_table *table, const struct line *line)
{
	char age[DURATION_TEXT], lease[DURATION_TEXT], hold[DURATION_TEXT];

	duration_format(age, line->age);
	format_left(lease, line->expires);
	format_left(hold, line->hold);
	output_row(table, line->agent, line->service, line->state,
	    line->owner_state, line->age < 0 ? "?" : age, lease, hold,
	    line->container);
}

struct listing {
	struct app *app;
	const struct args *args;
	bool quiet;
	json_t *doc;
	struct output_table table;
	struct strvec told; /* the agents that have a line */
};

static bool
is_asked(const struct listing *listing, const char *agent)
{
	return listing->args->operands.len == 0 ||
	    strvec_has(&listing->args->operands, agent);
}

static void
put_line(struct listing *listing, const struct line *line)
{
	if (!is_asked(listing, line->agent))
		return;
	if (listing->args->operands.len > 0)
		strvec_add_once(&listing->told, line->agent);
	if (listing->app->json)
		(void)json_array_append_new(listing->doc, line_json(line));
	else if (listing->quiet)
		output_text("%s\n", line->container);
	else
		add_line(&listing->table, line);
}

static void
put_row(struct listing *listing, const struct survey_row *row)
{
	const struct survey_agent *agent = row->agent;
	struct line line = { 0 };

	if (row->sandbox.kind == SANDBOX_STRANGER)
		return;
	line.agent = row->sandbox.slug;
	line.service = *row->sandbox.service != '\0' ? row->sandbox.service :
						       row->sandbox.short_name;
	line.container = row->sandbox.container->name;
	line.id = row->sandbox.container->id;
	line.state = container_state_name(row->sandbox.container->state);
	line.owner = row->sandbox.owner_text;
	line.owner_state = owner_state_word(row->owner.state);
	line.age = chronicle_age(row->sandbox.container);
	line.expires = row->sandbox.expires;
	if (agent != NULL && agent->recorded) {
		line.expires = agent->entry.expires;
		line.hold = agent->entry.hold;
	}
	line.judgement = &row->judgement;
	put_line(listing, &line);
}

static bool
is_listed(const struct survey *survey, const struct survey_agent *agent,
    const char *id)
{
	const struct survey_row *row;
	size_t i;

	/* thousands of rows: few are worth a look at the id */
	for (i = 0; i < survey->row_count; i++) {
		row = &survey->rows[i];
		if ((row->agent == agent || row->agent == NULL) &&
		    strcmp(row->sandbox.container->id, id) == 0)
			return true;
	}
	return false;
}

/* What the cache records and the daemon does not list. */
static void
put_recorded(struct listing *listing, const struct survey *survey,
    const struct survey_agent *agent, bool listed)
{
	const struct service_entry *service;
	struct line line = { 0 };
	size_t i;

	for (i = 0; agent->recorded && i < agent->entry.service_count; i++) {
		service = &agent->entry.services[i];
		if (agent->rows > 0 && is_listed(survey, agent, service->id))
			continue;
		line.agent = agent->slug;
		line.service = service->service;
		line.container = service->container;
		line.id = service->id;
		line.state = service->pending ? "pending" :
		    listed                    ? "gone" :
						"unknown";
		line.owner = agent->entry.owner;
		line.owner_state = owner_state_word(agent->owner.state);
		line.age = clock_now() - agent->entry.created;
		line.expires = agent->entry.expires;
		line.hold = agent->entry.hold;
		put_line(listing, &line);
	}
}

static void
print(struct listing *listing, const struct survey *survey, bool listed)
{
	size_t i;

	if (listing->app->json)
		listing->doc = json_array();
	else if (!listing->quiet)
		output_row(&listing->table, "AGENT", "SERVICE", "STATE",
		    "OWNER", "AGE", "LEASE", "HOLD", "CONTAINER");
	for (i = 0; i < survey->row_count; i++)
		put_row(listing, &survey->rows[i]);
	for (i = 0; i < survey->agent_count; i++)
		put_recorded(listing, survey, &survey->agents[i], listed);
	if (listing->app->json)
		output_json(listing->doc);
	else if (!listing->quiet)
		output_table(&listing->table);
	for (i = 0; i < listing->args->operands.len; i++)
		if (!strvec_has(&listing->told,
			listing->args->operands.items[i]))
			meant_tell(listing->app,
			    listing->args->operands.items[i]);
	strvec_clear(&listing->told);
}

static int
list_exec(struct app *app, const struct args *args, struct error *err)
{
	struct listing listing = { .app = app,
		.args = args,
		.quiet = app->quiet,
		.table = { 8, { 0 }, 5 } };
	struct survey survey = { 0 };
	bool listed;
	int rc;

	rc = look_at_everything(app, &survey, &listed, err);
	if (rc == 0)
		print(&listing, &survey, listed);
	survey_clear(&survey);
	return rc;
}

const struct cmd cmd_list = {
	.name = "list",
	.args = "[AGENT...]",
	.help = "show the sandboxes, their owners and their state",
	.exec = list_exec,
};
