/* SPDX-License-Identifier: ISC */
/* Moving a lease's end, and holding a sandbox for debugging. */
#ifndef CORE_LEASE_H
#define CORE_LEASE_H

#include "base/clock.h"
#include "core/core.h"

/*
 * Whose: the agent, and the owner (an entry's text) whose sandbox alone is
 * meant; NULL: whoever's it is.  Another owner's is ERROR_NO_SANDBOX.
 */
struct lease {
	const char *slug;
	const char *owner;
};

/*
 * Under the agent's lock, which is waited for until then.  The end becomes ttl
 * seconds from now, and never earlier than it was; *expires is where it is
 * now.  ERROR_NO_SANDBOX; ERROR_LOCKED; ERROR_VALUE where there is no lease to
 * renew.
 */
int lease_renew(const struct core *, struct lease, int64_t ttl,
    struct deadline until, int64_t *expires, struct error *);

/* Hold until then (0: no more).  ERROR_NO_SANDBOX. */
int lease_hold(const struct core *, struct lease, int64_t until,
    struct error *);

#endif
