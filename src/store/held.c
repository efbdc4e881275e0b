/* SPDX-License-Identifier: ISC */
/* Whether a lock is held: a look that takes none. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "store/store.h"

/* The process that the file names; 0 where it names none. */
static long
written_holder(int dirfd, const char *name)
{
	struct strbuf text = { 0 };
	long pid = 0;

	if (fd_read_file(dirfd, name, 200, &text) == 0)
		pid = strtol(strbuf_str(&text), NULL, 10);
	strbuf_clear(&text);
	return pid > 0 ? pid : 0;
}

static bool
is_process(long pid)
{
	char *path = xasprintf("/proc/%ld", pid);
	bool found = pid > 0 && access(path, F_OK) == 0;

	free(path);
	return found;
}

/* "1: FLOCK  ADVISORY  WRITE 21996 fe:00:10985720 0 EOF" */
static bool
is_about(const char *line, const struct stat *st, long holder)
{
	unsigned int upper, lower;
	unsigned long inode;
	long pid;

	if (sscanf(line, "%*s FLOCK %*s WRITE %ld %x:%x:%lu", &pid, &upper,
		&lower, &inode) != 4 ||
	    inode != st->st_ino)
		return false;
	/* some file systems tell stat(2) of another device */
	return pid == holder ||
	    (upper == major(st->st_dev) && lower == minor(st->st_dev));
}

static bool
is_held(int dirfd, const char *name)
{
	FILE *locks = fopen("/proc/locks", "re");
	long holder = written_holder(dirfd, name);
	struct stat st;
	char line[200];
	bool held = false;

	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == -1) {
		if (locks != NULL)
			(void)fclose(locks);
		return false;
	}
	if (locks == NULL)
		return is_process(holder);
	while (!held && fgets(line, sizeof(line), locks) != NULL)
		held = is_about(line, &st, holder);
	(void)fclose(locks);
	return held;
}

bool
lock_watch_is_held(const struct store *store)
{
	return store->base != -1 && is_held(store->base, "watch.lock");
}

bool
lock_is_held(const struct store *store, const char *slug)
{
	return store->locks != -1 && is_held(store->locks, slug);
}
