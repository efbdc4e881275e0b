/* SPDX-License-Identifier: ISC */
/* What a watch remembers. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "core/watch_clock.h"

static const size_t most_added = 1000;
/* When to try again what somebody else is at work on, in seconds. */
static const int64_t locked_again = 5;

void
watch_memory_clear(struct watch_memory *memory)
{
	size_t i;

	for (i = 0; i < memory->clock_count; i++)
		free(memory->clocks[i].owner);
	free(memory->clocks);
	strvec_clear(&memory->owners);
	strvec_clear(&memory->processes);
	strvec_clear(&memory->renamed);
	container_list_clear(&memory->sandboxes);
	memset(memory, 0, sizeof(*memory));
}

static void
note_change(struct watch_memory *memory, int64_t at)
{
	if (at > 0 && (memory->next_change == 0 || at < memory->next_change))
		memory->next_change = at;
}

/*
 * The owners whose end would change something.  A process that has ended and
 * keeps its sandbox all the same must not be looked at again and again.
 */
static void
learn_owner(struct watch_memory *memory, const struct sweep_decision *decision)
{
	struct owner owner = owner_parse(decision->owner);

	if (decision->verdict == VERDICT_STRANGER ||
	    decision->verdict == VERDICT_FOREIGN)
		return;
	if (owner.type == OWNER_CONTAINER)
		strvec_add(&memory->owners, owner.name);
	else if (owner.type == OWNER_PROCESS &&
	    decision->verdict == VERDICT_OWNER_ALIVE)
		strvec_add_once(&memory->processes, decision->owner);
}

/* It is kept until then at least: when to look again, and at whom. */
static void
learn_change(struct watch_memory *memory, const struct sweep_decision *decision,
    const struct strvec *suspects)
{
	struct owner owner = owner_parse(decision->owner);
	int64_t now = clock_now(), until = decision->until;

	if (decision->verdict == VERDICT_LOCKED)
		until = now + locked_again;
	note_change(memory, until);
	if (until > 0 && decision->verdict != VERDICT_OWNER_ALIVE &&
	    suspects != NULL && owner.type == OWNER_CONTAINER &&
	    strvec_has(suspects, owner.name))
		(void)watch_clock_start(memory, owner.name,
		    (until - now) * 1000);
}

/* Where it is, or belongs. */
static size_t
find_place(const struct strvec *sorted, const char *name, bool *there)
{
	size_t low = 0, high = sorted->len, middle;
	int order;

	*there = false;
	while (low < high && !*there) {
		middle = low + (high - low) / 2;
		order = strcmp(name, sorted->items[middle]);
		*there = order == 0;
		if (order > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return *there ? high : low;
}

static void
add_container(struct watch_memory *memory, const char *name)
{
	struct strvec *owners = &memory->owners;
	bool there;
	size_t at = find_place(owners, name, &there);
	char *added;

	if (there)
		return;
	memory->added++;
	strvec_add(owners, name);
	added = owners->items[owners->len - 1];
	memmove(owners->items + at + 1, owners->items + at,
	    (owners->len - 1 - at) * sizeof(*owners->items));
	owners->items[at] = added;
}

static void
drop_repeated(struct strvec *sorted)
{
	struct strvec once = { 0 };
	size_t i;

	for (i = 0; i < sorted->len; i++)
		if (i == 0 ||
		    strcmp(sorted->items[i], sorted->items[i - 1]) != 0)
			strvec_add(&once, sorted->items[i]);
	strvec_clear(sorted);
	*sorted = once;
}

/* Those of owners without a sandbox. */
static void
drop_renamed(struct watch_memory *memory)
{
	size_t i = 0;

	while (i < memory->renamed.len)
		if (watch_memory_knows(memory,
			strchr(memory->renamed.items[i], ' ') + 1))
			i++;
		else
			strvec_remove(&memory->renamed, i);
}

/* What is gone is not in the listing of the next sweep. */
void
watch_memory_drop_sandbox(struct watch_memory *memory, const char *id)
{
	size_t i;

	for (i = 0; i < memory->sandboxes.len; i++)
		if (strcmp(memory->sandboxes.items[i].id, id) == 0) {
			container_list_drop(&memory->sandboxes, i);
			return;
		}
}

void
watch_memory_learn(struct watch_memory *memory,
    const struct sweep_report *report, const struct strvec *suspects)
{
	const struct sweep_decision *decision;
	size_t i;

	strvec_clear(&memory->owners);
	strvec_clear(&memory->processes);
	memory->next_change = 0;
	memory->added = 0;
	for (i = 0; i < report->decision_count; i++) {
		decision = &report->decisions[i];
		if (decision->outcome != SWEEP_KEPT &&
		    decision->outcome != SWEEP_FAILED) {
			watch_memory_drop_sandbox(memory, decision->id);
			continue;
		}
		learn_owner(memory, decision);
		if (decision->outcome == SWEEP_KEPT)
			learn_change(memory, decision, suspects);
	}
	strvec_sort(&memory->owners);
	drop_repeated(&memory->owners);
	drop_renamed(memory);
}

void
watch_memory_learn_suspects(struct watch_memory *memory,
    const struct sweep_report *report, const struct strvec *suspects)
{
	const struct sweep_decision *decision;
	struct owner owner;
	bool there;
	size_t i, at;

	for (i = 0; i < suspects->len; i++) {
		at = find_place(&memory->owners, suspects->items[i], &there);
		if (there)
			strvec_remove(&memory->owners, at);
	}
	for (i = 0; i < report->decision_count; i++) {
		decision = &report->decisions[i];
		owner = owner_parse(decision->owner);
		if (decision->outcome != SWEEP_KEPT &&
		    decision->outcome != SWEEP_FAILED) {
			watch_memory_drop_sandbox(memory, decision->id);
			continue;
		}
		if (owner.type != OWNER_CONTAINER ||
		    !strvec_has(suspects, owner.name))
			continue;
		add_container(memory, owner.name);
		if (decision->outcome == SWEEP_KEPT)
			learn_change(memory, decision, suspects);
	}
}

bool
watch_memory_knows(const struct watch_memory *memory, const char *container)
{
	bool there;

	(void)find_place(&memory->owners, container, &there);
	return there;
}

void
watch_memory_add(struct watch_memory *memory, const char *text, int64_t expires)
{
	struct owner owner = owner_parse(text);

	if (owner.type == OWNER_CONTAINER) {
		add_container(memory, owner.name);
	} else if (owner.type == OWNER_PROCESS &&
	    !strvec_has(&memory->processes, text)) {
		memory->added++;
		strvec_add(&memory->processes, text);
	}
	note_change(memory, expires);
}

void
watch_memory_add_sandbox(struct watch_memory *memory, const char *id,
    const char *name, json_t *labels)
{
	struct container *added;

	/* one that is started again */
	if (container_list_find(&memory->sandboxes, id) != NULL)
		return;
	added = container_list_add(&memory->sandboxes);
	added->id = xstrdup(id);
	added->name = xstrdup(name);
	added->created = clock_now();
	container_set_labels(added, labels);
	memory->added++;
}

bool
watch_memory_is_full(const struct watch_memory *memory)
{
	return memory->added >= most_added;
}

void
watch_renamed_add(struct watch_memory *memory, const char *id,
    const char *owner)
{
	watch_renamed_forget(memory, id);
	strvec_addf(&memory->renamed, "%s %s", id, owner);
	memory->added++;
}

static bool
is_of(const char *pair, const char *id)
{
	size_t len = strlen(id);

	return strncmp(pair, id, len) == 0 && pair[len] == ' ';
}

const char *
watch_renamed_find(const struct watch_memory *memory, const char *id)
{
	size_t i;

	for (i = 0; i < memory->renamed.len; i++)
		if (is_of(memory->renamed.items[i], id))
			return strchr(memory->renamed.items[i], ' ') + 1;
	return NULL;
}

void
watch_renamed_forget(struct watch_memory *memory, const char *id)
{
	size_t i = 0;

	while (i < memory->renamed.len)
		if (is_of(memory->renamed.items[i], id))
			strvec_remove(&memory->renamed, i);
		else
			i++;
}

void
watch_renamed_forget_owner(struct watch_memory *memory, const char *owner)
{
	size_t i = 0;

	while (i < memory->renamed.len)
		if (strcmp(strchr(memory->renamed.items[i], ' ') + 1, owner) ==
		    0)
			strvec_remove(&memory->renamed, i);
		else
			i++;
}

static struct watch_clock *
find_clock(const struct watch_memory *memory, const char *owner)
{
	size_t i;

	for (i = 0; i < memory->clock_count; i++)
		if (strcmp(memory->clocks[i].owner, owner) == 0)
			return &memory->clocks[i];
	return NULL;
}

bool
watch_clock_start(struct watch_memory *memory, const char *owner, int64_t in_ms)
{
	struct watch_clock *clock;

	if (find_clock(memory, owner) != NULL)
		return false;
	memory->clocks = xreallocarray(memory->clocks, memory->clock_count + 1,
	    sizeof(*memory->clocks));
	clock = &memory->clocks[memory->clock_count++];
	clock->owner = xstrdup(owner);
	clock->at_ms = clock_monotonic_ms() + in_ms;
	return true;
}

static void
forget(struct watch_memory *memory, struct watch_clock *clock)
{
	free(clock->owner);
	memory->clock_count--;
	*clock = memory->clocks[memory->clock_count];
}

bool
watch_clock_stop(struct watch_memory *memory, const char *owner)
{
	struct watch_clock *clock = find_clock(memory, owner);

	if (clock != NULL)
		forget(memory, clock);
	return clock != NULL;
}

int64_t
watch_clock_next(const struct watch_memory *memory)
{
	int64_t next = INT64_MAX;
	size_t i;

	for (i = 0; i < memory->clock_count; i++)
		if (memory->clocks[i].at_ms < next)
			next = memory->clocks[i].at_ms;
	return next;
}

void
watch_clock_take(struct watch_memory *memory, int64_t now_ms,
    struct strvec *owners)
{
	size_t i = 0;

	while (i < memory->clock_count) {
		if (memory->clocks[i].at_ms > now_ms) {
			i++;
			continue;
		}
		strvec_add(owners, memory->clocks[i].owner);
		forget(memory, &memory->clocks[i]);
	}
}
