/* SPDX-License-Identifier: ISC */
/* Locks of agents and of the sweep. */
#include <errno.h>
#include <fcntl.h>
#include <libutil.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/progress.h"
#include "base/text.h"
#include "process/interrupt.h"
#include "store/store.h"

/* Who holds it, as the file says: for a message, never for a decision. */
static void
name_holder(int dirfd, const char *name, char *buf, size_t size)
{
	struct strbuf text = { 0 };
	char *line;

	(void)strlcpy(buf, "another sandkeeper", size);
	if (fd_read_file(dirfd, name, 200, &text) == 0 && text.len > 0) {
		line = text_visible(text.data, 60);
		(void)snprintf(buf, size, "process %s", line);
		free(line);
	}
	strbuf_clear(&text);
}

/* Returns 0, or -1 with errno. */
static int
try_lock(int dirfd, const char *name, int *fd)
{
	char text[32];
	int len;

	/* without O_CLOEXEC a child would hold it after our end */
	*fd = flopenat(dirfd, name,
	    O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0600);
	if (*fd == -1)
		return -1;
	len = snprintf(text, sizeof(text), "%ld\n", (long)getpid());
	if (len > 0 && ftruncate(*fd, 0) == 0)
		(void)!pwrite(*fd, text, (size_t)len, 0);
	return 0;
}

static bool
is_held_by_another(int number)
{
	/* flopen says EAGAIN; ESTALE and EINTR are races worth a new try */
	return number == EWOULDBLOCK || number == EINTR || number == ESTALE;
}

static int
lock_error(int dirfd, const char *name, const char *whom, struct error *err)
{
	char holder[80];

	if (errno == ELOOP || errno == EISDIR || errno == ENXIO) {
		(void)error_set(err, ERROR_UNSAFE,
		    "cannot lock %s: the lock '%s' is not a regular file", whom,
		    name);
		return error_hint(err,
		    "someone put it there: look at it, then remove it");
	}
	if (!is_held_by_another(errno)) {
		(void)error_errno(err, ERROR_STATE_WRITE, "cannot lock %s",
		    whom);
		return error_hint(err,
		    "check the disk and the state directory's permissions");
	}
	name_holder(dirfd, name, holder, sizeof(holder));
	(void)error_set(err, ERROR_LOCKED, "%s is locked by %s", whom, holder);
	return error_hint(err, "try again when it is done");
}

static void
fill_lock(struct agent_lock *lock, int dirfd, const char *name, int fd)
{
	lock->dirfd = dirfd;
	lock->name = xstrdup(name);
	lock->fd = fd;
}

/* whom is for messages. */
static int
wait_for_lock(int dirfd, const char *name, const char *whom,
    struct deadline until, struct agent_lock *lock, struct error *err)
{
	int64_t pause_ms = 4;
	bool waits = false;
	int fd, saved;

	while (try_lock(dirfd, name, &fd) == -1) {
		saved = errno;
		if (!is_held_by_another(saved) ||
		    deadline_left_ms(until) == 0) {
			if (waits)
				progress_end();
			errno = saved;
			return lock_error(dirfd, name, whom, err);
		}
		if (!waits)
			progress_begin("%s: another process is at work on it",
			    whom);
		waits = true;
		/* growing, and not in step with other waiters */
		if (interrupt_sleep_ms(pause_ms +
			    (int64_t)arc4random_uniform((uint32_t)pause_ms),
			err) == -1) {
			progress_end();
			return -1;
		}
		if (pause_ms < 64)
			pause_ms *= 2;
	}
	if (waits)
		progress_end();
	fill_lock(lock, dirfd, name, fd);
	return 0;
}

int
lock_take(const struct store *store, const char *slug, struct deadline until,
    struct agent_lock *lock, struct error *err)
{
	if (wait_for_lock(store->locks, slug, slug, until, lock, err) == -1)
		return error_about(err, slug, NULL);
	return 0;
}

int
lock_count(const struct store *store, struct deadline until,
    struct agent_lock *lock, struct error *err)
{
	return wait_for_lock(store->base, "count.lock",
	    "the count of sandboxes", until, lock, err);
}

int
lock_sweep(const struct store *store, struct agent_lock *lock,
    struct error *err)
{
	struct deadline at_once = { 0 };

	return wait_for_lock(store->base, "sweep.lock", "the sweep", at_once,
	    lock, err);
}

int
lock_watch(const struct store *store, struct agent_lock *lock,
    struct error *err)
{
	struct deadline at_once = { 0 };

	return wait_for_lock(store->base, "watch.lock", "the watch", at_once,
	    lock, err);
}

void
lock_release(struct agent_lock *lock)
{
	if (lock->fd == -1)
		return;
	/*
	 * Unlinked while held: flopen(3) looks, after it has locked, whether
	 * the name still means the same file, so nobody ends up with a lock
	 * on a file that is gone.
	 */
	(void)unlinkat(lock->dirfd, lock->name, 0);
	fd_close(lock->fd);
	free(lock->name);
	lock->name = NULL;
	lock->fd = -1;
}
