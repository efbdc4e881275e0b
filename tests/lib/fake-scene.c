/* SPDX-License-Identifier: ISC */
/* fake-container, fake-set, fake-unset: containers as a test wants them. */

#include <stdlib.h>
#include <string.h>

#include "fake.h"

/* A value of the command line: JSON where it is that, else a string. */
static json_t *
loose_value(const char *text)
{
	json_t *v = json_loads(text, JSON_DECODE_ANY, NULL);

	return v != NULL ? v : jstring(text);
}

/* A state with the times and addresses that belong to it. */
static void
put_state(json_t *c, const char *state)
{
	char now[40];
	const char *name;
	json_t *entry;
	int ended = strcmp(state, "exited") == 0 ||
	    strcmp(state, "dead") == 0 || strcmp(state, "removing") == 0;

	time_text(now_ns(), now);
	container_set_status(c, state);
	if (ended && time_parse(jstr(c, "State.FinishedAt")) == INT64_MIN)
		jset(c, "State.FinishedAt", json_string(now));
	if ((ended || container_is_running(c)) &&
	    time_parse(jstr(c, "State.StartedAt")) == INT64_MIN)
		jset(c, "State.StartedAt", json_string(now));
	if (!container_is_running(c)) {
		network_detach_all(c);
		return;
	}
	json_object_foreach (jget(c, "NetworkSettings.Networks"), name, entry)
		if (*jstr(entry, "IPAddress") == '\0')
			network_attach(c, name, 1);
}

static int
set_known(json_t *c, const char *field, const char *value)
{
	static const char *const paths[][2] = {
		{ "exit", "State.ExitCode" },
		{ "error", "State.Error" },
		{ "oom", "State.OOMKilled" },
		{ "created", "Created" },
		{ "started", "State.StartedAt" },
		{ "finished", "State.FinishedAt" },
		{ "image", "Config.Image" },
		{ "restarts", "RestartCount" },
		{ "mode", "HostConfig.NetworkMode" },
	};
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (strcmp(paths[i][0], field) == 0) {
			jset(c, paths[i][1],
			    *value == '\0' ? json_string("") :
					     loose_value(value));
			return 1;
		}
	return 0;
}

static void
set_field(json_t *c, const char *field, const char *value)
{
	const char *key;
	json_t *entry;

	if (strcmp(field, "status") == 0 || strcmp(field, "state") == 0) {
		put_state(c, value);
	} else if (strncmp(field, "label.", 6) == 0) {
		jset_sorted(jget(c, "Config.Labels"), field + 6,
		    jstring(value));
	} else if (strcmp(field, "name") == 0) {
		container_rename(c, value);
	} else if (strcmp(field, "ip") == 0) {
		json_object_foreach (jget(c, "NetworkSettings.Networks"), key,
		    entry)
			json_object_set_new(entry, "IPAddress", jstring(value));
	} else if (!set_known(c, field, value)) {
		if (strchr(field, '.') == NULL)
			field = xasprintf("Fake.%s", scene_underscored(field));
		jset(c, field, loose_value(value));
	}
}

/* fake-set NAME field=value... */
int
scene_set(int argc, char *argv[])
{
	const char *value;
	char *field;
	json_t *c;
	int i;

	if (argc < 3)
		return scene_complain("usage: fake-set NAME field=value...");
	if ((c = container_find(argv[1], NULL)) == NULL)
		return scene_complain("fake-set: no such container");
	for (i = 2; i < argc; i++) {
		args_key_value(argv[i], &field, &value);
		set_field(c, field, value);
	}
	container_save(c);
	return 0;
}

/* fake-unset NAME label.KEY, or a path. */
int
scene_unset(int argc, char *argv[])
{
	char *dot;
	json_t *c, *from;

	c = argc == 3 ? container_find(argv[1], NULL) : NULL;
	if (c == NULL)
		return scene_complain("usage: fake-unset NAME PATH");
	dot = strrchr(argv[2], '.');
	if (strncmp(argv[2], "label.", 6) == 0) {
		json_object_del(jget(c, "Config.Labels"), argv[2] + 6);
	} else if (dot == NULL) {
		json_object_del(c, argv[2]);
	} else {
		*dot = '\0';
		from = jget(c, argv[2]);
		json_object_del(from, dot + 1);
	}
	container_save(c);
	return 0;
}

static void
put_id(json_t *c, const char *id)
{
	json_object_set_new(c, "Id",
	    json_sprintf("%.64s%.*s", id,
		strlen(id) > 64 ? 0 : 64 - (int)strlen(id),
		"00000000000000000000000000000000"
		"00000000000000000000000000000000"));
	jset(c, "Config.Hostname", json_sprintf("%.12s", jstr(c, "Id")));
}

/* The options of fake-container, in the order they were given. */
static void
put_option(json_t *c, const char *name, const char *value)
{
	const char *text;
	char *key;
	int i;

	if (strcmp(name, "label") == 0) {
		args_key_value(value, &key, &text);
		jset_sorted(jget(c, "Config.Labels"), key, jstring(text));
	} else if (strcmp(name, "env") == 0) {
		json_array_append_new(jget(c, "Config.Env"), jstring(value));
	} else if (strcmp(name, "network") == 0) {
		if (json_object_size(jget(c, "NetworkSettings.Networks")) == 0)
			jset(c, "HostConfig.NetworkMode", jstring(value));
		if (strncmp(value, "container:", 10) != 0) {
			network_make(value);
			network_attach(c, value, 0);
		}
	} else if (strcmp(name, "logs") == 0) {
		jset(c, "Fake.logs", jstring(value));
	} else if (strcmp(name, "volumes") == 0) {
		for (i = atoi(value); i > 0; i--)
			container_add_volume(c, NULL);
	} else if (strcmp(name, "set") == 0) {
		args_key_value(value, &key, &text);
		set_field(c, key, text);
	} else if (strcmp(name, "id") != 0 && strcmp(name, "state") != 0 &&
	    strcmp(name, "image") != 0) {
		set_known(c, name, value);
	}
}

/* fake-container NAME [options]: straight into the state. */
int
scene_container(int argc, char *argv[])
{
	const char *state, *from, *created;
	struct args a;
	json_t *c, *spec;
	size_t i;

	if (args_parse(&a, "fake-container", "NAME [OPTIONS]",
		"state= label= "
		"created= started= finished= network= image= id= logs= "
		"volumes= "
		"env= exit= mode= set=",
		1, argc, argv) != 0)
		return 2;
	if (a.nrest != 1)
		return scene_complain("usage: fake-container NAME [options]");
	if (container_by_name(a.rest[0]) != NULL)
		return scene_complain("fake-container: the name is taken");
	from = args_get(&a, "image");
	created = args_get(&a, "created");
	c = container_new(a.rest[0], from == NULL ? "fake:latest" : from,
	    created);
	spec = from == NULL ? NULL : image_read(from);
	if (spec != NULL)
		json_object_set(c, "Fake", spec);
	if (args_get(&a, "id") != NULL)
		put_id(c, args_get(&a, "id"));
	if (args_get(&a, "network") == NULL)
		network_attach(c, "bridge", 0);
	/* Not younger than the container, where its birth was given. */
	if (created != NULL && time_parse(created) != INT64_MIN)
		jset(c, "State.StartedAt", json_string(created));
	for (i = 0; i < a.len; i++)
		put_option(c, a.names[i], a.values[i]);
	state = args_get(&a, "state");
	put_state(c, state == NULL ? "running" : state);
	if (state != NULL && strcmp(state, "created") == 0 &&
	    args_get(&a, "started") == NULL)
		jset(c, "State.StartedAt", json_string("0001-01-01T00:00:00Z"));
	container_save(c);
	fprintf(fake.out, "%s\n", jstr(c, "Id"));
	return 0;
}
