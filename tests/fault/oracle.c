/* SPDX-License-Identifier: ISC */
/*
 * The oracle: what must hold after any command, whatever went wrong: of the
 * containers, and of the entries.  It knows the rules, and nothing of how the
 * program keeps them.
 */

#include <stdlib.h>
#include <string.h>

#include "fault.h"

/* Is it another's report of the truth that misled it? */
static int
was_lied_to(const struct cell *cell)
{
	return (cell->flags & (FAULT_GONE | FAULT_DONE)) != 0;
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

static void
check_removals(struct cell *cell)
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

static void
check_records(struct cell *cell)
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
	enum command_kind kind = rules->kind;

	if (kind == KIND_ENSURE)
		check_handed(cell);
	if (was_lied_to(cell))
		return;
	if (kind == KIND_REMOVE &&
	    world_named(&cell->after, rules->owner) != NULL)
		violation(cell, "R3: success, and %s is there", rules->owner);
	if ((kind == KIND_REMOVE || kind == KIND_RELEASE) &&
	    (count_of_agent(cell) > 0 ||
		world_record(&cell->after, rules->slug) != NULL))
		violation(cell, "L2: success, and something is left");
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

	if (*cell->out != '\0' && cell->rules->kind != KIND_LOOK &&
	    cell->rules->kind != KIND_DOCTOR)
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
	oracle_words(cell);
	check_removals(cell);
	check_records(cell);
	if ((cell->flags & FAULT_CRASH) != 0)
		return;
	check_made(cell);
	if (cell->code == 0)
		check_success(cell);
	else
		check_failure(cell);
}
