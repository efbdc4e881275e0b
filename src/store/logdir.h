/* SPDX-License-Identifier: ISC */
/*
 * The log directory: the dumps of removed containers and the history of ends.
 *
 *	LOGDIR/agents/SLUG/20261130T150045Z.log	mode 0640
 *	LOGDIR/history.jsonl			one JSON object a line
 *	LOGDIR/history.jsonl.1			the one before
 *
 * What cannot be written here is a warning of the caller's, never a failure.
 */
#ifndef STORE_LOGDIR_H
#define STORE_LOGDIR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strvec.h"

/*
 * Make LOGDIR where it is not there, and the folders above it.  Returns 0, or
 * -1 with errno.
 */
int logdir_make(const char *logdir);

/*
 * Make LOGDIR/agents/folder and a new file in it for the time.  folder must be
 * a safe name.  Returns the descriptor and the file's path, which the caller
 * frees; or -1 with ERROR_STATE_WRITE.
 */
int logdir_create(const char *logdir, const char *folder, int64_t now,
    char **path, struct error *);

/*
 * Keep the newest keep dumps of a folder (0: all), none older than max_age
 * seconds (0: any age).
 */
void logdir_prune(const char *logdir, const char *folder, long keep,
    int64_t max_age, int64_t now);

/*
 * Append one line (without its newline) to the history, in one write.  At 8 MB
 * the file becomes history.jsonl.1 first.
 */
int history_append(const char *logdir, const char *line, struct error *);

/*
 * Call fn for each line, newest first, until it returns false.  No history is
 * success.
 */
int history_read(const char *logdir, bool (*fn)(const char *line, void *),
    void *, struct error *);

#endif
