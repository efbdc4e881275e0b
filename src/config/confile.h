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
};

void confile_problem(struct confile *, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Read the file at path and parse it into cfg.  Mistakes of syntax are added
 * to problems; validate functions of cfg's options may add theirs.  Returns 1,
 * or 0 where there is no such file, or -1 with an error: ERROR_SETTINGS
 * (cannot be read) or ERROR_UNSAFE (check_safety: it must be root's or ours,
 * and writable by nobody else).
 */
int confile_parse(struct confile *, const char *path, bool check_safety,
    cfg_t *cfg, struct error *);

/* 0, or -1 with ERROR_SETTINGS that tells all problems. */
int confile_finish(struct confile *, struct error *);

/* The file being parsed, for validate functions, which get no argument. */
struct confile *confile_current(void);

/* Was the option named in the file, be it with an empty list? */
bool confile_is_set(cfg_t *section, const char *option);

#endif
