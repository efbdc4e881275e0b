/* SPDX-License-Identifier: ISC */
/*
 * The frame of a fuzz target: a program with one function, which takes any
 * bytes and says with must() what has to hold of them.  With --enable-fuzzing
 * libFuzzer's main calls it, else the one in stub.c, for each file of
 * corpus/NAME.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void
fuzz_fail(const char *what, const char *file, int line)
{
	(void)fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

#define must(condition)                                            \
	do {                                                       \
		if (!(condition))                                  \
			fuzz_fail(#condition, __FILE__, __LINE__); \
	} while (0)

/* The failure of a function: it says what, in one line. */
static inline void
must_tell(const struct error *err)
{
	must(err->kind > ERROR_NONE && err->kind < ERROR_KIND_COUNT);
	must(err->msg[0] != '\0');
	must(strchr(err->msg, '\n') == NULL);
}

/* The input, taken piece by piece. */
struct input {
	const uint8_t *data;
	size_t left;
};

/* The next byte; 0 at the end. */
static inline uint8_t
input_byte(struct input *input)
{
	if (input->left == 0)
		return 0;
	input->left--;
	return *input->data++;
}

/* Up to the next NUL, or to the end; the caller frees it. */
static inline char *
input_string(struct input *input)
{
	const char *start = (const char *)input->data;
	char *s = xstrndup(input->left > 0 ? start : "", input->left);
	size_t taken = strlen(s) + (strlen(s) < input->left);

	if (taken > 0)
		input->data += taken;
	input->left -= taken;
	return s;
}

/* The whole of it as a string; what follows a NUL is left out. */
static inline char *
input_text(const uint8_t *data, size_t size)
{
	struct input input = { data, size };

	return input_string(&input);
}

/* A folder of this process alone, which goes with it. */
static char fuzz_folder[128];

static inline void
fuzz_remove_folder(void)
{
	(void)rmdir(fuzz_folder);
}

static inline void
fuzz_make_folder(void)
{
	const char *top = getenv("TMPDIR");

	(void)snprintf(fuzz_folder, sizeof(fuzz_folder),
	    "%s/sandkeeper-fuzz.XXXXXX",
	    top != NULL && strlen(top) < 80 ? top : "/tmp");
	must(mkdtemp(fuzz_folder) != NULL);
	must(atexit(fuzz_remove_folder) == 0);
}

/* Make the input a file in that folder, which the next one replaces. */
static inline const char *
fuzz_file(const char *name, const uint8_t *data, size_t size)
{
	static char path[200];
	int fd;

	if (fuzz_folder[0] == '\0')
		fuzz_make_folder();
	(void)snprintf(path, sizeof(path), "%s/%s", fuzz_folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	must(fd != -1);
	must(fd_write_all(fd, data, size) == 0);
	must(close(fd) == 0);
	return path;
}

#endif
