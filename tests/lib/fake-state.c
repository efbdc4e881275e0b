/* SPDX-License-Identifier: ISC */
/*
 * The state directory: every file is replaced by rename, every counter is the
 * length of a file that one byte is appended to, so that a call that is
 * killed at any point leaves nothing torn.
 */

#include <sys/file.h>
#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fake.h"

static const char *const folders[] = { "containers", "names", "images",
	"registry", "networks", "volumes", "faults", "counts" };

_Noreturn void
die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("fake-docker: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(RC_USAGE);
}

void *
xmalloc(size_t len)
{
	void *p = malloc(len == 0 ? 1 : len);

	if (p == NULL)
		die("out of memory");
	return p;
}

char *
xstrdup(const char *s)
{
	size_t len = strlen(s) + 1;

	return memcpy(xmalloc(len), s, len);
}

char *
xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) == -1)
		die("out of memory");
	va_end(ap);
	return s;
}

void
state_init(void)
{
	size_t i;
	int fd;

	if (mkdir(fake.dir, 0777) == -1 && errno != EEXIST)
		die("mkdir %s: %s", fake.dir, strerror(errno));
	fake.dirfd = open(fake.dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fake.dirfd == -1)
		die("open %s: %s", fake.dir, strerror(errno));
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (mkdirat(fake.dirfd, folders[i], 0777) == -1 &&
		    errno != EEXIST)
			die("mkdir %s: %s", folders[i], strerror(errno));
	fd = openat(fake.dirfd, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd == -1)
		die("open lock: %s", strerror(errno));
	fake.lockfd = fd;
}

void
state_open(void)
{
	fake.dir = getenv("FAKE_DOCKER_DIR");
	if (fake.dir == NULL || *fake.dir == '\0')
		die("FAKE_DOCKER_DIR is not set");
	fake.dirfd = open(fake.dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fake.lockfd = fake.dirfd == -1 ?
	    -1 :
	    openat(fake.dirfd, "lock", O_RDWR | O_CLOEXEC);
	if (fake.lockfd == -1) {
		state_init();
		state_lock();
		network_make("bridge");
		network_make("host");
		network_make("none");
		state_unlock();
	}
}

void
state_lock(void)
{
	while (flock(fake.lockfd, LOCK_EX) == -1)
		if (errno != EINTR)
			die("lock: %s", strerror(errno));
}

void
state_unlock(void)
{
	flock(fake.lockfd, LOCK_UN);
}

/* Tests remove the directory: whoever still waits in it has to leave. */
int
state_gone(void)
{
	return faccessat(fake.dirfd, "lock", F_OK, 0) == -1;
}

/* A name of anything as a file name. */
char *
state_encode(const char *name)
{
	char *s = xmalloc(strlen(name) * 3 + 1), *p = s;

	for (; *name != '\0'; name++)
		if (*name == '/' || *name == '%' || (p == s && *name == '.'))
			p += sprintf(p, "%%%02X", (unsigned char)*name);
		else
			*p++ = *name;
	*p = '\0';
	return s;
}

char *
state_decode(const char *name)
{
	char *s = xmalloc(strlen(name) + 1), *p = s;
	unsigned c;

	while (*name != '\0')
		if (*name == '%' && sscanf(name + 1, "%2x", &c) == 1) {
			*p++ = (char)c;
			name += 3;
		} else
			*p++ = *name++;
	*p = '\0';
	return s;
}

/* The whole of a file, with a NUL behind it; NULL where there is none. */
char *
state_slurp(const char *rel, size_t *len)
{
	struct stat st;
	char *buf;
	ssize_t r;
	size_t have = 0;
	int fd = openat(fake.dirfd, rel, O_RDONLY | O_CLOEXEC);

	if (fd == -1 || fstat(fd, &st) == -1 || S_ISDIR(st.st_mode)) {
		if (fd != -1)
			close(fd);
		return NULL;
	}
	buf = xmalloc((size_t)st.st_size + 1);
	while (have < (size_t)st.st_size &&
	    (r = read(fd, buf + have, (size_t)st.st_size - have)) > 0)
		have += (size_t)r;
	close(fd);
	buf[have] = '\0';
	if (len != NULL)
		*len = have;
	return buf;
}

json_t *
state_read(const char *rel)
{
	size_t len;
	char *buf = state_slurp(rel, &len);
	json_error_t error;
	json_t *doc;

	if (buf == NULL)
		return NULL;
	doc = json_loadb(buf, len, JSON_ALLOW_NUL, &error);
	if (doc == NULL && len > 0)
		die("%s: %s", rel, error.text);
	free(buf);
	return doc == NULL ? json_object() : doc;
}

void
state_write_bytes(const char *rel, const void *data, size_t len)
{
	char tmp[32];
	ssize_t w;
	size_t done = 0;
	int fd;

	snprintf(tmp, sizeof(tmp), ".tmp.%d", (int)getpid());
	fd = openat(fake.dirfd, tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
	    0666);
	if (fd == -1)
		die("%s: %s", tmp, strerror(errno));
	for (; done < len; done += (size_t)w)
		if ((w = write(fd, (const char *)data + done, len - done)) <= 0)
			die("%s: %s", tmp, strerror(errno));
	close(fd);
	if (renameat(fake.dirfd, tmp, fake.dirfd, rel) == -1)
		die("%s: %s", rel, strerror(errno));
}

void
state_write(const char *rel, const json_t *doc)
{
	char *text = json_dumps(doc, JSON_COMPACT);

	if (text == NULL)
		die("%s: cannot be written as JSON", rel);
	state_write_bytes(rel, text, strlen(text));
	free(text);
}

void
state_append(const char *rel, const void *data, size_t len)
{
	int fd = openat(fake.dirfd, rel,
	    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

	if (fd == -1 || write(fd, data, len) != (ssize_t)len)
		die("%s: %s", rel, strerror(errno));
	close(fd);
}

/* Counts one more, and says how many that makes. */
long
state_count(const char *key)
{
	struct stat st;
	char *name = state_encode(key), *rel = xasprintf("counts/%s", name);

	state_append(rel, "+", 1);
	if (fstatat(fake.dirfd, rel, &st, 0) == -1)
		die("%s: %s", rel, strerror(errno));
	free(rel);
	free(name);
	return (long)st.st_size;
}

/* The file names in a folder, unsorted; those with a dot in front left out. */
char **
state_names(const char *folder, size_t *len)
{
	char **names = NULL;
	size_t room = 0, n = 0;
	struct dirent *e;
	int fd = openat(fake.dirfd, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd == -1 ? NULL : fdopendir(fd);

	while (d != NULL && (e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		if (n == room) {
			room = room == 0 ? 64 : room * 2;
			names = realloc(names, room * sizeof(*names));
			if (names == NULL)
				die("out of memory");
		}
		names[n++] = xstrdup(e->d_name);
	}
	if (d != NULL)
		closedir(d);
	*len = n;
	return names;
}

void
state_random_hex(char *s, size_t digits)
{
	unsigned char byte;
	size_t i;

	for (i = 0; i + 1 < digits + 1; i += 2) {
		arc4random_buf(&byte, 1);
		sprintf(s + i, "%02x", byte);
	}
}
