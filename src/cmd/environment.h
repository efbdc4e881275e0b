/* SPDX-License-Identifier: ISC */
/* Running the caller's program with a sandbox's variables. */
#ifndef CMD_ENVIRONMENT_H
#define CMD_ENVIRONMENT_H

#include "cmd/app.h"

/*
 * Our environment with the exported variables of the shown services over it:
 * "NAME=VALUE" items, fit for envp.
 */
void environment_fill(const struct app *, const struct agent_entry *,
    const struct strvec *shown, struct strvec *);

#endif
