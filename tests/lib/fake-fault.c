/* SPDX-License-Identifier: ISC */
/*
 * Faults: a file below faults/ says how a call goes wrong.  The first of
 * call.N, VERB.n, VERB and any that applies is used; a file may hold several
 * faults with a line --- between them, the first that applies counts.
 * VERB is the first word, or two of them with a dash: image-inspect.
 *
 *   when=TEXT      only where the arguments, joined by blanks, hold TEXT
 *   times=K        K times, then no more
 *   hook=CMD       run by sh before anything else; $FAKE_DOCKER is this
 *   delay=MS       wait, then go on
 *   rc=N out=TEXT err=TEXT outfile=PATH   the answer, with C's escapes
 *   bytes=N        N bytes of garbage on stdout
 *   pull-fails=manifest|denied|refused|dns|timeout|ratelimit|disk
 *   signal=NAME    ends by a signal
 *   hang=1|term    never ends; with term, TERM, INT and HUP are ignored
 *   then=normal    the verb's own effect comes first, and what it prints is
 *                  printed where the fault has nothing in its place; an
 *                  answer, signal or hang alone takes the verb's place
 *   late=MS        the effect comes MS after the call, from elsewhere, as a
 *                  daemon does what a client that was killed had asked for
 *   posthook=CMD   run between the effect and the answer
 *   after=MS       wait between the effect and the answer
 *   warn=TEXT      comes on stderr before what is printed there
 *   filter=CMD     what is printed on stdout goes through CMD, run by sh with
 *                  the verb as $0 and its arguments
 *   grandchild=1   leaves a child that keeps stdout open for a minute
 */

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

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
	size_t len;

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
	else if (strcmp(key, "warn") == 0)
		f->warn = unescape(value, &len);
	else if (strcmp(key, "filter") == 0)
		f->filter = xstrdup(value);
	else if (strcmp(key, "times") == 0)
		f->times = atol(value);
	else
		die("%s: unknown key %s", f->file, key);
}

static void
clear(struct fault *f, char *file, int section)
{
	*f = (struct fault){ .rc = -1,
		.times = -1,
		.bytes = -1,
		.late = -1,
		.file = file,
		.section = section };
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
		text =
		    xasprintf("%s%s%s", text, i > 1 ? " " : "", fake.argv[i]);
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
