/* SPDX-License-Identifier: ISC */
/* process/: one child, its streams and its end. */
#include <stdlib.h>
#include <sys/resource.h>

#include "children.h"

START_TEST(exit_code)
{
	static const int codes[] = { 0, 1, 125, 126, 127, 255 };
	struct process_result result;
	char script[64];

	(void)snprintf(script, sizeof(script),
	    "echo out; echo err >&2; exit %d", codes[_i]);
	run_shell(script, &result);
	ck_assert_int_eq(result.end, PROCESS_EXITED);
	ck_assert_int_eq(result.code, codes[_i]);
	ck_assert_str_eq(strbuf_str(&result.out), "out\n");
	ck_assert_str_eq(strbuf_str(&result.err), "err\n");
	ck_assert(!result.truncated);
	process_result_clear(&result);
}
END_TEST

START_TEST(killed)
{
	struct process_result result;

	run_shell("echo before; kill -9 $$", &result);
	ck_assert_int_eq(result.end, PROCESS_SIGNALED);
	ck_assert_int_eq(result.code, SIGKILL);
	ck_assert_str_eq(strbuf_str(&result.out), "before\n");
	process_result_clear(&result);
}
END_TEST

static const struct {
	const char *name;
	mode_t mode;
	const char *text;
	int error;
} programs[] = {
	{ "none", 0, NULL, ENOENT },
	{ "no-folder/none", 0, NULL, ENOENT },
	{ "plain", 0600, "#!/bin/sh\n", EACCES },
	{ "", 0, NULL, EACCES }, /* the folder itself */
	{ "no-interpreter", 0700, "#!/nonexistent/sh\n", ENOENT },
	{ "garbage", 0700, "echo this is for no shell\n", ENOEXEC },
};

START_TEST(cannot_start)
{
	const char *name = programs[_i].name;
	struct process_result result;
	char *argv[4];
	struct process_spec spec = shell_spec(argv, "");
	size_t open_before = open_descriptors();

	if (programs[_i].text != NULL) {
		scratch_write(name, programs[_i].text);
		ck_assert_int_eq(chmod(scratch_path(name), programs[_i].mode),
		    0);
	}
	spec.path = scratch_path(name);
	process_run(&spec, &no_control, &result);
	ck_assert_int_eq(result.end, PROCESS_NOT_STARTED);
	ck_assert_int_eq(result.spawn_errno, programs[_i].error);
	ck_assert_uint_eq(open_descriptors(), open_before);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	process_result_clear(&result);
}
END_TEST

START_TEST(grandchild_keeps_pipe)
{
	struct process_result result;
	long pid;

	run_shell("sleep 50 & echo $!", &result);
	ck_assert_int_eq(result.end, PROCESS_EXITED);
	ck_assert_int_eq(result.code, 0);
	ck_assert_int_lt(result.duration_ms, 10000);
	pid = strtol(strbuf_str(&result.out), NULL, 10);
	ck_assert_int_gt(pid, 1);
	ck_assert(!is_gone(pid));
	ck_assert_int_eq(kill((pid_t)pid, SIGKILL), 0);
	process_result_clear(&result);
}
END_TEST

START_TEST(deadline_kills_the_group)
{
	struct process_result result;
	char *argv[4], *end;
	struct process_spec spec = shell_spec(argv,
	    "trap '' TERM INT HUP\n"
	    "sh -c 'trap \"\" TERM; sleep 50 & echo $!; wait' &\n"
	    "echo $! $$\n"
	    "while :; do sleep 50; done");
	long pid;
	int count = 0;

	spec.timeout_ms = 700;
	process_run(&spec, &no_control, &result);
	ck_assert_int_eq(result.end, PROCESS_TIMED_OUT);
	ck_assert_int_eq(result.code, 0);
	ck_assert_int_ge(result.duration_ms, 700);
	ck_assert_int_lt(result.duration_ms, 10000);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	end = result.out.data;
	for (pid = strtol(end, &end, 10); pid > 0;
	     pid = strtol(end, &end, 10)) {
		ck_assert_msg(is_soon_gone(pid), "%ld lives on", pid);
		count++;
	}
	ck_assert_int_eq(count, 3);
	process_result_clear(&result);
}
END_TEST

static const struct {
	const char *script;
	bool to_null;
} floods[] = {
	{ "exec yes", false },
	{ "exec yes >&2", false },
	{ "exec yes", true },
	{ "exec yes >&2", true },
};

START_TEST(deadline_in_a_flood)
{
	struct process_result result;
	char *argv[4];
	struct process_spec spec = shell_spec(argv, floods[_i].script);
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	spec.timeout_ms = 300;
	spec.max_output = (size_t)1 << 40;
	if (floods[_i].to_null)
		spec.output_fd = null;
	else
		spec.max_output = 100000;
	process_run(&spec, &no_control, &result);
	ck_assert_int_eq(result.end, PROCESS_TIMED_OUT);
	ck_assert_int_lt(result.duration_ms, 10000);
	process_result_clear(&result);
	(void)close(null);
}
END_TEST

/* Takes 16 kB of output in some four milliseconds. */
static pid_t
start_slow_reader(const int fds[2])
{
	struct timespec moment = { 0, 1000000 };
	char data[4096];
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	(void)close(fds[1]);
	while (read(fds[0], data, sizeof(data)) > 0)
		(void)nanosleep(&moment, NULL);
	_exit(0);
}

START_TEST(deadline_behind_slow_output)
{
	struct process_result result;
	char *argv[4];
	struct process_spec spec = shell_spec(argv, "exec yes");
	int fds[2];
	pid_t reader;

	ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
	reader = start_slow_reader(fds);
	spec.timeout_ms = 300;
	spec.output_fd = fds[1];
	process_run(&spec, &no_control, &result);
	ck_assert_int_eq(result.end, PROCESS_TIMED_OUT);
	ck_assert_int_lt(result.duration_ms, 10000);
	process_result_clear(&result);
	(void)close(fds[0]);
	(void)close(fds[1]);
	(void)waitpid(reader, NULL, 0);
}
END_TEST

static long
peak_kilobytes(void)
{
	struct rusage usage;

	ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_maxrss;
}

START_TEST(bounded_output)
{
	static const char *const scripts[] = {
		"head -c 104857600 /dev/zero",
		"head -c 104857600 /dev/zero >&2",
	};
	struct process_result result;
	long before = peak_kilobytes();

	run_shell(scripts[_i], &result);
	ck_assert_int_eq(result.end, PROCESS_EXITED);
	ck_assert_int_eq(result.code, 0);
	ck_assert(result.truncated);
	ck_assert_uint_eq(result.out.len + result.err.len, 65536);
	ck_assert_int_lt(peak_kilobytes() - before, 8 * 1024);
	process_result_clear(&result);
}
END_TEST

START_TEST(exact_bound)
{
	struct process_result result;
	char *argv[4];
	struct process_spec spec =
	    shell_spec(argv, "head -c 100000 /dev/zero; echo e >&2");

	spec.max_output = 100000;
	process_run(&spec, &no_control, &result);
	ck_assert(!result.truncated);
	ck_assert_uint_eq(result.out.len, 100000);
	process_result_clear(&result);
	spec.max_output = 99999;
	process_run(&spec, &no_control, &result);
	ck_assert(result.truncated);
	ck_assert_uint_eq(result.out.len, 99999);
	ck_assert_str_eq(strbuf_str(&result.err), "e\n");
	process_result_clear(&result);
}
END_TEST

START_TEST(stdin_is_null)
{
	struct process_result result;

	run_shell("readlink /proc/self/fd/0; cat", &result);
	ck_assert_str_eq(strbuf_str(&result.out), "/dev/null\n");
	process_result_clear(&result);
}
END_TEST

enum { MEGA = 1024 * 1024 };

static void
feed(const char *script, const char *input, size_t len, size_t max_output,
    struct process_result *result)
{
	char *argv[4];
	struct process_spec spec = shell_spec(argv, script);

	interrupt_install();
	spec.input = input;
	spec.input_len = len;
	spec.max_output = max_output;
	process_run(&spec, &no_control, result);
}

START_TEST(stdin_is_fed)
{
	char *data = malloc(MEGA);
	struct process_result result;

	memset(data, 'i', MEGA);
	feed("cat", "a\0b", 3, 10, &result);
	ck_assert_uint_eq(result.out.len, 3);
	ck_assert_int_eq(memcmp(result.out.data, "a\0b", 3), 0);
	process_result_clear(&result);
	feed("cat; echo end", "", 0, 10, &result);
	ck_assert_str_eq(strbuf_str(&result.out), "end\n");
	process_result_clear(&result);
	feed("cat", data, MEGA, MEGA, &result);
	ck_assert_uint_eq(result.out.len, MEGA);
	ck_assert_int_eq(memcmp(result.out.data, data, MEGA), 0);
	process_result_clear(&result);
	free(data);
}
END_TEST

START_TEST(stdin_not_read)
{
	char *data = calloc(1, MEGA);
	struct process_result result;

	feed("exec <&-; echo done; exit 3", data, MEGA, 10, &result);
	ck_assert_int_eq(result.end, PROCESS_EXITED);
	ck_assert_int_eq(result.code, 3);
	ck_assert_str_eq(strbuf_str(&result.out), "done\n");
	process_result_clear(&result);
	free(data);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("process");

	unit_add_each(suite, "both streams and the exit code are told",
	    exit_code, 6);
	unit_add(suite, "an end by a signal is no exit", killed);
	scratch_add_each(suite, "a program that cannot be run says why",
	    cannot_start, ROWS(programs));
	unit_add(suite, "a grandchild that keeps the pipe is not waited for",
	    grandchild_keeps_pipe);
	unit_add(suite,
	    "at the deadline the whole group goes, TERM ignored or not",
	    deadline_kills_the_group);
	unit_add_each(suite, "a flood of output does not hide the deadline",
	    deadline_in_a_flood, ROWS(floods));
	unit_add(suite, "an output that takes its time does not, either",
	    deadline_behind_slow_output);
	unit_add_each(suite, "100 MB of output need no memory", bounded_output,
	    2);
	unit_add(suite, "output is cut at the bound, and only beyond it",
	    exact_bound);
	unit_add(suite, "stdin is /dev/null", stdin_is_null);
	unit_add(suite, "stdin is fed whole, without a deadlock", stdin_is_fed);
	unit_add(suite, "a child that does not read its stdin does no harm",
	    stdin_not_read);
	return suite;
}

UNIT_MAIN(make_suite)
