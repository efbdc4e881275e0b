/* SPDX-License-Identifier: ISC */
/* store/lock: one at a time, and nothing left behind. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "process/interrupt.h"
#include "scratch.h"
#include "store/store.h"

static const struct deadline at_once = { 0 };
static struct store store;

static void
open_store(void)
{
	struct error err;

	scratch_make();
	ck_assert_int_eq(store_open(&store, scratch_path("state"), "default",
			     STORE_CHANGE, &err),
	    0);
}

static void
close_store(void)
{
	store_close(&store);
	scratch_remove();
}

/*
 * A process that holds the lock: it says so by a byte on the pipe, and ends
 * when it is killed, or after a byte to its stdin, with or without release.
 */
struct holder {
	pid_t pid;
	int told, order;
};

static void
hold(const struct holder *holder, bool release)
{
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct error err;
	char byte = 'x';

	if (lock_take(&store, "a", at_once, &lock, &err) == -1)
		_exit(1);
	if (write(holder->told, &byte, 1) != 1 ||
	    read(holder->order, &byte, 1) != 1)
		_exit(2);
	if (release)
		lock_release(&lock);
	_exit(0);
}

static void
start_holder(struct holder *holder, bool release)
{
	struct holder theirs;
	int told[2], order[2];
	char byte;

	ck_assert_int_eq(pipe(told), 0);
	ck_assert_int_eq(pipe(order), 0);
	theirs = (struct holder){ 0, told[1], order[0] };
	holder->told = told[0];
	holder->order = order[1];
	holder->pid = fork();
	if (holder->pid == 0) {
		(void)close(told[0]);
		(void)close(order[1]);
		hold(&theirs, release);
	}
	(void)close(told[1]);
	(void)close(order[0]);
	ck_assert_int_eq(read(holder->told, &byte, 1), 1);
}

static int
end_holder(struct holder *holder, int number)
{
	int status;

	if (number != 0)
		(void)kill(holder->pid, number);
	else
		ck_assert_int_eq(write(holder->order, "x", 1), 1);
	ck_assert_int_eq(waitpid(holder->pid, &status, 0), holder->pid);
	(void)close(holder->told);
	(void)close(holder->order);
	return status;
}

START_TEST(second_taker)
{
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct error err = { 0 };
	struct holder holder;
	char expected[100];

	start_holder(&holder, true);
	ck_assert_int_eq(lock_take(&store, "a", at_once, &lock, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_LOCKED);
	ck_assert_str_eq(err.agent, "a");
	(void)snprintf(expected, sizeof(expected), "a is locked by process %ld",
	    (long)holder.pid);
	ck_assert_str_eq(err.msg, expected);
	ck_assert_int_eq(lock.fd, -1);
	/* another agent's is free */
	ck_assert_int_eq(lock_take(&store, "b", at_once, &lock, &err), 0);
	lock_release(&lock);
	ck_assert_int_eq(end_holder(&holder, 0), 0);
	ck_assert_int_eq(lock_take(&store, "a", at_once, &lock, &err), 0);
	lock_release(&lock);
}
END_TEST

/* Check handles SIGTERM and SIGINT itself, in all that it forks. */
static const int ends[] = { SIGKILL, SIGHUP, 0 };

START_TEST(freed_by_death)
{
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct error err = { 0 };
	struct holder holder;

	start_holder(&holder, false);
	(void)end_holder(&holder, ends[_i]);
	/* a file alone means nothing */
	ck_assert(scratch_has("state/locks/a"));
	ck_assert_int_eq(lock_take(&store, "a", at_once, &lock, &err), 0);
	lock_release(&lock);
	ck_assert(!scratch_has("state/locks/a"));
}
END_TEST

START_TEST(leaves_no_file)
{
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct error err = { 0 };
	struct stat st;

	ck_assert_int_eq(lock_take(&store, "a", at_once, &lock, &err), 0);
	ck_assert(scratch_has("state/locks/a"));
	ck_assert_int_eq(fcntl(lock.fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	ck_assert_int_eq(fstat(lock.fd, &st), 0);
	ck_assert_uint_eq(st.st_mode & 077, 0);
	lock_release(&lock);
	ck_assert_int_eq(lock.fd, -1);
	ck_assert(!scratch_has("state/locks/a"));
	lock_release(&lock);
}
END_TEST

/* Waits for it in a process of its own; exits with 0 where it got it. */
static pid_t
start_waiter(int64_t wait_ms)
{
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct error err;
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	if (lock_take(&store, "a", deadline_in_ms(wait_ms), &lock, &err) == -1)
		_exit(err.kind == ERROR_INTERRUPTED ? 2 : 1);
	lock_release(&lock);
	_exit(0);
}

static int
exit_code(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

START_TEST(waiters_get_it)
{
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct error err;
	pid_t pids[4];
	size_t i;

	ck_assert_int_eq(lock_take(&store, "a", at_once, &lock, &err), 0);
	ck_assert_int_eq(exit_code(start_waiter(50)), 1);
	for (i = 0; i < ROWS(pids); i++)
		pids[i] = start_waiter(30000);
	lock_release(&lock);
	for (i = 0; i < ROWS(pids); i++)
		ck_assert_int_eq(exit_code(pids[i]), 0);
	ck_assert(!scratch_has("state/locks/a"));
}
END_TEST

START_TEST(interrupted_waiter)
{
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct timespec moment = { 0, 10000000 };
	struct error err;
	int status;
	pid_t pid;

	ck_assert_int_eq(lock_take(&store, "a", at_once, &lock, &err), 0);
	interrupt_install();
	pid = start_waiter(30000);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		(void)kill(pid, SIGTERM);
		(void)nanosleep(&moment, NULL);
	}
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 2);
	lock_release(&lock);
}
END_TEST

/* The others' next instruction is between our read and our write. */
static void
count_up(int rounds)
{
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct error err;
	char text[24];
	long n;

	while (rounds-- > 0) {
		if (lock_take(&store, "a", deadline_in_ms(60000), &lock,
			&err) == -1)
			_exit(1);
		n = strtol(scratch_text("count"), NULL, 10);
		(void)sched_yield();
		(void)snprintf(text, sizeof(text), "%ld", n + 1);
		scratch_write("count", text);
		lock_release(&lock);
	}
	_exit(0);
}

START_TEST(unlink_race)
{
	pid_t pids[4];
	size_t i;

	scratch_write("count", "0");
	for (i = 0; i < ROWS(pids); i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			count_up(60);
	}
	for (i = 0; i < ROWS(pids); i++)
		ck_assert_int_eq(exit_code(pids[i]), 0);
	ck_assert_str_eq(scratch_text("count"), "240");
	ck_assert(!scratch_has("state/locks/a"));
}
END_TEST

START_TEST(sweep_and_count)
{
	struct agent_lock one = AGENT_LOCK_NONE, two = AGENT_LOCK_NONE;
	struct store again;
	struct error err;

	ck_assert_int_eq(store_open(&again, scratch_path("state"), "default",
			     STORE_CHANGE, &err),
	    0);
	ck_assert_int_eq(lock_sweep(&store, &one, &err), 0);
	ck_assert_int_eq(lock_sweep(&again, &two, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_LOCKED);
	ck_assert_int_eq(lock_count(&again, at_once, &two, &err), 0);
	lock_release(&two);
	lock_release(&one);
	ck_assert_int_eq(lock_sweep(&again, &two, &err), 0);
	lock_release(&two);
	ck_assert(!scratch_has("state/sweep.lock"));
	ck_assert(!scratch_has("state/count.lock"));
	store_close(&again);
}
END_TEST

START_TEST(foreign_lock_file)
{
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct error err;

	scratch_write("elsewhere", "text");
	ck_assert_int_eq(symlink(scratch_path("elsewhere"),
			     scratch_path("state/locks/a")),
	    0);
	ck_assert_int_eq(lock_take(&store, "a", at_once, &lock, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_UNSAFE);
	ck_assert_str_eq(scratch_text("elsewhere"), "text");
}
END_TEST

static void
add(Suite *suite, const char *sentence, const TTest *test, size_t count)
{
	unit_add_with(suite, sentence, test, open_store, close_store, count);
}

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("lock");

	add(suite, "a second taker is told who holds it", second_taker, 1);
	add(suite, "it is free when its holder ended, however it did",
	    freed_by_death, ROWS(ends));
	add(suite, "it is private, closed on exec, gone after release",
	    leaves_no_file, 1);
	add(suite, "E3: waiters get it, or ERROR_LOCKED at their deadline",
	    waiters_get_it, 1);
	add(suite, "E7: a request to end ends the wait", interrupted_waiter, 1);
	add(suite, "E3: one at a time, though each unlinks the file",
	    unlink_race, 1);
	add(suite, "S9: one sweep at a time; counting is another lock",
	    sweep_and_count, 1);
	add(suite, "a symbolic link for a lock is not followed",
	    foreign_lock_file, 1);
	return suite;
}

UNIT_MAIN(make_suite)
