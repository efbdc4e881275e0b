/* SPDX-License-Identifier: ISC */
/*
 * The state directory: the cache of entries, the agents' locks, the release
 * marks and the keeper's id.  Everything is opened relative to directories
 * that were checked: a real directory, ours, and writable by nobody else.
 *
 *	DIR/keeper
 *	DIR/agents/SLUG		entries of the default daemon
 *	DIR/agents/.SLUG.release	a release that is not carried out yet
 *	DIR/locks/SLUG		there only while held
 *	DIR/sweep.lock
 *	DIR/daemons/ENDPOINT/	agents, locks and sweep.lock of another one
 *
 * Life cycle: store_open(), then the rest, then store_close().  A store that
 * was opened with STORE_LOOK never makes a file or directory; where there is
 * no state directory it is empty.  Entries are changed under their agent's
 * lock alone.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/strvec.h"
#include "store/entry.h"

enum store_mode {
	STORE_LOOK,   /* make nothing */
	STORE_CHANGE, /* make what is missing */
};

struct store {
	char *path; /* for messages */
	char *endpoint;
	int root; /* DIR; -1: there is none */
	int base; /* DIR or DIR/daemons/ENDPOINT */
	int agents;
	int locks;
	char keeper[33]; /* "" where there is none yet */
};

/*
 * Fails with ERROR_STATE_CREATE (a directory cannot be made), ERROR_UNSAFE,
 * ERROR_PERMISSION, or ERROR_STATE_READ.
 */
int store_open(struct store *, const char *path, const char *endpoint,
    enum store_mode, struct error *);
void store_close(struct store *);

/* One look: is there an entry of that name? */
bool store_has(const struct store *, const char *slug);

/*
 * Read an entry.  *found tells whether there is one.  A torn one counts as
 * none: it is reported with a warning and, where the caller holds the agent's
 * lock, set aside as ".SLUG.corrupt.TIME".  Fails with ERROR_NEWER,
 * ERROR_UNSAFE (no regular file of ours) or ERROR_STATE_READ.
 */
int store_read(const struct store *, const char *slug, bool lock_held,
    struct agent_entry *, bool *found, struct error *);
/* Under the lock. */
int store_write(const struct store *, const struct agent_entry *,
    struct error *);
int store_remove(const struct store *, const char *slug, struct error *);
/* The slugs that have an entry, sorted. */
int store_list(const struct store *, struct strvec *slugs, struct error *);
/* The slugs whose entry was damaged and set aside, in any order. */
void store_list_damaged(const struct store *, struct strvec *slugs);
bool store_has_damaged(const struct store *, const char *slug);
/* Its sandbox is gone: so is the use of what was set aside. */
void store_forget_damaged(const struct store *, const char *slug);
/*
 * Does an entry of that agent that is kept for another daemon hold the id?
 * One daemon may be reached under several names.  One that cannot be read may.
 */
bool store_elsewhere(const struct store *, const char *slug, const char *id);
/*
 * Remove what writers left that died: under its agent's lock, tried and not
 * waited for, a temporary file or a release mark whose entry has gone; files of
 * locks that nobody holds; and what is temporary above, after an hour.  For who
 * holds no agent's lock.
 */
void store_tidy(const struct store *);

/* A release asks for the sandbox to go, whoever holds the lock. */
int store_mark(const struct store *, const char *slug, struct error *);
bool store_is_marked(const struct store *, const char *slug);
int store_unmark(const struct store *, const char *slug, struct error *);

/*
 * An agent's lock.  It is free when its holder has ended, however it did; the
 * file is removed while it is held, so none is left behind.
 */
struct agent_lock {
	int dirfd; /* the store's, borrowed */
	char *name;
	int fd; /* -1: not held */
};
#define AGENT_LOCK_NONE      \
	{                    \
		-1, NULL, -1 \
	}

/*
 * Wait for it until the deadline; one that has passed makes one try.
 * ERROR_LOCKED names the holder.
 */
int lock_take(const struct store *, const char *slug, struct deadline,
    struct agent_lock *, struct error *);
void lock_release(struct agent_lock *);
/* Held while sandboxes are counted and one is added; waits likewise. */
int lock_count(const struct store *, struct deadline, struct agent_lock *,
    struct error *);
/* One watch at a time. */
int lock_watch(const struct store *, struct agent_lock *, struct error *);
/* Is it held?  Looked at without touching it; unknown is "no". */
bool lock_watch_is_held(const struct store *);
bool lock_is_held(const struct store *, const char *slug);
/* One sweep at a time.  ERROR_LOCKED where there is one. */
int lock_sweep(const struct store *, struct agent_lock *, struct error *);

#endif
