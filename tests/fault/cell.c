/* SPDX-License-Identifier: ISC */
/* One run of a command in a copy of a template. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "fault.h"

/* A run that takes longer is ended, and a violation. */
static const int64_t limit_ms = 60000;
/* Who was killed a moment ago may still be there for so long. */
static const int64_t dying_ms = 1000;

static char *
fresh_path(void)
{
	static unsigned long count;
	const char *work = getenv("FAULT_WORK");

	if (work == NULL)
		die("FAULT_WORK is not set");
	return format("%s/%d.%lu", work, (int)getpid(), count++);
}

void
cell_open(struct cell *cell, const struct rules *rules, const char *what,
    int flags)
{
	memset(cell, 0, sizeof(*cell));
	cell->rules = rules;
	cell->what = format("%s", what);
	cell->flags = flags;
	cell->path = fresh_path();
	tree_copy(rules->path, cell->path);
	world_read(&cell->before, cell->path);
}

void
cell_fork(struct cell *to, const struct cell *from)
{
	cell_wait_for_orphans(NULL);
	memset(to, 0, sizeof(*to));
	to->rules = from->rules;
	to->what = format("%s", from->what);
	to->flags = from->flags;
	to->path = fresh_path();
	tree_copy(from->path, to->path);
	world_read(&to->before, to->path);
}

void
cell_close(struct cell *cell)
{
	const char *keep = getenv("KEEP");

	cell_wait_for_orphans(NULL);
	if (keep == NULL || *keep == '\0' || cell->broken == 0)
		tree_remove(cell->path);
	free(cell->path);
	free(cell->what);
	free(cell->out);
	free(cell->err);
	words_clear(&cell->extra);
	world_clear(&cell->before);
	world_clear(&cell->after);
}

void
cell_fault(struct cell *cell, const char *name, const char *lines)
{
	char *path = format("%s/fake/faults/%s", cell->path, name);

	spill(path, lines);
	free(path);
}

void
cell_heal(struct cell *cell)
{
	static const char *const folders[] = { "faults", "counts" };
	struct words names = { 0 };
	char *path;
	size_t i, k;

	for (i = 0; i < 2; i++) {
		path = format("%s/fake/%s", cell->path, folders[i]);
		list_folder(path, &names, 0);
		free(path);
		for (k = 0; k < names.len; k++) {
			path = format("%s/fake/%s/%s", cell->path, folders[i],
			    names.items[k]);
			/* only the numbers of calls, not those of addresses */
			if (i == 0 || strncmp(names.items[k], "verb-", 5) == 0)
				unlink(path);
			free(path);
		}
		words_clear(&names);
	}
	path = format("%s/fake/calls.log", cell->path);
	unlink(path);
	free(path);
}

static void
put(const char *name, const char *cell, const char *folder)
{
	char *value = format("%s/%s", cell, folder);

	setenv(name, value, 1);
	free(value);
}

static void
put_pairs(const struct words *pairs)
{
	char *equals, *name;
	size_t i;

	for (i = 0; i < pairs->len; i++) {
		name = format("%s", pairs->items[i]);
		equals = strchr(name, '=');
		if (equals == NULL)
			die("'%s' is no setting", name);
		*equals = '\0';
		setenv(name, equals + 1, 1);
		free(name);
	}
}

static void
redirect(int fd, const char *cell, const char *name)
{
	char *path = format("%s/%s", cell, name);
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (file == -1 || dup2(file, fd) == -1)
		_exit(99);
	free(path);
}

/* In the child. */
static _Noreturn void
become(const struct cell *cell, char *const argv[], int of_rules)
{
	char *path = format("%s/pid", cell->path);
	char *pid = format("%d\n", (int)getpid());
	sigset_t none;
	int null;

	spill(path, pid);
	put("HOME", cell->path, "home");
	put("FAKE_DOCKER_DIR", cell->path, "fake");
	put("SANDKEEPER_STATE_DIR", cell->path, "state");
	put("SANDKEEPER_LOG_DIR", cell->path, "log");
	setenv("FAKE_DOCKER_LOG_ENV", "1", 1);
	put_pairs(&cell->rules->settings);
	if (of_rules && (cell->flags & FAULT_HANG) != 0)
		put_pairs(&cell->rules->hang);
	if (of_rules)
		put_pairs(&cell->extra);
	null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (null == -1 || dup2(null, STDIN_FILENO) == -1)
		_exit(99);
	redirect(STDOUT_FILENO, cell->path, "out");
	redirect(STDERR_FILENO, cell->path, "err");
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execv(argv[0], argv);
	_exit(98);
}

static void
sleep_for_news(int64_t ms)
{
	struct timespec left = { ms / 1000, (ms % 1000) * 1000000 };
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigtimedwait(&child, NULL, &left);
}

/* Waits for all that is left of it; returns whether something stays. */
static int
await_children(int64_t ms)
{
	int64_t end = now_ms() + ms;
	pid_t pid;

	for (;;) {
		pid = waitpid(-1, NULL, WNOHANG);
		if (pid > 0)
			continue;
		if (pid == -1)
			return 0;
		if (now_ms() >= end)
			return 1;
		sleep_for_news(20);
	}
}

void
cell_wait_for_orphans(struct cell *cell)
{
	(void)cell;
	if (await_children(limit_ms))
		die("a process of the fake docker does not end");
}

static void
take_end(struct cell *cell, int64_t began)
{
	char *path;

	cell->took_ms = now_ms() - began;
	cell->code = WIFEXITED(cell->status) ? WEXITSTATUS(cell->status) :
					       128 + WTERMSIG(cell->status);
	free(cell->out);
	free(cell->err);
	path = format("%s/out", cell->path);
	cell->out = slurp(path, NULL);
	free(path);
	path = format("%s/err", cell->path);
	cell->err = slurp(path, NULL);
	free(path);
	if (cell->out == NULL || cell->err == NULL)
		die("%s: its output is lost", cell->what);
	world_clear(&cell->after);
	world_read(&cell->after, cell->path);
}

static void
execute(struct cell *cell, char *const argv[], int of_rules)
{
	int64_t began = now_ms();
	sigset_t child;
	pid_t pid;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	pid = fork();
	if (pid == -1)
		die("fork: %s", strerror(errno));
	if (pid == 0)
		become(cell, argv, of_rules);
	while (waitpid(pid, &cell->status, WNOHANG) == 0) {
		sleep_for_news(100);
		if (now_ms() - began <= limit_ms)
			continue;
		violation(cell, "bounded time: it does not end");
		kill(pid, SIGKILL);
		waitpid(pid, &cell->status, 0);
		break;
	}
	cell->orphans = 0;
	if ((cell->flags & (FAULT_LATE | FAULT_CRASH)) != 0)
		cell_wait_for_orphans(cell);
	else if (await_children(dying_ms))
		cell->orphans = 1;
	take_end(cell, began);
}

void
cell_run(struct cell *cell)
{
	char *argv[MAX_WORDS + 3];
	size_t i;

	argv[0] = format("%s", driver_program());
	for (i = 0; i < cell->rules->argv.len && i < MAX_WORDS; i++)
		argv[i + 1] = cell->rules->argv.items[i];
	argv[i + 1] = NULL;
	execute(cell, argv, 1);
	free(argv[0]);
}

void
cell_run_words(struct cell *cell, const struct words *argv)
{
	execute(cell, argv->items, 0);
}

void
cell_run_other(struct cell *cell, const char *first, ...)
{
	struct words words = { 0 };
	const char *word;
	va_list ap;

	words_add(&words,
	    strcmp(first, "docker") == 0 ? driver_docker() : driver_program());
	if (strcmp(first, "docker") != 0)
		words_add(&words, first);
	va_start(ap, first);
	while ((word = va_arg(ap, const char *)) != NULL)
		words_add(&words, word);
	va_end(ap);
	execute(cell, words.items, 0);
	words_clear(&words);
}

void
cell_calls(const struct cell *cell, struct words *verbs)
{
	char *path = format("%s/fake/calls.log", cell->path), *text, *line;
	const char *first, *second;
	char *next, *pair;
	json_t *call, *argv;

	text = slurp(path, NULL);
	for (line = text; line != NULL && *line != '\0'; line = next) {
		next = strchr(line, '\n');
		if (next == NULL)
			break;
		*next++ = '\0';
		call = json_loads(line, JSON_ALLOW_NUL, NULL);
		argv = json_object_get(call, "argv");
		first = json_string_value(json_array_get(argv, 0));
		second = json_string_value(json_array_get(argv, 1));
		if (first == NULL)
			first = "?";
		pair = strcmp(first, "image") == 0 && second != NULL ?
		    format("%s-%s", first, second) :
		    format("%s", first);
		words_add(verbs, pair);
		free(pair);
		json_decref(call);
	}
	free(text);
	free(path);
}
