/* SPDX-License-Identifier: ISC */
/* What a fault does to a call, before the verb and after it. */

#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

int
fault_has_effect(const struct fault *f)
{
	if (f == NULL || f->then == 'n')
		return 1;
	return f->then != 'o' && !f->answers && f->late < 0;
}

static void
run_hook(const char *command)
{
	char self[4096] = "";
	pid_t pid;

	if (command == NULL)
		return;
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) > 0)
		setenv("FAKE_DOCKER", self, 1);
	pid = fork();
	if (pid == 0) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

/* The daemon goes on with what its client, long gone, had asked for. */
static void
act_late(const struct fault *f, int (*act)(void))
{
	int fd;

	if (f->late < 0 || fork() != 0)
		return;
	setsid();
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	fd = open("/dev/null", O_RDWR);
	dup2(fd, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	/* A lock belongs to the open file, so this needs one of its own. */
	state_open();
	sleep_ms(f->late);
	if (!state_gone())
		act();
	_exit(0);
}

void
fault_before(struct fault *f, int (*act)(void))
{
	if (f == NULL)
		return;
	run_hook(f->hook);
	act_late(f, act);
	if (f->hang == HANG_DEAF) {
		signal(SIGTERM, SIG_IGN);
		signal(SIGINT, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
	}
	sleep_ms(f->delay);
}

static void
write_all(int fd, const char *data, size_t len)
{
	ssize_t w;

	/* A full disk is silent in docker, and so here. */
	for (; len > 0; data += w, len -= (size_t)w)
		if ((w = write(fd, data, len)) <= 0)
			return;
}

static void
write_garbage(int64_t bytes)
{
	char block[65536 - 65536 % 80];
	size_t i, part;

	for (i = 0; i < sizeof(block); i++)
		block[i] = i % 80 == 79 ? '\n' : 'x';
	for (; bytes > 0; bytes -= (int64_t)part) {
		part = bytes > (int64_t)sizeof(block) ? sizeof(block) :
							(size_t)bytes;
		write_all(STDOUT_FILENO, block, part);
	}
}

/* For the filter: sh -c FILTER VERB ARG... */
static char **
filter_words(const char *filter)
{
	static char sh[] = "sh", option[] = "-c";
	char **words = xmalloc(((size_t)fake.argc + 4) * sizeof(*words));
	int i;

	words[0] = sh;
	words[1] = option;
	words[2] = xstrdup(filter);
	for (i = 1; i <= fake.argc; i++)
		words[i + 2] = fake.argv[i];
	return words;
}

/* Through the filter, where there is one; its stderr is lost. */
static void
write_filtered(const char *filter, const char *data, size_t len)
{
	int fds[2];
	pid_t pid;

	if (filter == NULL) {
		write_all(STDOUT_FILENO, data, len);
		return;
	}
	if (pipe(fds) == -1 || (pid = fork()) == -1)
		die("filter: %s", strerror(errno));
	if (pid == 0) {
		dup2(fds[0], STDIN_FILENO);
		close(fds[0]);
		close(fds[1]);
		close(STDERR_FILENO);
		execv("/bin/sh", filter_words(filter));
		_exit(127);
	}
	close(fds[0]);
	/* one that has read enough is no reason to die */
	signal(SIGPIPE, SIG_IGN);
	write_all(fds[1], data, len);
	signal(SIGPIPE, SIG_DFL);
	close(fds[1]);
	waitpid(pid, NULL, 0);
}

static void
leave_grandchild(void)
{
	int i;

	if (fork() != 0)
		return;
	signal(SIGTERM, SIG_DFL);
	close(STDIN_FILENO);
	close(STDERR_FILENO);
	for (i = 0; i < 600 && !state_gone(); i++)
		sleep_ms(100);
	_exit(0);
}

/* Prints what was collected, and leaves. */
_Noreturn void
call_end(int rc)
{
	fclose(fake.out);
	fclose(fake.err);
	write_all(STDOUT_FILENO, fake.outbuf, fake.outlen);
	write_all(STDERR_FILENO, fake.errbuf, fake.errlen);
	_exit(rc);
}

/* Ends the call as the fault says; rc is what the verb itself returned. */
_Noreturn void
fault_finish(struct fault *f, int rc)
{
	if (f == NULL)
		call_end(rc);
	run_hook(f->posthook);
	sleep_ms(f->after);
	fclose(fake.out);
	fclose(fake.err);
	if (f->out != NULL)
		write_filtered(f->filter, f->out, f->outlen);
	else if (f->bytes < 0)
		write_filtered(f->filter, fake.outbuf, fake.outlen);
	write_garbage(f->bytes);
	if (f->warn != NULL)
		write_all(STDERR_FILENO, f->warn, strlen(f->warn));
	if (f->err != NULL)
		write_all(STDERR_FILENO, f->err, f->errlen);
	else
		write_all(STDERR_FILENO, fake.errbuf, fake.errlen);
	while (f->hang != HANG_NO && !state_gone())
		sleep_ms(50);
	if (f->grandchild)
		leave_grandchild();
	if (f->signal != 0) {
		signal(f->signal, SIG_DFL);
		raise(f->signal);
	}
	_exit(f->rc >= 0 ? (int)f->rc : rc);
}
