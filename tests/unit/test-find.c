/* SPDX-License-Identifier: ISC */
/* process/find: where is the program? */
#include <errno.h>
#include <stdlib.h>

#include "process/process.h"
#include "scratch.h"

static void
make_program(const char *name, mode_t mode)
{
	scratch_write(name, "#!/bin/sh\n");
	ck_assert_int_eq(chmod(scratch_path(name), mode), 0);
}

static void
set_path(const char *one, const char *two)
{
	char path[600];

	(void)snprintf(path, sizeof(path), "%s:%s", one, two);
	ck_assert_int_eq(setenv("PATH", path, 1), 0);
}

static void
check_found(const char *name, const char *expected)
{
	char *path = process_find(name);

	ck_assert_msg(path != NULL, "'%s' was not found", name);
	ck_assert_str_eq(path, expected);
	free(path);
}

static void
check_error(const char *name, int number)
{
	char *path;

	errno = 0;
	path = process_find(name);
	ck_assert_msg(path == NULL, "'%s' was found", name);
	ck_assert_int_eq(errno, number);
}

START_TEST(by_path)
{
	make_program("tool", 0700);
	make_program("plain", 0600);
	check_found(scratch_path("tool"), scratch_path("tool"));
	ck_assert_int_eq(chdir(scratch), 0);
	check_found("./tool", scratch_path("tool"));
	check_error("./plain", EACCES);
	check_error("./none", ENOENT);
	check_error("./tool/x", ENOTDIR);
	check_error(scratch, EACCES);
}
END_TEST

START_TEST(in_path)
{
	scratch_mkdir("a");
	scratch_mkdir("b");
	make_program("b/sk-tool", 0700);
	set_path(scratch_path("a"), scratch_path("b"));
	check_found("sk-tool", scratch_path("b/sk-tool"));
	make_program("a/sk-tool", 0600);
	check_found("sk-tool", scratch_path("b/sk-tool"));
	ck_assert_int_eq(chmod(scratch_path("b/sk-tool"), 0600), 0);
	check_error("sk-tool", EACCES);
	ck_assert_int_eq(chmod(scratch_path("a/sk-tool"), 0700), 0);
	ck_assert_int_eq(chmod(scratch_path("b/sk-tool"), 0700), 0);
	check_found("sk-tool", scratch_path("a/sk-tool"));
	scratch_mkdir("a/sk-folder");
	check_error("sk-folder", EACCES);
	check_error("sk-none", ENOENT);
}
END_TEST

static const char *const poor[] = { NULL, "", ":", "/nonexistent", "." };

START_TEST(poor_path)
{
	char *path;

	if (poor[_i] == NULL)
		ck_assert_int_eq(unsetenv("PATH"), 0);
	else
		ck_assert_int_eq(setenv("PATH", poor[_i], 1), 0);
	path = process_find("sh");
	ck_assert_ptr_nonnull(path);
	ck_assert_int_eq(path[0], '/');
	ck_assert_int_eq(access(path, X_OK), 0);
	free(path);
	check_error("sk-none", ENOENT);
}
END_TEST

static const char *const relative[] = { "", ":", ".", "./", "bin", "..:." };

START_TEST(relative_folders)
{
	scratch_mkdir("bin");
	make_program("sk-tool", 0700);
	make_program("bin/sk-tool", 0700);
	ck_assert_int_eq(chdir(scratch), 0);
	ck_assert_int_eq(setenv("PATH", relative[_i], 1), 0);
	check_error("sk-tool", ENOENT);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("find");

	scratch_add(suite, "a name with a slash is the path itself", by_path);
	scratch_add(suite, "the first folder of PATH that has one to run",
	    in_path);
	unit_add_each(suite, "a poor PATH, as cron's, is no hindrance",
	    poor_path, ROWS(poor));
	scratch_add_each(suite, "a relative folder of PATH is never trusted",
	    relative_folders, ROWS(relative));
	return suite;
}

UNIT_MAIN(make_suite)
