/* SPDX-License-Identifier: ISC */
/* Descriptors. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"

int
fd_write_all(int fd, const void *data, size_t len)
{
	const char *p = data;
	ssize_t n;

	while (len > 0) {
		n = write(fd, p, len);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return -1;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int
fd_read_all(int fd, size_t max, struct strbuf *out)
{
	size_t start = out->len;
	ssize_t n;

	for (;;) {
		strbuf_reserve(out, 8192);
		n = read(fd, out->data + out->len, 8192);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return -1;
		out->len += (size_t)n;
		out->data[out->len] = '\0';
		if (n == 0)
			return 0;
		if (out->len - start > max) {
			errno = EFBIG;
			return -1;
		}
	}
}

int
fd_open_file(int dirfd, const char *path)
{
	struct stat st;
	int fd;

	/* O_NONBLOCK: opening a FIFO that nobody writes must not wait */
	fd = openat(dirfd, path,
	    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd == -1)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	errno = EINVAL;
	fd_close(fd);
	return -1;
}

int
fd_list(int dirfd, const char *path, struct strvec *names)
{
	int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), saved;
	DIR *dir = fd != -1 ? fdopendir(fd) : NULL;
	struct dirent *item;

	if (dir == NULL) {
		saved = errno;
		fd_close(fd);
		errno = saved;
		return -1;
	}
	errno = 0;
	while ((item = readdir(dir)) != NULL)
		if (strcmp(item->d_name, ".") != 0 &&
		    strcmp(item->d_name, "..") != 0)
			strvec_add(names, item->d_name);
	saved = errno;
	(void)closedir(dir);
	errno = saved;
	return saved == 0 ? 0 : -1;
}

const char *
fd_reason(int number)
{
	switch (number) {
	case EINVAL:
	case ENXIO:
		return "it is not a regular file";
	case ELOOP:
		return "it is a symbolic link";
	case EFBIG:
		return "it is too large";
	default:
		return strerror(number);
	}
}

int
fd_read_file(int dirfd, const char *path, size_t max, struct strbuf *out)
{
	int fd = fd_open_file(dirfd, path), rc;

	if (fd == -1)
		return -1;
	rc = fd_read_all(fd, max, out);
	fd_close(fd);
	return rc;
}

int
fd_open_standard(void)
{
	int fd, flags;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) != -1)
			continue;
		/* results that nobody gets must not look like success */
		flags = fd == STDOUT_FILENO ? O_RDONLY : O_RDWR;
		/* the lowest number that is free is this one: it stays open */
		/* cppcheck-suppress leakReturnValNotUsed */
		if (open("/dev/null", flags | O_CLOEXEC) == -1)
			return -1;
	}
	return 0;
}

size_t
fd_spare(void)
{
	struct rlimit limit;
	size_t spare;
	int fd;

	if (getrlimit(RLIMIT_NOFILE, &limit) == -1)
		return 0;
	spare = limit.rlim_cur < INT_MAX ? (size_t)limit.rlim_cur : INT_MAX;
	/* who inherits more than these has room for many */
	for (fd = 0; fd < 1024 && (rlim_t)fd < limit.rlim_cur; fd++)
		if (fcntl(fd, F_GETFD) != -1 && spare > 0)
			spare--;
	return spare;
}

void
fd_close(int fd)
{
	int saved = errno;

	if (fd != -1)
		(void)close(fd);
	errno = saved;
}

void
fd_make_parents(const char *path)
{
	char *copy = xstrdup(path), *slash = copy;

	while (*slash != '\0' && (slash = strchr(slash + 1, '/')) != NULL) {
		*slash = '\0';
		(void)mkdir(copy, 0755);
		*slash = '/';
	}
	free(copy);
}
