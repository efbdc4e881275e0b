/* SPDX-License-Identifier: ISC */
/*
 * Children: one program each, started with posix_spawn(3), never through a
 * shell, always with a deadline.
 *
 * Life of a child: process_run() or process_run_many() starts it in a process
 * group of its own, with default signals, an empty signal mask and no
 * descriptor but its three; feeds it; reads both streams up to a bound and
 * throws away what lies beyond; reaps it; and returns what became of it.  It
 * ends when the direct child does: a grandchild that keeps a pipe open is not
 * waited for.  At the deadline, or when the caller is asked to stop, the whole
 * group gets SIGKILL: a docker client that gets SIGTERM may exit 0 or pass the
 * signal on to the container.
 *
 * No pidfd: valgrind 3.19 lacks it.
 */
#ifndef PROCESS_PROCESS_H
#define PROCESS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/strbuf.h"

struct process_spec {
	const char *path; /* absolute */
	char *const *argv;
	char *const *envp;
	const char *input; /* fed to stdin; NULL: /dev/null */
	size_t input_len;
	int64_t timeout_ms;   /* from its start */
	size_t max_output;    /* bytes kept of each stream */
	int output_fd;        /* stdout and stderr go there; -1: captured */
	int64_t output_limit; /* output_fd: stop at so many bytes; 0: none */
};

enum process_end {
	PROCESS_NOT_STARTED,
	PROCESS_EXITED,   /* code is the exit status */
	PROCESS_SIGNALED, /* code is the signal, not sent by us */
	PROCESS_TIMED_OUT,
	PROCESS_STOPPED, /* the caller's request or a signal to us */
	PROCESS_LIMITED, /* output_limit was reached */
};

struct process_result {
	enum process_end end;
	int code;
	int spawn_errno; /* with PROCESS_NOT_STARTED; 0: never tried */
	struct strbuf out;
	struct strbuf err;
	bool truncated; /* a stream was longer than max_output */
	int64_t duration_ms;
	int64_t ended_ms; /* on the monotonic clock */
};

/*
 * What may end a wait early.  stop is asked a few times a second and whenever
 * a child moves; it may be NULL.  A pending interrupt stops everything too.
 */
struct process_control {
	struct deadline deadline;
	bool (*stop)(void *);
	void *stop_arg;
	bool stop_on_failure; /* one that does not exit with 0 ends all */
};

/*
 * Run all of them, at most parallel at a time, and fewer where descriptors or
 * processes are scarce.  results has count elements,
 * which are overwritten; the caller clears each.  Children that were not
 * started when the wait ended early are PROCESS_NOT_STARTED.  Never fails as a
 * whole: each result tells.
 */
void process_run_many(const struct process_spec *, size_t count,
    size_t parallel, const struct process_control *,
    struct process_result *results);

void process_run(const struct process_spec *, const struct process_control *,
    struct process_result *);

void process_result_clear(struct process_result *);

/*
 * Find a program: as it is where the name has a slash, else in PATH, else in
 * the folders that a poor PATH (cron's) lacks.  Returns the absolute path,
 * which the caller frees; or NULL with errno ENOENT, or EACCES where a file of
 * that name is there and cannot be run.
 */
char *process_find(const char *name);

#endif
