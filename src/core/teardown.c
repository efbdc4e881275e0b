/* SPDX-License-Identifier: ISC */
/* The teardown of one agent's sandbox. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "core/chronicle.h"
#include "core/removal.h"
#include "core/sandbox.h"
#include "core/teardown.h"

/* Every name under which one of its containers may be. */
static void
collect_names(const struct core *core, const struct teardown *teardown,
    struct strvec *names)
{
	const struct agent_entry *entry = teardown->entry;
	char *name;
	size_t i;

	if (teardown->names != NULL) {
		strvec_append(names, teardown->names);
		return;
	}
	for (i = 0; i < core->engines->len; i++) {
		name = scheme_sandbox_name(&core->scheme,
		    core->engines->items[i].short_name, teardown->slug);
		strvec_add_once(names, name);
		free(name);
	}
	/* an engine may have left the settings since */
	for (i = 0; entry != NULL && i < entry->service_count; i++) {
		if (docker_name_is_safe(entry->services[i].container))
			strvec_add_once(names, entry->services[i].container);
		if (docker_id_is_full(entry->services[i].id))
			strvec_add_once(names, entry->services[i].id);
	}
}

static bool
is_spared(const struct teardown *teardown, const struct container *c)
{
	return teardown->spare != NULL && strvec_has(teardown->spare, c->id);
}

static bool
is_wanted(const struct teardown *teardown, const struct sandbox *sandbox)
{
	if (strcmp(sandbox->slug, teardown->slug) != 0)
		return false;
	if (teardown->ours_alone && sandbox->kind != SANDBOX_OURS)
		return false;
	return teardown->owner == NULL ||
	    strcmp(teardown->owner, sandbox->owner_text) == 0;
}

static bool
is_recorded(const struct teardown *teardown, const struct container *c)
{
	return teardown->entry != NULL &&
	    agent_entry_has_id(teardown->entry, c->id);
}

/* Recorded, and another's by its labels: without its entry, who finds it? */
static void
unknown_one(const struct container *c, struct error *err)
{
	(void)error_set(err, ERROR_BUSY,
	    "the container %s, which its entry records, is not ours by its "
	    "labels, and is left alone",
	    c->name);
	(void)error_hint(err,
	    "were the label or the prefixes changed in the settings? release "
	    "it with those that it was made with");
}

/* Sort out what is there: ours to remove, another keeper's, a stranger's. */
static void
choose(const struct core *core, const struct teardown *teardown,
    const struct container_list *found, struct strvec *ids,
    struct error *foreign)
{
	const struct container *c;
	struct sandbox sandbox;
	size_t i;

	for (i = 0; i < found->len; i++) {
		c = &found->items[i];
		if (is_spared(teardown, c))
			continue;
		sandbox_read(&sandbox, core, c);
		if (sandbox.kind == SANDBOX_FOREIGN) {
			(void)error_set(foreign, ERROR_FOREIGN,
			    "the container %s belongs to keeper %s and is "
			    "left alone",
			    c->name, sandbox.keeper);
			(void)error_hint(foreign,
			    "release it with the "
			    "--state-dir of the keeper that made it");
		} else if (is_wanted(teardown, &sandbox)) {
			/* a name and an id may have found it twice */
			strvec_add_once(ids, c->id);
		} else if (is_recorded(teardown, c)) {
			unknown_one(c, foreign);
		} else if (sandbox.kind == SANDBOX_STRANGER) {
			log_warn("%s: the container %s is not ours by its "
				 "labels: it is left alone",
			    teardown->slug, c->name);
		}
	}
}

/* Died, rather than being stopped or never started? */
static bool
is_dead(const struct container *c)
{
	return (c->state == CONTAINER_EXITED || c->state == CONTAINER_DEAD) &&
	    (c->exit_code != 0 || c->oom_killed);
}

static char *
last_lines_of_dead(const struct core *core, const struct teardown *teardown,
    const struct container *c)
{
	if (!is_dead(c))
		return NULL;
	return chronicle_last_lines(core, c->id, teardown->entry);
}

static void
record(const struct core *core, const struct teardown *teardown,
    const struct container *c, const char *last_lines)
{
	struct ending ending = { 0 };

	ending.agent = teardown->slug;
	ending.container = c->name;
	ending.id = c->id;
	ending.service = container_label(c, LABEL_SERVICE);
	ending.cause = teardown->cause;
	ending.reason = teardown->reason;
	ending.age = chronicle_age(c);
	ending.dead = is_dead(c) ? c : NULL;
	ending.last_lines = last_lines;
	chronicle_end(core, &ending);
	log_verbose("%s: removed %s (%s)", teardown->slug, c->name,
	    teardown->reason != NULL ? teardown->reason : teardown->cause);
}

static int
remove_chosen(const struct core *core, const struct teardown *teardown,
    const struct container_list *found, const struct strvec *ids,
    size_t *removed, struct error *err)
{
	struct removal *removals = xcalloc(ids->len, sizeof(*removals));
	char **lines = xcalloc(ids->len, sizeof(*lines));
	const struct container *c;
	int rc = 0;
	size_t i;

	for (i = 0; i < ids->len; i++) {
		removals[i].id = ids->items[i];
		lines[i] = last_lines_of_dead(core, teardown,
		    container_list_find(found, ids->items[i]));
	}
	removal_run(core, removals, ids->len, ids->len, 1, NULL);
	for (i = 0; i < ids->len; i++) {
		c = container_list_find(found, ids->items[i]);
		if (removals[i].error.kind == ERROR_NONE) {
			record(core, teardown, c, lines[i]);
			(*removed)++;
		} else if (rc == 0) {
			*err = removals[i].error;
			rc = error_wrap(err, "%s stays", c->name);
		}
		free(lines[i]);
	}
	free(lines);
	free(removals);
	return rc;
}

int
teardown_run(const struct core *core, const struct teardown *teardown,
    size_t *removed, struct error *err)
{
	struct container_list found = { 0 };
	struct strvec names = { 0 }, ids = { 0 };
	struct error foreign;
	int rc;

	*removed = 0;
	error_clear(&foreign);
	collect_names(core, teardown, &names);
	rc = docker_inspect(core->docker, &names, &found, err);
	if (rc == 0) {
		choose(core, teardown, &found, &ids, &foreign);
		if (ids.len > 0)
			rc = remove_chosen(core, teardown, &found, &ids,
			    removed, err);
	}
	if (rc == 0 && foreign.kind != ERROR_NONE) {
		*err = foreign;
		rc = -1;
	}
	container_list_clear(&found);
	strvec_clear(&names);
	strvec_clear(&ids);
	return rc == -1 ? error_about(err, teardown->slug, NULL) : 0;
}
