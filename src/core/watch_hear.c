/* SPDX-License-Identifier: ISC */
/* What the events of docker mean to a watch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "core/watch_hear.h"
#include "docker/events.h"

static void
tell(const struct watch_ear *ear, const char *event, const char *container,
    int64_t until)
{
	struct watch_news news = { event, container, NULL, NULL, until };

	ear->hooks->tell(ear->hooks->arg, &news);
}

static void
owner_died(struct watch_ear *ear, const char *name)
{
	int64_t grace = ear->core->settings->owner_grace;

	/* a container that is removed dies first: that is one death */
	if (!watch_memory_knows(&ear->memory, name) ||
	    !watch_clock_start(&ear->memory, name, grace * 1000))
		return;
	log_verbose("%s: an owner has died: its sandbox goes in %lld s", name,
	    (long long)grace);
	tell(ear, "owner-died", name, clock_now() + grace);
}

static void
owner_started(struct watch_ear *ear, const char *name)
{
	watch_renamed_forget_owner(&ear->memory, name);
	if (!watch_clock_stop(&ear->memory, name))
		return;
	log_verbose("%s: the owner is back: its sandbox stays", name);
	tell(ear, "owner-back", name, 0);
}

static void
container_died(struct watch_ear *ear, const struct event *event)
{
	const char *owner = watch_renamed_find(&ear->memory, event->id);

	if (owner != NULL)
		owner_died(ear, owner);
	owner_died(ear, event->name);
	if (event->action == EVENT_DESTROY) {
		watch_renamed_forget(&ear->memory, event->id);
		watch_memory_drop_sandbox(&ear->memory, event->id);
	}
}

/*
 * The name is gone, but not the container, which may be recorded by its id: the
 * clock runs, and the second look of its sweep tells.  So it does for another
 * container that takes the name, for that may be a dead one.
 */
static void
container_renamed(struct watch_ear *ear, const struct event *event)
{
	const char *owner = watch_renamed_find(&ear->memory, event->id);

	if (owner != NULL && strcmp(owner, event->name) == 0) {
		watch_renamed_forget(&ear->memory, event->id);
		owner_started(ear, event->name);
	} else if (owner == NULL &&
	    watch_memory_knows(&ear->memory, event->old_name)) {
		watch_renamed_add(&ear->memory, event->id, event->old_name);
	}
	owner_died(ear, event->old_name);
}

/* Of all that the event tells, what a listing would. */
static json_t *
listed_labels(const struct watch_ear *ear, const struct event *event)
{
	const struct strvec *keys = &ear->core->scheme.keys;
	json_t *labels = json_object();
	size_t i;

	for (i = 0; i < keys->len; i++)
		json_put_text(labels, keys->items[i],
		    event_label(event, keys->items[i]));
	return labels;
}

/* A sandbox container that starts tells whom to listen for. */
static void
sandbox_started(struct watch_ear *ear, const struct event *event)
{
	const struct scheme *scheme = &ear->core->scheme;
	const char *keeper = event_label(event, LABEL_KEEPER);
	const char *owner = event_label(event, LABEL_OWNER), *problem;
	char text[160];
	json_t *labels;

	if (strcmp(event_label(event, scheme->label), LABEL_YES) != 0 ||
	    (*keeper != '\0' && strcmp(keeper, ear->core->store->keeper) != 0))
		return;
	if (*owner == '\0')
		(void)snprintf(text, sizeof(text), "container:%s",
		    event_label(event, scheme->owner_label));
	else
		(void)strlcpy(text, owner, sizeof(text));
	watch_memory_add(&ear->memory, text,
	    strtonum(event_label(event, LABEL_EXPIRES), 0, INT64_MAX,
		&problem));
	if (!docker_id_is_full(event->id) || !docker_name_is_safe(event->name))
		return;
	labels = listed_labels(ear, event);
	watch_memory_add_sandbox(&ear->memory, event->id, event->name, labels);
	json_decref(labels);
}

void
watch_hear(char *line, void *arg)
{
	struct watch_ear *ear = arg;
	struct event event;

	if (*line == '\0')
		return;
	if (!event_parse(line, &event)) {
		ear->garbage |= event.action == EVENT_GARBAGE;
		return;
	}
	switch (event.action) {
	case EVENT_START:
		sandbox_started(ear, &event);
		owner_started(ear, event.name);
		break;
	case EVENT_DIE:
	case EVENT_DESTROY:
		container_died(ear, &event);
		break;
	case EVENT_RENAME:
		container_renamed(ear, &event);
		break;
	case EVENT_OTHER:
	case EVENT_GARBAGE:
		break;
	}
	event_clear(&event);
}
