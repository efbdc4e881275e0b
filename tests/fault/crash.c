/* SPDX-License-Identifier: ISC */
/*
 * Crashes: the program is killed before, after and half way through each of
 * its calls that changes something; and asked to end at each docker call.
 */

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fault.h"

/* The call's name, and the last parts of its path. */
static char *
short_call(const char *call)
{
	int len = (int)strcspn(call, " ");
	const char *part = strrchr(call, '/');

	while (part != NULL && part > call + len && part[-1] != '/')
		part--;
	return format("%.*s%s%s", len, call, part != NULL ? " " : "",
	    part != NULL ? part : "");
}

static void
add_point(const struct rules *rules, int number, const char *doing,
    const char *call)
{
	char *name = short_call(call);
	char *what =
	    format("%s | %s %d | %s", rules->name, doing, number, name);
	struct job *job = job_add(rules, NULL, NULL, what, FAULT_CRASH);

	if (job != NULL) {
		job->number = number;
		job->doing = doing;
	}
	free(what);
	free(name);
}

void
crash_plan(const struct rules *rules)
{
	struct words calls = { 0 };
	struct cell cell;
	size_t i;

	cell_open(&cell, rules, rules->name, 0);
	preload_set(&cell, 0, "", "", 0);
	cell_run(&cell);
	oracle_command(&cell);
	preload_calls(&cell, &calls);
	if (calls.len == 0)
		violation(&cell, "the preloaded library counts nothing");
	cell_close(&cell);
	for (i = 0; i < calls.len; i++) {
		add_point(rules, (int)i + 1, "before", calls.items[i]);
		/* another one's "after" is the next one's "before" */
		if (i + 1 == calls.len ||
		    strncmp(calls.items[i], "posix_spawn ", 12) == 0)
			add_point(rules, (int)i + 1, "after", calls.items[i]);
		if (strncmp(calls.items[i], "write ", 6) == 0)
			add_point(rules, (int)i + 1, "half", calls.items[i]);
	}
	words_clear(&calls);
}

static void
check_free(struct cell *cell, const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd == -1)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) == -1)
		violation(cell, "%s is locked", path);
	close(fd);
}

static void
check_locks(struct cell *cell)
{
	char *folder = format("%s/state/locks", cell->path), *path;
	struct words names = { 0 };
	size_t i;

	list_folder(folder, &names, 1);
	for (i = 0; i < names.len; i++) {
		path = format("%s/%s", folder, names.items[i]);
		check_free(cell, path);
		free(path);
	}
	words_clear(&names);
	free(folder);
	path = format("%s/state/sweep.lock", cell->path);
	check_free(cell, path);
	free(path);
}

static void
make_old(const char *folder, const struct words *litter)
{
	struct timespec old[2] = { { 0, UTIME_OMIT }, { 1000000000, 0 } };
	char *path;
	size_t i;

	for (i = 0; i < litter->len; i++) {
		path = format("%s/%s", folder, litter->items[i]);
		utimensat(AT_FDCWD, path, old, AT_SYMLINK_NOFOLLOW);
		free(path);
	}
}

/* What a killed writer left goes when it is old, by a sweep. */
static void
check_tidy(struct cell *cell)
{
	static const char *const folders[] = { "state", "state/agents",
		"state/locks" };
	char *path;
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		path = format("%s/%s", cell->path, folders[i]);
		make_old(path, &cell->after.litter);
		free(path);
	}
	cell_run_other(cell, "sweep", "--grace", "0", "--strict", "-q", NULL);
	for (i = 0; i < cell->after.litter.len; i++)
		violation(cell, "%s stays for good",
		    cell->after.litter.items[i]);
}

void
crash_job(const struct job *job)
{
	struct cell cell, next;

	cell_open(&cell, job->rules, job->what, job->flags);
	preload_set(&cell, job->number, job->doing, "", 0);
	cell_run(&cell);
	if (cell.code != 128 + SIGKILL && cell.code != job->rules->code)
		violation(&cell, "it was to be killed");
	oracle_command(&cell);
	check_locks(&cell);
	/* what a run made belongs to its process, until a sweep */
	if (job->rules->kind != KIND_RUN) {
		cell_fork(&next, &cell);
		oracle_next_ensure(&next);
		oracle_end(&next);
		cell_close(&next);
	}
	oracle_end(&cell);
	check_tidy(&cell);
	oracle_next_ensure(&cell);
	cell_close(&cell);
}

/* How the call goes on that asks us to end. */
enum way { WAY_BEFORE, WAY_AFTER, WAY_HANGING, WAY_LATE, WAYS };

static const char *const way_names[WAYS] = { "before", "after", "hanging",
	"late" };

static char *
lines_of(enum way way, const char *signal)
{
	char *send =
	    format("kill -%s $(cat \"$FAKE_DOCKER_DIR\"/../pid)", signal);
	char *lines = NULL;

	switch (way) {
	case WAY_BEFORE:
		lines = format("hook=%s\ndelay=60\n", send);
		break;
	case WAY_AFTER:
		lines = format("then=normal\nposthook=%s\nafter=60\n", send);
		break;
	case WAY_HANGING:
		lines = format("hook=%s\nhang=term\n", send);
		break;
	case WAY_LATE:
	case WAYS:
		lines = format("hook=%s\nlate=300\nhang=term\n", send);
		break;
	}
	free(send);
	return lines;
}

static void
add_signal(const struct rules *rules, size_t number, const char *call,
    const char *name, int signal_number, enum way way)
{
	char *lines = lines_of(way, name), *file = format("call.%zu", number);
	char *what = format("%s | %s at %zu: %s | %s", rules->name, name,
	    number, call, way_names[way]);
	int flags = FAULT_SIGNAL;
	struct job *job;

	if (way == WAY_LATE)
		flags |= FAULT_LATE;
	/* what cleans up is not cut short: it ends at the deadline of rm */
	if (way == WAY_HANGING && strcmp(call, "rm") == 0 &&
	    (rules->kind == KIND_RUN || rules->code != 0))
		flags |= FAULT_HANG;
	job = job_add(rules, file, lines, what, flags);

	if (job != NULL)
		job->number = signal_number;
	free(what);
	free(file);
	free(lines);
}

static void
add_signals(const struct rules *rules, size_t number, const char *call)
{
	static const struct {
		const char *name;
		int number;
	} signals[] = { { "HUP", SIGHUP }, { "INT", SIGINT },
		{ "TERM", SIGTERM } };
	enum way way;
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		for (way = WAY_BEFORE; way < WAYS; way++)
			/* only what is made can come late */
			if (way != WAY_LATE || strcmp(call, "run") == 0)
				add_signal(rules, number, call, signals[i].name,
				    signals[i].number, way);
}

void
signal_plan(const struct rules *rules)
{
	struct words calls = { 0 };
	struct cell cell;
	size_t i;

	cell_open(&cell, rules, rules->name, 0);
	cell_run(&cell);
	cell_calls(&cell, &calls);
	cell_close(&cell);
	for (i = 0; i < calls.len; i++)
		add_signals(rules, i + 1, calls.items[i]);
	words_clear(&calls);
}

void
signal_job(const struct job *job)
{
	struct cell cell, next;

	cell_open(&cell, job->rules, job->what, job->flags);
	cell.signal = job->number;
	cell_fault(&cell, job->file, job->lines);
	cell_run(&cell);
	oracle_command(&cell);
	cell_fork(&next, &cell);
	oracle_next_ensure(&next);
	cell_close(&next);
	oracle_end(&cell);
	cell_close(&cell);
}
