/* SPDX-License-Identifier: ISC */
/* What the cache holds of one agent. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "store/entry.h"

static void
service_entry_clear(struct service_entry *service)
{
	free(service->service);
	free(service->container);
	free(service->id);
	free(service->started);
	free(service->image);
	free(service->memory);
	free(service->data_size);
	free(service->host);
	free(service->user);
	if (service->password != NULL)
		explicit_bzero(service->password, strlen(service->password));
	free(service->password);
	free(service->database);
	strvec_clear(&service->features);
	strvec_clear(&service->exports);
	strvec_clear(&service->unknown);
	memset(service, 0, sizeof(*service));
}

void
agent_entry_clear(struct agent_entry *entry)
{
	size_t i;

	for (i = 0; i < entry->service_count; i++)
		service_entry_clear(&entry->services[i]);
	free(entry->services);
	free(entry->agent);
	free(entry->owner);
	free(entry->owner_id);
	free(entry->daemon);
	free(entry->network);
	free(entry->publish);
	strvec_clear(&entry->unknown);
	memset(entry, 0, sizeof(*entry));
}

static void
service_entry_copy(struct service_entry *to, const struct service_entry *from)
{
	to->pending = from->pending;
	to->port = from->port;
	xstr_set(&to->container, from->container);
	xstr_set(&to->id, from->id);
	xstr_set(&to->started, from->started);
	xstr_set(&to->image, from->image);
	xstr_set(&to->memory, from->memory);
	xstr_set(&to->data_size, from->data_size);
	xstr_set(&to->host, from->host);
	xstr_set(&to->user, from->user);
	xstr_set(&to->password, from->password);
	xstr_set(&to->database, from->database);
	strvec_append(&to->features, &from->features);
	strvec_append(&to->exports, &from->exports);
	strvec_append(&to->unknown, &from->unknown);
}

void
agent_entry_copy(struct agent_entry *to, const struct agent_entry *from)
{
	size_t i;

	memset(to, 0, sizeof(*to));
	to->state = from->state;
	to->created = from->created;
	to->handed = from->handed;
	to->expires = from->expires;
	to->hold = from->hold;
	xstr_set(&to->agent, from->agent);
	xstr_set(&to->owner, from->owner);
	xstr_set(&to->owner_id, from->owner_id);
	xstr_set(&to->daemon, from->daemon);
	xstr_set(&to->network, from->network);
	xstr_set(&to->publish, from->publish);
	strvec_append(&to->unknown, &from->unknown);
	for (i = 0; i < from->service_count; i++)
		service_entry_copy(agent_entry_add(to,
				       from->services[i].service),
		    &from->services[i]);
}

struct service_entry *
agent_entry_find(const struct agent_entry *entry, const char *service)
{
	size_t i;

	for (i = 0; i < entry->service_count; i++)
		if (strcmp(entry->services[i].service, service) == 0)
			return &entry->services[i];
	return NULL;
}

void
agent_entry_services(const struct agent_entry *entry, struct strvec *services)
{
	size_t i;

	for (i = 0; i < entry->service_count; i++)
		if (!entry->services[i].pending)
			strvec_add(services, entry->services[i].service);
}

struct service_entry *
agent_entry_add(struct agent_entry *entry, const char *service)
{
	struct service_entry *added = agent_entry_find(entry, service);

	if (added != NULL)
		return added;
	entry->services = xreallocarray(entry->services,
	    entry->service_count + 1, sizeof(*entry->services));
	added = &entry->services[entry->service_count++];
	memset(added, 0, sizeof(*added));
	added->service = xstrdup(service);
	added->container = xstrdup("");
	added->id = xstrdup("");
	added->started = xstrdup("");
	added->image = xstrdup("");
	added->memory = xstrdup("");
	added->data_size = xstrdup("");
	added->host = xstrdup("");
	added->user = xstrdup("");
	added->password = xstrdup("");
	added->database = xstrdup("");
	return added;
}

void
agent_entry_remove(struct agent_entry *entry, const char *name)
{
	struct service_entry *service = agent_entry_find(entry, name);
	size_t index;

	if (service == NULL)
		return;
	index = (size_t)(service - entry->services);
	service_entry_clear(service);
	memmove(service, service + 1,
	    (entry->service_count - index - 1) * sizeof(*service));
	entry->service_count--;
}

bool
agent_entry_has_id(const struct agent_entry *entry, const char *id)
{
	size_t i;

	for (i = 0; i < entry->service_count; i++)
		if (strcmp(entry->services[i].id, id) == 0)
			return true;
	return false;
}
