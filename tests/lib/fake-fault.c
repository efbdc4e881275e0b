/* SPDX-License-Identifier: ISC */
/*
 * Faults: a file below faults/ says how a call goes wrong.  The first of
 * call.N, VERB.n, VERB and any that applies is used; a file may hold several
 * faults with a line --- between them, the first that applies counts.
 */

#include <sys/wait.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

enum { HANG_NO, HANG_YES, HANG_DEAF };

struct fault {
	long rc;		/* -1: as the verb's own */
	char *out, *err;	/* NULL: as the verb's own */
	size_t outlen, errlen;
	int signal;
	int hang;
	int grandchild;
	int answers;		/* takes the place of the verb */
	int then;		/* 0 not said, 'n'ormal, 'o'nly */
	long times, used;	/* times is -1 for always */
	int64_t bytes, delay, after, late;
	char *when, *hook, *posthook;
	char *file;
	int section;
};

static int
escape_value(const char **p)
{
	char *end;
	char digits[4] = "";
	int c = *(*p)++;

	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	case 'a':
		return '\a';
	case 'b':
		return '\b';
	case 'e':
		return 033;
	case 'x':
		memcpy(digits, *p, strnlen(*p, 2));
		c = (int)strtol(digits, &end, 16);
		*p += end - digits;
		return c;
	default:
		if (c < '0' || c > '7')
			return c;
		(*p)--;
		memcpy(digits, *p, strnlen(*p, 3));
		c = (int)strtol(digits, &end, 8);
		*p += end - digits;
		return c;
	}
}

/* C's escapes; the result may hold NUL, and has one more behind it. */
void *
unescape(const char *s, size_t *len)
{
	char *text = xmalloc(strlen(s) + 1), *to = text;

	while (*s != '\0') {
		if (*s != '\\' || s[1] == '\0') {
			*to++ = *s++;
			continue;
		}
		s++;
		*to++ = (char)escape_value(&s);
	}
	*to = '\0';
	*len = (size_t)(to - text);
	return text;
}

static int
signal_by_name(const char *name)
{
	int i;

	if (strncmp(name, "SIG", 3) == 0)
		name += 3;
	for (i = 1; i < NSIG; i++)
		if (sigabbrev_np(i) != NULL &&
		    strcmp(sigabbrev_np(i), name) == 0)
			return i;
	i = atoi(name);
	return i > 0 ? i : SIGKILL;
}

/* Reads any file, not only one of the state directory. */
static char *
read_file(const char *path, size_t *len)
{
	char *text = xmalloc(1);
	size_t have = 0, r;
	FILE *f = fopen(path, "r");

	if (f == NULL)
		die("outfile %s cannot be read", path);
	for (;;) {
		text = realloc(text, have + 65536);
		if (text == NULL)
			die("out of memory");
		r = fread(text + have, 1, 65536, f);
		if (r == 0)
			break;
		have += r;
	}
	fclose(f);
	*len = have;
	return text;
}

/* The keys that take the place of the verb's own answer. */
static int
set_answer(struct fault *f, const char *key, const char *value)
{
	const char *words;
	char *text;

	if (strcmp(key, "rc") == 0) {
		f->rc = atol(value);
	} else if (strcmp(key, "out") == 0) {
		f->out = unescape(value, &f->outlen);
	} else if (strcmp(key, "err") == 0) {
		f->err = unescape(value, &f->errlen);
	} else if (strcmp(key, "outfile") == 0) {
		f->out = read_file(value, &f->outlen);
	} else if (strcmp(key, "signal") == 0) {
		f->signal = signal_by_name(value);
	} else if (strcmp(key, "hang") == 0) {
		f->hang = strcmp(value, "term") == 0 ? HANG_DEAF : HANG_YES;
	} else if (strcmp(key, "bytes") == 0) {
		f->bytes = atoll(value);
	} else if (strcmp(key, "pull-fails") == 0) {
		words = pull_failure(value);
		if (words == NULL)
			die("pull-fails=%s is not known", value);
		text = xstrdup(words);
		if (strstr(text, "%s") != NULL) {
			words = strstr(text, "%s") + 2;
			*strstr(text, "%s") = '\0';
			text = xasprintf("%s%s%s", text,
			    fake.argv[fake.argc - 1], words);
		}
		f->err = xasprintf("Error response from daemon: %s\n", text);
		f->errlen = strlen(f->err);
		f->rc = 1;
	} else {
		return 0;
	}
	return 1;
}

static void
set_key(struct fault *f, const char *key, const char *value)
{
	if (set_answer(f, key, value))
		f->answers = 1;
	else if (strcmp(key, "delay") == 0)
		f->delay = atoll(value);
	else if (strcmp(key, "after") == 0)
		f->after = atoll(value);
	else if (strcmp(key, "late") == 0)
		f->late = atoll(value);
	else if (strcmp(key, "then") == 0)
		f->then = *value;
	else if (strcmp(key, "grandchild") == 0)
		f->grandchild = 1;
	else if (strcmp(key, "when") == 0)
		f->when = xstrdup(value);
	else if (strcmp(key, "hook") == 0)
		f->hook = xstrdup(value);
	else if (strcmp(key, "posthook") == 0)
		f->posthook = xstrdup(value);
	else if (strcmp(key, "times") == 0)
		f->times = atol(value);
	else
		die("%s: unknown key %s", f->file, key);
}

static void
clear(struct fault *f, char *file, int section)
{
	*f = (struct fault){ .rc = -1, .times = -1, .bytes = -1, .late = -1,
		.file = file, .section = section };
}

/* How often a section has been used: each use leaves a line behind. */
static long
uses(const char *text, int section)
{
	char *mark = xasprintf("\n#used=%d\n", section);
	const char *p = text;
	long n = 0;

	while ((p = strstr(p, mark)) != NULL) {
		n++;
		p += strlen(mark) - 1;
	}
	free(mark);
	return n;
}

static int
applies(struct fault *f, const char *text, const char *joined)
{
	if (f->when != NULL && strstr(joined, f->when) == NULL)
		return 0;
	return f->times < 0 || uses(text, f->section) < f->times;
}

/* The first fault of a file that applies to this call. */
static struct fault *
read_fault(char *file, const char *joined)
{
	char *text = state_slurp(file, NULL), *copy, *line, *next, *equals;
	struct fault *f;
	int section = 0;

	if (text == NULL)
		return NULL;
	f = xmalloc(sizeof(*f));
	clear(f, file, section);
	copy = xstrdup(text);
	for (line = copy; line != NULL; line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		if (strcmp(line, "---") == 0) {
			if (applies(f, text, joined))
				break;
			clear(f, file, ++section);
			continue;
		}
		equals = strchr(line, '=');
		if (*line == '#' || equals == NULL)
			continue;
		*equals = '\0';
		set_key(f, line, equals + 1);
	}
	if (!applies(f, text, joined))
		return NULL;
	line = xasprintf("\n#used=%d\n", f->section);
	if (f->times >= 0)
		state_append(file, line, strlen(line));
	return f;
}

static char *
joined_arguments(void)
{
	char *text = xstrdup("");
	int i;

	for (i = 1; i < fake.argc; i++)
		text = xasprintf("%s%s%s", text, i > 1 ? " " : "",
		    fake.argv[i]);
	return text;
}

/* The lock is held; n is the how many-th call of that verb this is. */
struct fault *
fault_find(const char *verb, long n, const char *pair, long npair)
{
	char *joined, *files[6];
	struct fault *f = NULL;
	size_t i, len;

	free(state_names("faults", &len));
	if (len == 0)
		return NULL;
	joined = joined_arguments();
	files[0] = xasprintf("faults/call.%ld", fake.n);
	files[1] = xasprintf("faults/%s.%ld", pair, npair);
	files[2] = xasprintf("faults/%s", pair);
	files[3] = xasprintf("faults/%s.%ld", verb, n);
	files[4] = xasprintf("faults/%s", verb);
	files[5] = xstrdup("faults/any");
	for (i = 0; i < 6 && f == NULL; i++)
		f = read_fault(files[i], joined);
	return f;
}

int
fault_has_effect(const struct fault *f)
{
	if (f == NULL || f->then == 'n')
		return 1;
	return f->then != 'o' && !f->answers && f->late < 0;
}

static void
run_hook(const char *command)
{
	char self[4096] = "";
	pid_t pid;

	if (command == NULL)
		return;
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) > 0)
		setenv("FAKE_DOCKER", self, 1);
	pid = fork();
	if (pid == 0) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

/* The daemon goes on with what its client, long gone, had asked for. */
static void
act_late(const struct fault *f, int (*act)(void))
{
	int fd;

	if (f->late < 0 || fork() != 0)
		return;
	setsid();
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	fd = open("/dev/null", O_RDWR);
	dup2(fd, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	/* A lock belongs to the open file, so this needs one of its own. */
	state_open();
	sleep_ms(f->late);
	if (!state_gone())
		act();
	_exit(0);
}

void
fault_before(struct fault *f, int (*act)(void))
{
	if (f == NULL)
		return;
	run_hook(f->hook);
	act_late(f, act);
	if (f->hang == HANG_DEAF) {
		signal(SIGTERM, SIG_IGN);
		signal(SIGINT, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
	}
	sleep_ms(f->delay);
}

static void
write_all(int fd, const char *data, size_t len)
{
	ssize_t w;

	/* A full disk is silent in docker, and so here. */
	for (; len > 0; data += w, len -= (size_t)w)
		if ((w = write(fd, data, len)) <= 0)
			return;
}

static void
write_garbage(int64_t bytes)
{
	char block[65536 - 65536 % 80];
	size_t i, part;

	for (i = 0; i < sizeof(block); i++)
		block[i] = i % 80 == 79 ? '\n' : 'x';
	for (; bytes > 0; bytes -= (int64_t)part) {
		part = bytes > (int64_t)sizeof(block) ? sizeof(block) :
		    (size_t)bytes;
		write_all(STDOUT_FILENO, block, part);
	}
}

static void
leave_grandchild(void)
{
	int i;

	if (fork() != 0)
		return;
	signal(SIGTERM, SIG_DFL);
	close(STDIN_FILENO);
	close(STDERR_FILENO);
	for (i = 0; i < 600 && !state_gone(); i++)
		sleep_ms(100);
	_exit(0);
}

/* Prints what was collected, and leaves. */
_Noreturn void
call_end(int rc)
{
	fclose(fake.out);
	fclose(fake.err);
	write_all(STDOUT_FILENO, fake.outbuf, fake.outlen);
	write_all(STDERR_FILENO, fake.errbuf, fake.errlen);
	_exit(rc);
}

/* Ends the call as the fault says; rc is what the verb itself returned. */
_Noreturn void
fault_finish(struct fault *f, int rc)
{
	if (f == NULL)
		call_end(rc);
	run_hook(f->posthook);
	sleep_ms(f->after);
	fclose(fake.out);
	fclose(fake.err);
	if (f->out != NULL)
		write_all(STDOUT_FILENO, f->out, f->outlen);
	else if (f->bytes < 0)
		write_all(STDOUT_FILENO, fake.outbuf, fake.outlen);
	write_garbage(f->bytes);
	if (f->err != NULL)
		write_all(STDERR_FILENO, f->err, f->errlen);
	else
		write_all(STDERR_FILENO, fake.errbuf, fake.errlen);
	while (f->hang != HANG_NO && !state_gone())
		sleep_ms(50);
	if (f->grandchild)
		leave_grandchild();
	if (f->signal != 0) {
		signal(f->signal, SIG_DFL);
		raise(f->signal);
	}
	_exit(f->rc >= 0 ? (int)f->rc : rc);
}
