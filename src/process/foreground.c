/* SPDX-License-Identifier: ISC */
/* A program in the foreground. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "process/foreground.h"
#include "process/interrupt.h"
#include "process/process.h"

enum { CODE_CANNOT_RUN = 126, CODE_NOT_FOUND = 127, CODE_SIGNAL = 128 };

static const int passed_on[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };

char *
foreground_find(const char *program, int *code)
{
	char *path = process_find(program);

	*code = 0;
	if (path == NULL)
		*code = errno == ENOENT ? CODE_NOT_FOUND : CODE_CANNOT_RUN;
	return path;
}

static void
fill_set(sigset_t *set)
{
	size_t i;

	(void)sigemptyset(set);
	(void)sigaddset(set, SIGCHLD);
	for (i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++)
		(void)sigaddset(set, passed_on[i]);
}

/* Default dispositions for what we catch or ignore, and the mask from before.
 * Returns 0 or an error number. */
static int
spawn(const struct foreground *how, const sigset_t *mask, pid_t *pid)
{
	posix_spawnattr_t attr;
	sigset_t defaults;
	int rc;

	rc = posix_spawnattr_init(&attr);
	if (rc != 0)
		return rc;
	fill_set(&defaults);
	(void)sigaddset(&defaults, SIGPIPE);
	rc = posix_spawnattr_setflags(&attr,
	    POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	if (rc == 0)
		rc = posix_spawnattr_setsigmask(&attr, mask);
	if (rc == 0)
		rc = posix_spawnattr_setsigdefault(&attr, &defaults);
	if (rc == 0)
		rc = posix_spawn(pid, how->path, NULL, &attr, how->argv,
		    how->envp);
	(void)posix_spawnattr_destroy(&attr);
	return rc;
}

static bool
has_ended(pid_t pid, int *status)
{
	pid_t got;

	do
		got = waitpid(pid, status, WNOHANG);
	while (got == -1 && errno == EINTR);
	return got != 0;
}

static void
wait_for(const struct foreground *how, pid_t pid, const sigset_t *set,
    int *status)
{
	struct timespec tick = { how->tick_ms / 1000,
		(how->tick_ms % 1000) * 1000000 };
	siginfo_t info;
	int number;

	while (!has_ended(pid, status)) {
		number = how->tick_ms > 0 ? sigtimedwait(set, &info, &tick) :
					    sigwaitinfo(set, &info);
		if (number == -1 && errno == EAGAIN)
			how->tick(how->tick_arg);
		/* the terminal's own signals go to the whole group */
		else if (number > 0 && number != SIGCHLD && info.si_code <= 0)
			(void)kill(pid, number);
	}
}

int
foreground_run(const struct foreground *how)
{
	sigset_t set, before;
	int status = 0, rc;
	pid_t pid;

	fill_set(&set);
	(void)sigprocmask(SIG_BLOCK, &set, &before);
	/* blocked by now: one that came before is seen here, a later one in
	 * the wait */
	if (interrupt_pending() != 0) {
		(void)sigprocmask(SIG_SETMASK, &before, NULL);
		return CODE_SIGNAL + interrupt_pending();
	}
	rc = spawn(how, &before, &pid);
	if (rc == 0)
		wait_for(how, pid, &set, &status);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	if (rc != 0)
		return rc == ENOENT ? CODE_NOT_FOUND : CODE_CANNOT_RUN;
	return WIFEXITED(status) ? WEXITSTATUS(status) :
				   CODE_SIGNAL + WTERMSIG(status);
}
