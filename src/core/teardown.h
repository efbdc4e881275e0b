/* SPDX-License-Identifier: ISC */
/*
 * The teardown of one agent's sandbox (rules T1 to T6), under the agent's
 * lock: every container that is there under one of its names, or that its
 * entry records, and that is ours.
 */
#ifndef CORE_TEARDOWN_H
#define CORE_TEARDOWN_H

#include "core/core.h"

struct teardown {
	const char *slug;
	const struct agent_entry *entry; /* NULL: there is none */
	const char *cause;               /* for the history */
	const char *reason;              /* may be NULL */
	/* only containers of that owner ("container:NAME"); NULL: any */
	const char *owner;
	bool ours_alone; /* with our keeper's id */
	/* full ids to leave alone; may be NULL */
	const struct strvec *spare;
	/* with spare: look at these names alone; NULL: at every engine's */
	const struct strvec *names;
};

/*
 * Returns 0 if every container that it is about is gone: the entry may go.
 * *removed counts those that were there.  Otherwise -1, and the entry must
 * stay: ERROR_BUSY, ERROR_FOREIGN (another keeper's was left), or the docker
 * call's own error.
 */
int teardown_run(const struct core *, const struct teardown *, size_t *removed,
    struct error *);

#endif
