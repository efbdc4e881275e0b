/* SPDX-License-Identifier: ISC */
/*
 * From an error to what scripts and people see: one table of kinds, exit codes
 * and words.  The manual's EXIT STATUS repeats it.
 */
#ifndef CMD_FAILURE_H
#define CMD_FAILURE_H

#include "base/error.h"
#include "base/json.h"

int failure_exit_code(const struct error *);
/* "image-pull": the closed list of kinds. */
const char *failure_kind(const struct error *);
/* {"error": {...}}; the caller owns it. */
json_t *failure_json(const struct error *, int code);
/* The line on stderr, and the hint below it. */
void failure_log(const struct error *);
/* One that the command survives, with its hint: what it is to that. */
void failure_warn(const char *what, const struct error *);

#endif
