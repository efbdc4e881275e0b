/* SPDX-License-Identifier: ISC */
/* One look at everything. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "core/process_owner.h"
#include "core/survey.h"

void
survey_agent_read(const struct core *core, struct survey_agent *agent,
    bool lock_held)
{
	bool has_file = store_has(core->store, agent->slug);
	struct error err;

	agent_entry_clear(&agent->entry);
	agent->unreadable = store_read(core->store, agent->slug, lock_held,
				&agent->entry, &agent->recorded, &err) == -1;
	if (agent->unreadable)
		log_warn("%s: %s: everything of it is kept", agent->slug,
		    err.msg);
	else if (agent->recorded)
		agent->lost = false;
	else if (has_file)
		agent->lost = true;
	agent->released = store_is_marked(core->store, agent->slug);
}

/* Those of the listed containers and of the entries, each once, sorted. */
static int
collect_slugs(const struct core *core, const struct survey *survey,
    struct strvec *slugs, struct error *err)
{
	size_t i;

	if (store_list(core->store, slugs, err) == -1)
		return -1;
	for (i = 0; i < survey->row_count; i++)
		if (survey->rows[i].sandbox.kind == SANDBOX_OURS ||
		    survey->rows[i].sandbox.kind == SANDBOX_UNKEPT)
			strvec_add(slugs, survey->rows[i].sandbox.slug);
	strvec_sort(slugs);
	return 0;
}

static void
read_agents(const struct core *core, struct survey *survey,
    const struct strvec *slugs)
{
	struct strvec damaged = { 0 };
	struct survey_agent *agent;
	size_t i;

	store_list_damaged(core->store, &damaged);
	survey->agents = xcalloc(slugs->len, sizeof(*survey->agents));
	for (i = 0; i < slugs->len; i++) {
		if (i > 0 && strcmp(slugs->items[i], slugs->items[i - 1]) == 0)
			continue;
		agent = &survey->agents[survey->agent_count++];
		agent->slug = xstrdup(slugs->items[i]);
		agent->lost = strvec_has(&damaged, agent->slug);
		survey_agent_read(core, agent, false);
	}
	strvec_clear(&damaged);
}

static int
compare_slug(const void *slug, const void *agent)
{
	return strcmp(slug, ((const struct survey_agent *)agent)->slug);
}

struct survey_agent *
survey_agent(const struct survey *survey, const char *slug)
{
	if (survey->agent_count == 0)
		return NULL;
	return bsearch(slug, survey->agents, survey->agent_count,
	    sizeof(*survey->agents), compare_slug);
}

static int
compare_rows(const void *a, const void *b)
{
	const struct survey_row *one = a, *two = b;
	int order = strcmp(one->sandbox.slug, two->sandbox.slug);

	return order != 0 ?
	    order :
	    strcmp(one->sandbox.container->name, two->sandbox.container->name);
}

/* Agent by agent: docker's order is that of a race. */
static void
read_rows(const struct core *core, struct survey *survey)
{
	size_t i;

	survey->row_count = survey->sandboxes.len;
	survey->rows = xcalloc(survey->row_count, sizeof(*survey->rows));
	for (i = 0; i < survey->row_count; i++)
		sandbox_read(&survey->rows[i].sandbox, core,
		    &survey->sandboxes.items[i]);
	if (survey->row_count > 1)
		qsort(survey->rows, survey->row_count, sizeof(*survey->rows),
		    compare_rows);
}

void
survey_place(const struct core *core, const struct survey_agent *agent,
    struct sandbox *sandbox)
{
	const char *id = sandbox->container->id;

	sandbox->entry_lost = agent != NULL && agent->lost;
	sandbox->elsewhere = sandbox->kind == SANDBOX_OURS &&
	    !(agent != NULL && agent->recorded &&
		agent_entry_has_id(&agent->entry, id)) &&
	    store_elsewhere(core->store, sandbox->slug, id);
}

static void
join_rows(const struct core *core, struct survey *survey)
{
	struct survey_row *row;
	size_t i;

	for (i = 0; i < survey->row_count; i++) {
		row = &survey->rows[i];
		if (row->sandbox.kind != SANDBOX_OURS &&
		    row->sandbox.kind != SANDBOX_UNKEPT)
			continue;
		row->agent = survey_agent(survey, row->sandbox.slug);
		if (row->agent != NULL)
			row->agent->rows++;
		survey_place(core, row->agent, &row->sandbox);
	}
}

static void
add_owner_name(struct strvec *names, const struct owner *owner)
{
	if (owner->type == OWNER_CONTAINER)
		strvec_add(names, owner->name);
}

static int
list_owners(const struct core *core, struct survey *survey, struct error *err)
{
	struct strvec all = { 0 }, names = { 0 };
	struct owner owner;
	size_t i;
	int rc = 0;

	for (i = 0; i < survey->row_count; i++)
		if (survey->rows[i].sandbox.kind != SANDBOX_STRANGER)
			add_owner_name(&all, &survey->rows[i].sandbox.owner);
	for (i = 0; i < survey->agent_count; i++) {
		if (!survey->agents[i].recorded)
			continue;
		owner = owner_parse(survey->agents[i].entry.owner);
		add_owner_name(&all, &owner);
	}
	strvec_sort(&all);
	for (i = 0; i < all.len; i++)
		if (i == 0 || strcmp(all.items[i], all.items[i - 1]) != 0)
			strvec_add(&names, all.items[i]);
	if (names.len > 0)
		rc = owner_list(core, &names, &survey->owners, err);
	container_list_sort(&survey->owners);
	strvec_clear(&all);
	strvec_clear(&names);
	return rc;
}

static struct owner_view
view_of(const struct survey *survey, const struct owner *owner,
    const char *text, bool listed)
{
	struct owner_view unknown = { OWNER_UNKNOWN, TIME_UNKNOWN };

	if (owner->type == OWNER_PROCESS)
		return process_owner_judge(text);
	if (owner->type != OWNER_CONTAINER || !listed)
		return unknown;
	return owner_judge(container_list_find_name(&survey->owners,
			       owner->name),
	    survey->rules.now, survey->rules.grace, false);
}

static void
judge_row(const struct survey *survey, struct survey_row *row)
{
	const struct survey_agent *agent = row->agent;

	row->judgement = judge(&row->sandbox,
	    agent != NULL && agent->recorded ? &agent->entry : NULL,
	    agent != NULL && agent->unreadable,
	    agent != NULL && agent->released, row->owner, &survey->rules);
}

static bool
may_be_back(const struct survey_row *row, const char *slug)
{
	return strcmp(row->sandbox.slug, slug) == 0 &&
	    row->sandbox.owner.type == OWNER_CONTAINER &&
	    row->owner.state == OWNER_STOPPED;
}

void
survey_look_closer(const struct core *core, struct survey *survey,
    const char *slug)
{
	struct container_list found = { 0 };
	struct strvec names = { 0 };
	struct survey_row *row;
	struct error err;
	size_t i, rows = survey->row_count;

	for (i = 0; i < survey->row_count; i++)
		if (may_be_back(&survey->rows[i], slug))
			strvec_add_once(&names,
			    survey->rows[i].sandbox.owner.name);
	if (names.len > 0 &&
	    docker_inspect(core->docker, &names, &found, &err) == -1) {
		log_warn("since when its owner has stopped is not known: %s",
		    err.msg);
		rows = 0;
	}
	for (i = 0; i < rows; i++) {
		row = &survey->rows[i];
		if (!may_be_back(row, slug))
			continue;
		row->owner = owner_judge(container_list_find(&found,
					     row->sandbox.owner.name),
		    survey->rules.now, survey->rules.grace, true);
		judge_row(survey, row);
	}
	container_list_clear(&found);
	strvec_clear(&names);
}

static void
judge_all(struct survey *survey, bool listed)
{
	struct survey_agent *agent;
	struct survey_row *row;
	struct owner owner;
	size_t i;

	for (i = 0; i < survey->agent_count; i++) {
		agent = &survey->agents[i];
		if (!agent->recorded)
			continue;
		owner = owner_parse(agent->entry.owner);
		agent->owner =
		    view_of(survey, &owner, agent->entry.owner, listed);
		agent->judgement = judge_entry(&agent->entry, agent->released,
		    agent->owner, &survey->rules);
	}
	for (i = 0; i < survey->row_count; i++) {
		row = &survey->rows[i];
		row->owner = view_of(survey, &row->sandbox.owner,
		    row->sandbox.owner_text, listed);
		judge_row(survey, row);
	}
}

static void
set_rules(const struct core *core, struct survey *survey)
{
	memset(survey, 0, sizeof(*survey));
	survey->rules.now = clock_now();
	survey->rules.grace = core->settings->grace;
	survey->rules.owner_grace = core->settings->owner_grace;
	survey->rules.foreign_grace = core->settings->foreign_grace;
}

static int
read_state(const struct core *core, struct survey *survey, struct error *err)
{
	struct strvec slugs = { 0 };

	if (collect_slugs(core, survey, &slugs, err) == -1) {
		strvec_clear(&slugs);
		return -1;
	}
	read_agents(core, survey, &slugs);
	strvec_clear(&slugs);
	join_rows(core, survey);
	return 0;
}

int
survey_take(const struct core *core, struct survey *survey, struct error *err)
{
	struct docker_filter filter = { core->scheme.filter, NULL,
		&core->scheme.keys };

	set_rules(core, survey);
	if (docker_list(core->docker, &filter, &survey->sandboxes, err) == -1)
		return -1;
	read_rows(core, survey);
	/* the entries after the list: what is committed meanwhile is seen */
	if (read_state(core, survey, err) == -1 ||
	    list_owners(core, survey, err) == -1)
		return -1;
	survey->rules.now = clock_now();
	judge_all(survey, true);
	return 0;
}

int
survey_take_known(const struct core *core, struct survey *survey,
    struct error *err)
{
	struct container_list known = survey->sandboxes;

	set_rules(core, survey);
	survey->sandboxes = known;
	read_rows(core, survey);
	if (read_state(core, survey, err) == -1)
		return -1;
	judge_all(survey, false);
	return 0;
}

int
survey_take_entries(const struct core *core, struct survey *survey,
    struct error *err)
{
	set_rules(core, survey);
	if (read_state(core, survey, err) == -1)
		return -1;
	judge_all(survey, false);
	return 0;
}

void
survey_clear(struct survey *survey)
{
	size_t i;

	for (i = 0; i < survey->agent_count; i++) {
		free(survey->agents[i].slug);
		agent_entry_clear(&survey->agents[i].entry);
	}
	free(survey->agents);
	free(survey->rows);
	container_list_clear(&survey->sandboxes);
	container_list_clear(&survey->owners);
	memset(survey, 0, sizeof(*survey));
}
