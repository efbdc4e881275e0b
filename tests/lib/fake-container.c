/* SPDX-License-Identifier: ISC */
/*
 * The life of a container.  Its file is what `inspect` answers, with one more
 * object, "Fake", for what only the stand-in knows.  The lock is held by the
 * caller of everything here.
 */

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

#define NEVER "0001-01-01T00:00:00Z"

/* A line for `events`, as the daemon words it. */
void
event_emit(const json_t *c, const char *action, const char *key,
    const char *value)
{
	json_t *attributes = json_object(), *v, *line;
	int64_t now = now_ns();
	const char *k;
	char *text, *with_newline;

	if (key != NULL)
		json_object_set_new(attributes, key, jstring(value));
	/* A label of the user may hide the exit code; it does in docker. */
	json_object_foreach (jget(c, "Config.Labels"), k, v)
		json_object_set(attributes, k, v);
	json_object_set(attributes, "image", jget(c, "Config.Image"));
	json_object_set_new(attributes, "name", jstring(jstr(c, "Name") + 1));
	line = json_pack("{s:s, s:s, s:s, s:s, s:s, s:{s:s, s:o}, s:s, "
			 "s:I, s:I}",
	    "status", action, "id", jstr(c, "Id"), "from",
	    jstr(c, "Config.Image"), "Type", "container", "Action", action,
	    "Actor", "ID", jstr(c, "Id"), "Attributes", attributes, "scope",
	    "local", "time", (json_int_t)(now / 1000000000), "timeNano",
	    (json_int_t)now);
	text = json_dumps(line, JSON_COMPACT);
	with_newline = xasprintf("%s\n", text);
	state_append("events", with_newline, strlen(with_newline));
	free(with_newline);
	free(text);
	json_decref(line);
}

/* A container in state created; created is NULL for now. */
json_t *
container_new(const char *name, const char *image, const char *created)
{
	char id[65], now[40], host[13], *path, *sha, *normal;
	json_t *c;

	state_random_hex(id, 64);
	snprintf(host, sizeof(host), "%.12s", id);
	path = xasprintf("/%s", name);
	normal = image_normal(image);
	c = image_document(normal, NULL);
	sha = xstrdup(jstr(c, "Id"));
	json_decref(c);
	c = json_pack("{s:s, s:s, s:s, s:[], s:{s:s, s:b, s:b, s:b, s:b, s:b, "
		      "s:i, s:i, s:s, s:s, s:s}, s:s, s:s, s:i, s:s, s:{s:s, "
		      "s:i, "
		      "s:b}, s:[], s:{s:s, s:s, s:[], s:n, s:s, s:n, s:{}}, "
		      "s:{s:s, s:{}, s:s, s:{}}, s:{}}",
	    "Id", id, "Created",
	    created != NULL ? created : time_text(now_ns(), now), "Path", "",
	    "Args", "State", "Status", "created", "Running", 0, "Paused", 0,
	    "Restarting", 0, "OOMKilled", 0, "Dead", 0, "Pid", 0, "ExitCode", 0,
	    "Error", "", "StartedAt", NEVER, "FinishedAt", NEVER, "Image", sha,
	    "Name", path, "RestartCount", 0, "Driver", "overlay2", "HostConfig",
	    "NetworkMode", "default", "Memory", 0, "AutoRemove", 0, "Mounts",
	    "Config", "Hostname", host, "User", "", "Env", "Cmd", "Image",
	    image, "Entrypoint", "Labels", "NetworkSettings", "SandboxID", "",
	    "Ports", "IPAddress", "", "Networks", "Fake");
	if (c == NULL)
		die("cannot make a container");
	free(normal);
	free(sha);
	free(path);
	return c;
}

static char *
file_of(const json_t *c)
{
	return xasprintf("containers/%s.json", jstr(c, "Id"));
}

/* The name is a link to the id: making it is what settles a conflict. */
static void
claim_name(const json_t *c)
{
	char *rel = xasprintf("names%s", jstr(c, "Name"));

	unlinkat(fake.dirfd, rel, 0);
	if (symlinkat(jstr(c, "Id"), fake.dirfd, rel) == -1)
		die("cannot take the name %s", jstr(c, "Name"));
	free(rel);
}

void
container_save(const json_t *c)
{
	char *rel = file_of(c);

	if (faccessat(fake.dirfd, rel, F_OK, 0) == -1)
		claim_name(c);
	state_write(rel, c);
	free(rel);
}

void
container_rename(json_t *c, const char *name)
{
	char *old = xasprintf("names%s", jstr(c, "Name"));

	unlinkat(fake.dirfd, old, 0);
	free(old);
	json_object_set_new(c, "Name", json_sprintf("/%s", name));
	claim_name(c);
	container_save(c);
}

int
container_is_running(const json_t *c)
{
	return jtrue(c, "State.Running");
}

void
container_set_status(json_t *c, const char *status)
{
	int paused = strcmp(status, "paused") == 0;
	int restarting = strcmp(status, "restarting") == 0;
	int running = paused || restarting || strcmp(status, "running") == 0;
	int dead =
	    strcmp(status, "dead") == 0 || strcmp(status, "removing") == 0;

	jset(c, "State.Status", json_string(status));
	jset(c, "State.Running", json_boolean(running));
	jset(c, "State.Paused", json_boolean(paused));
	jset(c, "State.Restarting", json_boolean(restarting));
	jset(c, "State.Dead", json_boolean(dead));
	jset(c, "State.Pid", json_integer(running ? 4000 + fake.n : 0));
}

/* What is published gets a port of its own, another one at each start. */
static void
open_ports(json_t *c)
{
	json_t *ports = json_object(), *list, *binding, *entry;
	const char *port, *wanted;
	size_t i;

	json_object_foreach (jget(c, "Fake.publish"), port, list) {
		entry = json_is_null(list) ? json_null() : json_array();
		json_array_foreach (list, i, binding) {
			wanted = jstr(binding, "HostPort");
			json_array_append_new(entry,
			    json_pack("{s:s, s:o}", "HostIp",
				jstr(binding, "HostIp"), "HostPort",
				*wanted != '\0' ?
				    json_string(wanted) :
				    json_sprintf("%ld",
					32767 + state_count("ports"))));
		}
		json_object_set_new(ports, port, entry);
	}
	jset(c, "NetworkSettings.Ports", ports);
}

void
container_start(json_t *c)
{
	int64_t dies = jint(c, "Fake.dies_after_ms", -1), now = now_ns();
	char text[40];
	const char *name;
	json_t *network;

	container_set_status(c, "running");
	jset(c, "State.StartedAt", json_string(time_text(now, text)));
	jset(c, "State.ExitCode", json_integer(0));
	jset(c, "State.Error", json_string(""));
	jset(c, "State.OOMKilled", json_false());
	if (dies >= 0)
		jset(c, "Fake.dies_at", json_integer(now + dies * 1000000));
	json_object_foreach (jget(c, "NetworkSettings.Networks"), name, network)
		network_attach(c, name, 1);
	open_ports(c);
	container_save(c);
	event_emit(c, "start", NULL, NULL);
}

static void
close_network(json_t *c)
{
	network_detach_all(c);
	jset(c, "NetworkSettings.Ports", json_object());
}

void
container_exit(json_t *c, int code)
{
	char text[40];

	container_set_status(c, "exited");
	jset(c, "State.ExitCode", json_integer(code));
	jset(c, "State.FinishedAt", json_string(time_text(now_ns(), text)));
	json_object_del(json_object_get(c, "Fake"), "dies_at");
	close_network(c);
	container_save(c);
	snprintf(text, sizeof(text), "%d", code);
	event_emit(c, "die", "exitCode", text);
	if (jtrue(c, "HostConfig.AutoRemove"))
		container_remove(c, 1);
}

/* A signal of `kill` or `stop`: only those that end a process count. */
void
container_signal(json_t *c, int sig)
{
	char text[12];

	snprintf(text, sizeof(text), "%d", sig);
	event_emit(c, "kill", "signal", text);
	if (sig == SIGKILL || sig == SIGTERM || sig == SIGINT || sig == SIGQUIT)
		container_exit(c, 128 + sig);
}

void
container_add_volume(json_t *c, const char *name)
{
	char random[65], *rel;
	int anonymous = name == NULL;

	if (anonymous) {
		state_random_hex(random, 64);
		name = random;
	}
	rel = xasprintf("volumes/%s", name);
	if (faccessat(fake.dirfd, rel, F_OK, 0) == -1)
		state_write_bytes(rel, "{}", 2);
	free(rel);
	json_array_append_new(json_object_get(c, "Mounts"),
	    json_pack("{s:s, s:s, s:s, s:b}", "Type", "volume", "Name", name,
		"Destination", "/data", "RW", 1));
	if (anonymous) {
		if (jget(c, "Fake.anonymous") == NULL)
			jset(c, "Fake.anonymous", json_array());
		json_array_append_new(jget(c, "Fake.anonymous"),
		    json_string(name));
	}
}

void
container_remove(json_t *c, int volumes)
{
	json_t *volume;
	char *rel, *file = file_of(c);
	char target[65] = "";
	size_t i;

	if (volumes)
		json_array_foreach (jget(c, "Fake.anonymous"), i, volume) {
			rel =
			    xasprintf("volumes/%s", json_string_value(volume));
			unlinkat(fake.dirfd, rel, 0);
			free(rel);
		}
	/* The file first: a link to nothing is a name that is free. */
	unlinkat(fake.dirfd, file, 0);
	rel = xasprintf("names%s", jstr(c, "Name"));
	if (readlinkat(fake.dirfd, rel, target, 64) > 0 &&
	    strcmp(target, jstr(c, "Id")) == 0)
		unlinkat(fake.dirfd, rel, 0);
	event_emit(c, "destroy", NULL, NULL);
	jset(c, "Fake.gone", json_true());
	free(rel);
	free(file);
}

/* What time alone has changed since the file was written. */
static json_t *
settle(json_t *c)
{
	int64_t dies = jint(c, "Fake.dies_at", 0);

	if (dies != 0 && dies <= now_ns() && container_is_running(c)) {
		if (jtrue(c, "Fake.oom"))
			jset(c, "State.OOMKilled", json_true());
		container_exit(c, (int)jint(c, "Fake.exit", 1));
	}
	if (!jtrue(c, "Fake.gone"))
		return c;
	json_decref(c);
	return NULL;
}

static json_t *
load(const char *id)
{
	char *rel = xasprintf("containers/%.64s.json", id);
	json_t *c = state_read(rel);

	free(rel);
	return c == NULL ? NULL : settle(c);
}

json_t *
container_by_name(const char *name)
{
	char *rel = xasprintf("names/%s", name), id[65] = "";
	ssize_t len = strchr(name, '/') != NULL ?
	    -1 :
	    readlinkat(fake.dirfd, rel, id, 64);

	free(rel);
	return len == 64 ? load(id) : NULL;
}

static json_t *
find_by_prefix(const char *ref, enum find *result)
{
	size_t i, len, found = 0;
	char **files = state_names("containers", &len), *match = NULL;

	for (i = 0; i < len; i++)
		if (strncmp(files[i], ref, strlen(ref)) == 0) {
			match = files[i];
			found++;
		}
	*result = found == 0 ? FIND_NONE : found == 1 ? FIND_OK : FIND_MANY;
	return found == 1 ? load(match) : NULL;
}

/* By full id, else by whole name, else by a prefix of one id alone. */
json_t *
container_find(const char *ref, enum find *result)
{
	enum find ignored;
	json_t *c = NULL;

	if (result == NULL)
		result = &ignored;
	*result = FIND_OK;
	if (*ref == '/')
		ref++;
	if (strlen(ref) == 64)
		c = load(ref);
	if (c == NULL)
		c = container_by_name(ref);
	if (c == NULL && strspn(ref, "0123456789abcdef") == strlen(ref) &&
	    *ref != '\0')
		c = find_by_prefix(ref, result);
	if (c == NULL && *result == FIND_OK)
		*result = FIND_NONE;
	return c;
}

static int
newest_first(const void *a, const void *b)
{
	const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
	int64_t s = time_parse(jstr(x, "Created"));
	int64_t t = time_parse(jstr(y, "Created"));

	return s != t ? (s < t ? 1 : -1) : strcmp(jstr(x, "Id"), jstr(y, "Id"));
}

/* All of them, the newest first. */
json_t *
container_all(void)
{
	size_t i, n = 0, len;
	char **files = state_names("containers", &len);
	json_t **list = xmalloc(len * sizeof(*list)), *all = json_array();

	for (i = 0; i < len; i++)
		if ((list[n] = load(files[i])) != NULL)
			n++;
	qsort(list, n, sizeof(*list), newest_first);
	for (i = 0; i < n; i++)
		json_array_append_new(all, list[i]);
	free(list);
	return all;
}
