/* SPDX-License-Identifier: ISC */
/* The dumps of removed containers. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/text.h"
#include "store/logdir.h"

/* Open a folder below dirfd, made where it is missing; never through a link. */
static int
open_folder(int dirfd, const char *name)
{
	if (mkdirat(dirfd, name, 0750) == -1 && errno != EEXIST)
		return -1;
	return openat(dirfd, name,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int
logdir_make(const char *logdir)
{
	int rc = mkdir(logdir, 0750);

	if (rc == -1 && errno == ENOENT) {
		fd_make_parents(logdir);
		rc = mkdir(logdir, 0750);
	}
	return rc == -1 && errno == EEXIST ? 0 : rc;
}

static int
open_logdir(const char *logdir)
{
	if (logdir_make(logdir) == -1)
		return -1;
	return open(logdir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int
open_agent_folder(const char *logdir, const char *folder)
{
	int top = open_logdir(logdir), agents = -1, fd = -1;

	if (top != -1)
		agents = open_folder(top, "agents");
	if (agents != -1)
		fd = open_folder(agents, folder);
	fd_close(top);
	fd_close(agents);
	return fd;
}

int
logdir_create(const char *logdir, const char *folder, int64_t now, char **path,
    struct error *err)
{
	char stamp[TIME_TEXT], name[TIME_TEXT + 16];
	int dirfd = open_agent_folder(logdir, folder), fd = -1, n;

	time_format_compact(stamp, now);
	(void)snprintf(name, sizeof(name), "%s.log", stamp);
	for (n = 2; dirfd != -1 && fd == -1 && n < 1000; n++) {
		fd = openat(dirfd, name,
		    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640);
		if (fd == -1 && errno != EEXIST)
			break;
		if (fd == -1)
			/* "_" sorts behind ".": the later is the newer */
			(void)snprintf(name, sizeof(name), "%s_%03d.log", stamp,
			    n);
	}
	if (fd != -1 && fchmod(fd, 0640) == -1) {
		fd_close(fd);
		fd = -1;
	}
	fd_close(dirfd);
	if (fd == -1)
		return error_errno(err, ERROR_STATE_WRITE,
		    "cannot make a file in '%s/agents/%s'", logdir, folder);
	*path = xasprintf("%s/agents/%s/%s", logdir, folder, name);
	return fd;
}

static bool
is_too_old(int dirfd, const char *name, int64_t max_age, int64_t now)
{
	struct stat st;

	if (max_age == 0 ||
	    fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == -1)
		return false;
	return now - (int64_t)st.st_mtime > max_age;
}

/*
 * How many of the sorted names are of this moment or earlier?  Later ones were
 * written before the clock was set back: they are the older ones.
 */
static size_t
count_past(const struct strvec *names, int64_t now)
{
	char last[TIME_TEXT + 1];
	size_t count = names->len;

	time_format_compact(last, now);
	(void)strlcat(last, "~", sizeof(last)); /* behind "-2.log" */
	while (count > 0 && strcmp(names->items[count - 1], last) > 0)
		count--;
	return count;
}

void
logdir_prune(const char *logdir, const char *folder, long keep, int64_t max_age,
    int64_t now)
{
	struct strvec names = { 0 };
	int dirfd = open_agent_folder(logdir, folder);
	struct dirent *item;
	DIR *dir = dirfd != -1 ? fdopendir(dirfd) : NULL;
	size_t i, rank, past;

	if (dir == NULL) {
		fd_close(dirfd);
		return;
	}
	while ((item = readdir(dir)) != NULL)
		if (item->d_name[0] != '.' &&
		    text_has_suffix(item->d_name, ".log"))
			strvec_add(&names, item->d_name);
	strvec_sort(&names);
	past = count_past(&names, now);
	for (i = 0; i < names.len; i++) {
		/* the newest is 1 */
		rank = i < past ? past - i : names.len - i + past;
		if ((keep > 0 && rank > (size_t)keep) ||
		    is_too_old(dirfd, names.items[i], max_age, now))
			(void)unlinkat(dirfd, names.items[i], 0);
	}
	strvec_clear(&names);
	(void)closedir(dir);
}
