/* SPDX-License-Identifier: ISC */
/* A process as the owner of a sandbox. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strvec.h"
#include "base/text.h"
#include "core/process_owner.h"

static const char boot_file[] = "/proc/sys/kernel/random/boot_id";

/* The parts between the colons. */
enum {
	PART_PID_WORD,
	PART_MACHINE,
	PART_BOOT,
	PART_NAMESPACE,
	PART_PID,
	PART_START,
	PARTS
};

/* The first line of a file, without its end; NULL where it cannot be read. */
static char *
read_line(const char *path)
{
	struct strbuf text = { 0 };

	if (fd_read_file(AT_FDCWD, path, 4096, &text) == -1 || text.len == 0) {
		strbuf_clear(&text);
		return NULL;
	}
	text.data[strcspn(text.data, "\n")] = '\0';
	return strbuf_detach(&text);
}

/* The first number in what a link says; NULL where there is none. */
static char *
read_number(const char *path)
{
	char link[64];
	ssize_t len = readlink(path, link, sizeof(link) - 1);
	char *digits;

	if (len == -1)
		return NULL;
	link[len] = '\0';
	digits = strpbrk(link, "0123456789");
	if (digits == NULL)
		return NULL;
	digits[strspn(digits, "0123456789")] = '\0';
	return xstrdup(digits);
}

/*
 * "pid:[4026531836]" is 4026531836.  NULL where /proc is that of another
 * namespace, such as below unshare(1) without --mount-proc: its numbers are
 * then those of other processes.
 */
static char *
read_namespace(void)
{
	char *self = read_number("/proc/self"), *space = NULL;
	char *ours = xasprintf("%ld", (long)getpid());

	if (self != NULL && strcmp(self, ours) == 0)
		space = read_number("/proc/self/ns/pid");
	free(ours);
	free(self);
	return space;
}

/*
 * A zombie has ended, unless it is the first thread of a process whose other
 * threads go on.
 */
static bool
has_ended(const char *state, const char *threads)
{
	if (strcmp(state, "X") == 0)
		return true;
	return strcmp(state, "Z") == 0 &&
	    (strcmp(threads, "0") == 0 || strcmp(threads, "1") == 0);
}

/*
 * The 22nd field of /proc/PID/stat: its start, in clock ticks after boot.  The
 * second field, a name in brackets, may hold anything.  NULL with errno ENOENT
 * where it is not there, or not shown to us, and ESRCH where it has ended.
 */
static char *
read_start(const char *pid)
{
	char *path = xasprintf("/proc/%s/stat", pid);
	struct strbuf text = { 0 };
	struct strvec fields = { 0 };
	const char *rest;
	char *start = NULL;

	if (fd_read_file(AT_FDCWD, path, 4096, &text) == 0) {
		rest = strrchr(strbuf_str(&text), ')');
		if (rest != NULL)
			strvec_split(&fields, rest + 1, ' ');
		errno = EINVAL;
		/* the fields after the name begin with the third */
		if (fields.len >= 20 &&
		    has_ended(fields.items[0], fields.items[17]))
			errno = ESRCH;
		else if (fields.len >= 20)
			start = xstrdup(fields.items[19]);
	}
	strvec_clear(&fields);
	strbuf_clear(&text);
	free(path);
	return start;
}

static int
no_proc(struct error *err)
{
	(void)error_set(err, ERROR_STATE_READ,
	    "/proc does not tell boot and pid namespace");
	return error_hint(err,
	    "it must be mounted, for the pid namespace that this is run in");
}

int
process_owner_describe(pid_t pid, char **text, struct error *err)
{
	char *number = xasprintf("%ld", (long)pid);
	char *start = read_start(number);
	char *machine = read_line("/etc/machine-id");
	char *boot = read_line(boot_file);
	char *space = read_namespace();
	int rc = 0;

	if (boot == NULL || space == NULL)
		rc = no_proc(err);
	else if (start == NULL)
		rc = error_set(err, ERROR_OWNER, "there is no process %s",
		    number);
	else
		*text = xasprintf("pid:%s:%s:%s:%s:%s",
		    machine != NULL ? machine : "", boot, space, number, start);
	free(space);
	free(boot);
	free(machine);
	free(start);
	free(number);
	return rc;
}

static bool
equals_file(const char *value, const char *path)
{
	char *line = read_line(path);
	bool same = strcmp(value, line != NULL ? line : "") == 0;

	free(line);
	return same;
}

static bool
same_namespace(const char *value)
{
	char *space = read_namespace();
	bool same = space != NULL && strcmp(value, space) == 0;

	free(space);
	return same;
}

/* Empty parts count: strvec_split() would leave them out. */
static size_t
split(char *text, char *parts[PARTS])
{
	size_t count = 0;
	char *part;

	while (count < PARTS && (part = strsep(&text, ":")) != NULL)
		parts[count++] = part;
	return text == NULL ? count : 0;
}

/* /proc may be told to hide the processes of others: "hidepid" of proc(5). */
static bool
is_hidden(const char *pid)
{
	const char *problem;
	long long number = strtonum(pid, 1, INT32_MAX, &problem);

	return problem == NULL &&
	    (kill((pid_t)number, 0) == 0 || errno != ESRCH);
}

static enum owner_state
judge_process(const char *pid, const char *start)
{
	char *now = read_start(pid);
	enum owner_state state = OWNER_UNKNOWN;

	if (now != NULL)
		state = strcmp(now, start) == 0 ? OWNER_ALIVE : OWNER_STOPPED;
	else if (errno == ESRCH || (errno == ENOENT && !is_hidden(pid)))
		state = OWNER_STOPPED;
	free(now);
	return state;
}

static enum owner_state
judge_parts(char *const parts[PARTS])
{
	enum owner_state state = OWNER_UNKNOWN;
	char *boot = read_line(boot_file);

	/* without /proc nothing can be told */
	if (boot == NULL || !text_only(parts[PART_PID], "0123456789") ||
	    !text_only(parts[PART_START], "0123456789") ||
	    !equals_file(parts[PART_MACHINE], "/etc/machine-id"))
		state = OWNER_UNKNOWN;
	else if (strcmp(parts[PART_BOOT], boot) != 0)
		/* without a machine id, another boot is another machine */
		state = *parts[PART_MACHINE] != '\0' ? OWNER_STOPPED :
						       OWNER_UNKNOWN;
	else if (same_namespace(parts[PART_NAMESPACE]))
		state = judge_process(parts[PART_PID], parts[PART_START]);
	free(boot);
	return state;
}

struct owner_view
process_owner_judge(const char *text)
{
	struct owner_view view = { OWNER_UNKNOWN, TIME_UNKNOWN };
	char *copy = xstrdup(text), *parts[PARTS];

	if (split(copy, parts) == PARTS)
		view.state = judge_parts(parts);
	if (view.state == OWNER_STOPPED)
		view.since = 0;
	free(copy);
	return view;
}
