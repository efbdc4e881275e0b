/* SPDX-License-Identifier: ISC */
/*
 * Preloaded into the program under test: counts the calls that change
 * something, and ends the process before, after or half way through one of
 * them, or lets it fail.
 *
 *   FAULT_EXE     the program that is meant; its children are left alone
 *   FAULT_AT      the number of the call, from 1; 0: count alone
 *   FAULT_DO      before, after, half: SIGKILL there; or ENOSPC, EIO, EROFS,
 *                 EACCES
 *   FAULT_ON      "on": that call and all that follow fail; else it alone
 *   FAULT_UNDER   only files below this folder count
 *   FAULT_TRACE   a file that gets a line for each counted call
 *
 * A preloaded library, and not strace's injection: it can end the process
 * after a call as well as before it, and half way through a write; it knows
 * a file by its path; it needs no right to trace, which a program that is not
 * dumpable gives to root alone; and many can run at once.
 */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int active;
static long at, count;
static char act[16], under[PATH_MAX];
static int goes_on;
static int trace = -1;

__attribute__((constructor)) static void
begin(void)
{
	const char *exe = getenv("FAULT_EXE"), *file = getenv("FAULT_TRACE");
	const char *value;
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (exe == NULL || len <= 0)
		return;
	self[len] = '\0';
	if (strcmp(self, exe) != 0)
		return;
	value = getenv("FAULT_AT");
	at = value != NULL ? atol(value) : 0;
	value = getenv("FAULT_DO");
	snprintf(act, sizeof(act), "%s", value != NULL ? value : "");
	value = getenv("FAULT_UNDER");
	snprintf(under, sizeof(under), "%s", value != NULL ? value : "");
	value = getenv("FAULT_ON");
	goes_on = value != NULL && strcmp(value, "on") == 0;
	if (file != NULL)
		trace = (int)syscall(SYS_openat, AT_FDCWD, file,
		    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	active = 1;
}

static void
note(const char *call, const char *path)
{
	char line[PATH_MAX + 100];
	int len;

	if (trace == -1)
		return;
	len = snprintf(line, sizeof(line), "%ld %s %s\n", count, call, path);
	(void)!syscall(SYS_write, trace, line, len);
}

/* What a descriptor, or a path that begins at one, means. */
static void
resolve(int fd, const char *path, char out[PATH_MAX])
{
	char link[64];
	ssize_t len = 0;

	out[0] = '\0';
	if (path == NULL || *path != '/') {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		len = readlink(fd == AT_FDCWD ? "/proc/self/cwd" : link, out,
		    PATH_MAX - 1);
		out[len > 0 ? len : 0] = '\0';
	}
	if (path != NULL)
		snprintf(out + (len > 0 ? len : 0),
		    PATH_MAX - (size_t)(len > 0 ? len : 0), "%s%s",
		    len > 0 ? "/" : "", path);
}

static _Noreturn void
end(void)
{
	for (;;)
		syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
}

static int
error_number(void)
{
	static const struct {
		const char *name;
		int number;
	} names[] = { { "ENOSPC", ENOSPC }, { "EIO", EIO }, { "EROFS", EROFS },
		{ "EACCES", EACCES } };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i].name, act) == 0)
			return names[i].number;
	return 0;
}

/*
 * Before each call: is it the one?  Returns whether it is, where it is to end
 * after it or half way; *failure is set where it is to fail.
 */
static int
reach(const char *call, int fd, const char *path, int *failure)
{
	char whole[PATH_MAX];
	int saved = errno, hit;

	*failure = 0;
	if (!active)
		return 0;
	resolve(fd, path, whole);
	errno = saved;
	if (*under != '\0' && strncmp(whole, under, strlen(under)) != 0)
		return 0;
	count++;
	note(call, whole);
	hit = count == at;
	if (at > 0 && (hit || (goes_on && count > at)))
		*failure = error_number();
	if (hit && strcmp(act, "before") == 0)
		end();
	return hit && *failure == 0;
}

static void
leave(int hit)
{
	if (hit)
		end();
}

#define REAL(type, name) ((type)dlsym(RTLD_NEXT, name))

/* The declarations of the real ones, with their own arguments. */
#define WRAP(ret, name, params, args, fd, path) \
	WRAP_IF(1, ret, name, params, args, fd, path)
#define WRAP_IF(cond, ret, name, params, args, fd, path)        \
	ret name params                                         \
	{                                                       \
		ret(*real) params = REAL(ret(*) params, #name); \
		int failure = 0, hit = 0;                       \
		ret result;                                     \
                                                                \
		if (cond)                                       \
			hit = reach(#name, fd, path, &failure); \
                                                                \
		if (failure != 0) {                             \
			errno = failure;                        \
			return (ret)-1;                         \
		}                                               \
		result = real args;                             \
		leave(hit);                                     \
		return result;                                  \
	}

/* One that is there already is not made: then nothing is changed. */
static int
makes(int fd, const char *path)
{
	return syscall(SYS_faccessat, fd, path, F_OK) == -1;
}

/* clang-format off: one line each */
WRAP(int, fsync, (int fd), (fd), fd, NULL)
WRAP(int, fdatasync, (int fd), (fd), fd, NULL)
WRAP(int, ftruncate, (int fd, off_t len), (fd, len), fd, NULL)
WRAP(int, fchmod, (int fd, mode_t mode), (fd, mode), fd, NULL)
WRAP(int, flock, (int fd, int how), (fd, how), fd, NULL)
WRAP_IF(makes(AT_FDCWD, path), int, mkdir, (const char *path, mode_t mode),
    (path, mode), AT_FDCWD, path)
WRAP_IF(makes(fd, path), int, mkdirat, (int fd, const char *path, mode_t mode),
    (fd, path, mode), fd, path)
WRAP(int, rename, (const char *from, const char *to), (from, to), AT_FDCWD, to)
WRAP(int, renameat, (int from, const char *a, int to, const char *b),
    (from, a, to, b), to, b)
WRAP(int, linkat, (int from, const char *a, int to, const char *b, int how),
    (from, a, to, b, how), to, b)
WRAP(int, unlink, (const char *path), (path), AT_FDCWD, path)
WRAP(int, unlinkat, (int fd, const char *path, int how), (fd, path, how), fd,
    path)
WRAP(ssize_t, pwrite, (int fd, const void *data, size_t len, off_t off),
    (fd, data, len, off), fd, NULL)
/* clang-format on */

ssize_t
write(int fd, const void *data, size_t len)
{
	ssize_t (*real)(int, const void *, size_t) =
	    REAL(ssize_t(*)(int, const void *, size_t), "write");
	int failure, hit = reach("write", fd, NULL, &failure);
	ssize_t result;

	if (failure != 0) {
		errno = failure;
		return -1;
	}
	if (hit && strcmp(act, "half") == 0)
		len /= 2;
	result = real(fd, data, len);
	leave(hit);
	return result;
}

/* Only what makes or cuts a file changes something. */
static int
open_counted(int dirfd, const char *path, int flags, mode_t mode)
{
	int failure = 0, hit = 0, fd;

	if ((flags & (O_CREAT | O_TRUNC)) != 0)
		hit = reach("open", dirfd, path, &failure);
	if (failure != 0) {
		errno = failure;
		return -1;
	}
	fd = (int)syscall(SYS_openat, dirfd, path, flags, mode);
	leave(hit);
	return fd;
}

#define TAKE_MODE(mode, flags)                              \
	do {                                                \
		va_list ap;                                 \
                                                            \
		va_start(ap, flags);                        \
		if (((flags) & (O_CREAT | O_TMPFILE)) != 0) \
			(mode) = va_arg(ap, mode_t);        \
		va_end(ap);                                 \
	} while (0)

int
open(const char *path, int flags, ...)
{
	mode_t mode = 0;

	TAKE_MODE(mode, flags);
	return open_counted(AT_FDCWD, path, flags, mode);
}

int
openat(int dirfd, const char *path, int flags, ...)
{
	mode_t mode = 0;

	TAKE_MODE(mode, flags);
	return open_counted(dirfd, path, flags, mode);
}

/* What stdio holds back is written here. */
int
fflush(FILE *stream)
{
	int (*real)(FILE *) = REAL(int (*)(FILE *), "fflush");
	int failure,
	    hit = reach("fflush", stream != NULL ? fileno(stream) : -1, NULL,
		&failure);
	int result = real(stream);

	leave(hit);
	return result;
}

int
posix_spawn(pid_t *pid, const char *path,
    const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
    char *const argv[], char *const envp[])
{
	int (*real)(pid_t *, const char *, const posix_spawn_file_actions_t *,
	    const posix_spawnattr_t *, char *const[], char *const[]) =
	    REAL(int (*)(pid_t *, const char *,
		     const posix_spawn_file_actions_t *,
		     const posix_spawnattr_t *, char *const[], char *const[]),
		"posix_spawn");
	int failure, hit = reach("posix_spawn", AT_FDCWD, path, &failure);
	int result =
	    failure != 0 ? failure : real(pid, path, actions, attr, argv, envp);

	leave(hit);
	return result;
}
