/* SPDX-License-Identifier: ISC */
/* ensure: the container of one service (rule E9). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "core/ensure_work.h"

#define COMPOSE_LABEL "com.docker.compose."

void
ensure_values(const struct service_entry *service, struct engine_values *values,
    char port[8])
{
	(void)snprintf(port, 8, "%d", service->port);
	values->host = service->host;
	values->port = port;
	values->user = service->user;
	values->password = service->password;
	values->database = service->database;
	values->feature = "";
	values->feature_value = "";
}

static void
add_labels(const struct ensure_work *work, const struct ensure_service *service,
    struct strvec *labels)
{
	const struct scheme *scheme = &work->core->scheme;

	strvec_addf(labels, "%s=%s", scheme->label, LABEL_YES);
	/* the orchestrator knows owners of its own prefix alone */
	if (work->owns.type == OWNER_CONTAINER &&
	    scheme_slug_of(scheme, work->owns.name) != NULL)
		strvec_addf(labels, "%s=%s", scheme->owner_label,
		    work->owns.name);
	strvec_addf(labels, "%s=%s", LABEL_KEEPER, work->core->store->keeper);
	strvec_addf(labels, "%s=%s", LABEL_AGENT, work->request->slug);
	strvec_addf(labels, "%s=%s", LABEL_SERVICE, service->engine->name);
	strvec_addf(labels, "%s=%s", LABEL_OWNER, work->owner_text);
	strvec_addf(labels, "%s=%lld", LABEL_EXPIRES,
	    (long long)work->entry.expires);
	strvec_addf(labels, "%s=%s", LABEL_VERSION, LABEL_YES);
}

const char *
ensure_memory(const struct ensure_work *work, const struct engine *engine)
{
	return work->request->memory != NULL ?
	    work->request->memory :
	    engine_memory(engine, work->core->settings->memory);
}

char *
ensure_data_size(const struct ensure_work *work, const struct engine *engine)
{
	const char *size = engine->tmpfs.len > 0 ?
	    strstr(engine->tmpfs.items[0], "size=") :
	    NULL;

	if (size == NULL)
		return xstrdup("");
	if (work->request->data_size != NULL)
		return xstrdup(work->request->data_size);
	size += strlen("size=");
	return xstrndup(size, strcspn(size, ","));
}

/*
 * So that "docker compose down --remove-orphans" of the owner's project finds
 * it.  Never the owner's service: compose would count a second replica and
 * scale it away.
 */
static void
add_compose_labels(const struct ensure_work *work,
    const struct ensure_service *service, struct strvec *labels)
{
	const char *project;

	if (work->owner == NULL ||
	    strcmp(work->core->settings->compose, "owner") != 0)
		return;
	project = container_label(work->owner, COMPOSE_LABEL "project");
	if (*project == '\0')
		return;
	strvec_addf(labels, COMPOSE_LABEL "project=%s", project);
	strvec_addf(labels, COMPOSE_LABEL "service=%s", service->container);
	strvec_add(labels, COMPOSE_LABEL "oneoff=False");
	strvec_add(labels, COMPOSE_LABEL "config-hash=sandkeeper");
}

/* The engine's tmpfs, with --data-size in the place of its size. */
static void
add_tmpfs(const struct ensure_work *work, const struct ensure_service *service,
    struct strvec *tmpfs)
{
	const char *size = work->request->data_size, *text, *rest;
	size_t i;

	for (i = 0; i < service->engine->tmpfs.len; i++) {
		text = service->engine->tmpfs.items[i];
		rest = strstr(text, "size=");
		if (size == NULL || rest == NULL || i > 0) {
			strvec_add(tmpfs, text);
			continue;
		}
		strvec_addf(tmpfs, "%.*ssize=%s%s", (int)(rest - text), text,
		    size, rest + strcspn(rest, ","));
	}
}

/* The lines with which the service takes its features at its start. */
static void
add_feature_lines(const struct ensure_service *service,
    struct engine_values *values, struct strvec *environment)
{
	const struct engine *engine = service->engine;
	struct strbuf text = { 0 };
	size_t i;

	if (*engine->feature_variable == '\0')
		return;
	strbuf_addf(&text, "%s=", engine->feature_variable);
	for (i = 0; i < service->features.len; i++) {
		values->feature = service->features.items[i];
		values->feature_value =
		    engine_feature_word(&engine->feature_values,
			values->feature);
		engine_expand(engine->feature_line, values, &text);
		strbuf_addc(&text, '\n');
	}
	strvec_add(environment, strbuf_str(&text));
	strbuf_clear(&text);
}

/* 0 leaves an option out. */
static const char *
limit(const char *value)
{
	return strcmp(value, "0") == 0 ? NULL : value;
}

void
ensure_spec(const struct ensure_work *work,
    const struct ensure_service *service, struct docker_run *run)
{
	const struct settings *settings = work->core->settings;
	const struct engine *engine = service->engine;
	const struct service_entry *entry =
	    agent_entry_find(&work->entry, engine->name);
	struct engine_values values;
	char port[8];
	size_t i;

	memset(run, 0, sizeof(*run));
	ensure_values(entry, &values, port);
	run->name = service->container;
	run->image = service->image;
	run->network = work->network;
	run->publish = service->publish;
	run->entrypoint = engine->entrypoint;
	run->user = engine->run_as;
	run->memory = limit(ensure_memory(work, engine));
	run->cpus = limit(settings->cpus);
	run->pids_limit = limit(settings->pids_limit);
	run->shm_size = engine->shm_size;
	add_labels(work, service, &run->labels);
	add_compose_labels(work, service, &run->labels);
	add_tmpfs(work, service, &run->tmpfs);
	engine_expand_all(&engine->environment, &values, &run->environment);
	add_feature_lines(service, &values, &run->environment);
	engine_expand_all(&engine->run_options, &values, &run->options);
	engine_expand_all(&engine->command, &values, &run->command);
	for (i = 0; i < engine->secret_environment.len; i++)
		strvec_addf(&run->secrets, "%s=%s",
		    engine->secret_environment.items[i], entry->password);
}
