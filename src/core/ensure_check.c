/* SPDX-License-Identifier: ISC */
/* The guards of ensure: what can be refused without docker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/suggest.h"
#include "base/text.h"
#include "config/slug.h"
#include "core/deliver.h"
#include "core/ensure.h"

static int
check_project(const struct settings *settings,
    const struct ensure_request *request, const struct project **project,
    struct error *err)
{
	*project = NULL;
	if (request->project == NULL)
		return 0;
	*project = settings_project(settings, request->project, err);
	if (*project != NULL)
		return 0;
	return error_about(err, request->slug, NULL);
}

static int
refuse_service(const char *service, char *allowed, struct error *err)
{
	(void)error_set(err, ERROR_SERVICE, "the service '%s' is not allowed",
	    service);
	suggest_allowed(err, service, allowed);
	free(allowed);
	return error_about(err, NULL, service);
}

static int
check_services(const struct engine_list *engines, const struct project *project,
    const struct strvec *services, struct error *err)
{
	const char *service;
	size_t i;

	for (i = 0; i < services->len; i++) {
		service = services->items[i];
		if (project != NULL && !strvec_has(&project->services, service))
			return refuse_service(service,
			    strvec_join(&project->services, ", "), err);
		if (engine_list_find(engines, service) == NULL)
			return refuse_service(service,
			    engine_list_names(engines), err);
	}
	return 0;
}

static bool
is_wanted(const struct ensure_request *request, const char *service)
{
	return strvec_has(&request->services, service) ||
	    strvec_has(&request->also, service);
}

/* The features that may be asked for of a service. */
static void
allowed_features(const struct engine *engine, const struct project *project,
    struct strvec *allowed)
{
	char *prefix = xasprintf("%s:", engine->name);
	size_t i;

	for (i = 0; project != NULL && i < project->features.len; i++)
		if (text_has_prefix(project->features.items[i], prefix))
			strvec_add(allowed,
			    project->features.items[i] + strlen(prefix));
	/* a project that lists some of a service allows no others */
	if (allowed->len == 0)
		strvec_append(allowed, &engine->features);
	free(prefix);
}

static int
refuse_feature(const struct engine *engine, const char *feature,
    const struct strvec *allowed, struct error *err)
{
	char *list = strvec_join(allowed, ", ");

	(void)error_set(err, ERROR_FEATURE,
	    "the feature '%s' of %s is not allowed", feature, engine->name);
	if (*list != '\0')
		suggest_allowed(err, feature, list);
	else
		(void)error_hint(err, "it has no features");
	free(list);
	return error_about(err, NULL, engine->name);
}

static int
check_feature(const struct engine_list *engines, const struct project *project,
    const struct ensure_request *request, const char *text, struct error *err)
{
	const char *colon = strchr(text, ':');
	struct strvec allowed = { 0 };
	const struct engine *engine;
	char *service;
	int rc = 0;

	if (colon == NULL)
		return error_set(err, ERROR_FEATURE,
		    "'%s' is no feature: write SERVICE:FEATURE", text);
	service = xstrndup(text, (size_t)(colon - text));
	engine = engine_list_find(engines, service);
	if (engine == NULL || !is_wanted(request, service)) {
		(void)error_set(err, ERROR_FEATURE,
		    "the feature '%s' is of a service that is not asked for",
		    text);
		(void)error_hint(err, "add '%s' to --services", service);
		rc = error_about(err, NULL, service);
	} else {
		allowed_features(engine, project, &allowed);
		/* the engine's list is the last word, whoever asks */
		if (!strvec_has(&allowed, colon + 1) ||
		    !strvec_has(&engine->features, colon + 1))
			rc = refuse_feature(engine, colon + 1, &allowed, err);
	}
	strvec_clear(&allowed);
	free(service);
	return rc;
}

/* The services that an option speaks of must be wanted: "SERVICE=VALUE". */
static int
check_pairs(const struct ensure_request *request, const struct strvec *pairs,
    const char *option, const char *what, struct error *err)
{
	const char *text, *equals;
	char *service;
	bool wanted;
	size_t i;

	for (i = 0; i < pairs->len; i++) {
		text = pairs->items[i];
		equals = strchrnul(text, '=');
		service = xstrndup(text, (size_t)(equals - text));
		wanted = is_wanted(request, service);
		free(service);
		if (!wanted || *equals == '\0' || equals[1] == '\0' ||
		    equals[1] == '-')
			return error_set(err, ERROR_VALUE,
			    "%s %s: write SERVICE=%s, with a service that is "
			    "asked for",
			    option, text, what);
	}
	return 0;
}

static int
check_variables(const struct engine_list *engines,
    const struct strvec *services, struct error *err)
{
	const struct engine *engine;
	struct strvec seen = { 0 };
	char *name;
	size_t i, k;
	int rc = 0;

	for (i = 0; i < services->len && rc == 0; i++) {
		engine = engine_list_find(engines, services->items[i]);
		for (k = 0; k < engine->exports.len && rc == 0; k++) {
			name = xstrndup(engine->exports.items[k],
			    strcspn(engine->exports.items[k], "="));
			if (strvec_has(&seen, name)) {
				(void)error_set(err, ERROR_VARIABLE,
				    "two services would export %s, the "
				    "second is %s",
				    name, engine->name);
				rc = error_hint(err,
				    "ask for one, or change an 'export'");
			}
			strvec_add(&seen, name);
			free(name);
		}
	}
	strvec_clear(&seen);
	return rc;
}

/* "/data:size=64m": its data is charged to the memory limit. */
static int
check_data_size(const char *memory, const char *size, struct error *err)
{
	int64_t limit = 0, data;

	if (size_parse(size, &data) == -1 || data == 0)
		return error_set(err, ERROR_VALUE,
		    "'%s' is no size, such as 256m", size);
	(void)size_parse(memory, &limit);
	if (limit > 0 && data >= limit) {
		(void)error_set(err, ERROR_VALUE,
		    "a data size of %s does "
		    "not fit into %s of memory, which it is charged to",
		    size, memory);
		return error_hint(err, "raise --memory or lower --data-size");
	}
	return 0;
}

static int
check_sizes(const struct settings *settings, const struct engine_list *engines,
    const struct strvec *services, const struct ensure_request *request,
    struct error *err)
{
	const char *memory =
	    request->memory != NULL ? request->memory : settings->memory;
	const struct engine *engine;
	const char *size;
	char *value;
	int64_t limit;
	size_t i, k;
	int rc = 0;

	if (size_parse(memory, &limit) == -1)
		return error_set(err, ERROR_VALUE,
		    "'%s' is no size, such as 512m", memory);
	if (request->data_size != NULL)
		return check_data_size(memory, request->data_size, err);
	for (i = 0; i < services->len && rc == 0; i++) {
		engine = engine_list_find(engines, services->items[i]);
		for (k = 0; k < engine->tmpfs.len && rc == 0; k++) {
			size = strstr(engine->tmpfs.items[k], "size=");
			if (size == NULL)
				continue;
			value = xstrndup(size + 5, strcspn(size + 5, ","));
			rc = check_data_size(request->memory != NULL ?
				request->memory :
				engine_memory(engine, memory),
			    value, err);
			free(value);
		}
	}
	return rc;
}

/* One that every service is in and that its clients can join. */
static int
check_network(const char *network, struct error *err)
{
	static const char first[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	static const char set[] = "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
	char *visible;

	if (text_only(network, set) && strchr(first, *network) != NULL &&
	    strcmp(network, "none") != 0 && strcmp(network, "host") != 0)
		return 0;
	visible = text_visible(network, 60);
	(void)error_set(err, ERROR_VALUE,
	    "a sandbox cannot be in the network '%s'", visible);
	free(visible);
	return error_hint(err,
	    "name one that its owner is in too; 'docker network ls' lists "
	    "them");
}

/* So that an address in another form is no contradiction. */
static int
check_address(struct ensure_request *request, struct error *err)
{
	char *visible;

	if (request->publish == NULL || *request->publish == '\0')
		return 0;
	if (text_address(request->publish, request->address)) {
		request->publish = request->address;
		return 0;
	}
	visible = text_visible(request->publish, 60);
	(void)error_set(err, ERROR_VALUE, "--publish: '%s' is no address",
	    visible);
	free(visible);
	return error_hint(err,
	    "write an address of this machine, such as 127.0.0.1 or ::1");
}

/* What the project adds to the request. */
static void
add_project(struct ensure_request *request, const struct project *project)
{
	size_t i;

	if (project == NULL)
		return;
	if (request->services.len == 0)
		strvec_append(&request->services, &project->services);
	for (i = 0; i < project->services.len; i++)
		if (!strvec_has(&request->services, project->services.items[i]))
			strvec_add_once(&request->also,
			    project->services.items[i]);
	for (i = 0; i < project->features.len; i++)
		strvec_add_once(&request->features, project->features.items[i]);
}

static int
check_parts(const struct settings *settings, const struct engine_list *engines,
    struct ensure_request *request, const struct project *project,
    struct error *err)
{
	struct strvec wanted = { 0 };
	size_t i;
	int rc;

	strvec_append(&wanted, &request->services);
	for (i = 0; i < request->also.len; i++)
		strvec_add_once(&wanted, request->also.items[i]);
	rc = check_services(engines, project, &wanted, err);
	for (i = 0; rc == 0 && i < request->features.len; i++)
		rc = check_feature(engines, project, request,
		    request->features.items[i], err);
	if (rc == 0)
		rc = check_variables(engines, &wanted, err);
	if (rc == 0)
		rc = check_pairs(request, &request->images, "--image", "IMAGE",
		    err);
	if (rc == 0)
		rc = check_pairs(request, &request->inits, "--init", "PATH",
		    err);
	if (rc == 0)
		rc = check_sizes(settings, engines, &wanted, request, err);
	if (rc == 0)
		rc = check_network(request->network != NULL ? request->network :
							      settings->network,
		    err);
	if (rc == 0)
		rc = check_address(request, err);
	strvec_clear(&wanted);
	return rc;
}

static size_t
longest_short_name(const struct engine_list *engines)
{
	size_t i, len, longest = 0;

	for (i = 0; i < engines->len; i++) {
		len = strlen(engines->items[i].short_name);
		if (len > longest)
			longest = len;
	}
	return longest;
}

int
ensure_check(const struct settings *settings, const struct engine_list *engines,
    struct ensure_request *request, struct error *err)
{
	const struct project *project;

	if (!settings->enabled) {
		(void)error_set(err, ERROR_DISABLED,
		    "sandboxes are switched off");
		(void)error_hint(err,
		    "set enabled = true in sandkeeper.conf, or "
		    "SANDKEEPER_ENABLED=true");
		return error_about(err, request->slug, NULL);
	}
	if (slug_check(request->slug,
		settings_longest_prefix(settings, longest_short_name(engines)),
		err) == -1)
		return -1;
	if (check_project(settings, request, &project, err) == -1)
		return -1;
	if (request->into != NULL && deliver_check(request->into, err) == -1)
		return error_about(err, request->slug, NULL);
	add_project(request, project);
	if (check_parts(settings, engines, request, project, err) == -1)
		return error_about(err, request->slug, NULL);
	return 0;
}

void
ensure_request_clear(struct ensure_request *request)
{
	strvec_clear(&request->services);
	strvec_clear(&request->also);
	strvec_clear(&request->features);
	strvec_clear(&request->images);
	strvec_clear(&request->inits);
	memset(request, 0, sizeof(*request));
}

void
ensure_result_clear(struct ensure_result *result)
{
	agent_entry_clear(&result->entry);
	strvec_clear(&result->shown);
	strvec_clear(&result->made);
	memset(result, 0, sizeof(*result));
}
