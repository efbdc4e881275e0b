/* SPDX-License-Identifier: ISC */
/* store/atomic: replacing a file whole. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "scratch.h"
#include "store/atomic.h"

static int
open_scratch(void)
{
	int fd = open(scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	ck_assert_int_ne(fd, -1);
	return fd;
}

/* How many names are there, of files that begin with a dot too? */
static size_t
count_names(int dirfd)
{
	int copy = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fdopendir(copy);
	size_t count = 0;

	while (readdir(dir) != NULL)
		count++;
	(void)closedir(dir);
	return count - 2;
}

static const struct {
	mode_t umask, mode;
} modes[] = { { 0, 0600 }, { 0777, 0600 }, { 022, 0600 }, { 0, 0644 },
	{ 0777, 0644 } };

START_TEST(mode_whatever_the_umask)
{
	int dirfd = open_scratch();
	struct error err;
	struct stat st;

	(void)umask(modes[_i].umask);
	ck_assert_int_eq(atomic_replace(dirfd, "f", "one", 3, modes[_i].mode,
			     &err),
	    0);
	ck_assert_int_eq(atomic_create(dirfd, "g", "two", 3, modes[_i].mode,
			     &err),
	    0);
	(void)umask(022);
	ck_assert_int_eq(stat(scratch_path("f"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, modes[_i].mode);
	ck_assert_int_eq(stat(scratch_path("g"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, modes[_i].mode);
	(void)close(dirfd);
}
END_TEST

START_TEST(replaces)
{
	int dirfd = open_scratch();
	struct error err;

	scratch_write("f", "the old and longer text");
	ck_assert_int_eq(chmod(scratch_path("f"), 0666), 0);
	ck_assert_int_eq(atomic_replace(dirfd, "f", "new", 3, 0600, &err), 0);
	ck_assert_str_eq(scratch_text("f"), "new");
	ck_assert_int_eq(atomic_replace(dirfd, "f", "", 0, 0600, &err), 0);
	ck_assert_str_eq(scratch_text("f"), "");
	ck_assert_uint_eq(count_names(dirfd), 1);
	(void)close(dirfd);
}
END_TEST

START_TEST(replaces_a_link_not_its_target)
{
	int dirfd = open_scratch();
	struct error err;
	struct stat st;

	scratch_write("target", "untouched");
	ck_assert_int_eq(symlink("target", scratch_path("f")), 0);
	ck_assert_int_eq(atomic_replace(dirfd, "f", "new", 3, 0600, &err), 0);
	ck_assert_str_eq(scratch_text("target"), "untouched");
	ck_assert_int_eq(lstat(scratch_path("f"), &st), 0);
	ck_assert(S_ISREG(st.st_mode));
	(void)close(dirfd);
}
END_TEST

START_TEST(creates_once)
{
	int dirfd = open_scratch();
	struct error err;

	ck_assert_int_eq(atomic_create(dirfd, "f", "one", 3, 0600, &err), 0);
	ck_assert_int_eq(atomic_create(dirfd, "f", "two", 3, 0600, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_STATE_WRITE);
	ck_assert_int_eq(err.sys, EEXIST);
	ck_assert_str_eq(scratch_text("f"), "one");
	ck_assert_uint_eq(count_names(dirfd), 1);
	(void)close(dirfd);
}
END_TEST

START_TEST(removes)
{
	int dirfd = open_scratch();
	struct error err;

	scratch_write("f", "x");
	ck_assert_int_eq(atomic_remove(dirfd, "f", &err), 0);
	ck_assert(!scratch_has("f"));
	ck_assert_int_eq(atomic_remove(dirfd, "f", &err), 0);
	scratch_mkdir("d");
	ck_assert_int_eq(atomic_remove(dirfd, "d", &err), -1);
	ck_assert_int_eq(err.kind, ERROR_STATE_WRITE);
	(void)close(dirfd);
}
END_TEST

START_TEST(failed_rename)
{
	int dirfd = open_scratch();
	struct error err;

	scratch_mkdir("f");
	ck_assert_int_eq(atomic_replace(dirfd, "f", "new", 3, 0600, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_STATE_WRITE);
	ck_assert_int_eq(err.sys, EISDIR);
	ck_assert_uint_eq(count_names(dirfd), 1);
	(void)close(dirfd);
}
END_TEST

START_TEST(failed_write)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct rlimit limit = { 10, 10 };
	int dirfd = open_scratch();
	struct error err;

	scratch_write("f", "old");
	(void)sigaction(SIGXFSZ, &ignore, NULL);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(atomic_replace(dirfd, "f", "too long for it", 15, 0600,
			     &err),
	    -1);
	ck_assert_int_eq(err.kind, ERROR_STATE_WRITE);
	ck_assert_int_eq(err.sys, EFBIG);
	ck_assert_int_eq(atomic_create(dirfd, "g", "too long for it", 15, 0600,
			     &err),
	    -1);
	ck_assert_int_eq(err.sys, EFBIG);
	ck_assert_str_eq(scratch_text("f"), "old");
	ck_assert_uint_eq(count_names(dirfd), 1);
	(void)close(dirfd);
}
END_TEST

enum { BIG = 200000 };

/* Replace it again and again by BIG equal bytes, until killed. */
static void
scribble(int dirfd)
{
	static char text[BIG];
	struct error err;
	int i;

	for (i = 0;; i++) {
		memset(text, 'a' + i % 26, BIG);
		if (atomic_replace(dirfd, "f", text, BIG, 0600, &err) == -1)
			_exit(1);
	}
}

START_TEST(whole_at_every_instant)
{
	int dirfd = open_scratch(), i;
	struct strbuf sb = { 0 };
	char first[2] = "";
	pid_t pid;

	scratch_write("f", "");
	pid = fork();
	if (pid == 0)
		scribble(dirfd);
	for (i = 0; i < 300; i++) {
		strbuf_reset(&sb);
		ck_assert_int_eq(fd_read_file(dirfd, "f", BIG, &sb), 0);
		if (sb.len == 0)
			continue; /* the old one */
		ck_assert_uint_eq(sb.len, BIG);
		first[0] = sb.data[0];
		ck_assert_uint_eq(strspn(sb.data, first), BIG);
	}
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	strbuf_clear(&sb);
	(void)close(dirfd);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("atomic");

	scratch_add_each(suite, "the mode is as asked, whatever the umask",
	    mode_whatever_the_umask, ROWS(modes));
	scratch_add(suite, "a file is replaced, nothing else is left",
	    replaces);
	scratch_add(suite, "a link is replaced, its target is not written",
	    replaces_a_link_not_its_target);
	scratch_add(suite, "what must not be there is made once", creates_once);
	scratch_add(suite, "removing twice is success", removes);
	scratch_add(suite, "a failed rename leaves no temporary file",
	    failed_rename);
	scratch_add(suite, "a failed write leaves the old file as it was",
	    failed_write);
	scratch_add(suite, "at every instant the old file or the new one",
	    whole_at_every_instant);
	return suite;
}

UNIT_MAIN(make_suite)
