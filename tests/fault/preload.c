/* SPDX-License-Identifier: ISC */
/* How crash-preload.c is told what to do, and what it tells. */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"

static void
add(struct cell *cell, const char *name, const char *value)
{
	char *pair = format("%s=%s", name, value);

	words_add(&cell->extra, pair);
	free(pair);
}

void
preload_set(struct cell *cell, int number, const char *doing, const char *under,
    int goes_on)
{
	char *folder = format("%s/%s", cell->path, under);
	char *trace = format("%s/trace", cell->path);
	char *at = format("%d", number);
	char whole[PATH_MAX];

	if (realpath(driver_program(), whole) == NULL)
		die("%s is not there", driver_program());
	add(cell, "LD_PRELOAD", driver_preload());
	add(cell, "FAULT_EXE", whole);
	add(cell, "FAULT_AT", at);
	add(cell, "FAULT_DO", doing);
	add(cell, "FAULT_ON", goes_on ? "on" : "");
	add(cell, "FAULT_TRACE", trace);
	if (*under != '\0')
		add(cell, "FAULT_UNDER", folder);
	free(at);
	free(trace);
	free(folder);
}

void
preload_calls(const struct cell *cell, struct words *calls)
{
	char *path = format("%s/trace", cell->path), *text, *line, *next;

	text = slurp(path, NULL);
	for (line = text; line != NULL && *line != '\0'; line = next) {
		next = strchr(line, '\n');
		if (next == NULL)
			break;
		*next++ = '\0';
		line = strchr(line, ' ');
		if (line == NULL)
			die("%s: a torn line", path);
		words_add(calls, line + 1);
	}
	free(text);
	free(path);
}
