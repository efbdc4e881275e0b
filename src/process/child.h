/* SPDX-License-Identifier: ISC */
/*
 * One running child, as process/run.c drives it: start, pump, reap, finish.
 * Nobody else includes this.
 */
#ifndef PROCESS_CHILD_H
#define PROCESS_CHILD_H

#include <poll.h>
#include <sys/types.h>

#include "process/process.h"

enum { CHILD_IN, CHILD_OUT, CHILD_ERR, CHILD_PIPES };

struct child {
	const struct process_spec *spec;
	struct process_result *result;
	pid_t pid;              /* 0: reaped or never started */
	int pipes[CHILD_PIPES]; /* our ends; -1: closed */
	size_t fed;             /* bytes of input written */
	int64_t written;        /* bytes passed on to output_fd */
	int64_t started_ms;
	struct deadline deadline;
	bool again; /* it is the second of its spec */
};

/*
 * Start it.  Returns 0; or -1 with the result's spawn_errno set and nothing
 * left open.
 */
int child_start(struct child *, const struct process_spec *,
    struct process_result *);

/* Fill the poll entries of its open pipes; returns how many. */
size_t child_poll(const struct child *, struct pollfd fds[CHILD_PIPES]);

/* Move bytes, without waiting. */
void child_pump(struct child *);

/* Has it ended?  Then its status and the rest of its output are in result. */
bool child_reap(struct child *);

/* End its group with SIGKILL, reap it, and say why in the result. */
void child_kill(struct child *, enum process_end why);

#endif
