/* SPDX-License-Identifier: ISC */
/* "docker events": what happens to containers, as it happens. */
#ifndef DOCKER_EVENTS_H
#define DOCKER_EVENTS_H

#include <jansson.h>

#include "docker/docker.h"
#include "process/stream.h"

enum event_action {
	EVENT_OTHER,
	EVENT_START,
	EVENT_DIE,
	EVENT_DESTROY,
	EVENT_RENAME,
	EVENT_GARBAGE, /* no event at all */
};

struct event {
	enum event_action action;
	const char *id;
	const char *name;     /* after a rename, the new one */
	const char *old_name; /* EVENT_RENAME; else "" */
	const json_t *labels; /* among other attributes */
	json_t *document;
};

/* NULL with ERROR_DOCKER_MISSING where the client cannot be started. */
struct stream *docker_events_open(struct docker *, struct error *);

/*
 * Read one line, of docker's or podman's form.  false: it is none that we
 * listen for, or, with the action EVENT_GARBAGE, no event at all.  The caller
 * clears it where true.
 */
bool event_parse(const char *line, struct event *);
void event_clear(struct event *);
const char *event_label(const struct event *, const char *key);
const char *event_action_word(enum event_action);

#endif
