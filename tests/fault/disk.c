/* SPDX-License-Identifier: ISC */
/* Full and broken disks: each call that writes fails in each way. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"

static const struct {
	const char *name;
	int number;
} failures[] = { { "ENOSPC", ENOSPC }, { "EIO", EIO }, { "EROFS", EROFS },
	{ "EACCES", EACCES } };

enum { FAILURES = sizeof(failures) / sizeof(failures[0]) };

static void
add_failures(const struct rules *rules, int number, const char *folder,
    const char *call)
{
	const char *at = strstr(call, folder);
	struct job *job;
	char *what;
	size_t i;
	int on;

	for (i = 0; i < FAILURES; i++)
		for (on = 0; on < 2; on++) {
			what = format("%s | %s%s %d | %.*s %s", rules->name,
			    failures[i].name, on ? " on" : "", number,
			    (int)strcspn(call, " "), call,
			    at != NULL ? at : "");
			job = job_add(rules, folder, NULL, what, FAULT_DISK);
			if (job != NULL) {
				job->number = number;
				job->doing = failures[i].name;
				job->call = format("%s", call);
				job->goes_on = on;
			}
			free(what);
		}
}

static void
plan_folder(const struct rules *rules, const char *folder)
{
	struct words calls = { 0 };
	struct cell cell;
	size_t i;

	cell_open(&cell, rules, rules->name, 0);
	preload_set(&cell, 0, "", folder, 0);
	cell_run(&cell);
	oracle_command(&cell);
	preload_calls(&cell, &calls);
	cell_close(&cell);
	for (i = 0; i < calls.len; i++)
		add_failures(rules, (int)i + 1, folder, calls.items[i]);
	words_clear(&calls);
}

void
disk_plan(const struct rules *rules)
{
	plan_folder(rules, "state");
	plan_folder(rules, "log");
}

static int
begins(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

/* One whose failure has to be told: it would have kept something. */
static int
counts(const char *call)
{
	static const char *const words[] = { "open ", "write ", "fsync ",
		"renameat ", "linkat ", "fchmod " };
	size_t i;

	if (strstr(call, "/state/agents") == NULL &&
	    strstr(call, "/state/.keeper") == NULL &&
	    strstr(call, "/state/keeper") == NULL)
		return 0;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (begins(call, words[i]))
			return 1;
	return 0;
}

static const char *
text_of(const char *name)
{
	size_t i;

	for (i = 0; i < FAILURES; i++)
		if (strcmp(failures[i].name, name) == 0)
			return strerror(failures[i].number);
	return "";
}

static int
is_silent_sweep(const struct rules *rules)
{
	return rules->kind == KIND_SWEEP &&
	    !words_has(&rules->argv, "--strict");
}

/* The command says so, and how it ends tells what it could not do. */
static void
check_told(struct cell *cell, const struct job *job)
{
	int code = begins(job->call, "mkdir") ? 73 : 74;

	if (strcmp(job->file, "log") == 0) {
		if (cell->code != cell->rules->code)
			violation(cell,
			    "a log that cannot be written changes "
			    "the exit code");
		return;
	}
	if (cell->code == 0 && counts(job->call) &&
	    !is_silent_sweep(cell->rules) && cell->rules->kind != KIND_RUN)
		violation(cell, "success, and it could not write");
	if (cell->code == 0 && counts(job->call) &&
	    strstr(cell->err, text_of(job->doing)) == NULL)
		violation(cell, "not a word of what went wrong");
	if (cell->code == 0 || cell->code == 125)
		return;
	if (cell->code != code)
		violation(cell, "exit %d, not %d", cell->code, code);
	if (strstr(cell->err, text_of(job->doing)) == NULL)
		violation(cell, "not a word of what went wrong");
}

void
disk_job(const struct job *job)
{
	struct cell cell, next;

	cell_open(&cell, job->rules, job->what, job->flags);
	preload_set(&cell, job->number, job->doing, job->file, job->goes_on);
	cell_run(&cell);
	oracle_command(&cell);
	check_told(&cell, job);
	cell_fork(&next, &cell);
	oracle_next_ensure(&next);
	cell_close(&next);
	oracle_end(&cell);
	cell_close(&cell);
}
