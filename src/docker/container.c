/* SPDX-License-Identifier: ISC */
/* One container, and lists of them. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
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

/* In one piece: thousands of containers may be listed, as objects 1 kB each. */
void
container_set_labels(struct container *c, json_t *labels)
{
	struct strbuf packed = { 0 };
	const char *name, *text;
	json_t *value;

	json_object_foreach (labels, name, value) {
		text = json_string_value(value);
		if (*name == '\0' || text == NULL || *text == '\0')
			continue;
		strbuf_add(&packed, name, strlen(name) + 1);
		strbuf_add(&packed, text, strlen(text) + 1);
	}
	free(c->labels);
	c->labels = NULL;
	if (packed.len > 0) {
		strbuf_addc(&packed, '\0');
		c->labels = xreallocarray(packed.data, packed.len, 1);
	}
}

const char *
container_label(const struct container *c, const char *key)
{
	const char *name = c->labels, *value;

	while (name != NULL && *name != '\0') {
		value = name + strlen(name) + 1;
		if (strcmp(name, key) == 0)
			return value;
		name = value + strlen(value) + 1;
	}
	return "";
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
	free(c->labels);
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

void
container_list_drop(struct container_list *list, size_t index)
{
	container_clear(&list->items[index]);
	list->items[index] = list->items[--list->len];
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
