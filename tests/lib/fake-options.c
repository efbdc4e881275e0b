/* SPDX-License-Identifier: ISC */
/* The options of run, one by one: what is wrong with them, what they make. */

#include <stdlib.h>
#include <string.h>

#include "fake.h"

/* "512m" in bytes; -1 for what is no size. */
int64_t
option_bytes(const char *s)
{
	char *end;
	double n = strtod(s, &end);
	static const char units[] = "bkmgt";
	const char *u;

	if (end == s)
		return -1;
	if (*end == '\0')
		return (int64_t)n;
	u = strchr(units, *end | 0x20);
	if (u == NULL || (end[1] != '\0' && (end[1] | 0x20) != 'b'))
		return -1;
	return (int64_t)(n * (double)((int64_t)1 << (10 * (u - units))));
}

/* What the client has against a value of an option, NULL for nothing. */
static char *
value_trouble(const char *name, const char *value, const char **flag)
{
	int is_label = strcmp(name, "label") == 0;
	int is_env = strcmp(name, "env") == 0;
	const char *wrong;

	if (strcmp(name, "memory") == 0 || strcmp(name, "shm-size") == 0) {
		*flag = *name == 'm' ? "-m, --memory" : "--shm-size";
		if (option_bytes(value) >= 0)
			return NULL;
		wrong = value + strspn(value, "0123456789.");
		return wrong > value ?
		    xasprintf("invalid suffix: '%s'", wrong) :
		    xasprintf("invalid size: '%s'", value);
	}
	if ((is_label || is_env) && (*value == '\0' || *value == '=')) {
		*flag = is_label ? "-l, --label" : "-e, --env";
		return is_label ?
		    xasprintf("invalid label '%s': empty name", value) :
		    xasprintf("invalid environment variable: %s", value);
	}
	*flag = strcmp(name, "cpus") == 0 ? "--cpus" : "--pids-limit";
	if (strcmp(name, "pids-limit") == 0 &&
	    strspn(value, "-0123456789") != strlen(value))
		return xasprintf("strconv.ParseInt: parsing \"%s\": invalid "
				 "syntax",
		    value);
	if (strcmp(name, "cpus") == 0 &&
	    (*value == '\0' || strspn(value, "0123456789.") != strlen(value)))
		return xasprintf("failed to parse %s as a rational number",
		    value);
	return NULL;
}

/* Says what is wrong with a value of an option, and 125; else 0. */
int
option_check(const struct args *a, const char *usage, const char *name,
    const char *value)
{
	const char *flag;
	char *what = value_trouble(name, value, &flag);

	if (what == NULL)
		return 0;
	return text_usage_error(a->verb, usage,
	    "invalid argument \"%s\" for \"%s\" flag: %s", value, flag, what);
}

static void
add_env(json_t *env, const char *text)
{
	const char *value;

	if (strchr(text, '=') != NULL)
		json_array_append_new(env, jstring(text));
	else if ((value = getenv(text)) != NULL)
		json_array_append_new(env,
		    jstring(xasprintf("%s=%s", text, value)));
}

static void
add_env_file(json_t *env, const char *path)
{
	FILE *f = fopen(path, "r");
	char *line = NULL, *p;
	size_t room = 0;

	while (f != NULL && getline(&line, &room, f) != -1) {
		p = line + strspn(line, " \t");
		p[strcspn(p, "\r\n")] = '\0';
		if (*p != '\0' && *p != '#')
			add_env(env, p);
	}
	free(line);
	if (f != NULL)
		fclose(f);
}

static json_t *
binding(const char *ip, const char *port)
{
	return json_pack("{s:s, s:s}", "HostIp", ip, "HostPort", port);
}

/* [[ip:]hostport:]port[/proto] */
static void
add_publish(json_t *publish, const char *text)
{
	char *spec = xstrdup(text), *port, *host = NULL, *key, *ip = spec;
	json_t *list = json_array();

	port = strrchr(spec, ':');
	if (port == NULL) {
		port = spec;
	} else {
		*port++ = '\0';
		host = strrchr(spec, ':');
		if (host != NULL)
			*host++ = '\0';
	}
	key = strchr(port, '/') != NULL ? xstrdup(port) :
					  xasprintf("%s/tcp", port);
	if (host != NULL && *spec != '\0') {
		/* the brackets of an IPv6 address are not part of it */
		if (*ip == '[' && ip[strlen(ip) - 1] == ']')
			*strchr(ip++, ']') = '\0';
		json_array_append_new(list, binding(ip, host));
	} else {
		if (port == spec)
			host = port + strlen(port);
		else if (host == NULL)
			host = spec;
		json_array_append_new(list, binding("0.0.0.0", host));
		json_array_append_new(list, binding("::", host));
	}
	if (json_array_size(json_object_get(publish, key)) > 0) {
		json_array_extend(json_object_get(publish, key), list);
		json_decref(list);
	} else {
		json_object_set_new(publish, key, list);
	}
	free(key);
	free(spec);
}

static void
add_volume(json_t *c, const char *text)
{
	size_t len = strcspn(text, ":");

	if (text[len] == '\0')
		container_add_volume(c, NULL);
	else if (*text != '/')
		container_add_volume(c, strndup(text, len));
	else
		json_array_append_new(json_object_get(c, "Mounts"),
		    json_pack("{s:s, s:s%, s:s, s:b}", "Type", "bind", "Source",
			text, len, "Destination", text + len + 1, "RW", 1));
}

void
option_append(json_t *c, const char *path, const char *value)
{
	if (!json_is_array(jget(c, path)))
		jset(c, path, json_array());
	json_array_append_new(jget(c, path), jstring(value));
}

/* What one option of run makes of a container. */
void
option_set(json_t *c, const char *name, const char *value)
{
	char *key;
	const char *text;
	size_t len;

	if (strcmp(name, "label") == 0) {
		args_key_value(value, &key, &text);
		jset_sorted(jget(c, "Config.Labels"), key, jstring(text));
	} else if (strcmp(name, "env") == 0) {
		add_env(jget(c, "Config.Env"), value);
	} else if (strcmp(name, "env-file") == 0) {
		add_env_file(jget(c, "Config.Env"), value);
	} else if (strcmp(name, "publish") == 0) {
		add_publish(jget(c, "Fake.publish"), value);
	} else if (strcmp(name, "volume") == 0) {
		add_volume(c, value);
	} else if (strcmp(name, "tmpfs") == 0) {
		len = strcspn(value, ":");
		if (jget(c, "HostConfig.Tmpfs") == NULL)
			jset(c, "HostConfig.Tmpfs", json_object());
		jset_sorted(jget(c, "HostConfig.Tmpfs"), strndup(value, len),
		    jstring(value[len] == ':' ? value + len + 1 : ""));
	} else if (strcmp(name, "memory") == 0) {
		jset(c, "HostConfig.Memory", json_integer(option_bytes(value)));
	} else if (strcmp(name, "shm-size") == 0) {
		jset(c, "HostConfig.ShmSize",
		    json_integer(option_bytes(value)));
	} else if (strcmp(name, "cpus") == 0) {
		jset(c, "HostConfig.NanoCpus",
		    json_integer((json_int_t)(atof(value) * 1e9)));
	} else if (strcmp(name, "pids-limit") == 0) {
		jset(c, "HostConfig.PidsLimit", json_integer(atoi(value)));
	} else if (strcmp(name, "security-opt") == 0) {
		option_append(c, "HostConfig.SecurityOpt", value);
	} else if (strcmp(name, "user") == 0) {
		jset(c, "Config.User", jstring(value));
	} else if (strcmp(name, "hostname") == 0) {
		jset(c, "Config.Hostname", jstring(value));
	} else if (strcmp(name, "rm") == 0) {
		jset(c, "HostConfig.AutoRemove",
		    json_boolean(strcmp(value, "false") != 0));
	}
}
