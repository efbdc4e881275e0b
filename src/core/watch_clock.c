/* SPDX-License-Identifier: ISC */
/* What a watch remembers. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "core/watch_clock.h"

void
watch_memory_clear(struct watch_memory *memory)
{
	size_t i;

	for (i = 0; i < memory->clock_count; i++)
		free(memory->clocks[i].owner);
	free(memory->clocks);
	strvec_clear(&memory->owners);
	strvec_clear(&memory->processes);
	memset(memory, 0, sizeof(*memory));
}

static void
note_change(struct watch_memory *memory, int64_t at)
{
	if (at > 0 && (memory->next_change == 0 || at < memory->next_change))
		memory->next_change = at;
}

static void
learn_owner(struct watch_memory *memory, const char *text)
{
	struct owner owner = owner_parse(text);

	if (owner.type == OWNER_CONTAINER)
		strvec_add(&memory->owners, owner.name);
	else if (owner.type == OWNER_PROCESS)
		strvec_add_once(&memory->processes, text);
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

void
watch_memory_learn(struct watch_memory *memory,
    const struct sweep_report *report)
{
	const struct sweep_decision *decision;
	size_t i;

	strvec_clear(&memory->owners);
	strvec_clear(&memory->processes);
	memory->next_change = 0;
	for (i = 0; i < report->decision_count; i++) {
		decision = &report->decisions[i];
		if (decision->outcome != SWEEP_KEPT &&
		    decision->outcome != SWEEP_FAILED)
			continue;
		learn_owner(memory, decision->owner);
		note_change(memory, decision->until);
	}
	strvec_sort(&memory->owners);
	drop_repeated(&memory->owners);
}

bool
watch_memory_knows(const struct watch_memory *memory, const char *container)
{
	size_t low = 0, high = memory->owners.len, middle;
	int order;

	while (low < high) {
		middle = low + (high - low) / 2;
		order = strcmp(container, memory->owners.items[middle]);
		if (order == 0)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

void
watch_memory_add(struct watch_memory *memory, const char *text, int64_t expires)
{
	struct owner owner = owner_parse(text);

	if (owner.type != OWNER_CONTAINER ||
	    !watch_memory_knows(memory, owner.name)) {
		learn_owner(memory, text);
		strvec_sort(&memory->owners);
	}
	note_change(memory, expires);
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

void
watch_clock_start(struct watch_memory *memory, const char *owner, int64_t in_ms)
{
	struct watch_clock *clock;

	if (find_clock(memory, owner) != NULL)
		return;
	memory->clocks = xreallocarray(memory->clocks, memory->clock_count + 1,
	    sizeof(*memory->clocks));
	clock = &memory->clocks[memory->clock_count++];
	clock->owner = xstrdup(owner);
	clock->at_ms = clock_monotonic_ms() + in_ms;
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
