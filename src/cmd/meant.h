/* SPDX-License-Identifier: ISC */
/* Which agent or service was meant, where there is none of that name. */
#ifndef CMD_MEANT_H
#define CMD_MEANT_H

#include "cmd/app.h"

/* Into the hint, where the failure is that there is no sandbox.  Returns -1. */
int meant_hint(struct app *, const char *slug, struct error *);
/* For a command that does nothing then, to people at a terminal alone. */
void meant_tell(struct app *, const char *slug);
/* Into the hint: what a sandbox has.  wanted may be NULL. */
void meant_service(const struct strvec *has, const char *wanted,
    struct error *);

#endif
