/* SPDX-License-Identifier: ISC */
/*
 * Replacing a file whole: temporary file in the same directory, fsync, rename,
 * fsync of the directory.  At every instant the old file or the new one is
 * there.
 */
#ifndef STORE_ATOMIC_H
#define STORE_ATOMIC_H

#include <sys/types.h>

#include "base/error.h"

/*
 * Write data to name in dirfd with that mode, whatever the umask.  Temporary
 * files are named ".NAME.tmp.XXXXXX".  Fails with ERROR_STATE_WRITE, the old
 * file untouched.
 */
int atomic_replace(int dirfd, const char *name, const void *data, size_t len,
    mode_t mode, struct error *);

/*
 * The same for a file that must not be there yet: ERROR_STATE_WRITE with sys
 * EEXIST where it is.
 */
int atomic_create(int dirfd, const char *name, const void *data, size_t len,
    mode_t mode, struct error *);

/* Remove a name durably; one that is not there is success. */
int atomic_remove(int dirfd, const char *name, struct error *);

#endif
