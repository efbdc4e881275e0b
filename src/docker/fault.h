/* SPDX-License-Identifier: ISC */
/*
 * What a docker call's end means: one table from exit code and stderr to a
 * kind.  The texts are those of docker 20.10 and 28 and of podman 4.3, as
 * observed; tests/unit/test-fault.c has a row for each.
 */
#ifndef DOCKER_FAULT_H
#define DOCKER_FAULT_H

#include "base/error.h"
#include "process/process.h"

/*
 * The kind of a call that exited with a code other than 0; ERROR_DOCKER where
 * no row fits.
 */
enum error_kind fault_kind(const char *stderr_text);

/*
 * Fill the error for a call that did not end with exit code 0; verb is for the
 * message ("docker inspect").  Returns -1.
 */
int fault_error(const char *verb, const struct process_result *,
    struct error *);

/*
 * Does stderr prove that there is no container of that name?  A line must say
 * "no such object" or "no such container" and hold exactly that name.
 */
bool fault_proves_gone(const char *stderr_text, const char *name);

#endif
