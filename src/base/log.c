/* SPDX-License-Identifier: ISC */
/* Lines on stderr. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "base/text.h"

static enum log_level shown = LOG_LEVEL_NORMAL;

void
log_open(enum log_level level)
{
	shown = level;
}

bool
log_shows(enum log_level level)
{
	return level <= shown;
}

static void write_line(const char *, const char *, va_list)
    __attribute__((format(printf, 2, 0)));

/* One write for a line, so that lines of several processes do not mix. */
static void
write_line(const char *before, const char *fmt, va_list ap)
{
	struct strbuf line = { 0 };
	char *text = NULL, *visible;

	if (vasprintf(&text, fmt, ap) == -1)
		return;
	/* parts of it may have been made visible where it was composed */
	visible =
	    text_is_plain(text) ? xstrdup(text) : text_visible(text, 4000);
	strbuf_addf(&line, "sandkeeper: %s%s\n", before, visible);
	(void)fd_write_all(STDERR_FILENO, line.data, line.len);
	strbuf_clear(&line);
	free(visible);
	free(text);
}

void
log_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	write_line("warning: ", fmt, ap);
	va_end(ap);
}

void
log_line(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	write_line("", fmt, ap);
	va_end(ap);
}

#define LOG_FUNCTION(name, level)        \
	void name(const char *fmt, ...)  \
	{                                \
		va_list ap;              \
                                         \
		if (!log_shows(level))   \
			return;          \
		va_start(ap, fmt);       \
		write_line("", fmt, ap); \
		va_end(ap);              \
	}

LOG_FUNCTION(log_info, LOG_LEVEL_NORMAL)
LOG_FUNCTION(log_verbose, LOG_LEVEL_VERBOSE)
LOG_FUNCTION(log_debug, LOG_LEVEL_DEBUG)
