/* SPDX-License-Identifier: ISC */
/* A running child: its pipes and its end. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "process/child.h"

static void
close_pipe(struct child *child, int which)
{
	fd_close(child->pipes[which]);
	child->pipes[which] = -1;
}

size_t
child_poll(const struct child *child, struct pollfd fds[CHILD_PIPES])
{
	size_t count = 0;
	int i;

	for (i = 0; i < CHILD_PIPES; i++) {
		if (child->pipes[i] == -1)
			continue;
		fds[count].fd = child->pipes[i];
		fds[count].events = i == CHILD_IN ? POLLOUT : POLLIN;
		fds[count++].revents = 0;
	}
	return count;
}

static void
feed(struct child *child)
{
	const struct process_spec *spec = child->spec;
	ssize_t n;

	while (child->pipes[CHILD_IN] != -1) {
		if (child->fed == spec->input_len) {
			close_pipe(child, CHILD_IN);
			return;
		}
		n = write(child->pipes[CHILD_IN], spec->input + child->fed,
		    spec->input_len - child->fed);
		if (n > 0)
			child->fed += (size_t)n;
		else if (n == -1 && errno == EAGAIN)
			return;
		else if (n == -1 && errno != EINTR)
			/* it does not want to read any more */
			close_pipe(child, CHILD_IN);
	}
}

/* Keep what fits; what lies beyond is read and thrown away. */
static void
keep(struct child *child, struct strbuf *to, const char *data, size_t len)
{
	size_t room = child->spec->max_output - to->len;

	if (len > room) {
		child->result->truncated = true;
		len = room;
	}
	strbuf_add(to, data, len);
}

static void
pass_on(struct child *child, const char *data, size_t len)
{
	int64_t limit = child->spec->output_limit;

	if (limit > 0 && child->written + (int64_t)len > limit) {
		len = (size_t)(limit - child->written);
		child->result->truncated = true;
	}
	if (fd_write_all(child->spec->output_fd, data, len) == -1)
		child->result->spawn_errno = errno;
	child->written += (int64_t)len;
}

/* A fast writer must not keep us from the deadline: so many reads at most. */
static void
drain(struct child *child, int which, struct strbuf *to)
{
	char data[16384];
	int reads = 64;
	ssize_t n;

	while (child->pipes[which] != -1 && reads-- > 0) {
		n = read(child->pipes[which], data, sizeof(data));
		if (n == -1 && errno == EAGAIN)
			return;
		if (n == -1 && errno == EINTR)
			continue;
		if (n <= 0) {
			close_pipe(child, which);
			return;
		}
		if (child->spec->output_fd != -1)
			pass_on(child, data, (size_t)n);
		if (child->spec->output_fd == -1 || which == CHILD_ERR)
			keep(child, to, data, (size_t)n);
	}
}

void
child_pump(struct child *child)
{
	feed(child);
	drain(child, CHILD_OUT, &child->result->out);
	drain(child, CHILD_ERR, &child->result->err);
}

static void
finish(struct child *child)
{
	int i;

	child->pid = 0;
	child_pump(child);
	for (i = 0; i < CHILD_PIPES; i++)
		close_pipe(child, i);
	child->result->ended_ms = clock_monotonic_ms();
	child->result->duration_ms =
	    child->result->ended_ms - child->started_ms;
}

bool
child_reap(struct child *child)
{
	int status;
	pid_t pid;

	do
		pid = waitpid(child->pid, &status, WNOHANG);
	while (pid == -1 && errno == EINTR);
	if (pid == 0)
		return false;
	if (pid == -1) {
		/* someone ignored SIGCHLD for us: how it ended is unknown */
		child->result->end = PROCESS_SIGNALED;
		child->result->code = 0;
	} else if (WIFEXITED(status)) {
		child->result->end = PROCESS_EXITED;
		child->result->code = WEXITSTATUS(status);
	} else {
		child->result->end = PROCESS_SIGNALED;
		child->result->code = WTERMSIG(status);
	}
	finish(child);
	return true;
}

void
child_kill(struct child *child, enum process_end why)
{
	/* the group first; it may not exist yet or any more */
	(void)kill(-child->pid, SIGKILL);
	(void)kill(child->pid, SIGKILL);
	while (waitpid(child->pid, NULL, 0) == -1 && errno == EINTR)
		continue;
	child->result->end = why;
	child->result->code = 0;
	finish(child);
}
