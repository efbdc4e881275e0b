/* SPDX-License-Identifier: ISC */
/* What writers left that died at work. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/text.h"
#include "store/store.h"

/* Seconds; a write takes none.  A younger one may be somebody's at work. */
static const int64_t longest_work = 3600;

typedef bool choose_fn(const struct store *, const char *name);

/* ".SLUG.tmp.01234567", as store/atomic.c names it. */
static bool
is_temporary(const char *name)
{
	static const char tag[] = ".tmp.";
	size_t len = strlen(name), end = sizeof(tag) - 1 + 8;

	return name[0] == '.' && len > end &&
	    strncmp(name + len - end, tag, sizeof(tag) - 1) == 0 &&
	    text_only(name + len - 8, "0123456789abcdef");
}

/* ".SLUG.release" without an entry: a crash came between the two. */
static bool
is_idle_mark(const struct store *store, const char *name)
{
	static const char tag[] = ".release";
	char *slug;
	bool idle;

	if (name[0] != '.' || !text_has_suffix(name, tag))
		return false;
	slug = xstrndup(name + 1, strlen(name) - sizeof(tag));
	idle = !store_has(store, slug);
	free(slug);
	return idle;
}

/* A lock's file means nothing; one that is held cannot be taken. */
static bool
take_and_give_back(const struct store *store, const char *name)
{
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct deadline at_once = { 0 };
	struct error err;

	/* giving it back removes the file */
	if (lock_take(store, name, at_once, &lock, &err) == 0)
		lock_release(&lock);
	return false;
}

static bool
is_left(const struct store *store, const char *name)
{
	return is_temporary(name) || is_idle_mark(store, name);
}

static bool
is_left_above(const struct store *store, const char *name)
{
	(void)store;
	return is_temporary(name);
}

static bool
is_old(int dirfd, const char *name)
{
	struct stat st;

	return fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    clock_now() - (int64_t)st.st_mtime > longest_work;
}

static void
tidy(const struct store *store, int folder, choose_fn *choose)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd != -1 ? fdopendir(fd) : NULL;
	struct dirent *item;

	if (dir == NULL) {
		fd_close(fd);
		return;
	}
	while ((item = readdir(dir)) != NULL)
		if (strcmp(item->d_name, ".") != 0 &&
		    strcmp(item->d_name, "..") != 0 &&
		    is_old(fd, item->d_name) && choose(store, item->d_name))
			(void)unlinkat(fd, item->d_name, 0);
	(void)closedir(dir);
}

void
store_tidy(const struct store *store)
{
	tidy(store, store->agents, is_left);
	tidy(store, store->root, is_left_above);
	tidy(store, store->locks, take_and_give_back);
}
