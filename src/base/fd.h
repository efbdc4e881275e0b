/* SPDX-License-Identifier: ISC */
/* Descriptors: whole writes, bounded reads, and the first three. */
#ifndef BASE_FD_H
#define BASE_FD_H

#include <stddef.h>

#include "base/strbuf.h"
#include "base/strvec.h"

/* Write everything.  Returns 0, or -1 with errno. */
int fd_write_all(int fd, const void *, size_t len);

/*
 * Open a regular file for reading.  The last part of the path must not be a
 * symbolic link.  Returns -1 with errno: ELOOP for a link, EINVAL for what is
 * not a regular file (never waits for a FIFO), or what the system said.
 */
int fd_open_file(int dirfd, const char *path);

/*
 * Append such a file's contents, at most max bytes of it.  Returns 0; -1 with
 * errno: the same, or EFBIG for a longer one.
 */
int fd_read_file(int dirfd, const char *path, size_t max, struct strbuf *);

/*
 * Append the names in a folder but "." and "..", in any order.  Returns 0, or
 * -1 with errno; some may have been appended then.
 */
int fd_list(int dirfd, const char *path, struct strvec *names);

/* What such an errno means, in words. */
const char *fd_reason(int number);

/* Append what can be read until the end.  Returns 0 or -1 with errno. */
int fd_read_all(int fd, size_t max, struct strbuf *);

/*
 * A program may be started with stdin, stdout or stderr closed; a file opened
 * later would then get their number and our output.  Put /dev/null there; what
 * is written to such a stdout fails.  Returns 0, or -1 with errno.
 */
int fd_open_standard(void);

/* How many more may be opened now. */
size_t fd_spare(void);

/*
 * Make the folders above a path, as "mkdir -p" would.  What goes wrong shows
 * when that itself is made.
 */
void fd_make_parents(const char *path);

/* Close unless it is -1, keeping errno. */
void fd_close(int fd);

#endif
