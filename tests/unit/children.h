/* SPDX-License-Identifier: ISC */
/* What the tests of process/ share: running a line of sh. */
#ifndef CHILDREN_H
#define CHILDREN_H

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/interrupt.h"
#include "process/process.h"
#include "scratch.h"

extern char **environ;

static const struct process_control no_control = { { INT64_MAX }, NULL, NULL,
	false };

/* argv has room for four words; script is $0's own text. */
static inline struct process_spec
shell_spec(char *argv[4], const char *script)
{
	static char sh[] = "sh", option[] = "-c";
	struct process_spec spec = { .path = "/bin/sh",
		.argv = argv,
		.envp = environ,
		.timeout_ms = 30000,
		.max_output = 65536,
		.output_fd = -1 };

	argv[0] = sh;
	argv[1] = option;
	argv[2] = (char *)(uintptr_t)script;
	argv[3] = NULL;
	return spec;
}

static inline void
run_shell(const char *script, struct process_result *result)
{
	char *argv[4];
	struct process_spec spec = shell_spec(argv, script);

	process_run(&spec, &no_control, result);
}

/* Is there no such process, or only its zombie? */
static inline bool
is_gone(long pid)
{
	char path[64], text[256], *after;
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	file = fopen(path, "re");
	if (file == NULL)
		return true;
	if (fgets(text, sizeof(text), file) == NULL)
		text[0] = '\0';
	(void)fclose(file);
	after = strrchr(text, ')');
	return after == NULL || strchr("ZX", after[2]) != NULL;
}

/* Killed, it may need a moment. */
static inline bool
is_soon_gone(long pid)
{
	struct timespec moment = { 0, 10000000 };
	int i;

	for (i = 0; i < 500; i++) {
		if (is_gone(pid))
			return true;
		(void)nanosleep(&moment, NULL);
	}
	return false;
}

static inline size_t
open_descriptors(void)
{
	size_t count = 0;
	int fd;

	for (fd = 0; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) != -1)
			count++;
	return count;
}

#endif
