/* SPDX-License-Identifier: ISC */
/*
 * The verbs fake-*, with which a test sets its scene and looks at what came
 * of it.  They are not written down as calls, and no fault touches them.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

static int
complain(const char *what)
{
	fprintf(fake.err, "fake-docker: %s\n", what);
	return 2;
}

static void
empty_folder(const char *folder)
{
	size_t i, len;
	char **names = state_names(folder, &len), *rel;

	for (i = 0; i < len; i++) {
		rel = xasprintf("%s/%s", folder, names[i]);
		unlinkat(fake.dirfd, rel, 0);
		free(rel);
	}
}

static int
init(int argc, char *argv[])
{
	static const char *const folders[] = { "containers", "names",
		"images", "registry", "networks", "volumes", "faults",
		"counts" };
	size_t i, len;
	char **names;

	(void)argc;
	(void)argv;
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		empty_folder(folders[i]);
	names = state_names(".", &len);
	for (i = 0; i < len; i++)
		if (strcmp(names[i], "lock") != 0)
			unlinkat(fake.dirfd, names[i], 0);
	network_make("bridge");
	network_make("host");
	network_make("none");
	return 0;
}

/* A value of the command line: JSON where it is that, else a string. */
static json_t *
loose_value(const char *text)
{
	json_t *v = json_loads(text, JSON_DECODE_ANY, NULL);

	return v != NULL ? v : jstring(text);
}

static char *
underscored(const char *name)
{
	char *s = xstrdup(name), *p;

	for (p = s; *p != '\0'; p++)
		if (*p == '-')
			*p = '_';
	return s;
}

/* fake-image and fake-remote: NAME [JSON] */
static int
put_image(const char *folder, int argc, char *argv[])
{
	json_t *given, *spec = json_object(), *v;
	const char *key;

	if (argc < 2)
		return complain("usage: fake-image NAME [JSON]");
	given = json_loads(argc > 2 ? argv[2] : "{}", 0, NULL);
	if (given == NULL)
		return complain("the image's JSON cannot be parsed");
	json_object_foreach(given, key, v)
		json_object_set(spec, underscored(key), v);
	image_write(folder, argv[1], spec);
	return 0;
}

static int
image(int argc, char *argv[])
{
	return put_image("images", argc, argv);
}

static int
remote(int argc, char *argv[])
{
	return put_image("registry", argc, argv);
}

static int
network(int argc, char *argv[])
{
	if (argc != 2)
		return complain("usage: fake-network NAME");
	fprintf(fake.out, "%s\n", jstr(network_make(argv[1]), "Id"));
	return 0;
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
	json_object_foreach(jget(c, "NetworkSettings.Networks"), name, entry)
		if (*jstr(entry, "IPAddress") == '\0')
			network_attach(c, name, 1);
}

static int
set_known(json_t *c, const char *field, const char *value)
{
	static const char *const paths[][2] = {
		{ "exit", "State.ExitCode" }, { "error", "State.Error" },
		{ "oom", "State.OOMKilled" }, { "created", "Created" },
		{ "started", "State.StartedAt" },
		{ "finished", "State.FinishedAt" },
		{ "image", "Config.Image" }, { "restarts", "RestartCount" },
		{ "mode", "HostConfig.NetworkMode" },
	};
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (strcmp(paths[i][0], field) == 0) {
			jset(c, paths[i][1], *value == '\0' ?
			    json_string("") : loose_value(value));
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
		json_object_foreach(jget(c, "NetworkSettings.Networks"), key,
		    entry)
			json_object_set_new(entry, "IPAddress",
			    jstring(value));
	} else if (!set_known(c, field, value)) {
		if (strchr(field, '.') == NULL)
			field = xasprintf("Fake.%s", underscored(field));
		jset(c, field, loose_value(value));
	}
}

/* fake-set NAME field=value... */
static int
set(int argc, char *argv[])
{
	const char *value;
	char *field;
	json_t *c;
	int i;

	if (argc < 3)
		return complain("usage: fake-set NAME field=value...");
	if ((c = container_find(argv[1], NULL)) == NULL)
		return complain("fake-set: no such container");
	for (i = 2; i < argc; i++) {
		args_key_value(argv[i], &field, &value);
		set_field(c, field, value);
	}
	container_save(c);
	return 0;
}

/* fake-unset NAME label.KEY, or a path. */
static int
unset(int argc, char *argv[])
{
	char *dot;
	json_t *c, *from;

	c = argc == 3 ? container_find(argv[1], NULL) : NULL;
	if (c == NULL)
		return complain("usage: fake-unset NAME PATH");
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
	json_object_set_new(c, "Id", json_sprintf("%.64s%.*s", id,
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
static int
container(int argc, char *argv[])
{
	const char *state, *from, *created;
	struct args a;
	json_t *c, *spec;
	size_t i;

	if (args_parse(&a, "fake-container", "NAME [OPTIONS]", "state= label= "
	    "created= started= finished= network= image= id= logs= volumes= "
	    "env= exit= mode= set=", 1, argc, argv) != 0)
		return 2;
	if (a.nrest != 1)
		return complain("usage: fake-container NAME [options]");
	if (container_by_name(a.rest[0]) != NULL)
		return complain("fake-container: the name is taken");
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
		jset(c, "State.StartedAt",
		    json_string("0001-01-01T00:00:00Z"));
	container_save(c);
	fprintf(fake.out, "%s\n", jstr(c, "Id"));
	return 0;
}

/* fake-inspect NAME [PATH]: the whole file, or one value of it. */
static int
inspect(int argc, char *argv[])
{
	json_t *c = argc > 1 ? container_find(argv[1], NULL) : NULL, *v;

	if (c == NULL)
		return complain("fake-inspect: no such container");
	v = argc > 2 ? jget(c, argv[2]) : c;
	if (argc > 2 && strncmp(argv[2], "label.", 6) == 0)
		v = json_object_get(jget(c, "Config.Labels"), argv[2] + 6);
	if (json_is_string(v))
		fprintf(fake.out, "%s\n", json_string_value(v));
	else
		fprintf(fake.out, "%s\n", v == NULL ? "" :
		    json_dumps(v, JSON_ENCODE_ANY | JSON_INDENT(2)));
	return 0;
}

static int
compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* fake-list [-q]: names, and states, in order of the names. */
static int
list(int argc, char *argv[])
{
	json_t *all = container_all(), *c;
	char **lines = xmalloc(json_array_size(all) * sizeof(*lines));
	int names_alone = argc > 1 && strcmp(argv[1], "-q") == 0;
	size_t i;

	json_array_foreach(all, i, c)
		lines[i] = xasprintf("%s%s%s", jstr(c, "Name") + 1,
		    names_alone ? "" : " ",
		    names_alone ? "" : jstr(c, "State.Status"));
	qsort(lines, json_array_size(all), sizeof(*lines), compare_lines);
	for (i = 0; i < json_array_size(all); i++)
		fprintf(fake.out, "%s\n", lines[i]);
	return 0;
}

/* fake-fault NAME [LINE...]: one line for each; none takes it away. */
static int
fault(int argc, char *argv[])
{
	char *rel, *text = xstrdup("");
	int i;

	if (argc < 2)
		return complain("usage: fake-fault NAME [key=value...]");
	rel = xasprintf("faults/%s", argv[1]);
	for (i = 2; i < argc; i++)
		text = xasprintf("%s%s\n", text, argv[i]);
	if (argc > 2)
		state_write_bytes(rel, text, strlen(text));
	else
		unlinkat(fake.dirfd, rel, 0);
	return 0;
}

/* fake-event LINE: what `events` is to print next. */
static int
event(int argc, char *argv[])
{
	char *line;

	if (argc != 2)
		return complain("usage: fake-event LINE");
	line = xasprintf("%s\n", argv[1]);
	state_append("events", line, strlen(line));
	return 0;
}

static int
has_control(const char *word)
{
	while (*word != '\0')
		if ((unsigned char)*word++ < ' ')
			return 1;
	return 0;
}

static void
print_word(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-^";

	if (*word != '\0' && strspn(word, plain) == strlen(word)) {
		fputs(word, fake.out);
		return;
	}
	/* A call is one line, whatever is in it. */
	fputs(has_control(word) ? "$'" : "'", fake.out);
	for (; *word != '\0'; word++)
		if (*word == '\n')
			fputs("\\n", fake.out);
		else if (*word == '\t')
			fputs("\\t", fake.out);
		else if ((unsigned char)*word < ' ')
			fprintf(fake.out, "\\x%02x", *word);
		else if (*word == '\'')
			fputs("'\\''", fake.out);
		else
			fputc(*word, fake.out);
	fputc('\'', fake.out);
}

/* fake-calls [VERB]: what was called, a line for each.  fake-verbs: so too,
 * with the first word alone. */
static int
calls(int argc, char *argv[])
{
	int words = strcmp(argv[0], "fake-verbs") == 0 ? 1 : 100000;
	char *text = state_slurp("calls.log", NULL), *line, *next;
	json_t *call, *args, *arg;
	const char *verb;
	size_t i;

	for (line = text; line != NULL && *line != '\0'; line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		call = json_loads(line, JSON_ALLOW_NUL, NULL);
		args = json_object_get(call, "argv");
		verb = json_string_value(json_array_get(args, 0));
		if (argc > 1 && (verb == NULL || strcmp(argv[1], verb) != 0))
			continue;
		json_array_foreach(args, i, arg) {
			if ((int)i >= words)
				break;
			fputs(i > 0 ? " " : "", fake.out);
			print_word(json_string_value(arg));
		}
		fputc('\n', fake.out);
		json_decref(call);
	}
	return 0;
}

/* fake-count [VERB] */
static int
count(int argc, char *argv[])
{
	size_t len = 0;
	char *rel = argc > 1 ? xasprintf("counts/verb-%s", argv[1]) :
	    xstrdup("counts/call");

	state_slurp(rel, &len);
	fprintf(fake.out, "%zu\n", len);
	return 0;
}

static int
reset_calls(int argc, char *argv[])
{
	size_t i, len;
	char **names = state_names("counts", &len), *rel;

	(void)argc;
	(void)argv;
	for (i = 0; i < len; i++) {
		if (strcmp(names[i], "call") != 0 &&
		    strncmp(names[i], "verb-", 5) != 0)
			continue;
		rel = xasprintf("counts/%s", names[i]);
		unlinkat(fake.dirfd, rel, 0);
	}
	unlinkat(fake.dirfd, "calls.log", 0);
	return 0;
}

/* fake-do VERB ARG...: as the verb, but not written down. */
static int
do_verb(int argc, char *argv[])
{
	int rc;

	fake.argc = argc;
	fake.argv = argv;
	state_unlock();
	rc = perform(argc, argv);
	state_lock();
	return rc;
}

int
helper_run(int argc, char *argv[])
{
	static const struct {
		const char *name;
		int (*run)(int, char *[]);
	} helpers[] = {
		{ "fake-init", init }, { "fake-image", image },
		{ "fake-remote", remote }, { "fake-network", network },
		{ "fake-container", container }, { "fake-set", set },
		{ "fake-unset", unset }, { "fake-inspect", inspect },
		{ "fake-list", list }, { "fake-fault", fault },
		{ "fake-event", event }, { "fake-calls", calls },
		{ "fake-verbs", calls }, { "fake-count", count }, { "fake-reset-calls", reset_calls },
		{ "fake-do", do_verb },
	};
	size_t i;
	int rc;

	for (i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++) {
		if (strcmp(helpers[i].name, argv[0]) != 0)
			continue;
		state_lock();
		rc = helpers[i].run(argc, argv);
		state_unlock();
		return rc;
	}
	return complain("unknown helper");
}
