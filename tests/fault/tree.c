/* SPDX-License-Identifier: ISC */
/* Files and strings.  What fails here is no finding: it ends the driver. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fault.h"

_Noreturn void
die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("fault-driver: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(2);
}

char *
format(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) == -1)
		die("out of memory");
	va_end(ap);
	return text;
}

void
words_add(struct words *words, const char *word)
{
	words->items =
	    realloc(words->items, (words->len + 2) * sizeof(*words->items));
	if (words->items == NULL || word == NULL)
		die("out of memory");
	words->items[words->len++] = format("%s", word);
	words->items[words->len] = NULL;
}

int
words_has(const struct words *words, const char *word)
{
	size_t i;

	for (i = 0; i < words->len; i++)
		if (strcmp(words->items[i], word) == 0)
			return 1;
	return 0;
}

void
words_clear(struct words *words)
{
	while (words->len > 0)
		free(words->items[--words->len]);
	free(words->items);
	words->items = NULL;
}

int64_t
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

char *
slurp(const char *path, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;
	size_t have = 0;
	ssize_t n;
	char *text;

	if (fd == -1)
		return NULL;
	if (fstat(fd, &st) == -1)
		die("%s: %s", path, strerror(errno));
	text = malloc((size_t)st.st_size + 1);
	if (text == NULL)
		die("out of memory");
	while (have < (size_t)st.st_size &&
	    (n = read(fd, text + have, (size_t)st.st_size - have)) > 0)
		have += (size_t)n;
	close(fd);
	text[have] = '\0';
	if (len != NULL)
		*len = have;
	return text;
}

static void
spill_bytes(const char *path, const char *data, size_t len, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	if (fd == -1 || write(fd, data, len) != (ssize_t)len || close(fd) == -1)
		die("%s: %s", path, strerror(errno));
}

void
spill(const char *path, const char *text)
{
	spill_bytes(path, text, strlen(text), 0600);
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a folder, sorted; those that begin with a dot if asked for. */
void
list_folder(const char *path, struct words *names, int dotted)
{
	DIR *dir = opendir(path);
	struct dirent *item;

	while (dir != NULL && (item = readdir(dir)) != NULL)
		if (strcmp(item->d_name, ".") != 0 &&
		    strcmp(item->d_name, "..") != 0 &&
		    (dotted || item->d_name[0] != '.'))
			words_add(names, item->d_name);
	if (dir != NULL)
		closedir(dir);
	if (names->len > 0)
		qsort(names->items, names->len, sizeof(*names->items), compare);
}

static void
copy_link(const char *from, const char *to)
{
	char target[4096];
	ssize_t len = readlink(from, target, sizeof(target) - 1);

	if (len == -1)
		die("%s: %s", from, strerror(errno));
	target[len] = '\0';
	if (symlink(target, to) == -1)
		die("%s: %s", to, strerror(errno));
}

static void
copy_file(const char *from, const char *to, mode_t mode)
{
	size_t len;
	char *data = slurp(from, &len);

	if (data == NULL)
		die("%s: %s", from, strerror(errno));
	spill_bytes(to, data, len, mode);
	free(data);
}

static void
copy_folder(const char *from, const char *to, mode_t mode)
{
	struct words names = { 0 };
	char *a, *b;
	size_t i;

	if (mkdir(to, mode) == -1)
		die("%s: %s", to, strerror(errno));
	list_folder(from, &names, 1);
	for (i = 0; i < names.len; i++) {
		a = format("%s/%s", from, names.items[i]);
		b = format("%s/%s", to, names.items[i]);
		tree_copy(a, b);
		free(a);
		free(b);
	}
	words_clear(&names);
}

void
tree_copy(const char *from, const char *to)
{
	struct stat st;

	if (lstat(from, &st) == -1)
		die("%s: %s", from, strerror(errno));
	if (S_ISLNK(st.st_mode))
		copy_link(from, to);
	else if (S_ISDIR(st.st_mode))
		copy_folder(from, to, st.st_mode & 07777);
	else
		copy_file(from, to, st.st_mode & 07777);
}

void
tree_remove(const char *path)
{
	struct words names = { 0 };
	struct stat st;
	char *child;
	size_t i;

	if (lstat(path, &st) == -1)
		return;
	if (!S_ISDIR(st.st_mode)) {
		unlink(path);
		return;
	}
	list_folder(path, &names, 1);
	for (i = 0; i < names.len; i++) {
		child = format("%s/%s", path, names.items[i]);
		tree_remove(child);
		free(child);
	}
	words_clear(&names);
	rmdir(path);
}
