/* SPDX-License-Identifier: ISC */
/*
 * A process as the owner of a sandbox (rule O2), told apart from every other
 * that may bear its number: by machine, boot, pid namespace and start time.
 *
 *	pid:MACHINE:BOOT:NAMESPACE:PID:START
 */
#ifndef CORE_PROCESS_OWNER_H
#define CORE_PROCESS_OWNER_H

#include <sys/types.h>

#include "base/error.h"
#include "core/owner.h"

/* The owner's text for a living process of this machine; the caller frees it.
 * ERROR_OWNER where there is none, ERROR_STATE_READ where /proc cannot tell. */
int process_owner_describe(pid_t, char **text, struct error *);

/*
 * Only the same machine and namespace may judge: anywhere else the answer is
 * OWNER_UNKNOWN.  A process that is gone is OWNER_STOPPED since ever: it never
 * comes back, and has no grace.
 */
struct owner_view process_owner_judge(const char *text);

#endif
