/* SPDX-License-Identifier: ISC */
/* process/: many children at once, early ends, output to a descriptor. */
#include <stdlib.h>

#include "children.h"

enum { MANY = 12 };

static char *argvs[MANY][4];
static struct process_spec specs[MANY];
static struct process_result results[MANY];

static void
clear_results(size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		process_result_clear(&results[i]);
}

/* The largest number in a file of numbers. */
static long
largest(const char *name)
{
	const char *text = scratch_text(name);
	long n, most = 0;
	char *end;

	ck_assert_ptr_nonnull(text);
	for (n = strtol(text, &end, 10); end != text;
	     n = strtol(text, &end, 10)) {
		text = end;
		if (n > most)
			most = n;
	}
	return most;
}

START_TEST(limit_is_honoured)
{
	/* the first three wait for each other: that they are three is proven */
	static const char early[] = "cd \"$D\" && mkdir here/$$ &&\n"
				    "while [ $(ls here | wc -l) -lt 3 ]; do\n"
				    "sleep 0.01; done\n"
				    "ls here | wc -l >>counts\n"
				    "sleep 0.1; ls here | wc -l >>counts\n"
				    "rmdir here/$$";
	static const char late[] = "cd \"$D\" && mkdir here/$$ &&\n"
				   "ls here | wc -l >>counts\n"
				   "sleep 0.05; ls here | wc -l >>counts\n"
				   "rmdir here/$$";
	size_t i;

	scratch_mkdir("here");
	ck_assert_int_eq(setenv("D", scratch, 1), 0);
	for (i = 0; i < MANY; i++)
		specs[i] = shell_spec(argvs[i], i < 3 ? early : late);
	process_run_many(specs, MANY, 3, &no_control, results);
	for (i = 0; i < MANY; i++) {
		ck_assert_int_eq(results[i].end, PROCESS_EXITED);
		ck_assert_int_eq(results[i].code, 0);
	}
	ck_assert_int_eq(largest("counts"), 3);
	clear_results(MANY);
}
END_TEST

START_TEST(each_result_in_its_place)
{
	static char scripts[MANY][40];
	size_t open_before = open_descriptors(), i;
	char expected[8];

	for (i = 0; i < MANY; i++) {
		(void)snprintf(scripts[i], sizeof(scripts[i]),
		    "echo %zu; exit %zu", i, i);
		specs[i] = shell_spec(argvs[i], scripts[i]);
	}
	process_run_many(specs, MANY, 100, &no_control, results);
	for (i = 0; i < MANY; i++) {
		(void)snprintf(expected, sizeof(expected), "%zu\n", i);
		ck_assert_str_eq(strbuf_str(&results[i].out), expected);
		ck_assert_int_eq(results[i].code, (int)i);
	}
	ck_assert_uint_eq(open_descriptors(), open_before);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	clear_results(MANY);
	process_run_many(specs, 0, 4, &no_control, results);
}
END_TEST

static bool
stop_when_there(void *name)
{
	return scratch_has(name);
}

START_TEST(stop_callback)
{
	static char flag[] = "flag";
	struct process_control control = { { INT64_MAX }, stop_when_there, flag,
		false };
	size_t i;

	ck_assert_int_eq(setenv("D", scratch, 1), 0);
	for (i = 0; i < 3; i++)
		specs[i] = shell_spec(argvs[i], ">\"$D/flag\"; exec sleep 50");
	process_run_many(specs, 3, 2, &control, results);
	ck_assert_int_eq(results[0].end, PROCESS_STOPPED);
	ck_assert_int_eq(results[1].end, PROCESS_STOPPED);
	ck_assert_int_eq(results[2].end, PROCESS_NOT_STARTED);
	ck_assert_int_eq(results[2].spawn_errno, 0);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	clear_results(3);
}
END_TEST

static const struct {
	const char *script; /* NULL: a program that is not there */
	bool stop;
} failures[] = {
	{ "exit 1", true },
	{ "kill -9 $$", true },
	{ NULL, true },
	{ "exit 0", false },
};

START_TEST(failure_stops_the_others)
{
	struct process_control control = { { INT64_MAX }, NULL, NULL, true };
	size_t i;

	for (i = 0; i < 3; i++)
		specs[i] = shell_spec(argvs[i],
		    failures[_i].stop ? "exec sleep 50" : "sleep 0.1");
	specs[1] = shell_spec(argvs[1], failures[_i].script);
	if (failures[_i].script == NULL)
		specs[1].path = "/nonexistent/program";
	process_run_many(specs, 3, 3, &control, results);
	for (i = 0; i < 3; i += 2)
		ck_assert_msg(results[i].end ==
			(failures[_i].stop ? PROCESS_STOPPED : PROCESS_EXITED),
		    "child %zu: %d", i, results[i].end);
	clear_results(3);
}
END_TEST

START_TEST(failure_alone_stops_nobody)
{
	size_t i;

	for (i = 0; i < 4; i++)
		specs[i] =
		    shell_spec(argvs[i], i == 0 ? "exit 1" : "sleep 0.1");
	specs[3].path = "/nonexistent/program";
	process_run_many(specs, 4, 2, &no_control, results);
	ck_assert_int_eq(results[0].code, 1);
	for (i = 1; i < 3; i++) {
		ck_assert_int_eq(results[i].end, PROCESS_EXITED);
		ck_assert_int_eq(results[i].code, 0);
	}
	ck_assert_int_eq(results[3].end, PROCESS_NOT_STARTED);
	ck_assert_int_eq(results[3].spawn_errno, ENOENT);
	clear_results(4);
}
END_TEST

START_TEST(whole_deadline)
{
	struct process_control control = { { 0 }, NULL, NULL, false };
	size_t i;

	for (i = 0; i < 4; i++)
		specs[i] = shell_spec(argvs[i], "exec sleep 50");
	specs[0].timeout_ms = 100;
	control.deadline = deadline_in_ms(400);
	process_run_many(specs, 4, 2, &control, results);
	for (i = 0; i < 4; i++)
		ck_assert_int_eq(results[i].end, PROCESS_TIMED_OUT);
	ck_assert_int_lt(deadline_left_ms(control.deadline), 1);
	clear_results(4);
}
END_TEST

static const struct {
	const char *script;
	int64_t limit;
	enum process_end end;
	off_t size;
} logs[] = {
	{ "echo out; echo err >&2", 0, PROCESS_EXITED, 8 },
	{ "echo out; echo err >&2", 8, PROCESS_EXITED, 8 },
	{ "head -c 100000 /dev/zero", 0, PROCESS_EXITED, 100000 },
	{ "head -c 100000 /dev/zero", 100000, PROCESS_EXITED, 100000 },
	{ "exec yes", 100001, PROCESS_LIMITED, 100001 },
	{ "exec yes >&2", 5, PROCESS_LIMITED, 5 },
	{ ":", 5, PROCESS_EXITED, 0 },
};

START_TEST(output_to_a_descriptor)
{
	struct process_result result;
	char *argv[4];
	struct process_spec spec = shell_spec(argv, logs[_i].script);
	struct stat st;

	spec.output_fd =
	    open(scratch_path("log"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	spec.output_limit = logs[_i].limit;
	process_run(&spec, &no_control, &result);
	ck_assert_int_eq(result.end, logs[_i].end);
	ck_assert_int_eq(fstat(spec.output_fd, &st), 0);
	ck_assert_int_eq(st.st_size, logs[_i].size);
	ck_assert_uint_eq(result.out.len, 0);
	ck_assert_int_eq(result.spawn_errno, 0);
	ck_assert(result.truncated == (logs[_i].end == PROCESS_LIMITED));
	process_result_clear(&result);
	(void)close(spec.output_fd);
}
END_TEST

START_TEST(output_that_cannot_be_written)
{
	struct process_result result;
	char *argv[4];
	struct process_spec spec = shell_spec(argv, "echo text");

	spec.output_fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	process_run(&spec, &no_control, &result);
	ck_assert_int_eq(result.end, PROCESS_EXITED);
	ck_assert_int_eq(result.spawn_errno, ENOSPC);
	process_result_clear(&result);
	(void)close(spec.output_fd);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("process-many");

	scratch_add(suite, "never more at once than asked for, and so many",
	    limit_is_honoured);
	unit_add(suite, "each result is in its place, nothing stays open",
	    each_result_in_its_place);
	scratch_add(suite, "the caller's stop ends all, and starts no more",
	    stop_callback);
	unit_add_each(suite, "stop_on_failure: one that fails ends the others",
	    failure_stops_the_others, ROWS(failures));
	unit_add(suite, "without it one that fails ends nobody",
	    failure_alone_stops_nobody);
	unit_add(suite, "the deadline of the whole is each child's too",
	    whole_deadline);
	scratch_add_each(suite, "R2: both streams to a file, cut at the limit",
	    output_to_a_descriptor, ROWS(logs));
	unit_add(suite, "R2: output that cannot be written is told",
	    output_that_cannot_be_written);
	return suite;
}

UNIT_MAIN(make_suite)
