/* SPDX-License-Identifier: ISC */
/*
 * A child whose lines are read as they come.  It has no deadline: who reads it
 * ends it with stream_close().
 */
#ifndef PROCESS_STREAM_H
#define PROCESS_STREAM_H

#include <poll.h>
#include <stdbool.h>

#include "process/process.h"

struct stream;

/* NULL with the error number in *number where it cannot be started. */
struct stream *stream_open(const char *path, char *const argv[],
    char *const envp[], int *number);

/* The descriptors to wait for, two at most; returns how many. */
size_t stream_poll(const struct stream *, struct pollfd fds[2]);

/*
 * Read what is there, without waiting and a bounded part of it, and call fn for
 * each whole line, without its newline; it may change the line.  A line longer
 * than the bound (256 kB) is left out.  Returns false once the child has ended
 * or closed its stdout.
 */
bool stream_read(struct stream *, void (*fn)(char *line, void *), void *);

/* Was a line left out since this was asked last? */
bool stream_left_out(struct stream *);

/* The end of what it wrote on stderr, for a message; borrowed. */
const char *stream_complaint(const struct stream *);

/* End it, reap it, free it.  NULL is accepted. */
void stream_close(struct stream *);

#endif
