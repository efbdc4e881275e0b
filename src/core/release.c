/* SPDX-License-Identifier: ISC */
/* Ending an agent's sandbox on request. */
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "core/release.h"
#include "core/teardown.h"

int
release_carry_out(const struct core *core, const struct release *release,
    const struct agent_entry *entry, size_t *removed, struct error *err)
{
	struct teardown teardown = { 0 };

	teardown.slug = release->slug;
	teardown.entry = entry;
	teardown.cause = release->cause;
	teardown.reason = release->reason;
	teardown.owner = release->owner;
	if (teardown_run(core, &teardown, removed, err) == -1)
		return -1;
	if (store_remove(core->store, release->slug, err) == -1)
		return -1;
	store_forget_damaged(core->store, release->slug);
	return store_unmark(core->store, release->slug, err);
}

static bool
is_held(const struct agent_entry *entry, const struct release *release)
{
	return entry->hold > clock_now() && !release->force;
}

static bool
is_another_owners(const struct agent_entry *entry,
    const struct release *release)
{
	return release->owner != NULL &&
	    strcmp(entry->owner, release->owner) != 0;
}

/* What must be true before anything is touched, and again under the lock. */
static enum release_outcome
look(const struct agent_entry *entry, bool found, const struct release *release)
{
	if (!found)
		return RELEASE_NOTHING;
	if (is_another_owners(entry, release))
		return RELEASE_OTHER_OWNER;
	if (is_held(entry, release))
		return RELEASE_HELD;
	return RELEASE_DONE;
}

static int
under_lock(const struct core *core, const struct release *release, bool marked,
    enum release_outcome *outcome, struct error *err)
{
	struct agent_entry entry;
	size_t removed = 0;
	bool found;
	int rc = 0;

	/* whoever had the lock has carried the release out */
	if (marked && !store_is_marked(core->store, release->slug)) {
		*outcome = RELEASE_DONE;
		return 0;
	}
	if (store_read(core->store, release->slug, true, &entry, &found, err) ==
	    -1)
		return -1;
	*outcome = look(&entry, found, release);
	/* no entry: what carries our labels still goes, for "remove" */
	if (*outcome == RELEASE_DONE || *outcome == RELEASE_NOTHING) {
		rc = release_carry_out(core, release, found ? &entry : NULL,
		    &removed, err);
		if (removed > 0)
			*outcome = RELEASE_DONE;
	} else {
		(void)store_unmark(core->store, release->slug, err);
	}
	agent_entry_clear(&entry);
	return rc;
}

int
release_run(const struct core *core, const struct release *release,
    enum release_outcome *outcome, struct error *err)
{
	struct agent_lock lock = AGENT_LOCK_NONE;
	struct agent_entry entry;
	bool found, mark;
	int rc;

	if (store_read(core->store, release->slug, false, &entry, &found,
		err) == -1)
		return -1;
	*outcome = look(&entry, found, release);
	agent_entry_clear(&entry);
	if (*outcome == RELEASE_OTHER_OWNER || *outcome == RELEASE_HELD)
		return 0;
	/* tells an ensure that is at work to end */
	mark = found;
	if (mark && store_mark(core->store, release->slug, err) == -1)
		return -1;
	if (lock_take(core->store, release->slug,
		deadline_in_ms(core->settings->lock_timeout * 1000), &lock,
		err) == -1)
		return -1;
	rc = under_lock(core, release, mark, outcome, err);
	lock_release(&lock);
	return rc == -1 ? error_about(err, release->slug, NULL) : 0;
}
