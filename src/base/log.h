/* SPDX-License-Identifier: ISC */
/*
 * What people are told while a command runs: one line each, on stderr, and to
 * syslog where that is asked for.  A command's failure is not a log line: it is
 * a struct error, and main prints it.
 *
 * Where stderr is the journal's, a line begins with its priority ("<4>").
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

enum log_level {
	LOG_LEVEL_QUIET,   /* nothing but warnings */
	LOG_LEVEL_NORMAL,  /* what was done */
	LOG_LEVEL_VERBOSE, /* why */
	LOG_LEVEL_DEBUG,   /* every docker call */
};

void log_open(enum log_level);
bool log_shows(enum log_level);
/* From now on, what is shown goes to syslog, too: facility daemon. */
void log_to_syslog(bool);

/* Something is wrong, and the command goes on. */
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_verbose(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A failure: main's line. */
void log_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Whatever the level: a question. */
void log_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
