/* SPDX-License-Identifier: ISC */
/*
 * ensure: what is written of it.  The intent first, so that a crash leaves
 * names that a sweep finds; the commit last, when all is verified.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "core/ensure_work.h"
#include "core/handover.h"

/* The entry that is to be, before anything is known of containers. */
void
ensure_new_entry(struct ensure_work *work)
{
	if (work->recorded) {
		agent_entry_copy(&work->entry, &work->before);
		/* what is made anew does not begin with a lease that is over */
		if (work->entry.expires <= clock_now())
			work->entry.expires = 0;
		return;
	}
	work->entry.state = ENTRY_PROVISIONING;
	work->entry.created = work->entry.handed = clock_now();
	work->entry.agent = xstrdup(work->request->slug);
	work->entry.owner = xstrdup(work->owner_text);
	if (work->request->ttl > 0)
		work->entry.expires = clock_now() + work->request->ttl;
	work->entry.owner_id = xstrdup("");
	work->entry.network = xstrdup("");
	work->entry.publish = xstrdup("");
	work->entry.daemon = xstrdup(work->core->store->endpoint);
}

/* A service that is to be made: its name and new credentials. */
static void
intend(struct ensure_work *work, const struct ensure_service *service)
{
	const struct engine *engine = service->engine;
	struct service_entry *entry;
	char password[33], *data_size;

	agent_entry_remove(&work->entry, engine->name);
	entry = agent_entry_add(&work->entry, engine->name);
	text_random_hex(password, 32);
	entry->pending = true;
	entry->port = engine_port(engine);
	xstr_set(&entry->container, service->container);
	xstr_set(&entry->host, service->container);
	xstr_set(&entry->image, service->image);
	xstr_set(&entry->memory, ensure_memory(work, engine));
	data_size = ensure_data_size(work, engine);
	xstr_set(&entry->data_size, data_size);
	free(data_size);
	xstr_set(&entry->user, engine->user);
	xstr_set(&entry->database, engine->database);
	xstr_set(&entry->password, password);
	strvec_append(&entry->features, &service->features);
	explicit_bzero(password, sizeof(password));
}

bool
ensure_extend_lease(struct ensure_work *work)
{
	int64_t expires = clock_now() + work->request->ttl;
	bool keeps = work->recorded && work->made < work->service_count;

	if (work->request->ttl == 0 || expires <= work->entry.expires)
		return false;
	/* what has no lease lives as long as its owner: that is longer */
	if (keeps && work->before.expires == 0)
		return false;
	work->entry.expires = expires;
	return true;
}

bool
ensure_record_exports(struct ensure_work *work)
{
	const struct engine *engine;
	bool changed = false;
	size_t i;

	for (i = 0; i < work->service_count; i++) {
		engine = work->services[i].engine;
		changed |= handover_record(engine,
		    agent_entry_find(&work->entry, engine->name));
	}
	return changed;
}

int
ensure_intend(struct ensure_work *work, struct error *err)
{
	size_t i;

	/* the labels of what is made tell it, too */
	(void)ensure_extend_lease(work);
	for (i = 0; i < work->service_count; i++)
		if (work->services[i].make)
			intend(work, &work->services[i]);
	(void)ensure_record_exports(work);
	return store_write(work->core->store, &work->entry, err);
}

static int
check_limit(const struct core *core, struct error *err)
{
	long long limit = (long long)core->settings->max_sandboxes;
	struct strvec slugs = { 0 };
	int rc = store_list(core->store, &slugs, err);

	if (rc == 0 && limit > 0 && (long long)slugs.len >= limit) {
		(void)error_set(err, ERROR_LIMIT,
		    "there are %zu of %lld "
		    "sandboxes",
		    slugs.len, limit);
		rc = error_hint(err, "release one, or raise max-sandboxes");
	}
	strvec_clear(&slugs);
	return rc;
}

/* Counted and written under one lock: two cannot both be the last one. */
static int
write_within_limit(struct ensure_work *work, struct error *err)
{
	const struct core *core = work->core;
	struct agent_lock lock = AGENT_LOCK_NONE;
	int rc;

	if (core->settings->max_sandboxes == 0)
		return store_write(core->store, &work->entry, err);
	if (lock_count(core->store,
		deadline_in_ms(core->settings->lock_timeout * 1000), &lock,
		err) == -1)
		return -1;
	rc = check_limit(core, err);
	if (rc == 0)
		rc = store_write(core->store, &work->entry, err);
	lock_release(&lock);
	return rc;
}

/* All that could be needed, before the first docker call (rule E5). */
int
ensure_intend_all(struct ensure_work *work, struct error *err)
{
	size_t i;

	for (i = 0; i < work->service_count; i++)
		intend(work, &work->services[i]);
	(void)ensure_record_exports(work);
	return write_within_limit(work, err);
}

/* The features that were enabled in what was kept. */
static void
record_features(struct ensure_work *work)
{
	struct service_entry *entry;
	size_t i;

	for (i = 0; i < work->service_count; i++) {
		if (!work->services[i].enable)
			continue;
		entry = agent_entry_find(&work->entry,
		    work->services[i].engine->name);
		strvec_clear(&entry->features);
		strvec_append(&entry->features, &work->services[i].features);
	}
}

int
ensure_commit(struct ensure_work *work, struct error *err)
{
	if (ensure_go_on(work, err) == -1)
		return -1;
	work->entry.state = ENTRY_READY;
	work->entry.handed = clock_now();
	(void)ensure_extend_lease(work);
	if (work->made == work->service_count)
		work->entry.created = work->entry.handed;
	if (work->made > 0) {
		xstr_set(&work->entry.network, work->network);
		xstr_set(&work->entry.publish,
		    work->publish ? ensure_publish_address(work) : "");
	}
	xstr_set(&work->entry.owner_id,
	    work->owner != NULL ? work->owner->id : "");
	record_features(work);
	return store_write(work->core->store, &work->entry, err);
}
