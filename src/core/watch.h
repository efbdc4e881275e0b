/* SPDX-License-Identifier: ISC */
/*
 * The janitor that hears the death (rules W1 to W6).
 *
 * "docker events" tells of owners that die, start and are renamed; each death
 * starts a clock of owner-grace, a restart stops it, and a clock that runs out
 * is a sweep in which that owner is a suspect.  Everything else is found by a
 * full sweep: at the start, after each reconnect, at each interval, and at the
 * moment that a sweep before said something would change (a grace, a lease, a
 * hold that ends).  Processes that own a sandbox are looked at from time to
 * time, which needs no docker call.
 */
#ifndef CORE_WATCH_H
#define CORE_WATCH_H

#include "core/sweep.h"

struct watch_news {
	const char *event;     /* "owner-died", "owner-back", "swept", ... */
	const char *container; /* the owner, or a removed one; may be NULL */
	const char *agent;     /* may be NULL */
	const char *why;       /* may be NULL */
	int64_t until;         /* "owner-died": its clock runs out; else 0 */
};

struct watch_hooks {
	/* read the settings anew; a failure leaves the old ones */
	int (*reload)(void *, struct error *);
	void (*tell)(void *, const struct watch_news *);
	void *arg;
};

/*
 * Runs until SIGTERM or SIGINT: 0.  -1 where it cannot begin: ERROR_LOCKED
 * (there is a watch of this state directory), or the state's own errors.  A
 * daemon that is out of reach is waited for.
 */
int watch_run(const struct core *, const struct watch_hooks *, struct error *);

#endif
