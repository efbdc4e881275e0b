/* SPDX-License-Identifier: ISC */
/* A program in the foreground. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/strvec.h"
#include "process/foreground.h"
#include "process/interrupt.h"

enum { CODE_CANNOT_RUN = 126, CODE_NOT_FOUND = 127, CODE_SIGNAL = 128 };

static const char shell[] = "/bin/sh";

static int
code_of(int number)
{
	return number == ENOENT || number == ENOTDIR ? CODE_NOT_FOUND :
						       CODE_CANNOT_RUN;
}

static bool
can_run(const char *path)
{
	struct stat st;

	if (access(path, X_OK) == -1 || stat(path, &st) == -1)
		return false;
	if (S_ISREG(st.st_mode))
		return true;
	errno = EACCES;
	return false;
}

/* In each folder of PATH; one that cannot be run counts if none can. */
static char *
search(const char *folders, const char *name)
{
	int why = ENOENT;
	size_t len;
	char *path;

	for (;; folders++) {
		len = strcspn(folders, ":");
		/* an empty one is where we are */
		path = len == 0 ? xasprintf("./%s", name) :
				  xasprintf("%.*s/%s", (int)len, folders, name);
		if (can_run(path))
			return path;
		if (code_of(errno) == CODE_CANNOT_RUN)
			why = errno;
		free(path);
		folders += len;
		if (*folders == '\0')
			break;
	}
	errno = why;
	return NULL;
}

char *
foreground_find(const char *program, int *code)
{
	const char *folders = getenv("PATH");
	char *path = NULL;

	if (*program == '\0')
		errno = ENOENT;
	else if (strchr(program, '/') == NULL)
		path = search(folders != NULL ? folders : "/bin:/usr/bin",
		    program);
	else if (can_run(program))
		path = xstrdup(program);
	*code = path == NULL ? code_of(errno) : 0;
	return path;
}

/* What the kernel does not know is a script of sh, as for execvp(3). */
static void
script_argv(const struct foreground *how, struct strvec *argv)
{
	size_t i;

	strvec_add_all(argv, shell, how->path, NULL);
	for (i = 1; how->argv[i - 1] != NULL && how->argv[i] != NULL; i++)
		strvec_add(argv, how->argv[i]);
}

/* Returns 0 or an error number. */
static int
spawn(const struct foreground *how, const posix_spawnattr_t *attr, pid_t *pid)
{
	struct strvec argv = { 0 };
	int rc = posix_spawn(pid, how->path, NULL, attr, how->argv, how->envp);

	if (rc != ENOEXEC)
		return rc;
	script_argv(how, &argv);
	rc = posix_spawn(pid, shell, NULL, attr, argv.items, how->envp);
	strvec_clear(&argv);
	return rc;
}

/* With the signal mask from before, and no disposition of ours. */
static int
start(const struct foreground *how, const sigset_t *mask, pid_t *pid)
{
	posix_spawnattr_t attr;
	sigset_t defaults;
	int rc;

	rc = posix_spawnattr_init(&attr);
	if (rc != 0)
		return rc;
	interrupt_fill_defaults(&defaults);
	rc = posix_spawnattr_setflags(&attr,
	    POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	if (rc == 0)
		rc = posix_spawnattr_setsigmask(&attr, mask);
	if (rc == 0)
		rc = posix_spawnattr_setsigdefault(&attr, &defaults);
	if (rc == 0)
		rc = spawn(how, &attr, pid);
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
		/*
		 * The terminal's own signals go to the whole group.  SIGTERM
		 * is none of them: see process/caller.h.
		 */
		else if (number > 0 && number != SIGCHLD &&
		    (info.si_code <= 0 || number == SIGTERM))
			(void)kill(pid, number);
	}
}

int
foreground_run(const struct foreground *how, bool *ran)
{
	int status = 0, rc, asked;
	sigset_t set, before;
	pid_t pid;

	*ran = false;
	interrupt_fill(&set);
	(void)sigaddset(&set, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &set, &before);
	/* blocked by now: one that came before is seen here, a later one in
	 * the wait */
	asked = interrupt_pending();
	rc = asked != 0 ? 0 : start(how, &before, &pid);
	if (asked == 0 && rc == 0) {
		*ran = true;
		wait_for(how, pid, &set, &status);
	}
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	errno = asked != 0 ? EINTR : rc;
	if (asked != 0)
		return CODE_SIGNAL + asked;
	if (rc != 0)
		return code_of(rc);
	return WIFEXITED(status) ? WEXITSTATUS(status) :
				   CODE_SIGNAL + WTERMSIG(status);
}

int
foreground_become(const struct foreground *how)
{
	struct strvec argv = { 0 };

	interrupt_restore_defaults();
	(void)execve(how->path, how->argv, how->envp);
	if (errno == ENOEXEC) {
		script_argv(how, &argv);
		(void)execve(shell, argv.items, how->envp);
		strvec_clear(&argv);
	}
	return code_of(errno);
}
