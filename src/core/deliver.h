/* SPDX-License-Identifier: ISC */
/* --into: the variables as a file inside the owner container. */
#ifndef CORE_DELIVER_H
#define CORE_DELIVER_H

#include "core/core.h"

/*
 * Write "NAME=VALUE" lines of the shown services to path (absolute) in the
 * running owner container, mode 0600, through stdin, and replaced whole.
 * ERROR_OWNER where the owner is no container that runs.
 */
int deliver_file(const struct core *, const struct agent_entry *,
    const struct strvec *shown, const char *path, struct error *);

#endif
