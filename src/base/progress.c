/* SPDX-License-Identifier: ISC */
/* The line that says what is waited for. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "base/terminal.h"
#include "base/text.h"

/* What is over sooner is not worth a line. */
static const int64_t first_ms = 300;
static const int64_t tick_ms = 200;

static struct {
	bool wanted;
	char *text; /* NULL: nothing is waited for */
	int64_t began_ms;
	int64_t shown_s; /* the second that is shown; -1: none is */
} progress = { false, NULL, 0, -1 };

void
progress_open(bool wanted)
{
	progress.wanted = wanted && terminal_is(STDERR_FILENO);
}

void
progress_begin(const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;
	int len;

	progress_end();
	if (!progress.wanted)
		return;
	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len == -1)
		return;
	progress.text = text_visible(text, 400);
	progress.began_ms = clock_monotonic_ms();
	free(text);
}

void
progress_end(void)
{
	progress_hide();
	free(progress.text);
	progress.text = NULL;
}

/* Cut to the terminal's width: a line that wraps could not be erased. */
static void
show(int64_t seconds)
{
	struct strbuf line = { 0 };
	char time[DURATION_TEXT];
	size_t width = terminal_width(STDERR_FILENO), room;

	duration_format(time, seconds);
	room = width > strlen(time) + 4 ? width - strlen(time) - 4 : 0;
	strbuf_addf(&line, "\r\033[Ksandkeeper: %s", progress.text);
	if (line.len > room + strlen("\r\033[K"))
		line.len = room + strlen("\r\033[K");
	strbuf_addf(&line, " (%s)", time);
	(void)fd_write_all(STDERR_FILENO, line.data, line.len);
	strbuf_clear(&line);
	progress.shown_s = seconds;
}

void
progress_tick(void)
{
	int64_t since_ms;

	if (progress.text == NULL)
		return;
	since_ms = clock_monotonic_ms() - progress.began_ms;
	if (since_ms >= first_ms && since_ms / 1000 != progress.shown_s)
		show(since_ms / 1000);
}

int64_t
progress_slice_ms(int64_t ms)
{
	return progress.text != NULL && ms > tick_ms ? tick_ms : ms;
}

void
progress_hide(void)
{
	static const char erase[] = "\r\033[K";

	if (progress.shown_s == -1)
		return;
	(void)fd_write_all(STDERR_FILENO, erase, sizeof(erase) - 1);
	progress.shown_s = -1;
}
