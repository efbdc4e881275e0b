/* SPDX-License-Identifier: ISC */
/* Ending an agent's sandbox on request. */
#ifndef CORE_RELEASE_H
#define CORE_RELEASE_H

#include "core/core.h"

struct release {
	const char *slug;
	const char *cause;  /* for the history: "release" or "remove" */
	const char *reason; /* may be NULL */
	const char *owner;  /* "container:NAME": its sandbox alone */
	bool force;         /* even where it is held */
};

enum release_outcome {
	RELEASE_NOTHING, /* there was no sandbox */
	RELEASE_DONE,
	RELEASE_HELD,        /* held, and left */
	RELEASE_OTHER_OWNER, /* another owner's, and left */
};

/*
 * Leave a release mark, take the agent's lock, look again, tear down, forget.
 * Where docker fails, the entry stays and the mark lets the next sweep carry
 * the release out.
 */
int release_run(const struct core *, const struct release *,
    enum release_outcome *, struct error *);

/*
 * Carry out what a mark asks for, under the lock: teardown, entry and mark
 * gone.  entry may be NULL.
 */
int release_carry_out(const struct core *, const struct release *,
    const struct agent_entry *, size_t *removed, struct error *);

#endif
