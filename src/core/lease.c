/* SPDX-License-Identifier: ISC */
/* Leases and holds. */
#include <string.h>

#include "core/lease.h"

/* What one change of an entry is to be. */
struct change {
	int64_t ttl;   /* > 0: renew */
	int64_t until; /* else: hold */
	int64_t expires;
};

static int
apply(struct agent_entry *entry, struct change *change, struct error *err)
{
	int64_t end = clock_now() + change->ttl;

	if (change->ttl == 0) {
		entry->hold = change->until;
		return 0;
	}
	if (entry->expires == 0) {
		(void)error_set(err, ERROR_VALUE,
		    "its sandbox has no lease: it lives as long as %s",
		    entry->owner);
		return error_hint(err,
		    "'sandkeeper hold' keeps it beyond its owner");
	}
	if (end > entry->expires)
		entry->expires = end;
	change->expires = entry->expires;
	return 0;
}

static bool
is_meant(const struct agent_entry *entry, struct lease lease)
{
	return lease.owner == NULL || strcmp(entry->owner, lease.owner) == 0;
}

static int
change_locked(const struct core *core, struct lease lease,
    struct change *change, struct error *err)
{
	struct agent_entry entry;
	bool found;
	int rc;

	if (store_read(core->store, lease.slug, true, &entry, &found, err) ==
	    -1)
		return -1;
	if (!found || store_is_marked(core->store, lease.slug)) {
		rc = error_set(err, ERROR_NO_SANDBOX, "it has no sandbox");
	} else if (!is_meant(&entry, lease)) {
		rc = error_set(err, ERROR_NO_SANDBOX,
		    "its sandbox is another owner's by now");
	} else {
		rc = apply(&entry, change, err);
		if (rc == 0)
			rc = store_write(core->store, &entry, err);
	}
	agent_entry_clear(&entry);
	return rc;
}

static int
change_entry(const struct core *core, struct lease lease, struct change *change,
    struct deadline until, struct error *err)
{
	const char *slug = lease.slug;
	struct agent_lock lock = AGENT_LOCK_NONE;
	int rc;

	if (!store_has(core->store, slug)) {
		(void)error_set(err, ERROR_NO_SANDBOX, "it has no sandbox");
		return error_about(err, slug, NULL);
	}
	if (lock_take(core->store, slug, until, &lock, err) == -1)
		return -1;
	rc = change_locked(core, lease, change, err);
	lock_release(&lock);
	return rc == -1 ? error_about(err, slug, NULL) : 0;
}

int
lease_renew(const struct core *core, struct lease lease, int64_t ttl,
    struct deadline until, int64_t *expires, struct error *err)
{
	struct change change = { ttl, 0, 0 };

	if (change_entry(core, lease, &change, until, err) == -1)
		return -1;
	*expires = change.expires;
	return 0;
}

int
lease_hold(const struct core *core, struct lease lease, int64_t until,
    struct error *err)
{
	struct change change = { 0, until, 0 };

	return change_entry(core, lease, &change,
	    deadline_in_ms(core->settings->lock_timeout * 1000), err);
}
