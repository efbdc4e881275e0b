/* SPDX-License-Identifier: ISC */
/* Replacing a file whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/text.h"
#include "store/atomic.h"

static int
make_temporary(int dirfd, const char *name, char *path, size_t size)
{
	char suffix[9];
	int fd, tries;

	for (tries = 0; tries < 100; tries++) {
		text_random_hex(suffix, 8);
		(void)snprintf(path, size, ".%s.tmp.%s", name, suffix);
		fd = openat(dirfd, path,
		    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd != -1 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* Close is checked too: some filesystems tell of a full disk only there. */
static int
fill(int fd, const void *data, size_t len, mode_t mode)
{
	int rc = 0;

	if (fchmod(fd, mode) == -1 || fd_write_all(fd, data, len) == -1 ||
	    fsync(fd) == -1)
		rc = -1;
	if (rc == -1)
		fd_close(fd);
	else if (close(fd) == -1)
		rc = -1;
	return rc;
}

static int
write_error(const char *name, struct error *err)
{
	(void)error_errno(err, ERROR_STATE_WRITE, "cannot write '%s'", name);
	return error_hint(err,
	    "check the disk and the state directory's "
	    "permissions; nothing was changed");
}

/* Write the temporary file, whose name is left in path. */
static int
prepare(int dirfd, const char *name, const void *data, size_t len, mode_t mode,
    char *path, size_t size, struct error *err)
{
	int fd = make_temporary(dirfd, name, path, size), saved;

	if (fd == -1)
		return write_error(name, err);
	if (fill(fd, data, len, mode) == 0)
		return 0;
	saved = errno;
	(void)unlinkat(dirfd, path, 0);
	errno = saved;
	return write_error(name, err);
}

int
atomic_replace(int dirfd, const char *name, const void *data, size_t len,
    mode_t mode, struct error *err)
{
	char path[300];

	if (prepare(dirfd, name, data, len, mode, path, sizeof(path), err) ==
	    -1)
		return -1;
	if (renameat(dirfd, path, dirfd, name) == -1) {
		(void)write_error(name, err);
		(void)unlinkat(dirfd, path, 0);
		return -1;
	}
	if (fsync(dirfd) == -1)
		return write_error(name, err);
	return 0;
}

int
atomic_create(int dirfd, const char *name, const void *data, size_t len,
    mode_t mode, struct error *err)
{
	char path[300];
	int rc = 0;

	if (prepare(dirfd, name, data, len, mode, path, sizeof(path), err) ==
	    -1)
		return -1;
	/* a link, unlike a rename, fails where the name is taken */
	if (linkat(dirfd, path, dirfd, name, 0) == -1)
		rc = write_error(name, err);
	(void)unlinkat(dirfd, path, 0);
	if (rc == 0 && fsync(dirfd) == -1)
		rc = write_error(name, err);
	return rc;
}

int
atomic_remove(int dirfd, const char *name, struct error *err)
{
	if (unlinkat(dirfd, name, 0) == -1) {
		if (errno == ENOENT)
			return 0;
		return error_errno(err, ERROR_STATE_WRITE, "cannot remove '%s'",
		    name);
	}
	if (fsync(dirfd) == -1)
		return error_errno(err, ERROR_STATE_WRITE, "cannot remove '%s'",
		    name);
	return 0;
}
