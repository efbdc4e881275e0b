/* SPDX-License-Identifier: ISC */
/* What there is: containers, entries, and what should not lie about. */

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "fault.h"

static const char box_prefix[] = "roboco-sandbox-";

static void
add_box(struct world *world, const char *path)
{
	json_t *doc = json_load_file(path, JSON_ALLOW_NUL, NULL);
	const char *id, *name, *status;
	struct box *box;

	/* it went away meanwhile */
	if (doc == NULL)
		return;
	if (json_unpack(doc, "{s:s,s:s,s:{s:s}}", "Id", &id, "Name", &name,
		"State", "Status", &status) == -1)
		die("%s is no container", path);
	world->boxes = realloc(world->boxes,
	    (world->box_count + 1) * sizeof(*world->boxes));
	if (world->boxes == NULL)
		die("out of memory");
	box = &world->boxes[world->box_count++];
	box->id = format("%s", id);
	box->name = format("%s", name + 1);
	box->status = format("%s", status);
	json_decref(doc);
}

static void
read_boxes(struct world *world, const char *cell)
{
	char *folder = format("%s/fake/containers", cell), *path;
	struct words names = { 0 };
	size_t i;

	list_folder(folder, &names, 0);
	for (i = 0; i < names.len; i++) {
		path = format("%s/%s", folder, names.items[i]);
		add_box(world, path);
		free(path);
	}
	words_clear(&names);
	free(folder);
}

/* Every value of a key, in a text of KEY=VALUE lines. */
static void
values_of(const char *text, const char *key, struct words *values)
{
	size_t len = strlen(key);
	const char *line, *end;
	char *value;

	for (line = text; *line != '\0'; line = *end == '\0' ? end : end + 1) {
		end = strchrnul(line, '\n');
		if (strncmp(line, key, len) != 0 || line[len] != '=')
			continue;
		line += len + 1;
		value = format("%.*s", (int)(end - line), line);
		if (*value != '\0')
			words_add(values, value);
		free(value);
	}
}

static void
add_record(struct world *world, const char *slug, const char *path)
{
	char *text = slurp(path, NULL);
	struct record *record;

	if (text == NULL)
		return;
	world->records = realloc(world->records,
	    (world->record_count + 1) * sizeof(*world->records));
	if (world->records == NULL)
		die("out of memory");
	record = &world->records[world->record_count++];
	record->slug = format("%s", slug);
	record->text = text;
	values_of(text, "password", &world->passwords);
}

/* A release mark is there until a sweep has carried it out; nothing else. */
static int
is_mark(const char *name)
{
	size_t len = strlen(name), tag = strlen(".release");

	return len > tag && strcmp(name + len - tag, ".release") == 0;
}

static void
read_records(struct world *world, const char *cell)
{
	char *folder = format("%s/state/agents", cell), *path;
	struct words names = { 0 };
	size_t i;

	list_folder(folder, &names, 1);
	for (i = 0; i < names.len; i++) {
		path = format("%s/%s", folder, names.items[i]);
		if (names.items[i][0] != '.')
			add_record(world, names.items[i], path);
		else if (!is_mark(names.items[i]))
			words_add(&world->litter, names.items[i]);
		free(path);
	}
	words_clear(&names);
	free(folder);
}

static void
read_litter(struct world *world, const char *cell)
{
	char *folder = format("%s/state/locks", cell);
	struct words names = { 0 };
	size_t i;

	list_folder(folder, &world->litter, 1);
	free(folder);
	folder = format("%s/state", cell);
	list_folder(folder, &names, 1);
	for (i = 0; i < names.len; i++)
		if (strcmp(names.items[i], "agents") != 0 &&
		    strcmp(names.items[i], "locks") != 0 &&
		    strcmp(names.items[i], "keeper") != 0)
			words_add(&world->litter, names.items[i]);
	words_clear(&names);
	free(folder);
}

/* The passwords of what was run, which may be recorded no more. */
static void
read_called_passwords(struct world *world, const char *cell)
{
	static const char *const names[] = { "POSTGRES_PASSWORD",
		"REDISCLI_AUTH", "MONGO_INITDB_ROOT_PASSWORD" };
	char *path = format("%s/fake/calls.log", cell), *text, *line, *next;
	const char *value;
	json_t *call;
	size_t i;

	text = slurp(path, NULL);
	for (line = text; line != NULL && *line != '\0'; line = next) {
		next = strchr(line, '\n');
		if (next == NULL)
			break;
		*next++ = '\0';
		call = json_loads(line, JSON_ALLOW_NUL, NULL);
		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			value = json_string_value(json_object_get(
			    json_object_get(call, "envv"), names[i]));
			if (value != NULL && *value != '\0')
				words_add(&world->passwords, value);
		}
		json_decref(call);
	}
	free(text);
	free(path);
}

void
world_read(struct world *world, const char *cell)
{
	memset(world, 0, sizeof(*world));
	read_boxes(world, cell);
	read_records(world, cell);
	read_litter(world, cell);
	read_called_passwords(world, cell);
}

void
world_clear(struct world *world)
{
	size_t i;

	for (i = 0; i < world->box_count; i++) {
		free(world->boxes[i].id);
		free(world->boxes[i].name);
		free(world->boxes[i].status);
	}
	for (i = 0; i < world->record_count; i++) {
		free(world->records[i].slug);
		free(world->records[i].text);
	}
	free(world->boxes);
	free(world->records);
	words_clear(&world->passwords);
	words_clear(&world->litter);
	memset(world, 0, sizeof(*world));
}

const struct box *
world_box(const struct world *world, const char *id)
{
	size_t i;

	for (i = 0; i < world->box_count; i++)
		if (strcmp(world->boxes[i].id, id) == 0)
			return &world->boxes[i];
	return NULL;
}

const struct box *
world_named(const struct world *world, const char *name)
{
	size_t i;

	for (i = 0; i < world->box_count; i++)
		if (strcmp(world->boxes[i].name, name) == 0)
			return &world->boxes[i];
	return NULL;
}

const struct record *
world_record(const struct world *world, const char *slug)
{
	size_t i;

	for (i = 0; i < world->record_count; i++)
		if (strcmp(world->records[i].slug, slug) == 0)
			return &world->records[i];
	return NULL;
}

int
is_sandbox_name(const char *name, const char *slug)
{
	const char *dash;

	if (strncmp(name, box_prefix, strlen(box_prefix)) != 0)
		return 0;
	dash = strchr(name + strlen(box_prefix), '-');
	if (dash == NULL)
		return 0;
	return slug == NULL || strcmp(dash + 1, slug) == 0;
}

void
record_ids(const struct record *record, struct words *ids)
{
	values_of(record->text, "id", ids);
}

int
record_is_intent(const struct record *record)
{
	/* the agent's, or a service's that is being made */
	return strstr(record->text, "\nstate=provisioning\n") != NULL;
}

/* The id that a service's section names; NULL where there is none. */
char *
record_id_of(const struct record *record, const char *service)
{
	char *head = format("\n[%s]\n", service), *section, *end, *id = NULL;
	const char *at = strstr(record->text, head);
	struct words ids = { 0 };

	if (at != NULL) {
		section = format("%s", at + strlen(head));
		end = strstr(section, "\n[");
		if (end != NULL)
			*end = '\0';
		values_of(section, "id", &ids);
		if (ids.len == 1)
			id = format("%s", ids.items[0]);
		free(section);
	}
	words_clear(&ids);
	free(head);
	return id;
}
