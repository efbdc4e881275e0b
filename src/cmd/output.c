/* SPDX-License-Identifier: ISC */
/* Results, on stdout. */
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
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

void
output_table(struct output_table *table)
{
	size_t *widths = xcalloc(table->columns, sizeof(*widths));
	size_t i, column;

	assert(table->columns > 0);
	for (i = 0; i < table->columns; i++)
		widths[i] = column_width(table, i);
	for (i = 0; i < table->cells.len; i++) {
		column = i % table->columns;
		/* no blanks at a line's end */
		if (column + 1 == table->columns)
			(void)printf("%s\n", table->cells.items[i]);
		else
			(void)printf("%-*s  ", (int)widths[column],
			    table->cells.items[i]);
	}
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
