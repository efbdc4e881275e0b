/* SPDX-License-Identifier: ISC */
/* --into: the variables as a file inside the owner container. */
#ifndef CORE_DELIVER_H
#define CORE_DELIVER_H

#include "core/core.h"

/* A path of a file in a container, absolute?  ERROR_VALUE. */
int deliver_check(const char *path, struct error *);

/*
 * Write "NAME=VALUE" lines of the shown services to path in the running
 * container of that id, mode 0600, through stdin, and replaced whole.
 * ERROR_OWNER where the container refuses it.
 */
int deliver_file(const struct core *, const char *id,
    const struct agent_entry *, const struct strvec *shown, const char *path,
    struct error *);

#endif
