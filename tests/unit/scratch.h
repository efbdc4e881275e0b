/* SPDX-License-Identifier: ISC */
/*
 * A folder of a test's own: scratch_add() and scratch_add_each() make it
 * before the test and remove it after.  Paths are relative to it.
 */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/strbuf.h"
#include "unit.h"

static char scratch[128];

static inline void
scratch_make(void)
{
	const char *top = getenv("TMPDIR");

	(void)snprintf(scratch, sizeof(scratch), "%s/sandkeeper-unit.XXXXXX",
	    top != NULL && strlen(top) < 80 ? top : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(scratch));
}

static inline int
scratch_remove_one(const char *path, const struct stat *st, int type,
    struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void
scratch_remove(void)
{
	(void)nftw(scratch, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The whole path, in one of a few static buffers. */
static inline const char *
scratch_path(const char *name)
{
	static char paths[4][400];
	static unsigned int turn;
	char *path = paths[turn++ % 4];

	(void)snprintf(path, sizeof(paths[0]), "%s/%s", scratch, name);
	return path;
}

static inline void
scratch_write_bytes(const char *name, const void *data, size_t len)
{
	int fd = open(scratch_path(name),
	    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ck_assert_msg(fd != -1, "cannot make %s", name);
	ck_assert_int_eq(fd_write_all(fd, data, len), 0);
	ck_assert_int_eq(close(fd), 0);
}

static inline void
scratch_write(const char *name, const char *text)
{
	scratch_write_bytes(name, text, strlen(text));
}

static inline void
scratch_mkdir(const char *name)
{
	ck_assert_msg(mkdir(scratch_path(name), 0700) == 0, "mkdir %s", name);
}

/* A file's text, in a static buffer; NULL where there is none. */
static inline const char *
scratch_text(const char *name)
{
	static char text[65536];
	struct strbuf sb = { 0 };
	int rc =
	    fd_read_file(AT_FDCWD, scratch_path(name), sizeof(text) - 1, &sb);

	(void)snprintf(text, sizeof(text), "%s", strbuf_str(&sb));
	strbuf_clear(&sb);
	return rc == 0 ? text : NULL;
}

static inline bool
scratch_has(const char *name)
{
	return access(scratch_path(name), F_OK) == 0;
}

static inline void
scratch_add(Suite *suite, const char *sentence, const TTest *test)
{
	unit_add_with(suite, sentence, test, scratch_make, scratch_remove, 1);
}

static inline void
scratch_add_each(Suite *suite, const char *sentence, const TTest *test,
    size_t count)
{
	unit_add_with(suite, sentence, test, scratch_make, scratch_remove,
	    count);
}

#endif
