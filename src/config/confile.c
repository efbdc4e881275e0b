/* SPDX-License-Identifier: ISC */
/* Reading a file in libConfuse's syntax. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/text.h"
#include "config/confile.h"

static const size_t file_max = (size_t)1024 * 1024;
/* So many names that are none are told at once. */
static const int rounds_most = 20;

/* libConfuse hands its callbacks no argument of ours. */
static struct confile *current;

struct confile *
confile_current(void)
{
	return current;
}

void
confile_problem(struct confile *file, int line, const char *fmt, ...)
{
	char text[300], *visible, *problem;
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	visible = text_visible(text, 200);
	problem = xasprintf("%s:%d: %s", file->path, line, visible);
	/* a second round finds it again */
	strvec_add_once(&file->problems, problem);
	free(problem);
	free(visible);
}

static void syntax_error(cfg_t *, const char *, va_list)
    __attribute__((format(printf, 2, 0)));

static void
syntax_error(cfg_t *cfg, const char *fmt, va_list ap)
{
	char text[300];

	(void)vsnprintf(text, sizeof(text), fmt, ap);
	confile_problem(current, cfg->line, "%s", text);
	if (text_has_prefix(text, "no such option"))
		current->unknown_at = cfg->line;
}

/* Step over a comment or a quoted string; NULL where it is not closed. */
static char *
step_over(char *s, int *line)
{
	char *end, *p;

	if (*s == '#' || (s[0] == '/' && s[1] == '/'))
		return strchrnul(s, '\n');
	if (s[0] == '/' && s[1] == '*') {
		end = strstr(s + 2, "*/");
		end = end != NULL ? end + 2 : NULL;
	} else if (*s == '"' || *s == '\'') {
		for (end = s + 1; *end != '\0' && *end != *s; end++)
			if (*end == '\\' && end[1] != '\0')
				end++;
		end = *end != '\0' ? end + 1 : NULL;
	} else {
		return s;
	}
	for (p = s; end != NULL && p < end; p++)
		if (*p == '\n')
			(*line)++;
	return end;
}

static void
blank_out(char *s, const char *end)
{
	for (; s < end; s++)
		if (*s != '\n')
			*s = ' ';
}

/*
 * The library takes the end of the file for the end of a section, and counts
 * the line of a comment twice: we look at the braces, and it sees no comments.
 */
static void
check_braces(struct confile *file, char *s)
{
	int line = 1, opened_at = 0, depth = 0;
	bool in_word = false;
	char *next;

	while (*s != '\0') {
		/* "http://x" holds no comment */
		next = in_word && *s == '/' ? s : step_over(s, &line);
		if (next == NULL) {
			confile_problem(file, line,
			    "a quote or comment is not closed");
			return;
		}
		if (next != s) {
			if (*s == '#' || *s == '/')
				blank_out(s, next);
			in_word = false;
			s = next;
			continue;
		}
		in_word = strchr(" \t\r\n={}()+,", *s) == NULL;
		if (*s == '{' && depth++ == 0)
			opened_at = line;
		else if (*s == '}')
			depth--;
		else if (*s == '\n')
			line++;
		s++;
	}
	if (depth > 0)
		confile_problem(file, opened_at,
		    "the section that begins here is not closed");
}

/* Does a statement begin and end in this line? */
static bool
is_whole(const char *line)
{
	char *copy = xstrdup(line), *s = copy, *next;
	bool has_equals = false;
	int depth = 0, ignored = 0;

	while (s != NULL && *s != '\0' && depth >= 0) {
		next = step_over(s, &ignored);
		if (next != s) {
			s = next;
			continue;
		}
		has_equals |= *s == '=';
		depth += (*s == '{') - (*s == '}');
		s++;
	}
	free(copy);
	return s != NULL && depth == 0 && has_equals;
}

/* Leave out the line with the name that is none, if that is all of it. */
static bool
leave_out(char *text, int line)
{
	char *end, *copy;
	bool whole;

	for (; line > 1 && *text != '\0'; line--) {
		text = strchrnul(text, '\n');
		text += *text == '\n';
	}
	end = strchrnul(text, '\n');
	copy = xstrndup(text, (size_t)(end - text));
	whole = is_whole(copy);
	free(copy);
	if (whole)
		blank_out(text, end);
	return whole;
}

static int
check_file(int fd, const char *path, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) == -1)
		return error_errno(err, ERROR_SETTINGS, "cannot look at '%s'",
		    path);
	if (st.st_uid != 0 && st.st_uid != geteuid())
		(void)error_set(err, ERROR_UNSAFE, "'%s' belongs to user %u",
		    path, st.st_uid);
	else if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
		(void)error_set(err, ERROR_UNSAFE,
		    "'%s' can be written by others (mode %04o)", path,
		    st.st_mode & 07777);
	else
		return 0;
	return error_hint(err, "chown it to root and chmod go-w '%s'", path);
}

/* 1, 0 where there is no such file, or -1. */
static int
read_text(const char *path, bool check_safety, struct strbuf *text,
    struct error *err)
{
	/* those who keep their settings elsewhere have links here */
	char *real = realpath(path, NULL);
	int fd = real != NULL ? fd_open_file(AT_FDCWD, real) : -1;
	int rc = 1;

	free(real);
	/* checked and read by one descriptor: nobody can swap it between */
	if (fd == -1 && errno == ENOENT)
		rc = 0;
	else if (fd != -1 && check_safety && check_file(fd, path, err) == -1)
		rc = -1;
	else if (fd == -1 || fd_read_all(fd, file_max, text) == -1)
		rc = error_set(err,
		    errno == EACCES ? ERROR_PERMISSION : ERROR_SETTINGS,
		    "cannot read '%s': %s", path, fd_reason(errno));
	fd_close(fd);
	return rc;
}

/* One round; false where it ended at a mistake. */
static bool
parse_once(struct confile *file, struct strbuf *text, cfg_t *cfg)
{
	size_t before = file->problems.len;
	bool good;

	file->unknown_at = 0;
	current = file;
	(void)cfg_set_error_function(cfg, syntax_error);
	good = cfg_parse_buf(cfg, strbuf_str(text)) == CFG_SUCCESS;
	/* the library does not always say why */
	if (!good && file->unknown_at == 0 && file->problems.len == before)
		confile_problem(file, cfg->line, "it cannot be read");
	current = NULL;
	return good;
}

static void
parse_text(struct confile *file, struct strbuf *text, cfg_opt_t *options,
    cfg_t **cfg)
{
	int round;

	if (text->len > 0)
		check_braces(file, text->data);
	for (round = 0; round < rounds_most; round++) {
		if (parse_once(file, text, *cfg) || file->unknown_at == 0 ||
		    text->data == NULL ||
		    !leave_out(text->data, file->unknown_at))
			return;
		(void)cfg_free(*cfg);
		*cfg = cfg_init(options, CFGF_NONE);
	}
}

int
confile_parse(struct confile *file, const char *path, bool check_safety,
    cfg_opt_t *options, cfg_t **cfg, struct error *err)
{
	struct strbuf text = { 0 };
	int rc = read_text(path, check_safety, &text, err);

	file->path = path;
	*cfg = cfg_init(options, CFGF_NONE);
	if (rc == 1 && strlen(strbuf_str(&text)) != text.len)
		confile_problem(file, 1, "it holds a NUL byte");
	else if (rc == 1)
		parse_text(file, &text, options, cfg);
	strbuf_clear(&text);
	return rc;
}

bool
confile_is_set(cfg_t *section, const char *option)
{
	const cfg_opt_t *opt = cfg_getopt(section, option);

	return opt != NULL && (opt->flags & CFGF_MODIFIED) != 0;
}
