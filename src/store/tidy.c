/* SPDX-License-Identifier: ISC */
/* What writers left that died at work. */
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

static const char release_tag[] = ".release";
/* ".tmp." and eight digits. */
enum { temporary_tag_len = 13 };

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

/* What the lock of its agent protects, and only its holder makes. */
static bool
is_idle(const struct store *store, const char *name, const char *slug)
{
	/* ".SLUG.release" without an entry: a crash came between the two; a
	 * release that waits for the lock finds that it was carried out */
	if (text_has_suffix(name, release_tag))
		return !store_has(store, slug);
	return is_temporary(name);
}

static void
drop_idle(const struct store *store, const char *name)
{
	size_t tag =
	    is_temporary(name) ? temporary_tag_len : sizeof(release_tag) - 1;
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct deadline at_once = { 0 };
	struct error err;
	char *slug;

	if (name[0] != '.' || strlen(name) <= tag + 1)
		return;
	slug = xstrndup(name + 1, strlen(name) - tag - 1);
	if (is_idle(store, name, slug) &&
	    lock_take(store, slug, at_once, &lock, &err) == 0) {
		if (is_idle(store, name, slug))
			(void)unlinkat(store->agents, name, 0);
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

static void
drop_old(const struct store *store, const char *name)
{
	/* of the state directory itself: no lock protects it */
	if (is_temporary(name) && is_old(store->root, name))
		(void)unlinkat(store->root, name, 0);
}

static void
tidy(const struct store *store, int folder, tidy_fn *fn)
{
	struct strvec names = { 0 };
	size_t i;

	(void)fd_list(folder, ".", &names);
	for (i = 0; i < names.len; i++)
		fn(store, names.items[i]);
	strvec_clear(&names);
}

void
store_tidy(const struct store *store)
{
	tidy(store, store->agents, drop_idle);
	tidy(store, store->root, drop_old);
	tidy(store, store->locks, take_and_give_back);
}
