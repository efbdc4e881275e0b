/* SPDX-License-Identifier: ISC */
/* One container, and lists of them. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "docker/container.h"

static const char *const state_names[] = {
	[CONTAINER_UNKNOWN] = "unknown",
	[CONTAINER_CREATED] = "created",
	[CONTAINER_RUNNING] = "running",
	[CONTAINER_PAUSED] = "paused",
	[CONTAINER_RESTARTING] = "restarting",
	[CONTAINER_REMOVING] = "removing",
	[CONTAINER_EXITED] = "exited",
	[CONTAINER_DEAD] = "dead",
};

const char *
container_label(const struct container *c, const char *key)
{
	return json_text_or_empty(c->labels, key);
}

const char *
container_state_name(enum container_state state)
{
	return state_names[state];
}

enum container_state
container_state_parse(const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(state_names) / sizeof(state_names[0]); i++)
		if (strcmp(word, state_names[i]) == 0)
			return (enum container_state)i;
	return CONTAINER_UNKNOWN;
}

bool
container_is_up(const struct container *c)
{
	return c->state == CONTAINER_RUNNING || c->state == CONTAINER_PAUSED ||
	    c->state == CONTAINER_RESTARTING;
}

const char *
container_address(const struct container *c, const char *network)
{
	size_t i;

	for (i = 0; i < c->network_count; i++)
		if (strcmp(c->networks[i].name, network) == 0)
			return c->networks[i].address;
	return NULL;
}

struct container *
container_list_add(struct container_list *list)
{
	struct container *added;

	if (list->len == list->cap) {
		list->cap = list->cap > 0 ? list->cap * 2 : 8;
		list->items =
		    xreallocarray(list->items, list->cap, sizeof(*list->items));
	}
	added = &list->items[list->len++];
	memset(added, 0, sizeof(*added));
	added->created = TIME_UNKNOWN;
	added->finished = TIME_UNKNOWN;
	return added;
}

static void
container_clear(struct container *c)
{
	size_t i;

	for (i = 0; i < c->network_count; i++) {
		free(c->networks[i].name);
		free(c->networks[i].address);
	}
	for (i = 0; i < c->port_count; i++)
		free(c->ports[i].host);
	free(c->networks);
	free(c->ports);
	free(c->id);
	free(c->name);
	free(c->image);
	free(c->started);
	free(c->failure);
	free(c->mode);
	json_decref(c->labels);
}

void
container_list_clear(struct container_list *list)
{
	size_t i;

	for (i = 0; i < list->len; i++)
		container_clear(&list->items[i]);
	free(list->items);
	memset(list, 0, sizeof(*list));
}

const struct container *
container_list_find(const struct container_list *list, const char *id_or_name)
{
	size_t i;

	for (i = 0; i < list->len; i++)
		if (strcmp(list->items[i].id, id_or_name) == 0 ||
		    strcmp(list->items[i].name, id_or_name) == 0)
			return &list->items[i];
	return NULL;
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(((const struct container *)a)->name,
	    ((const struct container *)b)->name);
}

void
container_list_sort(struct container_list *list)
{
	if (list->len > 1)
		qsort(list->items, list->len, sizeof(*list->items),
		    compare_names);
}

static int
compare_to_name(const void *name, const void *c)
{
	return strcmp(name, ((const struct container *)c)->name);
}

const struct container *
container_list_find_name(const struct container_list *list, const char *name)
{
	if (list->len == 0)
		return NULL;
	return bsearch(name, list->items, list->len, sizeof(*list->items),
	    compare_to_name);
}
