/* SPDX-License-Identifier: ISC */
/*
 * What a watch remembers: the owners it listens for, the clocks of those that
 * have died, and when to look again.  Bounded by what lives: each full sweep
 * begins it anew.
 */
#ifndef CORE_WATCH_CLOCK_H
#define CORE_WATCH_CLOCK_H

#include "core/sweep.h"

struct watch_clock {
	char *owner;   /* container */
	int64_t at_ms; /* monotonic */
};

struct watch_memory {
	struct strvec owners;    /* containers, sorted */
	struct strvec processes; /* "pid:..." */
	struct watch_clock *clocks;
	size_t clock_count;
	int64_t next_change; /* seconds since the epoch; 0: none known */
};

void watch_memory_clear(struct watch_memory *);
/* Take over what a full sweep has seen; the clocks stay. */
void watch_memory_learn(struct watch_memory *, const struct sweep_report *);
/* A sandbox container has started: its owner and its lease. */
void watch_memory_add(struct watch_memory *, const char *owner,
    int64_t expires);

bool watch_memory_knows(const struct watch_memory *, const char *container);
/* Start its clock, unless it runs. */
void watch_clock_start(struct watch_memory *, const char *owner, int64_t in_ms);
/* Returns whether there was one. */
bool watch_clock_stop(struct watch_memory *, const char *owner);
/* When the first runs out, monotonic milliseconds; INT64_MAX: none. */
int64_t watch_clock_next(const struct watch_memory *);
/* Name those that have run out, and forget them. */
void watch_clock_take(struct watch_memory *, int64_t now_ms,
    struct strvec *owners);

#endif
