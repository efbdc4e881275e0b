/* SPDX-License-Identifier: ISC */
/* ensure: what is kept and what is made. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "core/ensure_work.h"
#include "core/process_owner.h"
#include "core/sandbox.h"

static struct ensure_service *
find_service(struct ensure_work *work, const char *name)
{
	size_t i;

	for (i = 0; i < work->service_count; i++)
		if (strcmp(work->services[i].engine->name, name) == 0)
			return &work->services[i];
	return NULL;
}

static void
add_service(struct ensure_work *work, const char *name)
{
	const struct engine *engine =
	    engine_list_find(work->core->engines, name);
	const struct service_entry *recorded =
	    agent_entry_find(&work->before, name);
	struct ensure_service *service;

	if (engine == NULL) {
		log_warn("%s: the engine of its recorded service '%s' is not "
			 "in the settings any more: it is left as it is",
		    work->request->slug, name);
		return;
	}
	if (find_service(work, name) != NULL)
		return;
	work->services = xreallocarray(work->services, work->service_count + 1,
	    sizeof(*work->services));
	service = &work->services[work->service_count++];
	memset(service, 0, sizeof(*service));
	service->engine = engine;
	service->container = scheme_sandbox_name(&work->core->scheme,
	    engine->short_name, work->request->slug);
	if (recorded != NULL)
		strvec_append(&service->features, &recorded->features);
}

static void
add_features(struct ensure_work *work)
{
	struct ensure_service *service;
	const char *text, *colon;
	char *name;
	size_t i;

	for (i = 0; i < work->request->features.len; i++) {
		text = work->request->features.items[i];
		colon = strchr(text, ':');
		name = xstrndup(text, (size_t)(colon - text));
		service = find_service(work, name);
		if (service != NULL)
			strvec_add_once(&service->features, colon + 1);
		free(name);
	}
}

/* The image that --image names for a service; NULL where it names none. */
static const char *
forced_image(const struct ensure_work *work, const char *service)
{
	const char *image =
	    engine_feature_word(&work->request->images, service);

	return image != service ? image : NULL;
}

static void
choose_image(const struct ensure_work *work, struct ensure_service *service)
{
	const struct engine *engine = service->engine;
	const char *image = forced_image(work, engine->name);

	if (image != NULL) {
		service->image = xstrdup(image);
		return;
	}
	image = service->features.len > 0 && *engine->feature_image != '\0' ?
	    engine->feature_image :
	    engine->image;
	service->image =
	    xasprintf("%s%s", work->core->settings->image_prefix, image);
}

int
ensure_plan(struct ensure_work *work, struct error *err)
{
	const struct ensure_request *request = work->request;
	size_t i;

	for (i = 0; i < work->before.service_count; i++)
		add_service(work, work->before.services[i].service);
	for (i = 0; i < request->services.len; i++)
		add_service(work, request->services.items[i]);
	for (i = 0; i < request->also.len; i++)
		add_service(work, request->also.items[i]);
	add_features(work);
	for (i = 0; i < work->service_count; i++)
		choose_image(work, &work->services[i]);
	if (work->recorded &&
	    strcmp(work->before.owner, work->owner_text) != 0) {
		(void)error_set(err, ERROR_VALUE,
		    "it has a sandbox with the "
		    "owner %s, not %s",
		    work->before.owner, work->owner_text);
		return error_hint(err, "'sandkeeper release %s' ends that one",
		    work->request->slug);
	}
	return 0;
}

/* Is another size wanted than is recorded?  One that is not known is right. */
static bool
is_other_size(const char *wanted, const char *recorded)
{
	int64_t a, b;

	if (wanted == NULL || *recorded == '\0')
		return false;
	return size_parse(wanted, &a) == -1 || size_parse(recorded, &b) == -1 ||
	    a != b;
}

/* The limits are those of the services that were asked for. */
static bool
is_asked(const struct ensure_work *work, const char *service)
{
	return strvec_has(&work->request->services, service) ||
	    strvec_has(&work->request->also, service);
}

static bool
has_other_limit(const struct ensure_work *work,
    const struct service_entry *recorded, struct error *err)
{
	const struct ensure_request *request = work->request;

	if (!is_asked(work, recorded->service))
		return false;
	if (is_other_size(request->memory, recorded->memory))
		(void)error_set(err, ERROR_LIVE, "--memory: the live %s has %s",
		    recorded->service, recorded->memory);
	else if (is_other_size(request->data_size, recorded->data_size))
		(void)error_set(err, ERROR_LIVE,
		    "--data-size: the live %s has %s", recorded->service,
		    recorded->data_size);
	else
		return false;
	return true;
}

/* "owner" asks for what was chosen, and contradicts nothing. */
static bool
is_other_network(const struct ensure_work *work)
{
	const char *network = work->request->network;

	return network != NULL && strcmp(network, "owner") != 0 &&
	    strcmp(network, work->before.network) != 0;
}

/* An option that what is recorded contradicts, unless it may be replaced. */
static int
check_options(const struct ensure_work *work,
    const struct ensure_service *service, const struct service_entry *recorded,
    struct error *err)
{
	const char *image = forced_image(work, service->engine->name);

	if (image != NULL && strcmp(image, recorded->image) != 0)
		(void)error_set(err, ERROR_LIVE,
		    "--image: the live %s runs "
		    "%s",
		    service->engine->name, recorded->image);
	else if (is_other_network(work))
		(void)error_set(err, ERROR_LIVE,
		    "--network: the live %s is "
		    "in %s",
		    service->engine->name, work->before.network);
	else if (work->request->publish != NULL &&
	    strcmp(ensure_publish_address(work), work->before.publish) != 0)
		(void)error_set(err, ERROR_LIVE,
		    "--publish: the live %s is %s%s", service->engine->name,
		    *work->before.publish != '\0' ? "published at " :
						    "not published",
		    work->before.publish);
	else if (!ensure_is_reachable(work))
		(void)error_set(err, ERROR_LIVE,
		    "the live %s is in the "
		    "network %s, which its owner has left",
		    service->engine->name, work->before.network);
	else if (!has_other_limit(work, recorded, err))
		return 0;
	(void)error_hint(err,
	    "--replace makes a new one, and its data is "
	    "lost");
	return error_about(err, NULL, service->engine->name);
}

/* Rule E4: is it what was recorded, and has it lived on since? */
static bool
is_healthy(const struct ensure_work *work, const struct service_entry *recorded,
    const struct container *there)
{
	int64_t expires = work->before.expires;

	if (recorded == NULL || recorded->pending || *recorded->id == '\0' ||
	    there == NULL)
		return false;
	if (expires > 0 && expires <= clock_now())
		return false;
	return strcmp(there->id, recorded->id) == 0 &&
	    strcmp(there->started, recorded->started) == 0 &&
	    (there->state == CONTAINER_RUNNING ||
		there->state == CONTAINER_PAUSED);
}

static bool
lacks_feature(const struct ensure_service *service,
    const struct service_entry *recorded)
{
	size_t i;

	for (i = 0; i < service->features.len; i++)
		if (!strvec_has(&recorded->features,
			service->features.items[i]))
			return true;
	return false;
}

/* A feature that a live container lacks: enabled in it, where that can be. */
static int
decide_features(const struct ensure_work *work, struct ensure_service *service,
    const struct service_entry *recorded, struct error *err)
{
	if (!lacks_feature(service, recorded))
		return 0;
	if (work->request->replace) {
		service->make = strcmp(service->image, recorded->image) != 0 ||
		    *service->engine->feature_variable != '\0';
		service->enable = !service->make;
		return 0;
	}
	if (*service->engine->feature_variable == '\0') {
		service->enable = true;
		return 0;
	}
	(void)error_set(err, ERROR_LIVE,
	    "the live %s takes features at its start alone",
	    service->engine->name);
	(void)error_hint(err,
	    "--replace makes a new one, and its data is "
	    "lost");
	return error_about(err, NULL, service->engine->name);
}

/*
 * Its entry is lost, or was never written: a leftover of the same owner, or of
 * a process that has ended, goes; another owner may be using it.
 */
static int
check_user(const struct ensure_work *work, const struct sandbox *sandbox,
    struct error *err)
{
	const char *owner = sandbox->owner_text;

	if (work->recorded || work->request->replace ||
	    !container_is_up(sandbox->container) ||
	    strcmp(owner, work->owner_text) == 0)
		return 0;
	if (sandbox->owner.type == OWNER_PROCESS &&
	    process_owner_judge(owner).state == OWNER_STOPPED)
		return 0;
	(void)error_set(err, ERROR_LIVE,
	    "%s runs for the owner %s, and no entry records it",
	    sandbox->container->name, owner);
	if (work->request->must_be_new)
		return error_hint(err, "choose another name");
	return error_hint(err,
	    "--replace makes a new one, and its data is lost");
}

/* Who bears the name of what is to be made must be ours, and not in use. */
static int
check_bearer(const struct ensure_work *work,
    const struct ensure_service *service, struct error *err)
{
	struct sandbox sandbox;

	if (service->there == NULL)
		return 0;
	sandbox_read(&sandbox, work->core, service->there);
	switch (sandbox.kind) {
	case SANDBOX_OURS:
		return check_user(work, &sandbox, err);
	case SANDBOX_UNKEPT:
		if (!container_is_up(service->there) || work->request->replace)
			return 0;
		(void)error_set(err, ERROR_LIVE,
		    "%s runs already, and no "
		    "entry of ours records it",
		    service->container);
		return error_hint(err,
		    "--replace makes a new one, and its "
		    "data is lost");
	case SANDBOX_FOREIGN:
		(void)error_set(err, ERROR_FOREIGN, "%s belongs to keeper %s",
		    service->container, sandbox.keeper);
		return error_hint(err,
		    "release it with that keeper's "
		    "--state-dir");
	case SANDBOX_STRANGER:
		break;
	}
	(void)error_set(err, ERROR_NAME_TAKEN,
	    "the name %s is taken by a "
	    "container that is not ours",
	    service->container);
	return error_hint(err,
	    "look at it with 'docker inspect %s'; rename "
	    "or remove it by hand",
	    service->container);
}

static int
decide_one(struct ensure_work *work, struct ensure_service *service,
    struct error *err)
{
	const struct service_entry *recorded =
	    agent_entry_find(&work->before, service->engine->name);
	/* what was not asked for has another user */
	bool fresh =
	    work->request->fresh && is_asked(work, service->engine->name);
	bool may_replace = work->request->replace || fresh;
	bool healthy;

	service->there = container_list_find(&work->found, service->container);
	healthy = is_healthy(work, recorded, service->there);
	service->make = !healthy || fresh;
	if (healthy && check_options(work, service, recorded, err) == -1) {
		if (!may_replace)
			return -1;
		error_clear(err);
		service->make = true;
	}
	if (!service->make &&
	    decide_features(work, service, recorded, err) == -1)
		return -1;
	if (service->make)
		work->made++;
	return service->make ? check_bearer(work, service, err) : 0;
}

int
ensure_decide(struct ensure_work *work, struct error *err)
{
	size_t i;

	for (i = 0; i < work->service_count; i++)
		if (decide_one(work, &work->services[i], err) == -1)
			return error_about(err, NULL,
			    work->services[i].engine->name);
	return 0;
}
