/* SPDX-License-Identifier: ISC */
/*
 * A program of the caller's, in the foreground: with our stdin, stdout, stderr
 * and terminal, in our own process group, so that Ctrl-C and Ctrl-Z reach it
 * as if it had been started without us.
 */
#ifndef PROCESS_FOREGROUND_H
#define PROCESS_FOREGROUND_H

#include <stdbool.h>
#include <stdint.h>

struct foreground {
	const char *path;
	char *const *argv;
	char *const *envp;
	int64_t tick_ms; /* 0: never */
	void (*tick)(void *);
	void *tick_arg;
};

/*
 * Run it to its end.  Signals that a process sends to us (see
 * process/interrupt.h) are passed on; those of the terminal reach it by
 * themselves.  A grandchild that lives on is not waited for.
 *
 * Returns what a shell would: its exit code, 128 + N by signal N, 126 where it
 * cannot be started, 127 where it is not there.  *ran tells whether it was
 * started; where it was not, errno says why, and is EINTR where a signal has
 * asked us to end before: 128 + N.
 */
int foreground_run(const struct foreground *, bool *ran);

/* Become it.  Returns where that fails: 126 or 127. */
int foreground_become(const struct foreground *);

/*
 * Its path as a shell finds it, by the caller's own PATH; or NULL and 126 or
 * 127, with errno.
 */
char *foreground_find(const char *program, int *code);

#endif
