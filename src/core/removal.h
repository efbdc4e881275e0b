/* SPDX-License-Identifier: ISC */
/*
 * Removing sandbox containers, by full id, and making sure that they are gone.
 */
#ifndef CORE_REMOVAL_H
#define CORE_REMOVAL_H

#include "core/core.h"

struct removal {
	const char *id;     /* full; borrowed */
	struct error error; /* ERROR_NONE: it is gone */
};

/*
 * Remove them all, per_call ids a docker call and parallel calls at a time,
 * with their anonymous volumes.  What a call did not confirm is looked at and
 * tried again: "removal already in progress" is success once the container is
 * gone.  One that stays has an error of kind ERROR_BUSY, or of the call.  A
 * stop_timeout in the settings asks them to stop first.
 *
 * A look that is not NULL is made beside the last of the calls (count may be 0
 * then), and once more where the removals took so long that it is stale.
 */
void removal_run(const struct core *, struct removal *, size_t count,
    size_t per_call, size_t parallel, struct docker_look *);

#endif
