/* SPDX-License-Identifier: ISC */
/* Results, on stdout. */
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/terminal.h"
#include "base/text.h"
#include "cmd/output.h"

static const size_t cell_max = 1000;
static const size_t line_max = 4000;

void
output_text(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)vprintf(fmt, ap);
	va_end(ap);
}

void
output_line(const char *fmt, ...)
{
	char *text = NULL, *visible;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len == -1)
		return;
	visible = text_visible(text, line_max);
	(void)puts(visible);
	free(visible);
	free(text);
}

void
output_json(json_t *doc)
{
	struct strbuf text = { 0 };

	json_write(&text, doc, 2);
	(void)puts(strbuf_str(&text));
	if (text.len > 0)
		explicit_bzero(text.data, text.len);
	strbuf_clear(&text);
	json_decref(doc);
}

void
output_json_line(json_t *doc)
{
	struct strbuf text = { 0 };

	json_write(&text, doc, 0);
	(void)puts(strbuf_str(&text));
	(void)fflush(stdout);
	strbuf_clear(&text);
	json_decref(doc);
}

void
output_row(struct output_table *table, ...)
{
	const char *cell;
	char *visible;
	va_list ap;
	size_t i;

	va_start(ap, table);
	for (i = 0; i < table->columns; i++) {
		cell = va_arg(ap, const char *);
		/* a label may hold what would forge a row, or a terminal's
		 * control codes */
		visible =
		    text_visible(cell != NULL && *cell != '\0' ? cell : "-",
			cell_max);
		strvec_add(&table->cells, visible);
		free(visible);
	}
	va_end(ap);
}

static size_t
column_width(const struct output_table *table, size_t column)
{
	size_t i, len, width = 0;

	for (i = column; i < table->cells.len; i += table->columns) {
		len = strlen(table->cells.items[i]);
		if (len > width)
			width = len;
	}
	return width;
}

static bool
is_empty(const struct output_table *table, size_t column)
{
	size_t i;

	for (i = column + table->columns; i < table->cells.len;
	     i += table->columns)
		if (strcmp(table->cells.items[i], "-") != 0)
			return false;
	return true;
}

/* Of all columns that are left in: their width is not 0. */
static size_t
line_width(const size_t *widths, size_t columns)
{
	size_t i, sum = 0;

	for (i = 0; i < columns; i++)
		if (widths[i] > 0)
			sum += widths[i] + (sum > 0 ? 2 : 0);
	return sum;
}

static void
fit(const struct output_table *table, size_t *widths, size_t room)
{
	size_t i, columns = table->columns, width, least = 8;

	for (i = table->spare;
	     i < columns && line_width(widths, columns) > room; i++)
		if (is_empty(table, i))
			widths[i] = 0;
	if (line_width(widths, columns) > room)
		widths[columns - 1] = 0;
	width = line_width(widths, columns);
	if (width > room)
		widths[0] = widths[0] > width - room + least ?
		    widths[0] - (width - room) :
		    least;
}

/* For the eye alone: the word says it. */
static const char *
colour_of(const char *cell)
{
	static const char *const well[] = { "alive", "running", "ok" };
	static const char *const ill[] = { "absent", "dead", "exited", "failed",
		"gone", "problem", "stopped" };
	size_t i;

	for (i = 0; i < sizeof(well) / sizeof(well[0]); i++)
		if (strcmp(cell, well[i]) == 0)
			return TERMINAL_GREEN;
	for (i = 0; i < sizeof(ill) / sizeof(ill[0]); i++)
		if (strcmp(cell, ill[i]) == 0)
			return TERMINAL_RED;
	return "";
}

static void
print_cell(const char *cell, size_t width, const char *colour, bool last)
{
	size_t len = strlen(cell);

	if (len > width)
		(void)printf("%s%.*s...%s", colour, (int)width - 3, cell,
		    *colour != '\0' ? TERMINAL_PLAIN : "");
	else
		(void)printf("%s%s%s", colour, cell,
		    *colour != '\0' ? TERMINAL_PLAIN : "");
	/* no blanks at a line's end */
	if (last)
		(void)putchar('\n');
	else
		(void)printf("%*s", (int)(len < width ? width - len : 0) + 2,
		    "");
}

static size_t
last_column(const size_t *widths, size_t columns)
{
	while (columns > 1 && widths[columns - 1] == 0)
		columns--;
	return columns - 1;
}

void
output_table(struct output_table *table)
{
	size_t *widths = xcalloc(table->columns, sizeof(*widths));
	bool colours = terminal_has_colour(STDOUT_FILENO);
	const char *colour = "";
	size_t i, column;

	assert(table->columns > 0);
	for (i = 0; i < table->columns; i++)
		widths[i] = column_width(table, i);
	if (table->spare > 0 && isatty(STDOUT_FILENO))
		fit(table, widths, terminal_width(STDOUT_FILENO));
	for (i = 0; i < table->cells.len; i++) {
		column = i % table->columns;
		if (widths[column] == 0)
			continue;
		if (colours)
			colour = i < table->columns ?
			    TERMINAL_BOLD :
			    colour_of(table->cells.items[i]);
		print_cell(table->cells.items[i], widths[column], colour,
		    column == last_column(widths, table->columns));
	}
	/* where both go to one file, what is told of it comes behind it */
	(void)fflush(stdout);
	free(widths);
	strvec_clear(&table->cells);
}

void
output_shell_word(const char *value)
{
	(void)putchar('\'');
	for (; *value != '\0'; value++)
		if (*value == '\'')
			(void)fputs("'\\''", stdout);
		else
			(void)putchar(*value);
	(void)putchar('\'');
}

int
output_finish(struct error *err)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	return error_set(err, ERROR_OUTPUT, "stdout cannot be written: %s",
	    strerror(errno));
}
