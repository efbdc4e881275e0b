/* SPDX-License-Identifier: ISC */
/*
 * The second look of a sweep, which is one "docker inspect" under the agents'
 * locks, with the entries read again: what it asks, and what follows.  Only
 * core/sweep_batch.c includes this.
 */
#ifndef CORE_SWEEP_LOOK_H
#define CORE_SWEEP_LOOK_H

#include "core/sweep_batch.h"

/* A container that is to go. */
struct target {
	struct sandbox sandbox;
	struct survey_agent *agent; /* NULL: another keeper's */
	struct judgement judgement;
	char *last_lines;
};

struct targets {
	struct target *items;
	size_t len;
};

/* Try the lock of each agent, and read anew what could be locked. */
void sweep_look_lock(struct sweep_batch *);
/* Everything that the second look asks for. */
void sweep_look_names(const struct sweep_batch *, struct strvec *);
/* What is to go; what is kept or gone by now is noted in the report. */
void sweep_look_choose(struct sweep_batch *, const struct container_list *,
    struct targets *, struct sweep_report *);

bool targets_has(const struct targets *, const char *id);
void targets_clear(struct targets *);

/* Is the owner alive, by its name or by the id that the entry recorded? */
struct owner_view sweep_look_owner(const struct sweep_batch *,
    const struct container_list *, const char *owner,
    const struct agent_entry *);

#endif
