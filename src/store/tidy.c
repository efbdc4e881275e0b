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

typedef void tidy_fn(const struct store *, const char *name);

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

/*
 * ".SLUG.release" without an entry: a crash came between the two.  Under the
 * lock: a release that waits for it then finds that it was carried out.
 */
static void
drop_idle_mark(const struct store *store, const char *name)
{
	static const char tag[] = ".release";
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct deadline at_once = { 0 };
	struct error err;
	char *slug;

	if (name[0] != '.' || !text_has_suffix(name, tag))
		return;
	slug = xstrndup(name + 1, strlen(name) - sizeof(tag));
	if (!store_has(store, slug) &&
	    lock_take(store, slug, at_once, &lock, &err) == 0) {
		if (!store_has(store, slug))
			(void)store_unmark(store, slug, &err);
		lock_release(&lock);
	}
	free(slug);
}

/* A lock's file means nothing; one that is held cannot be taken. */
static void
take_and_give_back(const struct store *store, const char *name)
{
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct deadline at_once = { 0 };
	struct error err;

	/* giving it back removes the file */
	if (lock_take(store, name, at_once, &lock, &err) == 0)
		lock_release(&lock);
}

static bool
is_old(int dirfd, const char *name)
{
	struct stat st;

	return fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    clock_now() - (int64_t)st.st_mtime > longest_work;
}

/* fn, where it is not NULL, looks at what is no temporary file. */
static void
tidy(const struct store *store, int folder, tidy_fn *fn)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd != -1 ? fdopendir(fd) : NULL;
	struct dirent *item;

	if (dir == NULL) {
		fd_close(fd);
		return;
	}
	while ((item = readdir(dir)) != NULL) {
		if (strcmp(item->d_name, ".") == 0 ||
		    strcmp(item->d_name, "..") == 0)
			continue;
		if (is_temporary(item->d_name) && is_old(fd, item->d_name))
			(void)unlinkat(fd, item->d_name, 0);
		else if (fn != NULL)
			fn(store, item->d_name);
	}
	(void)closedir(dir);
}

void
store_tidy(const struct store *store)
{
	tidy(store, store->agents, drop_idle_mark);
	tidy(store, store->root, NULL);
	tidy(store, store->locks, take_and_give_back);
}
