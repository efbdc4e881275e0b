/* SPDX-License-Identifier: ISC */
/*
 * The oracle, afterwards: nothing is wrong any more, and two sweeps have to
 * find whatever was left, and nothing else.
 */

#include <stdlib.h>
#include <string.h>

#include "fault.h"

static void
sweep(struct cell *cell)
{
	cell_wait_for_orphans(cell);
	cell_heal(cell);
	cell_run_other(cell, "sweep", "--grace", "0", "--strict", "-q", NULL);
	if (cell->code != 0)
		violation(cell, "end: a sweep without a fault exits %d: %s",
		    cell->code, cell->err);
}

/* One who was not held in time need not stay. */
static int
is_excused(const struct cell *cell, const char *name)
{
	const struct record *record =
	    world_record(&cell->before, cell->rules->slug);

	return cell->rules->kind == KIND_CHANGE &&
	    (cell->flags & (FAULT_CRASH | FAULT_DISK)) != 0 &&
	    is_sandbox_name(name, cell->rules->slug) && record != NULL &&
	    strstr(record->text, "\nhold=0\n") != NULL;
}

static void
check_stay(struct cell *cell)
{
	const struct words *stay = &cell->rules->stay;
	size_t i;

	for (i = 0; i < stay->len; i++)
		if (world_named(&cell->after, stay->items[i]) == NULL &&
		    !is_excused(cell, stay->items[i]))
			violation(cell, "end: %s is gone", stay->items[i]);
}

/* Is it the agent's own, recorded and alive? */
static int
is_in_use(const struct cell *cell, const struct box *box)
{
	const struct record *record =
	    world_record(&cell->after, cell->rules->slug);
	struct words ids = { 0 };
	int used;

	if (record == NULL || cell->rules->owner == NULL ||
	    world_named(&cell->after, cell->rules->owner) == NULL ||
	    !is_sandbox_name(box->name, cell->rules->slug))
		return 0;
	record_ids(record, &ids);
	used = words_has(&ids, box->id);
	words_clear(&ids);
	return used;
}

static void
check_left(struct cell *cell)
{
	const struct box *box;
	size_t i;

	for (i = 0; i < cell->after.box_count; i++) {
		box = &cell->after.boxes[i];
		if (is_sandbox_name(box->name, NULL) &&
		    !words_has(&cell->rules->stay, box->name) &&
		    !is_in_use(cell, box))
			violation(cell, "end: %s (%s) is never swept",
			    box->name, box->status);
	}
}

/* An entry is there for what is there. */
static void
check_entries(struct cell *cell)
{
	const struct words *stay = &cell->rules->stay;
	const char *slug;
	size_t i, k;

	for (i = 0; i < cell->after.record_count; i++) {
		slug = cell->after.records[i].slug;
		for (k = 0; k < stay->len; k++)
			if (is_sandbox_name(stay->items[k], slug))
				break;
		if (k == stay->len)
			violation(cell, "end: the entry of %s stays", slug);
	}
	/* of one who was killed, a younger temporary file may be another's */
	if ((cell->flags & (FAULT_CRASH | FAULT_DISK)) != 0)
		return;
	for (i = 0; i < cell->after.litter.len; i++)
		violation(cell, "end: %s stays in the state directory",
		    cell->after.litter.items[i]);
}

static void
check_readable(struct cell *cell)
{
	cell_run_other(cell, "list", "--json", NULL);
	if (cell->code != 0 || *cell->err != '\0')
		violation(cell, "end: list exits %d: %s", cell->code,
		    cell->err);
}

void
oracle_end(struct cell *cell)
{
	/* what the command left is what the sweeps begin with */
	world_clear(&cell->before);
	world_read(&cell->before, cell->path);
	sweep(cell);
	check_stay(cell);
	check_left(cell);
	if (cell->rules->owner != NULL &&
	    world_named(&cell->after, cell->rules->owner) != NULL) {
		cell_run_other(cell, "docker", "fake-do", "rm", "-f",
		    cell->rules->owner, NULL);
		sweep(cell);
		check_stay(cell);
		check_left(cell);
	}
	check_entries(cell);
	check_readable(cell);
}

/* Whatever happened, the agent can have a sandbox. */
void
oracle_next_ensure(struct cell *cell)
{
	const char *service = cell->rules->wanted.len > 0 ?
	    cell->rules->wanted.items[0] :
	    "postgres";
	const char *slug = cell->rules->slug;
	const char *words[] = { "ensure", "--services", service, "-q", slug };
	char *owner = format("roboco-agent-%s", slug), *id;
	const struct record *record;
	struct words argv = { 0 };
	size_t i;

	cell_wait_for_orphans(cell);
	cell_heal(cell);
	if (world_named(&cell->after, owner) == NULL)
		cell_run_other(cell, "docker", "fake-container", owner,
		    "--network", "team", NULL);
	words_add(&argv, driver_program());
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		words_add(&argv, words[i]);
	for (i = 0; i < cell->rules->next.len; i++)
		words_add(&argv, cell->rules->next.items[i]);
	cell_run_words(cell, &argv);
	words_clear(&argv);
	if (cell->code != 0)
		violation(cell, "next: ensure exits %d: %s", cell->code,
		    cell->err);
	record = world_record(&cell->after, slug);
	id = record != NULL ? record_id_of(record, service) : NULL;
	if (id == NULL || world_box(&cell->after, id) == NULL)
		violation(cell, "next: ensure hands over nothing");
	free(id);
	free(owner);
}
