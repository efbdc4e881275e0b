/* SPDX-License-Identifier: ISC */
/* The oracle: how a command ends, what it says, and what lies about. */

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "fault.h"

/* Without a deadline in it; on two cores that others use, too. */
static const int64_t quick_ms = 15000;

static int
is_allowed_code(const struct cell *cell)
{
	static const int docker[] = { 0, 69, 75, 77 };
	size_t i;

	if ((cell->flags & FAULT_SIGNAL) != 0)
		/* one that fails by itself may have done so before */
		return cell->code == 128 + cell->signal ||
		    ((cell->rules->kind != KIND_ENSURE ||
			 cell->rules->code != 0) &&
			cell->code == cell->rules->code);
	if (cell->rules->kind == KIND_RUN && cell->code == 125)
		return 1;
	if ((cell->flags & FAULT_DISK) != 0)
		return cell->code == 0 || cell->code == 73 || cell->code == 74;
	for (i = 0; i < sizeof(docker) / sizeof(docker[0]); i++)
		if (cell->code == docker[i])
			return 1;
	return cell->code == cell->rules->code;
}

static void
check_code(struct cell *cell)
{
	if ((cell->flags & FAULT_CRASH) != 0)
		return;
	if (!is_allowed_code(cell))
		violation(cell, "exit code %d is none that fits", cell->code);
	if ((cell->flags & FAULT_WARNS) != 0 && cell->code != cell->rules->code)
		violation(cell, "a warning of docker's is no failure");
	/* the janitor without --strict, and those that look, always end well,
	 * but where they lack a permission */
	if ((cell->flags & (FAULT_DISK | FAULT_SIGNAL)) == 0 &&
	    cell->code != 0 && cell->code != 77 &&
	    (cell->rules->kind == KIND_LOOK ||
		(cell->rules->kind == KIND_SWEEP &&
		    !words_has(&cell->rules->argv, "--strict"))))
		violation(cell, "it must exit 0 whatever docker did");
	if ((cell->flags & FAULT_HANG) == 0 && cell->took_ms > quick_ms)
		violation(cell, "bounded time: it took %lld ms",
		    (long long)cell->took_ms);
}

/* "sandkeeper: ", then what can be printed. */
static int
is_message(const char *line, size_t len)
{
	static const char head[] = "sandkeeper: ";
	size_t i;

	if (len < strlen(head) || strncmp(line, head, strlen(head)) != 0)
		return 0;
	for (i = 0; i < len; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 127)
			return 0;
	return len < 4200;
}

/* One line for the failure, one more for a hint; warnings are apart. */
static void
check_messages(struct cell *cell)
{
	static const char warning[] = "sandkeeper: warning: ";
	static const char hint[] = "sandkeeper: hint: ";
	const char *line = cell->err, *end;
	int failures = 0, hints = 0;

	if ((cell->flags & FAULT_CRASH) != 0)
		return;
	for (; *line != '\0'; line = end + 1) {
		end = strchrnul(line, '\n');
		if (!is_message(line, (size_t)(end - line)))
			violation(cell, "stderr: '%.*s' is no message",
			    (int)(end - line < 200 ? end - line : 200), line);
		if (strncmp(line, hint, strlen(hint)) == 0)
			hints++;
		else if (strncmp(line, warning, strlen(warning)) != 0)
			failures++;
		if (*end == '\0')
			break;
	}
	/* stdout has it, but for a signal */
	if (cell->rules->kind == KIND_DOCTOR && failures == 0)
		return;
	if (failures != (cell->code != 0) || hints > failures)
		violation(cell, "stderr: %d lines and %d hints for exit %d",
		    failures, hints, cell->code);
}

static void
check_text(struct cell *cell, const char *text, const char *where)
{
	const struct words *lists[] = { &cell->before.passwords,
		&cell->after.passwords };
	size_t i, k;

	for (i = 0; text != NULL && i < 2; i++)
		for (k = 0; k < lists[i]->len; k++)
			if (strstr(text, lists[i]->items[k]) != NULL) {
				violation(cell, "a password in %s", where);
				return;
			}
}

static void
check_folder(struct cell *cell, const char *folder)
{
	struct words names = { 0 };
	char *path, *text;
	size_t i;

	list_folder(folder, &names, 1);
	for (i = 0; i < names.len; i++) {
		path = format("%s/%s", folder, names.items[i]);
		text = slurp(path, NULL);
		/* a folder reads as an empty text */
		check_text(cell, text, names.items[i]);
		if (text == NULL || *text == '\0')
			check_folder(cell, path);
		free(text);
		free(path);
	}
	words_clear(&names);
}

/* The arguments of what was called; their environment may hold passwords. */
static void
check_arguments(struct cell *cell)
{
	char *path = format("%s/fake/calls.log", cell->path), *text, *line;
	char *next, *words;
	json_t *call;

	text = slurp(path, NULL);
	for (line = text; line != NULL && *line != '\0'; line = next) {
		next = strchr(line, '\n');
		if (next == NULL)
			break;
		*next++ = '\0';
		call = json_loads(line, JSON_ALLOW_NUL, NULL);
		words = json_dumps(json_object_get(call, "argv"), 0);
		check_text(cell, words, "the arguments of docker");
		free(words);
		json_decref(call);
	}
	free(text);
	free(path);
}

static void
check_secrets(struct cell *cell)
{
	char *log = format("%s/log", cell->path);

	check_text(cell, cell->out, "stdout");
	check_text(cell, cell->err, "stderr");
	check_folder(cell, log);
	check_arguments(cell);
	free(log);
}

static void
check_litter(struct cell *cell)
{
	size_t i;

	if (cell->orphans > 0)
		violation(cell, "a child process is left");
	if ((cell->flags & (FAULT_CRASH | FAULT_DISK)) != 0)
		return;
	for (i = 0; i < cell->after.litter.len; i++)
		if (!words_has(&cell->before.litter,
			cell->after.litter.items[i]))
			violation(cell, "%s is left in the state directory",
			    cell->after.litter.items[i]);
}

void
oracle_words(struct cell *cell)
{
	check_code(cell);
	check_messages(cell);
	check_secrets(cell);
	check_litter(cell);
}
