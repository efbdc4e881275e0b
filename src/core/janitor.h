/* SPDX-License-Identifier: ISC */
/*
 * Who runs the janitor?  Files of cron and of systemd are read for a "sweep"
 * or "watch" of ours; nobody is asked, and nothing is started.
 */
#ifndef CORE_JANITOR_H
#define CORE_JANITOR_H

struct janitor {
	const char *root; /* put before each path: "" but in tests */
	const char *user; /* whose jobs count */
	/* what a job has to name; NULL: it is the usual one */
	const char *state_dir;
	const char *endpoint;
	const char
	    *user_units; /* the folder of the user's own units, or NULL */
};

/*
 * The file that has an enabled job; the caller frees it.  NULL: none was
 * found, which proves nothing.
 */
char *janitor_find(const struct janitor *);

#endif
