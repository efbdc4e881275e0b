/* SPDX-License-Identifier: ISC */
/* The second look of a sweep. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "core/process_owner.h"
#include "core/sweep_look.h"

void
sweep_look_lock(struct sweep_batch *batch)
{
	struct deadline at_once = { 0 };
	struct error err;
	size_t i;

	for (i = 0; i < batch->agent_count; i++) {
		batch->locks[i].fd = -1;
		if (lock_take(batch->core->store, batch->agents[i]->slug,
			at_once, &batch->locks[i], &err) == 0)
			survey_agent_read(batch->core, batch->agents[i],
			    !batch->options->dry_run);
		else if (err.kind == ERROR_LOCKED)
			log_verbose("%s", err.msg);
		else
			log_warn("%s: everything of it is kept", err.msg);
	}
}

static bool
is_locked(const struct sweep_batch *batch, const struct survey_agent *agent)
{
	size_t i;

	for (i = 0; i < batch->agent_count; i++)
		if (batch->agents[i] == agent)
			return batch->locks[i].fd != -1;
	return false;
}

static void
add_owner(struct strvec *names, const char *text)
{
	struct owner owner = owner_parse(text);

	if (owner.type == OWNER_CONTAINER)
		strvec_add_once(names, owner.name);
}

void
sweep_look_names(const struct sweep_batch *batch, struct strvec *names)
{
	const struct agent_entry *entry;
	size_t i, k;

	for (i = 0; i < batch->row_count; i++) {
		strvec_add_once(names, batch->rows[i]->sandbox.container->id);
		add_owner(names, batch->rows[i]->sandbox.owner_text);
	}
	for (i = 0; i < batch->agent_count; i++) {
		if (!batch->agents[i]->recorded)
			continue;
		entry = &batch->agents[i]->entry;
		add_owner(names, entry->owner);
		if (docker_id_is_full(entry->owner_id))
			strvec_add_once(names, entry->owner_id);
		for (k = 0; k < entry->service_count; k++) {
			if (docker_name_is_safe(entry->services[k].container))
				strvec_add_once(names,
				    entry->services[k].container);
			if (docker_id_is_full(entry->services[k].id))
				strvec_add_once(names, entry->services[k].id);
		}
	}
}

/* By name, or by the id that was recorded: either may be the living one. */
struct owner_view
sweep_look_owner(const struct sweep_batch *batch,
    const struct container_list *found, const char *text,
    const struct agent_entry *entry)
{
	struct owner_view view = { OWNER_UNKNOWN, TIME_UNKNOWN }, by_id;
	struct owner owner = owner_parse(text);
	const struct container *c;

	if (owner.type == OWNER_PROCESS)
		return process_owner_judge(text);
	if (owner.type != OWNER_CONTAINER)
		return view;
	view = owner_judge(container_list_find(found, owner.name),
	    batch->rules.now, batch->rules.grace, true);
	if (view.state == OWNER_ALIVE || entry == NULL ||
	    *entry->owner_id == '\0')
		return view;
	c = container_list_find(found, entry->owner_id);
	if (c == NULL)
		return view;
	by_id = owner_judge(c, batch->rules.now, batch->rules.grace, true);
	return view.state == OWNER_ABSENT || by_id.state == OWNER_ALIVE ?
	    by_id :
	    view;
}

static struct judgement
judge_again(const struct sweep_batch *batch, const struct container_list *found,
    const struct sandbox *sandbox, const struct survey_agent *agent)
{
	const struct agent_entry *entry =
	    agent != NULL && agent->recorded ? &agent->entry : NULL;
	struct judgement judged;

	if (batch->options->drain && sandbox->kind == SANDBOX_OURS)
		return (struct judgement){ VERDICT_DRAINED, 0 };
	judged = judge(sandbox, entry, agent != NULL && agent->unreadable,
	    agent != NULL && agent->released,
	    sweep_look_owner(batch, found, sandbox->owner_text, entry),
	    &batch->rules);
	/* it may be on its way back: it has its grace from the first look */
	if (judged.verdict == VERDICT_OWNER_ABSENT && !batch->waited &&
	    !sweep_is_suspect(batch->options, &sandbox->owner))
		judged.verdict = VERDICT_OWNER_GRACE;
	return judged;
}

/* The agent of a found container, if it is one of this batch. */
static struct survey_agent *
agent_of(const struct sweep_batch *batch, const struct sandbox *sandbox)
{
	size_t i;

	if (sandbox->kind == SANDBOX_FOREIGN)
		return NULL;
	for (i = 0; i < batch->agent_count; i++)
		if (strcmp(batch->agents[i]->slug, sandbox->slug) == 0)
			return batch->agents[i];
	return NULL;
}

static bool
is_row(const struct sweep_batch *batch, const char *id)
{
	size_t i;

	for (i = 0; i < batch->row_count; i++)
		if (strcmp(batch->rows[i]->sandbox.container->id, id) == 0)
			return true;
	return false;
}

static void
add_target(struct targets *targets, const struct sandbox *sandbox,
    struct survey_agent *agent, struct judgement judged)
{
	struct target *target;

	targets->items = xreallocarray(targets->items, targets->len + 1,
	    sizeof(*targets->items));
	target = &targets->items[targets->len++];
	target->sandbox = *sandbox;
	target->agent = agent;
	target->judgement = judged;
	target->last_lines = NULL;
}

bool
targets_has(const struct targets *targets, const char *id)
{
	size_t i;

	for (i = 0; i < targets->len; i++)
		if (strcmp(targets->items[i].sandbox.container->id, id) == 0)
			return true;
	return false;
}

static void
choose_one(struct sweep_batch *batch, const struct container_list *found,
    const struct container *c, struct targets *targets,
    struct sweep_report *report)
{
	struct survey_agent *agent;
	struct judgement judged;
	struct sandbox sandbox;

	sandbox_read(&sandbox, batch->core, c);
	agent = agent_of(batch, &sandbox);
	survey_place(batch->core, agent, &sandbox);
	/* owners are among the found, and strangers under our names */
	if (agent == NULL && !is_row(batch, c->id))
		return;
	if (targets_has(targets, c->id))
		return;
	if (agent != NULL && !is_locked(batch, agent))
		judged = (struct judgement){ VERDICT_LOCKED, 0 };
	else
		judged = judge_again(batch, found, &sandbox, agent);
	if (verdict_removes(judged.verdict))
		add_target(targets, &sandbox, agent, judged);
	else if (is_row(batch, c->id))
		(void)sweep_report_add(report, sandbox.slug, &sandbox, judged,
		    SWEEP_KEPT);
}

void
sweep_look_choose(struct sweep_batch *batch, const struct container_list *found,
    struct targets *targets, struct sweep_report *report)
{
	const struct survey_row *row;
	size_t i;

	for (i = 0; i < found->len; i++)
		choose_one(batch, found, &found->items[i], targets, report);
	for (i = 0; i < batch->row_count; i++) {
		row = batch->rows[i];
		if (container_list_find(found, row->sandbox.container->id) ==
		    NULL)
			(void)sweep_report_add(report, row->sandbox.slug,
			    &row->sandbox, row->judgement, SWEEP_GONE);
	}
}

void
targets_clear(struct targets *targets)
{
	size_t i;

	for (i = 0; i < targets->len; i++)
		free(targets->items[i].last_lines);
	free(targets->items);
}
