/* SPDX-License-Identifier: ISC */
/*
 * Results, on stdout: nothing else in the program writes there.  What cannot
 * be written (a full disk, a closed pipe) is found by output_finish().
 */
#ifndef CMD_OUTPUT_H
#define CMD_OUTPUT_H

#include "base/error.h"
#include "base/json.h"
#include "base/strvec.h"

void output_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* One line for people, its end added; foreign text in it is made visible. */
void output_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* One document, indented, which is released. */
void output_json(json_t *);

/* The same in one line, flushed: for a command that goes on. */
void output_json_line(json_t *);

/*
 * A table: rows of columns cells, the first being the head.  On a terminal the
 * head is bold, and words for what is well or not are green or red.
 */
struct output_table {
	size_t columns;
	struct strvec cells;
	/*
	 * On a terminal that is too narrow columns from this one on are left
	 * out: those in which nothing stands, and then the last one; and then
	 * the first one is cut.  0: it is wrapped as the terminal likes.
	 */
	size_t spare;
};
/* Add one row: as many strings as there are columns. */
void output_row(struct output_table *, ...);
void output_table(struct output_table *);

/* 'value' for a shell. */
void output_shell_word(const char *value);

/* Flush; ERROR_OUTPUT where anything was lost. */
int output_finish(struct error *);

#endif
