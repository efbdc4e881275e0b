/* SPDX-License-Identifier: ISC */
/* ensure: pull, clear, run, wait, verify; and undoing it (rules E5, E7). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/text.h"
#include "core/ensure_work.h"
#include "core/teardown.h"
#include "process/interrupt.h"

/* A name may be taken for a moment after its bearer's removal. */
static const int name_tries = 8;
static const int64_t name_pause_ms = 250;
/* A container can appear that long after its client was killed. */
static const int64_t late_ms = 800;

static void
made_names(const struct ensure_work *work, struct strvec *names)
{
	size_t i;

	for (i = 0; i < work->service_count; i++)
		if (work->services[i].make)
			strvec_add(names, work->services[i].container);
}

/* Full ids of the containers that are kept. */
static void
kept_ids(const struct ensure_work *work, struct strvec *ids)
{
	const struct service_entry *recorded;
	size_t i;

	for (i = 0; i < work->service_count; i++) {
		recorded = agent_entry_find(&work->before,
		    work->services[i].engine->name);
		if (!work->services[i].make && recorded != NULL)
			strvec_add(ids, recorded->id);
	}
}

static int
refuse_pull(const struct strvec *missing, struct error *err)
{
	(void)error_set(err, ERROR_IMAGE_MISSING,
	    "the image %s is not there, "
	    "and pull-policy is 'never'",
	    missing->items[0]);
	return error_hint(err, "load it with 'docker load', or build it");
}

/* An image that is built here is in no registry: say how it is built. */
static int
tell_recipe(const struct ensure_work *work, const struct strvec *missing,
    struct error *err)
{
	const struct ensure_service *service;
	const char *recipe;
	size_t i;

	for (i = 0; i < work->service_count; i++) {
		service = &work->services[i];
		recipe = service->engine->feature_recipe;
		if (*recipe == '\0' || service->features.len == 0 ||
		    !strvec_has(missing, service->image) ||
		    strstr(err->msg, service->image) == NULL)
			continue;
		return error_hint(err, "build it: docker build -t %s %s%s",
		    service->image, *recipe == '/' ? "" : PKGDATADIR "/images/",
		    recipe);
	}
	return -1;
}

static int
fetch_images(const struct ensure_work *work, struct error *err)
{
	struct strvec images = { 0 }, missing = { 0 };
	char *list;
	size_t i;
	int rc;

	for (i = 0; i < work->service_count; i++)
		if (work->services[i].make)
			strvec_add_once(&images, work->services[i].image);
	rc = docker_images_missing(work->core->docker, &images, &missing, err);
	if (rc == 0 && missing.len > 0) {
		if (strcmp(work->core->settings->pull_policy, "never") == 0) {
			rc = refuse_pull(&missing, err);
		} else {
			for (i = 0; i < missing.len; i++)
				log_info("%s: pulling %s", work->request->slug,
				    missing.items[i]);
			list = strvec_join(&missing, ", ");
			progress_begin("%s: pulling %s", work->request->slug,
			    list);
			rc = docker_pull(work->core->docker, &missing, err);
			progress_end();
			free(list);
		}
		if (rc == -1 &&
		    (err->kind == ERROR_IMAGE_PULL ||
			err->kind == ERROR_IMAGE_MISSING))
			rc = tell_recipe(work, &missing, err);
	}
	strvec_clear(&images);
	strvec_clear(&missing);
	return rc;
}

/* What bears a name that is needed, and is ours by what was decided. */
static int
clear_leftovers(const struct ensure_work *work, struct error *err)
{
	struct strvec names = { 0 }, spare = { 0 };
	struct teardown teardown = { 0 };
	size_t i, removed;
	bool any = false;
	int rc = 0;

	for (i = 0; i < work->service_count; i++)
		if (work->services[i].make && work->services[i].there != NULL) {
			strvec_add(&names, work->services[i].there->id);
			any = true;
		}
	kept_ids(work, &spare);
	teardown.slug = work->request->slug;
	teardown.entry = &work->before;
	teardown.cause = "ensure";
	teardown.reason = "replaced";
	teardown.names = &names;
	teardown.spare = &spare;
	if (any)
		rc = teardown_run(work->core, &teardown, &removed, err);
	strvec_clear(&names);
	strvec_clear(&spare);
	return rc;
}

/* Start those that have no id yet; -1 with the first failure. */
static int
start_round(struct ensure_work *work, struct error *err)
{
	size_t count = 0, i, n;
	struct docker_run *runs = xcalloc(work->made, sizeof(*runs));
	struct docker_started *started = xcalloc(work->made, sizeof(*started));
	struct ensure_service *service;
	int rc = 0;

	for (i = 0; i < work->service_count; i++)
		if (work->services[i].make && work->services[i].id[0] == '\0')
			ensure_spec(work, &work->services[i], &runs[count++]);
	docker_run_many(work->core->docker, runs, count, started);
	for (i = 0, n = 0; i < work->service_count; i++) {
		service = &work->services[i];
		if (!service->make || service->id[0] != '\0')
			continue;
		if (started[n].uncertain)
			work->uncertain = true;
		if (started[n].error.kind == ERROR_NONE)
			memcpy(service->id, started[n].id, sizeof(service->id));
		else if (rc == 0 || err->kind == ERROR_NAME_TAKEN) {
			/* a name that is taken is tried again, nothing else */
			*err = started[n].error;
			rc = error_about(err, NULL, service->engine->name);
		}
		docker_run_clear(&runs[n++]);
	}
	free(started);
	free(runs);
	return rc;
}

/* Each port at a random one of the address (rule E10). */
static void
choose_ports(struct ensure_work *work)
{
	const char *address = ensure_publish_address(work);
	bool brackets = strchr(address, ':') != NULL;
	struct ensure_service *service;
	size_t i;

	for (i = 0; work->publish && i < work->service_count; i++) {
		service = &work->services[i];
		(void)snprintf(service->publish, sizeof(service->publish),
		    "%s%s%s::%d", brackets ? "[" : "", address,
		    brackets ? "]" : "", engine_port(service->engine));
	}
}

static int
start_all(struct ensure_work *work, struct error *err)
{
	int i;

	work->started = true;
	progress_begin("%s: starting its sandbox", work->request->slug);
	choose_ports(work);
	for (i = 0; i < name_tries; i++) {
		if (start_round(work, err) == 0)
			return 0;
		/* no tight retry, and none of anything but this */
		if (err->kind != ERROR_NAME_TAKEN ||
		    interrupt_sleep_ms(name_pause_ms, err) == -1)
			return -1;
	}
	(void)error_hint(err,
	    "the name's bearer appeared after the first "
	    "look: 'docker ps -a' shows it");
	return -1;
}

/* What speaks against handing it over; NULL where nothing does. */
static const char *
fate(const struct ensure_service *service, const struct service_entry *entry,
    const struct container *c)
{
	if (c == NULL)
		return "gone";
	if (c->state != CONTAINER_RUNNING)
		return container_state_name(c->state);
	/* a restart has lost its tmpfs */
	if (!service->make && strcmp(c->started, entry->started) != 0)
		return "restarted";
	return NULL;
}

/* Rule E7: never success with a dead database. */
static int
verify_one(struct ensure_work *work, const struct ensure_service *service,
    const struct container_list *found, struct error *err)
{
	struct service_entry *entry =
	    agent_entry_find(&work->entry, service->engine->name);
	const struct container *c =
	    container_list_find(found, service->make ? service->id : entry->id);
	const char *why = fate(service, entry, c);

	if (why != NULL) {
		(void)error_set(err, ERROR_DIED,
		    "%s is %s at the moment of its handing over",
		    service->container, why);
		(void)error_hint(err,
		    "somebody else ended it: 'docker events --since 10m' "
		    "tells more; then ask again");
		return error_about(err, NULL, service->engine->name);
	}
	if (!service->make)
		return 0;
	entry->pending = false;
	xstr_set(&entry->id, c->id);
	xstr_set(&entry->started, c->started);
	return ensure_record_address(work, c, entry, err);
}

/* Those that are kept, too: making the others may have taken a while. */
static int
verify_all(struct ensure_work *work, struct error *err)
{
	struct container_list found = { 0 };
	struct strvec ids = { 0 };
	size_t i;
	int rc;

	for (i = 0; i < work->service_count; i++)
		if (work->services[i].make)
			strvec_add(&ids, work->services[i].id);
	kept_ids(work, &ids);
	rc = docker_inspect(work->core->docker, &ids, &found, err);
	for (i = 0; rc == 0 && i < work->service_count; i++)
		rc = verify_one(work, &work->services[i], &found, err);
	container_list_clear(&found);
	strvec_clear(&ids);
	return rc;
}

static int
make_all(struct ensure_work *work, struct error *err)
{
	if (ensure_check_inits(work, err) == -1 ||
	    fetch_images(work, err) == -1 || ensure_go_on(work, err) == -1 ||
	    clear_leftovers(work, err) == -1 || ensure_go_on(work, err) == -1 ||
	    start_all(work, err) == -1 || ensure_go_on(work, err) == -1 ||
	    ensure_wait_ready(work, err) == -1 ||
	    ensure_enable_features(work, err) == -1 ||
	    ensure_load_inits(work, err) == -1)
		return -1;
	return verify_all(work, err);
}

int
ensure_make(struct ensure_work *work, struct error *err)
{
	int rc;

	if (work->made == 0)
		return ensure_enable_features(work, err);
	rc = make_all(work, err);
	progress_end();
	return rc;
}

/* Full ids of what was there before, by the first look or by the entry. */
static void
earlier_ids(const struct ensure_work *work, struct strvec *ids)
{
	size_t i;

	for (i = 0; i < work->service_count; i++)
		if (work->services[i].there != NULL)
			strvec_add(ids, work->services[i].there->id);
	/* the first look may have been told that it is gone */
	for (i = 0; i < work->before.service_count; i++)
		if (*work->before.services[i].id != '\0')
			strvec_add(ids, work->before.services[i].id);
}

/* What docker run has told is recorded: it has to go, or be told of. */
static void
record_made(struct ensure_work *work)
{
	struct service_entry *entry;
	size_t i;

	for (i = 0; i < work->service_count; i++) {
		entry = agent_entry_find(&work->entry,
		    work->services[i].engine->name);
		if (work->services[i].make && entry != NULL)
			xstr_set(&entry->id, work->services[i].id);
	}
}

/* What this call made bears our id, and did not bear the name before. */
static int
undo_once(struct ensure_work *work, struct error *err)
{
	struct strvec names = { 0 }, spare = { 0 };
	struct teardown teardown = { 0 };
	size_t removed;
	int rc = 0;

	made_names(work, &names);
	earlier_ids(work, &spare);
	teardown.slug = work->request->slug;
	teardown.entry = &work->entry;
	teardown.cause = "ensure";
	teardown.reason = "rolled-back";
	teardown.names = &names;
	teardown.spare = &spare;
	teardown.ours_alone = true;
	if (names.len > 0)
		rc = teardown_run(work->core, &teardown, &removed, err);
	/* another's under that name was never ours to remove */
	if (rc == -1 && err->kind == ERROR_FOREIGN)
		rc = 0;
	strvec_clear(&names);
	strvec_clear(&spare);
	return rc;
}

int
ensure_undo(struct ensure_work *work, struct error *err)
{
	/* before the first "docker run" there is nothing to look for */
	if (!work->started)
		return 0;
	record_made(work);
	if (undo_once(work, err) == -1)
		return -1;
	if (!work->uncertain)
		return 0;
	/* under a shield: nothing ends this sleep */
	(void)interrupt_sleep_ms(late_ms, err);
	return undo_once(work, err);
}
