/* SPDX-License-Identifier: ISC */
/* Lines on stderr, and to syslog. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "base/terminal.h"
#include "base/text.h"

static enum log_level shown = LOG_LEVEL_NORMAL;
static bool to_syslog;

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

void
log_to_syslog(bool on)
{
	if (on && !to_syslog)
		openlog("sandkeeper", LOG_PID, LOG_DAEMON);
	else if (!on && to_syslog)
		closelog();
	to_syslog = on;
}

/*
 * Is stderr the journal's?  Its environment says which file that would be,
 * and is handed on to where stderr is another.
 */
static bool
is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat st;
	char end;

	return stream != NULL &&
	    sscanf(stream, "%llu:%llu%c", &device, &inode, &end) == 2 &&
	    fstat(STDERR_FILENO, &st) == 0 && st.st_dev == device &&
	    st.st_ino == inode;
}

/* On a terminal, what is wrong and what to do about it stand out. */
static void
add_line(struct strbuf *line, int priority, const char *before,
    const char *text)
{
	static const char hint[] = "hint:";
	size_t len = sizeof(hint) - 1;

	if (priority > LOG_WARNING || !terminal_has_colour(STDERR_FILENO))
		strbuf_addf(line, "sandkeeper: %s%s\n", before, text);
	else if (priority == LOG_WARNING)
		strbuf_addf(line,
		    "sandkeeper: " TERMINAL_YELLOW "%s" TERMINAL_PLAIN "%s\n",
		    before, text);
	else if (text_has_prefix(text, hint))
		strbuf_addf(line,
		    "sandkeeper: " TERMINAL_CYAN "%s" TERMINAL_PLAIN "%s\n",
		    hint, text + len);
	else
		strbuf_addf(line,
		    TERMINAL_RED "sandkeeper:" TERMINAL_PLAIN " %s%s\n", before,
		    text);
}

static void write_line(int, const char *, const char *, va_list)
    __attribute__((format(printf, 3, 0)));

/* One write for a line, so that lines of several processes do not mix. */
static void
write_line(int priority, const char *before, const char *fmt, va_list ap)
{
	struct strbuf line = { 0 };
	char *text = NULL, *visible;

	if (vasprintf(&text, fmt, ap) == -1)
		return;
	/* parts of it may have been made visible where it was composed */
	visible =
	    text_is_plain(text) ? xstrdup(text) : text_visible(text, 4000);
	if (is_journal())
		strbuf_addf(&line, "<%d>", priority);
	add_line(&line, priority, before, visible);
	progress_hide();
	(void)fd_write_all(STDERR_FILENO, line.data, line.len);
	if (to_syslog)
		syslog(priority, "%s%s", before, visible);
	strbuf_clear(&line);
	free(visible);
	free(text);
}

void
log_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	write_line(LOG_WARNING, "warning: ", fmt, ap);
	va_end(ap);
}

void
log_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	write_line(LOG_ERR, "", fmt, ap);
	va_end(ap);
}

void
log_line(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	write_line(LOG_NOTICE, "", fmt, ap);
	va_end(ap);
}

#define LOG_FUNCTION(name, level, priority)        \
	void name(const char *fmt, ...)            \
	{                                          \
		va_list ap;                        \
                                                   \
		if (!log_shows(level))             \
			return;                    \
		va_start(ap, fmt);                 \
		write_line(priority, "", fmt, ap); \
		va_end(ap);                        \
	}

LOG_FUNCTION(log_info, LOG_LEVEL_NORMAL, LOG_INFO)
LOG_FUNCTION(log_verbose, LOG_LEVEL_VERBOSE, LOG_INFO)
LOG_FUNCTION(log_debug, LOG_LEVEL_DEBUG, LOG_DEBUG)
