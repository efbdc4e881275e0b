/* SPDX-License-Identifier: ISC */
/* store/history and store/logdir: what is kept of what ended. */
#include <errno.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "base/strvec.h"
#include "scratch.h"
#include "store/logdir.h"

static const int64_t now = 1796050845; /* 2026-11-30T15:00:45Z */

struct reader {
	struct strvec lines;
	size_t most;
};

static bool
take(const char *line, void *arg)
{
	struct reader *reader = arg;

	strvec_add(&reader->lines, line);
	return reader->lines.len < reader->most;
}

/* The newest lines with "|" between them. */
static void
check_history(size_t most, const char *expected)
{
	struct reader reader = { { 0 }, most };
	struct error err;
	char *joined;

	ck_assert_int_eq(history_read(scratch, take, &reader, &err), 0);
	joined = strvec_join(&reader.lines, "|");
	ck_assert_str_eq(joined, expected);
	free(joined);
	strvec_clear(&reader.lines);
}

START_TEST(newest_first)
{
	struct error err;
	struct stat st;

	check_history(99, "");
	(void)umask(0);
	ck_assert_int_eq(history_append(scratch, "one", &err), 0);
	check_history(99, "one");
	ck_assert_int_eq(history_append(scratch, "two", &err), 0);
	ck_assert_int_eq(history_append(scratch, "three", &err), 0);
	check_history(99, "three|two|one");
	check_history(2, "three|two");
	check_history(1, "three");
	ck_assert_str_eq(scratch_text("history.jsonl"), "one\ntwo\nthree\n");
	ck_assert_int_eq(stat(scratch_path("history.jsonl"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0640);
}
END_TEST

START_TEST(makes_the_folder)
{
	struct error err;

	ck_assert_int_eq(history_append(scratch_path("log"), "one", &err), 0);
	ck_assert_str_eq(scratch_text("log/history.jsonl"), "one\n");
	ck_assert_int_eq(history_append(scratch_path("far/away/log"), "one",
			     &err),
	    0);
	ck_assert_str_eq(scratch_text("far/away/log/history.jsonl"), "one\n");
	scratch_write("file", "");
	ck_assert_int_eq(history_append(scratch_path("file/log"), "one", &err),
	    -1);
	ck_assert_int_eq(err.kind, ERROR_STATE_WRITE);
}
END_TEST

START_TEST(odd_ends)
{
	scratch_write("history.jsonl", "\n\none\n\ntwo\ntorn");
	check_history(99, "torn|two|one");
	scratch_write("history.jsonl", "\n");
	check_history(99, "");
	scratch_write("history.jsonl", "x");
	check_history(99, "x");
}
END_TEST

enum { FULL = 8 * 1024 * 1024 };

/* A file of lines of "x", of that size. */
static void
fill(size_t size)
{
	char *text = malloc(size);

	memset(text, 'x', size);
	text[size - 1] = '\n';
	scratch_write_bytes("history.jsonl", text, size);
	free(text);
}

START_TEST(rotates)
{
	struct error err;
	struct stat st;

	scratch_write("history.jsonl.1", "older\n");
	fill(FULL - 5);
	ck_assert_int_eq(history_append(scratch, "abc", &err), 0);
	ck_assert_str_eq(scratch_text("history.jsonl.1"), "older\n");
	ck_assert_int_eq(history_append(scratch, "last", &err), 0);
	ck_assert(!scratch_has("history.jsonl"));
	ck_assert_int_eq(stat(scratch_path("history.jsonl.1"), &st), 0);
	ck_assert_int_eq(st.st_size, FULL + 4);
	check_history(2, "last|abc");
	ck_assert_int_eq(history_append(scratch, "new", &err), 0);
	ck_assert_str_eq(scratch_text("history.jsonl"), "new\n");
	check_history(3, "new|last|abc");
}
END_TEST

enum { WRITERS = 4, LINES = 200 };

static void
append_many(int writer)
{
	struct error err;
	char line[200];
	int i;

	for (i = 0; i < LINES; i++) {
		(void)snprintf(line, sizeof(line), "%d %d %0150d", writer, i,
		    0);
		if (history_append(scratch, line, &err) == -1)
			_exit(1);
	}
	_exit(0);
}

/* Counts the lines of each writer, each whole and in its order. */
static bool
count_lines(const char *line, void *arg)
{
	int *left = arg, writer = -1, number = -1;

	if (strspn(line, "x") > 0)
		return true;
	ck_assert_int_eq(sscanf(line, "%d %d", &writer, &number), 2);
	ck_assert_uint_ge(strlen(line), 154);
	ck_assert_int_eq(number, left[writer] - 1);
	left[writer] = number;
	return true;
}

START_TEST(many_writers)
{
	int left[WRITERS] = { LINES, LINES, LINES, LINES }, i, status;
	struct error err;

	/* it becomes full under their hands */
	fill(FULL - 40000);
	for (i = 0; i < WRITERS; i++)
		if (fork() == 0)
			append_many(i);
	while (wait(&status) != -1)
		ck_assert_int_eq(status, 0);
	ck_assert(scratch_has("history.jsonl.1"));
	ck_assert_int_eq(history_read(scratch, count_lines, left, &err), 0);
	for (i = 0; i < WRITERS; i++)
		ck_assert_int_eq(left[i], 0);
}
END_TEST

START_TEST(no_regular_history)
{
	struct reader reader = { { 0 }, 9 };
	struct error err;

	scratch_write("elsewhere", "text\n");
	ck_assert_int_eq(symlink("elsewhere", scratch_path("history.jsonl")),
	    0);
	ck_assert_int_eq(history_append(scratch, "one", &err), -1);
	ck_assert_int_eq(err.kind, ERROR_STATE_WRITE);
	ck_assert_int_eq(history_read(scratch, take, &reader, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_STATE_READ);
	ck_assert_str_eq(scratch_text("elsewhere"), "text\n");
	ck_assert_int_eq(unlink(scratch_path("history.jsonl")), 0);
	ck_assert_int_eq(mkfifo(scratch_path("history.jsonl"), 0600), 0);
	ck_assert_int_eq(history_append(scratch, "one", &err), -1);
	ck_assert_int_eq(history_read(scratch, take, &reader, &err), -1);
}
END_TEST

/* Make a dump of one byte; returns its name below agents/. */
static void
make_dump(const char *folder, int64_t at, const char *expected)
{
	char *path = NULL;
	struct error err = { 0 };
	int fd = logdir_create(scratch_path("log"), folder, at, &path, &err);

	ck_assert_msg(fd != -1, "%s", err.msg);
	ck_assert_str_eq(path, scratch_path(expected));
	ck_assert_int_eq(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	ck_assert_int_eq(write(fd, "x", 1), 1);
	(void)close(fd);
	free(path);
}

static const mode_t masks[] = { 0, 022, 077 };

START_TEST(dumps)
{
	struct stat st;

	(void)umask(masks[_i]);
	make_dump("be-dev-1", now, "log/agents/be-dev-1/20261130T150045Z.log");
	ck_assert_int_eq(
	    stat(scratch_path("log/agents/be-dev-1/20261130T150045Z.log"), &st),
	    0);
	ck_assert_uint_eq(st.st_mode & 07777, 0640);
	ck_assert_int_eq(stat(scratch_path("log/agents/be-dev-1"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 022, 0);
	(void)umask(022);
	make_dump("be-dev-2", now, "log/agents/be-dev-2/20261130T150045Z.log");
	make_dump("be-dev-1", now + 1,
	    "log/agents/be-dev-1/20261130T150046Z.log");
}
END_TEST

START_TEST(no_way_outside)
{
	struct error err;
	char *path = NULL;

	scratch_mkdir("outside");
	scratch_mkdir("log");
	scratch_mkdir("log/agents");
	ck_assert_int_eq(symlink(scratch_path("outside"),
			     scratch_path("log/agents/a")),
	    0);
	ck_assert_int_eq(logdir_create(scratch_path("log"), "a", now, &path,
			     &err),
	    -1);
	ck_assert_int_eq(err.kind, ERROR_STATE_WRITE);
	ck_assert_int_eq(rmdir(scratch_path("log/agents/a")), -1);
	ck_assert_int_eq(unlink(scratch_path("log/agents/a")), 0);
	ck_assert_int_eq(rmdir(scratch_path("log/agents")), 0);
	ck_assert_int_eq(symlink(scratch_path("outside"),
			     scratch_path("log/agents")),
	    0);
	ck_assert_int_eq(logdir_create(scratch_path("log"), "a", now, &path,
			     &err),
	    -1);
	ck_assert_int_eq(rmdir(scratch_path("outside")), 0);
	ck_assert_ptr_null(path);
}
END_TEST

#define DUMP(rest) "log/agents/a/20261130T1500" rest

START_TEST(keeps_the_newest)
{
	make_dump("a", now - 2, DUMP("43Z.log"));
	make_dump("a", now, DUMP("45Z.log"));
	make_dump("a", now - 1, DUMP("44Z.log"));
	make_dump("b", now - 9, "log/agents/b/20261130T150036Z.log");
	scratch_write("log/agents/a/note.txt", "");
	scratch_write("log/agents/a/.hidden.log", "");
	logdir_prune(scratch_path("log"), "a", 3, 0, now);
	ck_assert(scratch_has(DUMP("43Z.log")));
	logdir_prune(scratch_path("log"), "a", 2, 0, now);
	ck_assert(!scratch_has(DUMP("43Z.log")));
	ck_assert(scratch_has(DUMP("44Z.log")));
	logdir_prune(scratch_path("log"), "a", 1, 0, now);
	ck_assert(!scratch_has(DUMP("44Z.log")));
	ck_assert(scratch_has(DUMP("45Z.log")));
	logdir_prune(scratch_path("log"), "a", 0, 0, now);
	ck_assert(scratch_has(DUMP("45Z.log")));
	ck_assert(scratch_has("log/agents/a/note.txt"));
	ck_assert(scratch_has("log/agents/a/.hidden.log"));
	ck_assert(scratch_has("log/agents/b/20261130T150036Z.log"));
}
END_TEST

START_TEST(same_second)
{
	make_dump("a", now, DUMP("45Z.log"));
	make_dump("a", now, DUMP("45Z_002.log"));
	make_dump("a", now, DUMP("45Z_003.log"));
	logdir_prune(scratch_path("log"), "a", 2, 0, now);
	ck_assert(!scratch_has(DUMP("45Z.log")));
	ck_assert(scratch_has(DUMP("45Z_002.log")));
	make_dump("a", now + 1, DUMP("46Z.log"));
	logdir_prune(scratch_path("log"), "a", 1, 0, now + 1);
	ck_assert(scratch_has(DUMP("46Z.log")));
	ck_assert(!scratch_has(DUMP("45Z_003.log")));
}
END_TEST

/* What bears a later date was written before: the new dump is the newest. */
START_TEST(clock_set_back)
{
	make_dump("a", now + 3600, "log/agents/a/20261130T160045Z.log");
	make_dump("a", now + 3601, "log/agents/a/20261130T160046Z.log");
	make_dump("a", now, DUMP("45Z.log"));
	make_dump("a", now, DUMP("45Z_002.log"));
	logdir_prune(scratch_path("log"), "a", 3, 0, now);
	ck_assert(!scratch_has("log/agents/a/20261130T160045Z.log"));
	ck_assert(scratch_has("log/agents/a/20261130T160046Z.log"));
	logdir_prune(scratch_path("log"), "a", 1, 0, now);
	ck_assert(!scratch_has("log/agents/a/20261130T160046Z.log"));
	ck_assert(!scratch_has(DUMP("45Z.log")));
	ck_assert(scratch_has(DUMP("45Z_002.log")));
}
END_TEST

static void
set_age(const char *name, int64_t age)
{
	struct timeval times[2] = { { 0, 0 }, { 0, 0 } };

	times[0].tv_sec = times[1].tv_sec = (time_t)(now - age);
	ck_assert_int_eq(utimes(scratch_path(name), times), 0);
}

START_TEST(not_too_old)
{
	make_dump("a", now - 2, DUMP("43Z.log"));
	make_dump("a", now - 1, DUMP("44Z.log"));
	set_age(DUMP("43Z.log"), 101);
	set_age(DUMP("44Z.log"), 100);
	logdir_prune(scratch_path("log"), "a", 0, 0, now);
	ck_assert(scratch_has(DUMP("43Z.log")));
	logdir_prune(scratch_path("log"), "a", 20, 100, now);
	ck_assert(!scratch_has(DUMP("43Z.log")));
	ck_assert(scratch_has(DUMP("44Z.log")));
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("history");

	scratch_add(suite, "R8: the history is read newest first",
	    newest_first);
	scratch_add(suite, "R8: its folder is made", makes_the_folder);
	scratch_add(suite, "R8: blank lines and a torn last one do no harm",
	    odd_ends);
	scratch_add(suite, "R8: rotated at 8 MB, one old file kept", rotates);
	scratch_add(suite, "R8: many writers, and no line is lost or torn",
	    many_writers);
	scratch_add(suite, "R8: a link or a FIFO is no history",
	    no_regular_history);
	scratch_add_each(suite, "R2: a dump is LOGDIR/agents/SLUG/TIME.log",
	    dumps, ROWS(masks));
	scratch_add(suite, "R2: no link leads outside LOGDIR", no_way_outside);
	scratch_add(suite, "R2: the newest dumps of an agent stay",
	    keeps_the_newest);
	scratch_add(suite, "R2: of one second, the later is the newer",
	    same_second);
	scratch_add(suite, "R2: of a clock that was set back, too",
	    clock_set_back);
	scratch_add(suite, "R2: dumps that are too old go", not_too_old);
	return suite;
}

UNIT_MAIN(make_suite)
