/* SPDX-License-Identifier: ISC */
/* The matrix: each call of each command goes wrong in each way. */

#include <stdlib.h>
#include <string.h>

#include "fault.h"

static int
has_word(const char *words, const char *word)
{
	size_t len = strlen(word);
	const char *at;

	for (at = words; (at = strstr(at, word)) != NULL; at++)
		if ((at == words || at[-1] == ' ') &&
		    (at[len] == ' ' || at[len] == '\0'))
			return 1;
	return 0;
}

/* A fault's meaning depends on the call that it is for. */
static int
flags_of(const struct kind *kind, const char *verb, const char *position)
{
	int flags = kind->flags, first;

	/* S1, S6: the ages come from the first listing and the second look */
	first = strcmp(position, "ps.2") != 0 && strcmp(position, "ps.3") != 0;
	if (strncmp(position, "inspect.", 8) == 0 && position[8] != '1')
		first = 0;
	if (!first)
		flags &= ~FAULT_AGES;
	if (strcmp(verb, "inspect") != 0 && strcmp(verb, "any") != 0)
		flags &= ~FAULT_GONE;
	return flags;
}

static void
add_cells(const struct rules *rules, const char *verb, const char *position,
    int with_rare)
{
	const struct kind *kind;
	char *what;

	for (kind = kinds; kind->name != NULL; kind++) {
		if ((kind->rare && !with_rare) ||
		    (kind->verbs != NULL && !has_word(kind->verbs, verb)))
			continue;
		what =
		    format("%s | %s | %s", rules->name, position, kind->name);
		job_add(rules, position, kind->lines, what,
		    flags_of(kind, verb, position));
		free(what);
	}
}

/* Each call by its number, and all of its verb. */
void
matrix_plan(const struct rules *rules)
{
	struct words calls = { 0 };
	struct cell cell;
	size_t i, k, number;
	char *position;

	cell_open(&cell, rules, rules->name, 0);
	cell_run(&cell);
	oracle_command(&cell);
	if (cell.code != rules->code)
		violation(&cell, "without a fault it exits %d", cell.code);
	cell_calls(&cell, &calls);
	oracle_end(&cell);
	cell_close(&cell);
	add_cells(rules, "any", "any", 1);
	for (i = 0; i < calls.len; i++) {
		for (number = 1, k = 0; k < i; k++)
			number += strcmp(calls.items[k], calls.items[i]) == 0;
		if (number == 1)
			add_cells(rules, calls.items[i], calls.items[i], 1);
		/* the first alone is not all: what fails is asked again */
		position = format("%s.%zu", calls.items[i], number);
		add_cells(rules, calls.items[i], position, 0);
		free(position);
	}
	words_clear(&calls);
}

void
matrix_job(const struct job *job)
{
	struct cell cell;

	cell_open(&cell, job->rules, job->what, job->flags);
	cell_fault(&cell, job->file, job->lines);
	cell_run(&cell);
	oracle_command(&cell);
	oracle_end(&cell);
	cell_close(&cell);
}
