/* SPDX-License-Identifier: ISC */
/* base/fd: whole writes, bounded reads, the first three. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "scratch.h"

enum { BIG = 1024 * 1024 };

/* A child that writes BIG bytes in small pieces. */
static pid_t
fork_writer(int fd, size_t piece)
{
	static char data[65536];
	size_t left;
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	for (left = BIG; left > 0; left -= piece)
		if (fd_write_all(fd, data, piece) == -1)
			_exit(1);
	_exit(0);
}

/* fds is a pipe: its writing end is the caller's. */
static pid_t
fork_reader(const int fds[2])
{
	char data[777];
	size_t count = 0;
	ssize_t n;
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	(void)close(fds[1]);
	while ((n = read(fds[0], data, sizeof(data))) > 0)
		count += (size_t)n;
	_exit(count == BIG ? 0 : 1);
}

static int
status_of(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

START_TEST(writes_everything)
{
	char *data = calloc(1, BIG);
	int fds[2];
	pid_t reader;

	ck_assert_int_eq(pipe(fds), 0);
	reader = fork_reader(fds);
	(void)close(fds[0]);
	ck_assert_int_eq(fd_write_all(fds[1], data, BIG), 0);
	(void)close(fds[1]);
	ck_assert_int_eq(status_of(reader), 0);
	free(data);
}
END_TEST

START_TEST(reads_short_pieces)
{
	struct strbuf sb = { 0 };
	int fds[2];
	pid_t writer;

	ck_assert_int_eq(pipe(fds), 0);
	writer = fork_writer(fds[1], 64);
	(void)close(fds[1]);
	strbuf_adds(&sb, "x");
	ck_assert_int_eq(fd_read_all(fds[0], BIG, &sb), 0);
	ck_assert_uint_eq(sb.len, BIG + 1);
	ck_assert_int_eq(sb.data[0], 'x');
	ck_assert_int_eq(status_of(writer), 0);
	(void)close(fds[0]);
	strbuf_clear(&sb);
}
END_TEST

START_TEST(closed_pipe)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	int fds[2];

	ck_assert_int_eq(sigaction(SIGPIPE, &ignore, NULL), 0);
	ck_assert_int_eq(pipe(fds), 0);
	(void)close(fds[0]);
	ck_assert_int_eq(fd_write_all(fds[1], "x", 1), -1);
	ck_assert_int_eq(errno, EPIPE);
	ck_assert_int_eq(fd_write_all(fds[1], "x", 0), 0);
	(void)close(fds[1]);
}
END_TEST

START_TEST(full_disk)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	ck_assert_int_ne(fd, -1);
	ck_assert_int_eq(fd_write_all(fd, "x", 1), -1);
	ck_assert_int_eq(errno, ENOSPC);
	(void)close(fd);
}
END_TEST

static const struct {
	size_t size, max;
	int error;
} files[] = {
	{ 0, 0, 0 },
	{ 0, 10, 0 },
	{ 10, 10, 0 },
	{ 11, 10, EFBIG },
	{ 8192, 8192, 0 },
	{ 8193, 8192, EFBIG },
	{ 100000, 100000, 0 },
	{ 100001, 100000, EFBIG },
};

START_TEST(reads_up_to_a_bound)
{
	struct strbuf sb = { 0 };
	char *data = malloc(files[_i].size + 1);
	int rc;

	memset(data, 'd', files[_i].size + 1);
	scratch_write_bytes("f", data, files[_i].size);
	rc = fd_read_file(AT_FDCWD, scratch_path("f"), files[_i].max, &sb);
	ck_assert_int_eq(rc, files[_i].error == 0 ? 0 : -1);
	if (rc == -1) {
		ck_assert_int_eq(errno, files[_i].error);
	} else {
		ck_assert_uint_eq(sb.len, files[_i].size);
		ck_assert_int_eq(memcmp(strbuf_str(&sb), data, sb.len), 0);
	}
	strbuf_clear(&sb);
	free(data);
}
END_TEST

static void
make_socket(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s",
	    scratch_path(name));
	ck_assert_int_eq(bind(fd, (struct sockaddr *)(void *)&address,
			     sizeof(address)),
	    0);
	(void)close(fd);
}

START_TEST(no_regular_file)
{
	struct strbuf sb = { 0 };

	scratch_write("file", "text");
	ck_assert_int_eq(symlink("file", scratch_path("link")), 0);
	ck_assert_int_eq(mkfifo(scratch_path("fifo"), 0600), 0);
	scratch_mkdir("folder");
	make_socket("socket");
	ck_assert_int_eq(fd_read_file(AT_FDCWD, scratch_path("link"), 9, &sb),
	    -1);
	ck_assert_int_eq(errno, ELOOP);
	/* Check's own limit ends the test if this waits for a writer */
	ck_assert_int_eq(fd_read_file(AT_FDCWD, scratch_path("fifo"), 9, &sb),
	    -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(fd_read_file(AT_FDCWD, scratch_path("folder"), 9, &sb),
	    -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(fd_read_file(AT_FDCWD, scratch_path("socket"), 9, &sb),
	    -1);
	ck_assert_int_eq(errno, ENXIO);
	ck_assert_int_eq(fd_read_file(AT_FDCWD, scratch_path("none"), 9, &sb),
	    -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_uint_eq(sb.len, 0);
	strbuf_clear(&sb);
}
END_TEST

/* Run in a child: 0 if all three are /dev/null afterwards, and nothing more. */
static int
try_standard(int closed)
{
	struct stat null, st;
	int i;

	for (i = 0; i < 3; i++)
		if ((closed & 1 << i) != 0)
			(void)close(i);
	if (fd_open_standard() == -1 || stat("/dev/null", &null) == -1)
		return 1;
	for (i = 0; i < 3; i++) {
		if (fstat(i, &st) == -1)
			return 2;
		if ((closed & 1 << i) != 0 && st.st_rdev != null.st_rdev)
			return 3;
	}
	/* a result that nobody gets must not look like success */
	if ((closed & 1 << STDOUT_FILENO) != 0 &&
	    write(STDOUT_FILENO, "x", 1) == 1)
		return 4;
	if ((closed & 1 << STDERR_FILENO) != 0 &&
	    write(STDERR_FILENO, "x", 1) != 1)
		return 5;
	return 0;
}

START_TEST(standard_descriptors)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(try_standard(_i));
	ck_assert_int_eq(status_of(pid), 0);
}
END_TEST

START_TEST(spare)
{
	size_t before = fd_spare();
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	ck_assert_uint_gt(before, 0);
	ck_assert_uint_eq(fd_spare(), before - 1);
	(void)close(fd);
	ck_assert_uint_eq(fd_spare(), before);
}
END_TEST

START_TEST(folders_are_listed)
{
	struct strvec names = { 0 };

	scratch_mkdir("folder");
	scratch_write("folder/b", "");
	scratch_write("folder/.a", "");
	ck_assert_int_eq(fd_list(AT_FDCWD, scratch_path("folder"), &names), 0);
	strvec_sort(&names);
	ck_assert_uint_eq(names.len, 2);
	ck_assert_str_eq(names.items[0], ".a");
	ck_assert_str_eq(names.items[1], "b");
	ck_assert_int_eq(fd_list(AT_FDCWD, scratch_path("none"), &names), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(fd_list(AT_FDCWD, scratch_path("folder/b"), &names),
	    -1);
	ck_assert_int_eq(errno, ENOTDIR);
	ck_assert_int_eq(fd_list(-1, ".", &names), -1);
	ck_assert_int_eq(errno, EBADF);
	ck_assert_uint_eq(names.len, 2);
	strvec_clear(&names);
}
END_TEST

START_TEST(close_keeps_errno)
{
	errno = EBUSY;
	fd_close(-1);
	ck_assert_int_eq(errno, EBUSY);
	fd_close(4711);
	ck_assert_int_eq(errno, EBUSY);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("fd");

	unit_add(suite, "a write goes on until everything is written",
	    writes_everything);
	unit_add(suite, "a read goes on through short pieces to the end",
	    reads_short_pieces);
	unit_add(suite, "a closed pipe is an error", closed_pipe);
	unit_add(suite, "a full disk is an error", full_disk);
	scratch_add_each(suite, "a file is read up to the bound, or EFBIG",
	    reads_up_to_a_bound, ROWS(files));
	scratch_add(suite, "links, FIFOs, folders and sockets are not read",
	    no_regular_file);
	unit_add_each(suite, "closed standard descriptors become /dev/null",
	    standard_descriptors, 8);
	scratch_add(suite, "a folder's names are listed, hidden ones, too",
	    folders_are_listed);
	unit_add(suite, "how many descriptors are left", spare);
	unit_add(suite, "closing keeps errno", close_keeps_errno);
	return suite;
}

UNIT_MAIN(make_suite)
