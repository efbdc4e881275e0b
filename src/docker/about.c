/* SPDX-License-Identifier: ISC */
/* docker version, docker info, docker network inspect. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "docker/about.h"
#include "docker/args.h"
#include "docker/call.h"

static void
take(char text[VERSION_TEXT], const json_t *half, const char *key)
{
	(void)strlcpy(text, json_text_or_empty(half, key), VERSION_TEXT);
}

void
parse_version(const struct strbuf *text, bool podman,
    struct docker_version *version)
{
	json_t *doc = json_read(text->data, text->len);
	const json_t *client = json_object_get(doc, "Client");
	const json_t *server = json_object_get(doc, "Server");
	const char *api = podman ? "APIVersion" : "ApiVersion";

	memset(version, 0, sizeof(*version));
	/* podman needs no daemon: there is the client alone then */
	if (podman && !json_is_object(server))
		server = client;
	take(version->client, client, "Version");
	take(version->client_api, client,
	    podman ? "APIVersion" : "DefaultAPIVersion");
	take(version->server, server, "Version");
	take(version->server_api, server, api);
	json_decref(doc);
}

int
docker_version(struct docker *docker, struct docker_version *version,
    struct error *err)
{
	struct docker_call call;
	int rc;

	call_init(&call, docker, docker->timeouts.inspect);
	args_version(&call.argv);
	call_make(docker, &call);
	parse_version(&call.result.out, docker->podman, version);
	rc = call_check(&call, err);
	if (rc == 0 && version->server[0] == '\0')
		rc = error_set(err, ERROR_DOCKER,
		    "docker version: the answer cannot be understood");
	call_clear(&call);
	return rc;
}

static bool
is_rootless(const json_t *doc)
{
	const json_t *options = json_object_get(doc, "SecurityOptions"), *one;
	size_t i;

	json_array_foreach (options, i, one)
		if (json_is_string(one) &&
		    strstr(json_string_value(one), "name=rootless") != NULL)
			return true;
	/* podman's */
	return json_flag(json_object_get(json_object_get(doc, "host"),
			     "security"),
	    "rootless");
}

/* podman lists the controllers that its user may set. */
static bool
enforces(const json_t *doc, const char *key, const char *controller)
{
	const json_t *list =
	    json_object_get(json_object_get(doc, "host"), "cgroupControllers");
	const json_t *one;
	size_t i;

	json_array_foreach (list, i, one)
		if (json_is_string(one) &&
		    strcmp(json_string_value(one), controller) == 0)
			return true;
	if (json_is_array(list))
		return false;
	return json_object_get(doc, key) == NULL || json_flag(doc, key);
}

int
parse_info(const struct strbuf *text, struct docker_info *info, int64_t *now,
    struct error *err)
{
	json_t *doc = json_read(text->data, text->len);
	const char *clock = json_text(doc, "SystemTime");

	if (!json_is_object(doc)) {
		json_decref(doc);
		return error_set(err, ERROR_DOCKER,
		    "docker info: the answer cannot be understood");
	}
	memset(info, 0, sizeof(*info));
	info->rootless = is_rootless(doc);
	info->limits_memory = enforces(doc, "MemoryLimit", "memory");
	info->limits_cpus = enforces(doc, "CpuCfsQuota", "cpu");
	info->limits_pids = enforces(doc, "PidsLimit", "pids");
	if (clock == NULL || time_parse(clock, now) == -1)
		*now = TIME_UNKNOWN;
	json_decref(doc);
	return 0;
}

int
docker_info(struct docker *docker, struct docker_info *info, struct error *err)
{
	int64_t before = clock_now(), after, now;
	struct docker_call call;
	int rc;

	call_init(&call, docker, docker->timeouts.inspect);
	args_info(&call.argv);
	call_make(docker, &call);
	after = clock_now();
	rc = call_check(&call, err);
	if (rc == 0)
		rc = parse_info(&call.result.out, info, &now, err);
	if (rc == 0 && now != TIME_UNKNOWN)
		info->ahead = now > after ? now - after :
		    now < before          ? now - before :
					    0;
	call_clear(&call);
	return rc;
}

/* Each that is there is printed, as a JSON string in a line. */
static bool
is_printed(const struct strbuf *out, const char *name)
{
	struct strvec lines = { 0 };
	char *quoted = xasprintf("\"%s\"", name);
	bool found;

	strvec_split(&lines, strbuf_str(out), '\n');
	found = strvec_has(&lines, quoted);
	strvec_clear(&lines);
	free(quoted);
	return found;
}

int
docker_networks_missing(struct docker *docker, const struct strvec *names,
    struct strvec *missing, struct error *err)
{
	struct docker_call call;
	size_t i, before = missing->len;
	int rc;

	call_init(&call, docker, docker->timeouts.inspect);
	args_network_inspect(&call.argv, names);
	call_make(docker, &call);
	rc = call_check(&call, err);
	if (rc == -1 && err->kind == ERROR_NETWORK) {
		for (i = 0; i < names->len; i++)
			if (!is_printed(&call.result.out, names->items[i]))
				strvec_add(missing, names->items[i]);
		if (missing->len > before)
			rc = 0;
	}
	call_clear(&call);
	return rc;
}
