/* SPDX-License-Identifier: ISC */
/* Starting a child. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "process/child.h"

/* The child's ends of its three descriptors. */
struct ends {
	int fd[CHILD_PIPES];
};

static int
make_pipe(int *ours, int *theirs, bool we_write)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) == -1)
		return -1;
	*ours = fds[we_write ? 1 : 0];
	*theirs = fds[we_write ? 0 : 1];
	return fcntl(*ours, F_SETFL, O_NONBLOCK);
}

static int
make_ends(struct child *child, struct ends *ends)
{
	if (child->spec->input != NULL) {
		if (make_pipe(&child->pipes[CHILD_IN], &ends->fd[CHILD_IN],
			true) == -1)
			return -1;
	} else {
		ends->fd[CHILD_IN] = open("/dev/null", O_RDONLY | O_CLOEXEC);
		if (ends->fd[CHILD_IN] == -1)
			return -1;
	}
	if (make_pipe(&child->pipes[CHILD_OUT], &ends->fd[CHILD_OUT], false) ==
	    -1)
		return -1;
	return make_pipe(&child->pipes[CHILD_ERR], &ends->fd[CHILD_ERR], false);
}

static int
set_attributes(posix_spawnattr_t *attr)
{
	sigset_t none, all;
	int rc;

	(void)sigemptyset(&none);
	(void)sigfillset(&all);
	rc = posix_spawnattr_setflags(attr,
	    POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
		POSIX_SPAWN_SETSIGDEF);
	if (rc == 0)
		rc = posix_spawnattr_setpgroup(attr, 0);
	if (rc == 0)
		rc = posix_spawnattr_setsigmask(attr, &none);
	if (rc == 0)
		rc = posix_spawnattr_setsigdefault(attr, &all);
	return rc;
}

static int
set_actions(posix_spawn_file_actions_t *actions, const struct ends *ends)
{
	int i, rc = 0;

	for (i = 0; i < CHILD_PIPES && rc == 0; i++)
		rc = posix_spawn_file_actions_adddup2(actions, ends->fd[i], i);
	if (rc == 0)
		rc = posix_spawn_file_actions_addclosefrom_np(actions,
		    CHILD_PIPES);
	return rc;
}

/* Returns 0 or an error number. */
static int
spawn(struct child *child, const struct ends *ends)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int rc;

	rc = posix_spawnattr_init(&attr);
	if (rc != 0)
		return rc;
	rc = posix_spawn_file_actions_init(&actions);
	if (rc != 0) {
		(void)posix_spawnattr_destroy(&attr);
		return rc;
	}
	rc = set_attributes(&attr);
	if (rc == 0)
		rc = set_actions(&actions, ends);
	if (rc == 0)
		rc = posix_spawn(&child->pid, child->spec->path, &actions,
		    &attr, child->spec->argv, child->spec->envp);
	if (rc != 0)
		child->pid = 0;
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)posix_spawnattr_destroy(&attr);
	return rc;
}

int
child_start(struct child *child, const struct process_spec *spec,
    struct process_result *result)
{
	struct ends ends = { { -1, -1, -1 } };
	int i, rc;

	memset(child, 0, sizeof(*child));
	child->spec = spec;
	child->result = result;
	for (i = 0; i < CHILD_PIPES; i++)
		child->pipes[i] = -1;
	child->started_ms = clock_monotonic_ms();
	child->deadline = deadline_in_ms(spec->timeout_ms);
	rc = make_ends(child, &ends) == -1 ? errno : spawn(child, &ends);
	for (i = 0; i < CHILD_PIPES; i++) {
		fd_close(ends.fd[i]);
		if (rc != 0) {
			fd_close(child->pipes[i]);
			child->pipes[i] = -1;
		}
	}
	result->spawn_errno = rc;
	return rc == 0 ? 0 : -1;
}
