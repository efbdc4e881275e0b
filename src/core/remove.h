/* SPDX-License-Identifier: ISC */
/*
 * The removal of one agent container (rules R1 to R8): its log is kept, it
 * goes, and its sandbox goes with it.
 */
#ifndef CORE_REMOVE_H
#define CORE_REMOVE_H

#include "core/core.h"

struct remove_request {
	const char *container; /* a checked name */
	const char *reason;    /* may be NULL */
	bool keep_sandbox;
	bool no_log;
	int64_t stop; /* seconds; 0: no graceful stop */
};

/*
 * Returns 0 when the container is gone and its sandbox with it (or spared);
 * else -1 with the first failure, everything having been tried.
 */
int remove_run(const struct core *, const struct remove_request *,
    struct error *);

#endif
