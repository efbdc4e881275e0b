/* SPDX-License-Identifier: ISC */
/* events: follows the file that every change appends a line to. */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

struct follow {
	const struct args *args;
	int64_t since, until; /* ns; until is INT64_MAX for no end */
	char *line;
	size_t len;
	FILE *to;
};

/* "12.5", RFC 3339 or a duration, which is always in the past. */
static int64_t
parse_moment(const char *s)
{
	int64_t t = time_parse(s);
	char *end;
	double n;

	if (t != INT64_MIN)
		return t;
	n = strtod(s, &end);
	if (*end == '\0')
		return (int64_t)(n * 1e9);
	n *= *end == 'h'                   ? 3600 :
	    end[0] == 'm' && end[1] == 's' ? 0.001 :
	    *end == 'm'                    ? 60 :
					     1;
	return now_ns() - (int64_t)(n * 1e9);
}

static int
matches(const json_t *e, const char *key, const char *value)
{
	json_t *attributes = jget(e, "Actor.Attributes");
	const char *text, *have;
	char *name;
	int with_value;

	if (strcmp(key, "type") == 0)
		return strcmp(jstr(e, "Type"), value) == 0;
	if (strcmp(key, "event") == 0)
		return strncmp(jstr(e, "Action"), value, strlen(value)) == 0;
	if (strcmp(key, "container") == 0)
		return strcmp(jstr(attributes, "name"), value) == 0 ||
		    strncmp(jstr(e, "id"), value, strlen(value)) == 0;
	if (strcmp(key, "label") != 0)
		return 1;
	with_value = args_key_value(value, &name, &text);
	have = json_string_value(json_object_get(attributes, name));
	free(name);
	return have != NULL && (!with_value || strcmp(have, text) == 0);
}

/* Filters of one key are alternatives, different keys all count. */
static int
passes(const json_t *e, const struct args *a, const char *wanted)
{
	const char *value;
	char *key;
	size_t i;
	int some = 0, any = 0;

	for (i = 0; i < a->len; i++) {
		if (strcmp(a->names[i], "filter") != 0)
			continue;
		args_key_value(a->values[i], &key, &value);
		if (strcmp(key, wanted) == 0) {
			some = 1;
			any |= matches(e, key, value);
		}
		free(key);
	}
	return !some || any;
}

static void
print_event(struct follow *f)
{
	const char *format = args_get(f->args, "format");
	json_t *e = json_loads(f->line, 0, NULL);
	char *error;

	if (e == NULL) {
		/* A test may append whatever a daemon could send. */
		fprintf(f->to, "%s\n", f->line);
		return;
	}
	if (jint(e, "timeNano", 0) >= f->since && passes(e, f->args, "type") &&
	    passes(e, f->args, "event") && passes(e, f->args, "container") &&
	    passes(e, f->args, "label")) {
		if (format == NULL || strcmp(format, "json") == 0 ||
		    strcmp(format, "{{json .}}") == 0)
			fprintf(f->to, "%s", f->line);
		else
			template_run(format, e, NULL, f->to, &error);
		fputc('\n', f->to);
	}
	json_decref(e);
}

static void
take(struct follow *f, const char *buf, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (buf[i] == '\n') {
			f->line[f->len] = '\0';
			print_event(f);
			f->len = 0;
			continue;
		}
		f->line = realloc(f->line, f->len + 2);
		if (f->line == NULL)
			die("out of memory");
		f->line[f->len++] = buf[i];
	}
	fflush(f->to);
}

static int
is_down(void)
{
	return faccessat(fake.dirfd, "down", F_OK, 0) == 0;
}

/* To the end of the time that was asked for, or of the daemon. */
static int
stream(struct follow *f, int fd)
{
	char buf[4096];
	ssize_t r;

	for (;;) {
		while ((r = read(fd, buf, sizeof(buf))) > 0)
			take(f, buf, (size_t)r);
		if (state_gone() || now_ns() >= f->until)
			return 0;
		if (is_down()) {
			fputs("unexpected EOF\n", stderr);
			return 1;
		}
		sleep_ms(5);
	}
}

int
verb_events(int argc, char *argv[])
{
	struct follow f = { .until = INT64_MAX, .to = stdout };
	const char *moment;
	struct args a;
	int fd, rc;

	if (args_parse(&a, "events", "[OPTIONS]",
		"f,filter= format= since= "
		"until=",
		1, argc, argv) != 0)
		return RC_USAGE;
	f.args = &a;
	f.line = xmalloc(1);
	fd = openat(fake.dirfd, "events", O_RDONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd == -1)
		die("cannot open events");
	if ((moment = args_get(&a, "until")) != NULL)
		f.until = parse_moment(moment);
	if ((moment = args_get(&a, "since")) != NULL)
		f.since = parse_moment(moment);
	else
		lseek(fd, 0, SEEK_END);
	if (f.since > f.until) {
		text_daemon("`since` time (%s) cannot be after `until` time "
			    "(%s)",
		    args_get(&a, "since"), args_get(&a, "until"));
		close(fd);
		return 1;
	}
	state_unlock();
	rc = stream(&f, fd);
	state_lock();
	return rc;
}
