/* SPDX-License-Identifier: ISC */
/*
 * The oracle: what must hold after any command, whatever went wrong.  It
 * knows the rules, and nothing of how the program keeps them.
 */

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "fault.h"

/* Without a deadline in it; on two cores that others use, too. */
static const int64_t quick_ms = 15000;

/* Is it another's report of the truth that misled it? */
static int
was_lied_to(const struct cell *cell)
{
	return (cell->flags & (FAULT_GONE | FAULT_DONE)) != 0;
}

static int
is_allowed_code(const struct cell *cell)
{
	static const int docker[] = { 0, 69, 75, 77 };
	size_t i;

	if ((cell->flags & FAULT_SIGNAL) != 0)
		return cell->code == 128 + cell->signal ||
		    (cell->rules->kind != KIND_ENSURE &&
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

/* S3: an age that is unknown means keep. */
static int
may_go(const struct cell *cell, const struct box *box)
{
	if (cell->rules->kind == KIND_SWEEP &&
	    (cell->flags & FAULT_AGES) != 0 &&
	    !words_has(&cell->rules->ageless, box->name))
		return 0;
	return words_has(&cell->rules->may, box->name);
}

void
oracle_removals(struct cell *cell)
{
	const struct box *box;
	size_t i;

	for (i = 0; i < cell->before.box_count; i++) {
		box = &cell->before.boxes[i];
		if (world_box(&cell->after, box->id) == NULL &&
		    !may_go(cell, box))
			violation(cell, "%s (%s) was removed", box->name,
			    box->status);
	}
}

/* Is it an intent that names the container? */
static int
intends(const struct record *record, const char *name)
{
	char *line = format("\ncontainer=%s\nid=\n", name);
	int found = record != NULL && record_is_intent(record) &&
	    strstr(record->text, line) != NULL;

	free(line);
	return found;
}

static void
check_lost(struct cell *cell, const struct record *before,
    const struct record *after)
{
	struct words old = { 0 }, new = { 0 };
	const struct box *box;
	size_t i;

	record_ids(before, &old);
	if (after != NULL)
		record_ids(after, &new);
	for (i = 0; i < old.len; i++) {
		box = world_box(&cell->after, old.items[i]);
		/* one that is to be replaced is known by its name meanwhile */
		if (box != NULL && !words_has(&new, old.items[i]) &&
		    !intends(after, box->name))
			violation(cell,
			    "T5: the entry of %s forgets %s, which is there",
			    before->slug, box->name);
	}
	words_clear(&old);
	words_clear(&new);
}

void
oracle_records(struct cell *cell)
{
	const struct record *before, *after;
	size_t i;

	for (i = 0; i < cell->before.record_count; i++) {
		before = &cell->before.records[i];
		after = world_record(&cell->after, before->slug);
		if (!was_lied_to(cell))
			check_lost(cell, before, after);
		if (strcmp(before->slug, cell->rules->slug) == 0 ||
		    (after == NULL && cell->rules->kind == KIND_SWEEP))
			continue;
		if (after == NULL || strcmp(before->text, after->text) != 0)
			violation(cell, "R6, L4: the entry of %s has changed",
			    before->slug);
	}
	for (i = 0; i < cell->after.record_count; i++) {
		after = &cell->after.records[i];
		if (strncmp(after->text, "sandkeeper 1\n", 13) != 0 ||
		    strlen(after->text) < 5 ||
		    strcmp(after->text + strlen(after->text) - 5, "\nend\n") !=
			0)
			violation(cell, "the entry of %s is torn", after->slug);
		if (world_record(&cell->before, after->slug) == NULL &&
		    strcmp(after->slug, cell->rules->slug) != 0)
			violation(cell, "an entry of %s has appeared",
			    after->slug);
	}
}

/* E7: what appeared is recorded, or an intent tells the janitor of it. */
static void
check_made(struct cell *cell)
{
	const struct record *record =
	    world_record(&cell->after, cell->rules->slug);
	struct words ids = { 0 };
	const struct box *box;
	size_t i;

	if (record != NULL)
		record_ids(record, &ids);
	for (i = 0; i < cell->after.box_count; i++) {
		box = &cell->after.boxes[i];
		if (world_box(&cell->before, box->id) != NULL)
			continue;
		if (!is_sandbox_name(box->name, cell->rules->slug))
			violation(cell, "%s has appeared", box->name);
		else if (!words_has(&ids, box->id) &&
		    (record == NULL || !record_is_intent(record)) &&
		    !was_lied_to(cell))
			violation(cell,
			    "E7: %s (%s) is left, and no entry tells of it",
			    box->name, box->status);
	}
	words_clear(&ids);
}

static size_t
count_of_agent(const struct cell *cell)
{
	size_t i, count = 0;

	for (i = 0; i < cell->after.box_count; i++)
		count += (size_t)is_sandbox_name(cell->after.boxes[i].name,
		    cell->rules->slug);
	return count;
}

/* E7: never success with a dead database. */
static void
check_handed(struct cell *cell)
{
	const struct record *record =
	    world_record(&cell->after, cell->rules->slug);
	const struct box *box;
	char *id;
	size_t i;

	if (record == NULL || record_is_intent(record)) {
		violation(cell, "E5: success without an entry that is ready");
		return;
	}
	for (i = 0; i < cell->rules->wanted.len; i++) {
		id = record_id_of(record, cell->rules->wanted.items[i]);
		box = id != NULL ? world_box(&cell->after, id) : NULL;
		if (box == NULL || strcmp(box->status, "running") != 0)
			violation(cell, "E7: success, and %s is %s",
			    cell->rules->wanted.items[i],
			    box != NULL ? box->status : "not there");
		free(id);
	}
}

/* What success claims must be so. */
static void
check_success(struct cell *cell)
{
	const struct rules *rules = cell->rules;
	int told_the_truth = !was_lied_to(cell);

	switch (rules->kind) {
	case KIND_ENSURE:
		check_handed(cell);
		break;
	case KIND_REMOVE:
		if (told_the_truth &&
		    world_named(&cell->after, rules->owner) != NULL)
			violation(cell, "R3: success, and %s is there",
			    rules->owner);
		/* FALLTHROUGH */
	case KIND_RELEASE:
		if (told_the_truth &&
		    (count_of_agent(cell) > 0 ||
			world_record(&cell->after, rules->slug) != NULL))
			violation(cell, "L2: success, and something is left");
		break;
	default:
		break;
	}
}

/* The same lines, but for empty values, which an older writer leaves out. */
static int
is_same_record(const struct record *a, const struct record *b)
{
	char *texts[] = { format("%s", a->text), format("%s", b->text) };
	char *line, *next, *to;
	size_t i, len;
	int same;

	for (i = 0; i < 2; i++) {
		for (to = line = texts[i]; *line != '\0'; line = next) {
			next = strchrnul(line, '\n');
			next += *next != '\0';
			len = (size_t)(next - line);
			if (len > 1 && line[len - 2] == '=')
				continue;
			memmove(to, line, len);
			to += len;
		}
		*to = '\0';
	}
	same = strcmp(texts[0], texts[1]) == 0;
	free(texts[0]);
	free(texts[1]);
	return same;
}

/* E7: the entry is back to what it was, or still an intent. */
static void
check_failure(struct cell *cell)
{
	const struct record *before, *after;

	if (*cell->out != '\0' && cell->rules->kind != KIND_LOOK)
		violation(cell, "a failure prints results");
	if (cell->rules->kind != KIND_ENSURE)
		return;
	before = world_record(&cell->before, cell->rules->slug);
	after = world_record(&cell->after, cell->rules->slug);
	if (after == NULL) {
		/* check_lost() tells where that may not be */
		return;
	}
	if (!record_is_intent(after) && (cell->flags & FAULT_DISK) == 0 &&
	    (before == NULL || !is_same_record(before, after)))
		violation(cell, "E7: the entry is not what it was");
}

void
oracle_command(struct cell *cell)
{
	check_code(cell);
	check_messages(cell);
	check_secrets(cell);
	check_litter(cell);
	oracle_removals(cell);
	oracle_records(cell);
	if ((cell->flags & FAULT_CRASH) != 0)
		return;
	check_made(cell);
	if (cell->code == 0)
		check_success(cell);
	else
		check_failure(cell);
}
