/* SPDX-License-Identifier: ISC */
/*
 * What a watch remembers: the owners it listens for, the clocks of those that
 * have died, and when to look again.  Bounded by what lives: each full sweep
 * begins it anew, and one is due when too much was added since.
 */
#ifndef CORE_WATCH_CLOCK_H
#define CORE_WATCH_CLOCK_H

#include "core/sweep.h"

struct watch_clock {
	char *owner;   /* container */
	int64_t at_ms; /* monotonic */
};

struct watch_memory {
	struct strvec owners;            /* containers, sorted */
	struct container_list sandboxes; /* as they were listed */
	struct strvec processes;         /* "pid:...", those that live */
	struct strvec renamed;           /* "ID OWNER": it is that owner yet */
	struct watch_clock *clocks;
	size_t clock_count;
	size_t added;        /* owners since the last sweep */
	int64_t next_change; /* seconds since the epoch; 0: none known */
};

void watch_memory_clear(struct watch_memory *);
/*
 * Take over what a full sweep has seen.  The clocks stay; suspects, whose
 * clocks had run out, that it kept for a while (they are young, or held) get
 * one that runs out with that.
 */
void watch_memory_learn(struct watch_memory *, const struct sweep_report *,
    const struct strvec *suspects);
/* The same of a sweep for suspects alone, which saw no other owner. */
void watch_memory_learn_suspects(struct watch_memory *,
    const struct sweep_report *, const struct strvec *suspects);
/* A sandbox container has started: its owner and its lease. */
void watch_memory_add(struct watch_memory *, const char *owner,
    int64_t expires);
/* And it itself, for the next sweep; copied.  And one that is gone. */
void watch_memory_add_sandbox(struct watch_memory *, const char *id,
    const char *name, json_t *labels);
void watch_memory_drop_sandbox(struct watch_memory *, const char *id);
/* Was so much added that a sweep had better tell what of it still lives? */
bool watch_memory_is_full(const struct watch_memory *);

bool watch_memory_knows(const struct watch_memory *, const char *container);

/*
 * An owner by its old name goes on being one, by the id that its entry
 * recorded, until it is forgotten: that container, or whatever had that name.
 */
void watch_renamed_add(struct watch_memory *, const char *id,
    const char *owner);
/* Whose old name this container had; NULL: nobody's. */
const char *watch_renamed_find(const struct watch_memory *, const char *id);
void watch_renamed_forget(struct watch_memory *, const char *id);
void watch_renamed_forget_owner(struct watch_memory *, const char *owner);

/* Start its clock; returns false where it runs already. */
bool watch_clock_start(struct watch_memory *, const char *owner, int64_t in_ms);
/* Returns whether there was one. */
bool watch_clock_stop(struct watch_memory *, const char *owner);
/* When the first runs out, monotonic milliseconds; INT64_MAX: none. */
int64_t watch_clock_next(const struct watch_memory *);
/* Name those that have run out, and forget them. */
void watch_clock_take(struct watch_memory *, int64_t now_ms,
    struct strvec *owners);

#endif
