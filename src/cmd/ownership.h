/* SPDX-License-Identifier: ISC */
/* --owner: what a sandbox's life is tied to. */
#ifndef CMD_OWNERSHIP_H
#define CMD_OWNERSHIP_H

#include "cmd/app.h"
#include "core/ensure.h"

/* Ownership by a process that nobody renews ends after a day. */
#define OWNERSHIP_TTL (INT64_C(24) * 3600)

/*
 * Read "container:NAME", "self", "pid:N" or "none" into the request's owner,
 * whose text *text keeps for the caller to free; NULL leaves the agent's own
 * container.  "self" needs docker, and makes one call.  ERROR_USAGE where
 * "none" comes without a lease.
 */
int ownership_read(struct app *, const char *value, struct ensure_request *,
    char **text, struct error *);

#endif
