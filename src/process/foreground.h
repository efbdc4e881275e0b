/* SPDX-License-Identifier: ISC */
/*
 * A program of the caller's, in the foreground: with our stdin, stdout, stderr
 * and terminal, in our own process group, so that Ctrl-C and Ctrl-Z reach it
 * as if it had been started without us.
 */
#ifndef PROCESS_FOREGROUND_H
#define PROCESS_FOREGROUND_H

#include <stdint.h>

struct foreground {
	const char *path; /* absolute */
	char *const *argv;
	char *const *envp;
	int64_t tick_ms; /* 0: never */
	void (*tick)(void *);
	void *tick_arg;
};

/*
 * Run it to its end.  Signals that a process sends to us (SIGHUP, SIGINT,
 * SIGQUIT, SIGTERM) are passed on; those of the terminal reach it by
 * themselves.  A grandchild that lives on is not waited for.
 *
 * Returns what a shell would: its exit code, 128 + N by signal N, 126 where it
 * cannot be started, 127 where it is not there.  It is not started where a
 * signal has asked us to end before: 128 + N.
 */
int foreground_run(const struct foreground *);

/* The path and 0; or NULL and 126 or 127, by the caller's own PATH alone. */
char *foreground_find(const char *program, int *code);

#endif
