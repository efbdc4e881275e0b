/* SPDX-License-Identifier: ISC */
/*
 * Reading a file in libConfuse's syntax, so that every mistake is told with
 * file and line.  What the library lets pass (an unterminated section) is
 * caught here.
 */
#ifndef CONFIG_CONFILE_H
#define CONFIG_CONFILE_H

#include <confuse.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/strvec.h"

/* Mistakes, one text each: "FILE:LINE: what". */
struct confile {
	const char *path;
	struct strvec problems;
	int unknown_at; /* the line of a name that is none; 0: no such mistake
			 */
};

void confile_problem(struct confile *, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Read the file at path and parse it into *cfg, made of the options; the caller
 * frees it.  Mistakes of syntax are added to problems; validate functions of
 * the options may add theirs.  The library stops at the first mistake of
 * syntax; at a name that is none we go on, once its line is left out.
 * Returns 1,
 * or 0 where there is no such file, or -1 with an error: ERROR_SETTINGS
 * (cannot be read) or ERROR_UNSAFE (check_safety: it must be root's or ours,
 * and writable by nobody else).
 */
int confile_parse(struct confile *, const char *path, bool check_safety,
    cfg_opt_t *options, cfg_t **cfg, struct error *);

/* The file being parsed, for validate functions, which get no argument. */
struct confile *confile_current(void);

/* Was the option named in the file, be it with an empty list? */
bool confile_is_set(cfg_t *section, const char *option);

#endif
