/* SPDX-License-Identifier: ISC */
/*
 * What a sandbox's life is tied to, and whether that lives.
 */
#ifndef CORE_OWNER_H
#define CORE_OWNER_H

#include <stdint.h>

#include "core/core.h"

enum owner_type {
	OWNER_MISSING,   /* no label says */
	OWNER_CONTAINER, /* "container:NAME" */
	OWNER_PROCESS,   /* "pid:..." */
	OWNER_LEASE,     /* "none" */
	OWNER_STRANGE,   /* a form that this version does not know */
};

struct owner {
	enum owner_type type;
	const char *name; /* of a container; borrowed */
};

enum owner_state {
	OWNER_UNKNOWN, /* cannot be told: keep */
	OWNER_ALIVE,
	OWNER_STOPPED, /* it is there and does not run */
	OWNER_ABSENT,  /* there is no such container */
};

struct owner_view {
	enum owner_state state;
	int64_t since; /* OWNER_STOPPED: since then, or TIME_UNKNOWN */
};

/* Read "container:NAME" and its kin; "" is OWNER_MISSING. */
struct owner owner_parse(const char *text);

/* "alive", "stopped", "absent", "unknown". */
const char *owner_state_word(enum owner_state);

/*
 * Is the container alive as an owner: running, paused or restarting, or
 * created less than grace seconds ago?  NULL is OWNER_ABSENT.  exact: the
 * container was inspected; a list does not tell when it stopped, and what it
 * says of a stopped one has since = 0, long ago.
 */
struct owner_view owner_judge(const struct container *, int64_t now,
    int64_t grace, bool exact);

/*
 * List the containers that may be owners of that many names: exactly those
 * where they are few or share the container prefix, else all.  One call.
 */
int owner_list(const struct core *, const struct strvec *names,
    struct container_list *, struct error *);

#endif
