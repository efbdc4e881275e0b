/* SPDX-License-Identifier: ISC */
/* Which agent was meant, where one has no sandbox. */
#ifndef CMD_MEANT_H
#define CMD_MEANT_H

#include "cmd/app.h"

/* Into the hint, where the failure is that there is no sandbox.  Returns -1. */
int meant_hint(struct app *, const char *slug, struct error *);
/* For a command that does nothing then, to people at a terminal alone. */
void meant_tell(struct app *, const char *slug);

#endif
