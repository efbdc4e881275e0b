/* SPDX-License-Identifier: ISC */
/* The history of ends. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "store/logdir.h"

static const off_t history_max = (off_t)8 * 1024 * 1024;

/*
 * Make the old file room.  Of several that see the file full one gets its
 * lock; who comes later finds another file under its name.
 */
static void
rotate(int fd, const char *path)
{
	struct stat st, named;
	char *old;

	if (fstat(fd, &st) == -1 || st.st_size < history_max ||
	    flock(fd, LOCK_EX | LOCK_NB) == -1 || stat(path, &named) == -1 ||
	    named.st_ino != st.st_ino)
		return;
	old = xasprintf("%s.1", path);
	(void)rename(path, old);
	free(old);
}

static int
append_line(const char *path, const char *line)
{
	struct strbuf text = { 0 };
	ssize_t written;
	int fd, rc = -1;

	fd = open(path,
	    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
	    0640);
	if (fd == -1)
		return -1;
	strbuf_addf(&text, "%s\n", line);
	written = write(fd, text.data, text.len);
	if (written == (ssize_t)text.len)
		rc = 0;
	else if (written != -1)
		errno = ENOSPC;
	rotate(fd, path);
	strbuf_clear(&text);
	fd_close(fd);
	return rc;
}

int
history_append(const char *logdir, const char *line, struct error *err)
{
	char *path = xasprintf("%s/history.jsonl", logdir);
	int rc = append_line(path, line);

	if (rc == -1 && errno == ENOENT && logdir_make(logdir) == 0)
		rc = append_line(path, line);
	if (rc == -1)
		(void)error_errno(err, ERROR_STATE_WRITE, "cannot write '%s'",
		    path);
	free(path);
	return rc;
}

/* Walk a text's lines from its end; false where fn has had enough. */
static bool
walk_backwards(struct strbuf *text, bool (*fn)(const char *, void *), void *arg)
{
	size_t end = text->len, start;

	while (end > 0) {
		if (text->data[end - 1] == '\n')
			text->data[--end] = '\0';
		for (start = end; start > 0; start--)
			if (text->data[start - 1] == '\n')
				break;
		if (end > start && !fn(text->data + start, arg))
			return false;
		end = start;
	}
	return true;
}

/* Returns 1 to go on, 0 when fn has had enough, -1 with errno. */
static int
read_one(const char *path, bool (*fn)(const char *, void *), void *arg)
{
	struct strbuf text = { 0 };
	int rc = 1;

	if (fd_read_file(AT_FDCWD, path, 4 * (size_t)history_max, &text) == -1)
		rc = errno == ENOENT ? 1 : -1;
	else if (!walk_backwards(&text, fn, arg))
		rc = 0;
	strbuf_clear(&text);
	return rc;
}

int
history_read(const char *logdir, bool (*fn)(const char *, void *), void *arg,
    struct error *err)
{
	char *path = xasprintf("%s/history.jsonl", logdir);
	char *old = xasprintf("%s/history.jsonl.1", logdir);
	int rc = read_one(path, fn, arg);

	if (rc == 1)
		rc = read_one(old, fn, arg);
	if (rc == -1)
		(void)error_set(err, ERROR_STATE_READ, "cannot read '%s': %s",
		    path, fd_reason(errno));
	free(old);
	free(path);
	return rc == -1 ? -1 : 0;
}
