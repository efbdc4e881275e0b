/* SPDX-License-Identifier: ISC */
/*
 * The entry as text.  One table tells every key of the two kinds of section;
 * reading and writing both walk it.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vis.h>

#include "base/alloc.h"
#include "store/entry.h"

static const char magic[] = "sandkeeper ";
static const long version = 1;

enum field_type {
	FIELD_TEXT,
	FIELD_TIME,
	FIELD_PORT,
	FIELD_LIST,
	FIELD_LINES, /* the key again for each of them */
	FIELD_STATE,
	FIELD_PENDING
};

struct field {
	const char *key;
	enum field_type type;
	size_t offset;
};

static const struct field agent_fields[] = {
	{ "agent", FIELD_TEXT, offsetof(struct agent_entry, agent) },
	{ "state", FIELD_STATE, offsetof(struct agent_entry, state) },
	{ "owner", FIELD_TEXT, offsetof(struct agent_entry, owner) },
	{ "owner-id", FIELD_TEXT, offsetof(struct agent_entry, owner_id) },
	{ "daemon", FIELD_TEXT, offsetof(struct agent_entry, daemon) },
	{ "network", FIELD_TEXT, offsetof(struct agent_entry, network) },
	{ "publish", FIELD_TEXT, offsetof(struct agent_entry, publish) },
	{ "created", FIELD_TIME, offsetof(struct agent_entry, created) },
	{ "handed", FIELD_TIME, offsetof(struct agent_entry, handed) },
	{ "expires", FIELD_TIME, offsetof(struct agent_entry, expires) },
	{ "hold", FIELD_TIME, offsetof(struct agent_entry, hold) },
	{ NULL, FIELD_TEXT, 0 },
};

static const struct field service_fields[] = {
	{ "state", FIELD_PENDING, offsetof(struct service_entry, pending) },
	{ "container", FIELD_TEXT, offsetof(struct service_entry, container) },
	{ "id", FIELD_TEXT, offsetof(struct service_entry, id) },
	{ "started", FIELD_TEXT, offsetof(struct service_entry, started) },
	{ "image", FIELD_TEXT, offsetof(struct service_entry, image) },
	{ "memory", FIELD_TEXT, offsetof(struct service_entry, memory) },
	{ "data-size", FIELD_TEXT, offsetof(struct service_entry, data_size) },
	{ "host", FIELD_TEXT, offsetof(struct service_entry, host) },
	{ "port", FIELD_PORT, offsetof(struct service_entry, port) },
	{ "user", FIELD_TEXT, offsetof(struct service_entry, user) },
	{ "password", FIELD_TEXT, offsetof(struct service_entry, password) },
	{ "database", FIELD_TEXT, offsetof(struct service_entry, database) },
	{ "features", FIELD_LIST, offsetof(struct service_entry, features) },
	{ "export", FIELD_LINES, offsetof(struct service_entry, exports) },
	{ NULL, FIELD_TEXT, 0 },
};

static const char *const state_words[] = {
	[ENTRY_PROVISIONING] = "provisioning",
	[ENTRY_READY] = "ready",
};

static void
write_text(struct strbuf *out, const char *key, const char *value)
{
	char *encoded =
	    xstravis(value != NULL ? value : "", VIS_CSTYLE | VIS_NL | VIS_TAB);

	strbuf_addf(out, "%s=%s\n", key, encoded);
	free(encoded);
}

static void
write_field(struct strbuf *out, const struct field *field, const void *place)
{
	const struct strvec *lines = place;
	char *joined;
	size_t i;

	switch (field->type) {
	case FIELD_TEXT:
		write_text(out, field->key, *(char *const *)place);
		break;
	case FIELD_TIME:
		strbuf_addf(out, "%s=%lld\n", field->key,
		    (long long)*(const int64_t *)place);
		break;
	case FIELD_PORT:
		strbuf_addf(out, "%s=%d\n", field->key, *(const int *)place);
		break;
	case FIELD_LIST:
		joined = strvec_join(place, ",");
		write_text(out, field->key, joined);
		free(joined);
		break;
	case FIELD_LINES:
		for (i = 0; i < lines->len; i++)
			write_text(out, field->key, lines->items[i]);
		break;
	case FIELD_STATE:
		strbuf_addf(out, "%s=%s\n", field->key,
		    state_words[*(const enum entry_state *)place]);
		break;
	case FIELD_PENDING:
		if (*(const bool *)place)
			strbuf_addf(out, "%s=%s\n", field->key,
			    state_words[ENTRY_PROVISIONING]);
		break;
	}
}

static void
write_section(struct strbuf *out, const struct field *fields,
    const void *record, const struct strvec *unknown)
{
	size_t i;

	for (; fields->key != NULL; fields++)
		write_field(out, fields, (const char *)record + fields->offset);
	for (i = 0; i < unknown->len; i++)
		strbuf_addf(out, "%s\n", unknown->items[i]);
}

void
agent_entry_write(const struct agent_entry *entry, struct strbuf *out)
{
	const struct service_entry *service;
	size_t i;

	strbuf_addf(out, "%s%ld\n", magic, version);
	write_section(out, agent_fields, entry, &entry->unknown);
	for (i = 0; i < entry->service_count; i++) {
		service = &entry->services[i];
		strbuf_addf(out, "[%s]\n", service->service);
		write_section(out, service_fields, service, &service->unknown);
	}
	strbuf_adds(out, "end\n");
}

static int
read_time(const char *value, int64_t *out)
{
	char *end;
	long long n;

	errno = 0;
	n = strtoll(value, &end, 10);
	if (!isdigit((unsigned char)*value) || *end != '\0' || errno != 0)
		return -1;
	*out = n;
	return 0;
}

static int
read_state(const char *value, enum entry_state *out)
{
	if (strcmp(value, state_words[ENTRY_READY]) == 0)
		*out = ENTRY_READY;
	else if (strcmp(value, state_words[ENTRY_PROVISIONING]) == 0)
		*out = ENTRY_PROVISIONING;
	else
		return -1;
	return 0;
}

/* Read one decoded value into its place; -1 where it is not one. */
static int
read_field(const struct field *field, char *value, void *place)
{
	enum entry_state state;
	const char *problem;

	switch (field->type) {
	case FIELD_TEXT:
		xstr_set(place, value);
		return 0;
	case FIELD_TIME:
		return read_time(value, place);
	case FIELD_PORT:
		*(int *)place = (int)strtonum(value, 0, 65535, &problem);
		return problem == NULL ? 0 : -1;
	case FIELD_LIST:
		strvec_split(place, value, ',');
		return 0;
	case FIELD_LINES:
		strvec_add(place, value);
		return 0;
	case FIELD_STATE:
		return read_state(value, place);
	case FIELD_PENDING:
		if (read_state(value, &state) == -1)
			return -1;
		*(bool *)place = state == ENTRY_PROVISIONING;
		return 0;
	}
	return -1;
}

static const struct field *
find_field(const struct field *fields, const char *key, size_t len)
{
	for (; fields->key != NULL; fields++)
		if (strlen(fields->key) == len &&
		    memcmp(fields->key, key, len) == 0)
			return fields;
	return NULL;
}

static int
read_line(const struct field *fields, void *record, struct strvec *unknown,
    const char *line)
{
	const char *equals = strchr(line, '=');
	const struct field *field;
	char *value;
	int rc = -1;

	if (equals == NULL || equals == line)
		return -1;
	field = find_field(fields, line, (size_t)(equals - line));
	if (field == NULL) {
		strvec_add(unknown, line);
		return 0;
	}
	value = xstrdup(equals + 1);
	/* few have something to decode, and a listing reads thousands */
	if (strchr(value, '\\') == NULL || strunvis(value, equals + 1) != -1)
		rc = read_field(field, value, (char *)record + field->offset);
	explicit_bzero(value, strlen(value));
	free(value);
	return rc;
}

/* "[postgres]" */
static struct service_entry *
read_section(struct agent_entry *entry, const char *line)
{
	size_t len = strlen(line);
	struct service_entry *service = NULL;
	char *name;

	if (len < 3 || line[len - 1] != ']')
		return NULL;
	name = xstrndup(line + 1, len - 2);
	if (agent_entry_find(entry, name) == NULL)
		service = agent_entry_add(entry, name);
	free(name);
	return service;
}

static int
read_version(const char *line, struct error *err)
{
	const char *problem;
	long long n;

	if (strncmp(line, magic, sizeof(magic) - 1) != 0)
		return error_set(err, ERROR_STATE_READ,
		    "it does not begin with 'sandkeeper 1'");
	n = strtonum(line + sizeof(magic) - 1, 1, 1000000, &problem);
	if (problem != NULL)
		return error_set(err, ERROR_STATE_READ,
		    "its version cannot be read");
	if (n != version)
		return error_set(err, ERROR_NEWER,
		    "it is of version %lld; this program knows %ld", n,
		    version);
	return 0;
}

static void
fill_absent(struct agent_entry *entry)
{
	char **places[] = { &entry->agent, &entry->owner, &entry->owner_id,
		&entry->daemon, &entry->network, &entry->publish };
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (*places[i] == NULL)
			*places[i] = xstrdup("");
}

static int
read_lines(struct agent_entry *entry, char *text, struct error *err)
{
	struct service_entry *service = NULL;
	char *line;
	int number = 0, rc;

	while ((line = strsep(&text, "\n")) != NULL) {
		if (++number == 1) {
			if (read_version(line, err) == -1)
				return -1;
			continue;
		}
		if (strcmp(line, "end") == 0)
			return text != NULL && *text == '\0' ?
			    0 :
			    error_set(err, ERROR_STATE_READ,
				"something follows its end");
		if (*line == '[') {
			service = read_section(entry, line);
			rc = service != NULL ? 0 : -1;
		} else if (service != NULL) {
			rc = read_line(service_fields, service,
			    &service->unknown, line);
		} else {
			rc = read_line(agent_fields, entry, &entry->unknown,
			    line);
		}
		if (rc == -1)
			return error_set(err, ERROR_STATE_READ,
			    "line %d cannot be read", number);
	}
	return error_set(err, ERROR_STATE_READ, "its end is missing");
}

int
agent_entry_parse(struct agent_entry *entry, const char *text, size_t len,
    struct error *err)
{
	char *copy = xstrndup(len > 0 ? text : "", len);
	size_t size = strlen(copy);
	int rc;

	memset(entry, 0, sizeof(*entry));
	/* where no line tells: an intent would be taken for a crash */
	entry->state = ENTRY_READY;
	if (size != len)
		rc = error_set(err, ERROR_STATE_READ, "it holds a NUL byte");
	else
		rc = read_lines(entry, copy, err);
	explicit_bzero(copy, size);
	free(copy);
	if (rc == -1)
		agent_entry_clear(entry);
	else
		fill_absent(entry);
	return rc;
}
