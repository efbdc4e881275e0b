/* SPDX-License-Identifier: ISC */
/* process/: what a child is given, and the request to end. */
#include <stdlib.h>
#include <sys/prctl.h>

#include "children.h"

START_TEST(no_descriptor_leaks)
{
	struct process_result result;
	int i;

	for (i = 20; i < 250; i++)
		ck_assert_int_eq(dup2(STDOUT_FILENO, i), i);
	/* the shell stays, so that ls looks at another's descriptors */
	run_shell("ls /proc/$$/fd; :", &result);
	ck_assert_str_eq(strbuf_str(&result.out), "0\n1\n2\n");
	process_result_clear(&result);
}
END_TEST

START_TEST(default_signals)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct process_result result;
	unsigned long long blocked = 1, ignored = 1;
	sigset_t block;

	interrupt_install();
	(void)sigaction(SIGUSR1, &ignore, NULL);
	(void)sigaction(SIGQUIT, &ignore, NULL);
	(void)sigemptyset(&block);
	(void)sigaddset(&block, SIGUSR2);
	(void)sigaddset(&block, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &block, NULL);
	run_shell("exec grep -E '^Sig(Blk|Ign)' /proc/self/status", &result);
	ck_assert_int_eq(sscanf(strbuf_str(&result.out),
			     "SigBlk: %llx SigIgn: %llx", &blocked, &ignored),
	    2);
	ck_assert_uint_eq(blocked, 0);
	/* posix_spawn(3) keeps 32 and 33, the C library's own, ignored */
	ck_assert_uint_eq(ignored & ~(3ULL << 31), 0);
	process_result_clear(&result);
}
END_TEST

START_TEST(own_group)
{
	struct process_result result;
	char *end;
	long pid, group;

	run_shell("cut -d ' ' -f 1,5 /proc/$$/stat; :", &result);
	pid = strtol(strbuf_str(&result.out), &end, 10);
	group = strtol(end, NULL, 10);
	ck_assert_int_gt(pid, 1);
	ck_assert_int_eq(pid, group);
	ck_assert_int_ne(group, getpgrp());
	process_result_clear(&result);
}
END_TEST

START_TEST(exact_environment)
{
	static char name[] = "env", one[] = "A=b c", two[] = "E=";
	static char *argv[] = { name, NULL }, *envp[] = { one, two, NULL };
	char *path = process_find("env");
	struct process_spec spec = { .path = path,
		.argv = argv,
		.envp = envp,
		.timeout_ms = 30000,
		.max_output = 1000,
		.output_fd = -1 };
	struct process_result result;

	ck_assert_ptr_nonnull(path);
	process_run(&spec, &no_control, &result);
	ck_assert_str_eq(strbuf_str(&result.out), "A=b c\nE=\n");
	process_result_clear(&result);
	free(path);
}
END_TEST

static const int requests[] = { SIGHUP, SIGINT, SIGTERM };

START_TEST(interrupt_before)
{
	struct process_result result;
	struct error err;

	interrupt_install();
	(void)kill(getpid(), requests[_i]);
	ck_assert_int_eq(interrupt_pending(), requests[_i]);
	run_shell("echo never", &result);
	ck_assert_int_eq(result.end, PROCESS_NOT_STARTED);
	ck_assert_int_eq(result.spawn_errno, 0);
	ck_assert_uint_eq(result.out.len, 0);
	process_result_clear(&result);
	ck_assert_int_eq(interrupt_error(&err), -1);
	ck_assert_int_eq(err.kind, ERROR_INTERRUPTED);
	ck_assert_int_eq(err.sys, requests[_i]);
}
END_TEST

START_TEST(interrupt_ends_it)
{
	struct process_result result;
	char script[100];

	interrupt_install();
	(void)snprintf(script, sizeof(script),
	    "sleep 50 & echo $$; kill -%d $PPID; wait", requests[_i]);
	run_shell(script, &result);
	ck_assert_int_eq(result.end, PROCESS_STOPPED);
	ck_assert_int_lt(result.duration_ms, 10000);
	ck_assert(is_soon_gone(strtol(strbuf_str(&result.out), NULL, 10)));
	ck_assert_int_eq(interrupt_pending(), requests[_i]);
	process_result_clear(&result);
}
END_TEST

START_TEST(shield)
{
	struct process_result result;
	struct error err;

	interrupt_install();
	interrupt_shield(true);
	interrupt_shield(true);
	run_shell("kill -TERM $PPID; echo done", &result);
	ck_assert_int_eq(result.end, PROCESS_EXITED);
	ck_assert_str_eq(strbuf_str(&result.out), "done\n");
	process_result_clear(&result);
	ck_assert_int_eq(interrupt_sleep_ms(1, &err), 0);
	interrupt_shield(false);
	ck_assert_int_eq(interrupt_pending(), 0);
	ck_assert_int_eq(interrupt_seen(), SIGTERM);
	interrupt_shield(false);
	ck_assert_int_eq(interrupt_pending(), SIGTERM);
}
END_TEST

/* A signal to our whole group may hit a child before it has its own. */
START_TEST(hit_with_us)
{
	struct process_result result;
	char text[512], path[200];

	scratch_make();
	(void)snprintf(path, sizeof(path), "%s", scratch_path("hit"));
	(void)snprintf(text, sizeof(text),
	    "test -e %s || { : >%s; kill -HUP $$; }; echo ok", path, path);
	run_shell(text, &result);
	ck_assert_int_eq(result.end, PROCESS_SIGNALED);
	ck_assert_int_eq(result.code, SIGHUP);
	process_result_clear(&result);
	ck_assert_int_eq(unlink(path), 0);
	interrupt_shield(true);
	run_shell(text, &result);
	ck_assert_int_eq(result.end, PROCESS_EXITED);
	ck_assert_str_eq(strbuf_str(&result.out), "ok\n");
	process_result_clear(&result);
	/* once, and no more */
	run_shell("kill -HUP $$", &result);
	ck_assert_int_eq(result.end, PROCESS_SIGNALED);
	process_result_clear(&result);
	interrupt_shield(false);
	scratch_remove();
}
END_TEST

/* A child that signals us again and again until it is killed. */
static pid_t
fork_nuisance(int number)
{
	struct timespec moment = { 0, 20000000 };
	pid_t parent = getpid(), pid = fork();

	if (pid != 0)
		return pid;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		(void)nanosleep(&moment, NULL);
		(void)kill(parent, number);
	}
}

START_TEST(interrupted_sleep)
{
	int64_t start = clock_monotonic_ms();
	struct error err;
	pid_t pid;

	interrupt_install();
	ck_assert_int_eq(interrupt_sleep_ms(30, &err), 0);
	ck_assert_int_ge(clock_monotonic_ms() - start, 30);
	/* a child's end is no request */
	pid = fork_nuisance(SIGCHLD);
	start = clock_monotonic_ms();
	ck_assert_int_eq(interrupt_sleep_ms(100, &err), 0);
	ck_assert_int_ge(clock_monotonic_ms() - start, 100);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	pid = fork_nuisance(SIGINT);
	ck_assert_int_eq(interrupt_sleep_ms(50000, &err), -1);
	ck_assert_int_lt(clock_monotonic_ms() - start, 20000);
	ck_assert_int_eq(err.kind, ERROR_INTERRUPTED);
	ck_assert_int_eq(err.sys, SIGINT);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}
END_TEST

START_TEST(closed_pipe_is_an_error)
{
	int fds[2];

	interrupt_install();
	ck_assert_int_eq(pipe(fds), 0);
	(void)close(fds[0]);
	ck_assert_int_eq(write(fds[1], "x", 1), -1);
	ck_assert_int_eq(errno, EPIPE);
	(void)close(fds[1]);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("process-child");

	unit_add(suite, "a child has its three descriptors and no other",
	    no_descriptor_leaks);
	unit_add(suite, "a child has default signals and an empty mask",
	    default_signals);
	unit_add(suite, "a child has a process group of its own", own_group);
	unit_add(suite, "a child has the environment that it was given",
	    exact_environment);
	unit_add_each(suite, "a pending request to end: nothing is started",
	    interrupt_before, ROWS(requests));
	unit_add_each(suite, "a request to end kills the group at once",
	    interrupt_ends_it, ROWS(requests));
	unit_add(suite, "E7: under a shield a request is kept, not seen",
	    shield);
	unit_add(suite,
	    "E7: under a shield, a child that a signal to all hits runs again",
	    hit_with_us);
	unit_add(suite, "a sleep ends at a request, not at a child's end",
	    interrupted_sleep);
	unit_add(suite, "a closed pipe is an EPIPE, no death",
	    closed_pipe_is_an_error);
	return suite;
}

UNIT_MAIN(make_suite)
