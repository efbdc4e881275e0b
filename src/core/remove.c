/* SPDX-License-Identifier: ISC */
/* The removal of one agent container. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "core/chronicle.h"
#include "core/logdump.h"
#include "core/release.h"
#include "core/remove.h"
#include "process/interrupt.h"

/* Nothing more is to be had from docker. */
static bool
is_hopeless(const struct error *err)
{
	return err->kind == ERROR_DAEMON || err->kind == ERROR_DAEMON_DENIED ||
	    err->kind == ERROR_DOCKER_MISSING || err->kind == ERROR_INTERRUPTED;
}

/* Look at it.  -1: the daemon is out of reach, and nothing more is tried. */
static int
look(const struct core *core, const struct remove_request *request,
    struct container_list *found, struct error *err)
{
	struct strvec name = { 0 };
	int rc;

	strvec_add(&name, request->container);
	rc = docker_inspect(core->docker, &name, found, err);
	strvec_clear(&name);
	if (rc == 0)
		return 0;
	if (is_hopeless(err))
		return -1;
	log_verbose("%s: %s", request->container, err->msg);
	return 0;
}

/*
 * Is it gone, all the same?  Where somebody else is removing it too, it takes
 * a while.
 */
static bool
is_gone(const struct core *core, const char *id, const struct error *why)
{
	int tries = why->kind == ERROR_REMOVING ? 10 : 1;
	struct container_list found = { 0 };
	struct strvec ids = { 0 };
	struct error err;
	bool gone = false;
	int i;

	strvec_add(&ids, id);
	for (i = 0; i < tries && !gone; i++) {
		if (docker_inspect(core->docker, &ids, &found, &err) == -1)
			break;
		gone = found.len == 0;
		container_list_clear(&found);
		if (!gone && i + 1 < tries &&
		    interrupt_sleep_ms(300, &err) == -1)
			break;
	}
	strvec_clear(&ids);
	return gone;
}

static int
remove_container(const struct core *core, const struct remove_request *request,
    const struct container *c, struct error *err)
{
	const char *target = c != NULL ? c->id : request->container;
	struct strvec ids = { 0 };
	struct error ignored;
	int rc;

	/* without an id, a name of hex digits could hit a stranger's id */
	if (c == NULL && text_only(target, "0123456789abcdef"))
		return 0;
	strvec_add(&ids, target);
	if (c != NULL && request->stop > 0 &&
	    docker_stop(core->docker, &ids, request->stop, &ignored) == -1)
		log_warn("%s: %s", request->container, ignored.msg);
	rc = docker_remove(core->docker, &ids, false, err);
	strvec_clear(&ids);
	if (rc == -1 && !is_hopeless(err) &&
	    (c != NULL || err->kind == ERROR_REMOVING) &&
	    is_gone(core, target, err)) {
		error_clear(err);
		rc = 0;
	}
	return rc;
}

static void
record(const struct core *core, const struct remove_request *request,
    const struct container *c)
{
	const char *slug = scheme_slug_of(&core->scheme, c->name);
	struct ending ending = { 0 };

	ending.agent = slug != NULL ? slug : c->name;
	ending.container = c->name;
	ending.id = c->id;
	ending.cause = "remove";
	ending.reason = request->reason;
	ending.age = chronicle_age(c);
	if (!container_is_up(c))
		ending.dead = c;
	chronicle_end(core, &ending);
}

static int
remove_sandbox(const struct core *core, const struct remove_request *request,
    const char *name, struct error *err)
{
	const char *slug = scheme_slug_of(&core->scheme, name);
	enum release_outcome outcome = RELEASE_NOTHING;
	struct release release = { 0 };
	char *owner;
	int rc;

	if (slug == NULL)
		return 0;
	owner = xasprintf("container:%s", name);
	release.slug = slug;
	release.cause = "remove";
	release.reason = request->reason;
	release.owner = owner;
	rc = release_run(core, &release, &outcome, err);
	if (rc == 0 && outcome == RELEASE_HELD)
		log_info("%s: its sandbox is held and stays; 'sandkeeper "
			 "release --force %s' ends it",
		    name, slug);
	free(owner);
	return rc;
}

int
remove_run(const struct core *core, const struct remove_request *request,
    struct error *err)
{
	struct container_list found = { 0 };
	const struct container *c;
	struct error next;
	int rc;

	if (look(core, request, &found, err) == -1)
		return -1;
	error_clear(err);
	c = found.len > 0 ? &found.items[0] : NULL;
	if (c != NULL && !request->no_log)
		logdump_write(core, c);
	rc = remove_container(core, request, c, err);
	if (rc == 0 && c != NULL)
		record(core, request, c);
	if (core->settings->enabled && !request->keep_sandbox &&
	    !is_hopeless(err) &&
	    remove_sandbox(core, request,
		c != NULL ? c->name : request->container, &next) == -1) {
		error_keep_first(err, &next);
		rc = -1;
	}
	container_list_clear(&found);
	return rc == -1 ? error_wrap(err, "remove %s", request->container) : 0;
}
