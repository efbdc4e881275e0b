/* SPDX-License-Identifier: ISC */
/* The janitor's judgement. */
#include "core/judge.h"

static const struct {
	const char *word, *text;
} words[VERDICT_COUNT] = {
	[VERDICT_STRANGER] = { "stranger",
	    "its labels and its name do not agree: it is not ours to touch" },
	[VERDICT_FOREIGN] = { "foreign", "it belongs to another keeper" },
	[VERDICT_UNREADABLE] = { "unreadable",
	    "its agent's entry cannot be read" },
	[VERDICT_ELSEWHERE] = { "elsewhere",
	    "its entry is, or may be, kept under another name of this daemon" },
	[VERDICT_HELD] = { "held", "it is held for debugging" },
	[VERDICT_AGE_UNKNOWN] = { "age-unknown",
	    "its age is unknown or in the future" },
	[VERDICT_YOUNG] = { "young", "it is younger than the grace" },
	[VERDICT_OWNER_ALIVE] = { "owner-alive", "its owner is alive" },
	[VERDICT_OWNER_UNKNOWN] = { "owner-unknown",
	    "whether its owner is alive cannot be told" },
	[VERDICT_OWNER_GRACE] = { "owner-grace",
	    "its owner stopped less than the owner's grace ago" },
	[VERDICT_LEASED] = { "leased", "its lease has not ended" },
	[VERDICT_NO_OWNER] = { "no-owner", "it has neither owner nor lease" },
	[VERDICT_LOCKED] = { "locked", "its agent is being worked on" },
	[VERDICT_RELEASED] = { "released", "its release was asked for" },
	[VERDICT_ABANDONED] = { "abandoned", "its making was cut off" },
	[VERDICT_UNRECORDED] = { "unrecorded",
	    "no entry records it: it came after its making had ended" },
	[VERDICT_LEASE_OVER] = { "lease-over", "its lease has ended" },
	[VERDICT_OWNER_STOPPED] = { "owner-stopped",
	    "its owner does not run any more" },
	[VERDICT_OWNER_ABSENT] = { "owner-absent", "its owner is gone" },
	[VERDICT_DRAINED] = { "drained", "everything is drained" },
};

bool
verdict_removes(enum verdict verdict)
{
	return verdict >= VERDICT_RELEASED;
}

const char *
verdict_word(enum verdict verdict)
{
	return words[verdict].word;
}

const char *
verdict_text(enum verdict verdict)
{
	return words[verdict].text;
}

static struct judgement
keep(enum verdict verdict, int64_t until)
{
	return (struct judgement){ verdict, until };
}

/* Does anything but age speak for its removal?  A stopped owner's grace too. */
static struct judgement
judge_owner(const struct owner *owner, int64_t expires, struct owner_view view,
    const struct judge_rules *rules)
{
	if (owner->type == OWNER_MISSING || owner->type == OWNER_LEASE)
		return expires == 0 ? keep(VERDICT_NO_OWNER, 0) :
				      keep(VERDICT_LEASED, expires);
	switch (view.state) {
	case OWNER_ALIVE:
		return keep(VERDICT_OWNER_ALIVE, expires);
	case OWNER_UNKNOWN:
		return keep(VERDICT_OWNER_UNKNOWN, expires);
	case OWNER_ABSENT:
		return keep(VERDICT_OWNER_ABSENT, 0);
	case OWNER_STOPPED:
		break;
	}
	if (view.since == TIME_UNKNOWN || view.since > rules->now)
		return keep(VERDICT_OWNER_UNKNOWN, expires);
	if (rules->now - view.since < rules->owner_grace)
		return keep(VERDICT_OWNER_GRACE,
		    view.since + rules->owner_grace);
	return keep(VERDICT_OWNER_STOPPED, 0);
}

/* The entry wins over the labels, which carry the first expiry alone. */
static int64_t
lease_end(const struct sandbox *sandbox, const struct agent_entry *entry)
{
	return entry != NULL ? entry->expires : sandbox->expires;
}

/* It never comes back: whatever state its sandbox is in, it is an orphan. */
static bool
process_is_dead(const struct owner *owner, struct owner_view view)
{
	return owner->type == OWNER_PROCESS && view.state == OWNER_STOPPED;
}

/* Whatever else speaks for its removal: it is never removed. */
static bool
has_nobody(const struct owner *owner, int64_t expires)
{
	return expires == 0 &&
	    (owner->type == OWNER_MISSING || owner->type == OWNER_LEASE);
}

static struct judgement
judge_reasons(const struct sandbox *sandbox, const struct agent_entry *entry,
    struct owner_view view, const struct judge_rules *rules)
{
	int64_t expires = lease_end(sandbox, entry);

	if (process_is_dead(&sandbox->owner, view))
		return keep(VERDICT_OWNER_STOPPED, 0);
	if (expires > 0 && expires <= rules->now)
		return keep(VERDICT_LEASE_OVER, 0);
	if (has_nobody(&sandbox->owner, expires))
		return keep(VERDICT_NO_OWNER, 0);
	if (entry != NULL && entry->state == ENTRY_PROVISIONING)
		return keep(VERDICT_ABANDONED, 0);
	/* a lost entry may have recorded it: whose owner lives is kept */
	if (sandbox->kind == SANDBOX_OURS && !sandbox->entry_lost &&
	    (entry == NULL ||
		!agent_entry_has_id(entry, sandbox->container->id)))
		return keep(VERDICT_UNRECORDED, 0);
	return judge_owner(&sandbox->owner, expires, view, rules);
}

/* The last moment at which it was made or handed over, by either clock. */
static int64_t
youth(const struct sandbox *sandbox, const struct agent_entry *entry)
{
	int64_t at = sandbox->container->created;

	if (entry != NULL && entry->created > at)
		at = entry->created;
	if (entry != NULL && entry->handed > at)
		at = entry->handed;
	return at;
}

static struct judgement
judge_age(struct judgement judged, const struct sandbox *sandbox,
    const struct agent_entry *entry, const struct judge_rules *rules)
{
	int64_t at = youth(sandbox, entry);

	if (sandbox->container->created == TIME_UNKNOWN || at > rules->now)
		return keep(VERDICT_AGE_UNKNOWN, 0);
	/* a process is there from the start and never comes back */
	if (sandbox->owner.type == OWNER_PROCESS &&
	    (judged.verdict == VERDICT_OWNER_ABSENT ||
		judged.verdict == VERDICT_OWNER_STOPPED))
		return judged;
	if (rules->now - at < rules->grace)
		return keep(VERDICT_YOUNG, at + rules->grace);
	return judged;
}

struct judgement
judge(const struct sandbox *sandbox, const struct agent_entry *entry,
    bool unreadable, bool released, struct owner_view view,
    const struct judge_rules *rules)
{
	int64_t created = sandbox->container->created;
	struct judgement judged;

	if (sandbox->kind == SANDBOX_STRANGER)
		return keep(VERDICT_STRANGER, 0);
	if (sandbox->kind == SANDBOX_FOREIGN) {
		entry = NULL;
		if (rules->foreign_grace == 0)
			return keep(VERDICT_FOREIGN, 0);
		if (created == TIME_UNKNOWN || created > rules->now)
			return keep(VERDICT_AGE_UNKNOWN, 0);
		if (rules->now - created < rules->foreign_grace)
			return keep(VERDICT_FOREIGN,
			    created + rules->foreign_grace);
	} else if (unreadable) {
		return keep(VERDICT_UNREADABLE, 0);
	} else if (sandbox->elsewhere) {
		return keep(VERDICT_ELSEWHERE, 0);
	} else if (entry != NULL && entry->hold > rules->now) {
		return keep(VERDICT_HELD, entry->hold);
	} else if (released) {
		return keep(VERDICT_RELEASED, 0);
	}
	/* the orchestrator's is judged by its labels, whatever we record */
	if (entry != NULL && sandbox->kind == SANDBOX_UNKEPT &&
	    !agent_entry_has_id(entry, sandbox->container->id))
		entry = NULL;
	judged = judge_reasons(sandbox, entry, view, rules);
	if (!verdict_removes(judged.verdict))
		return judged;
	return judge_age(judged, sandbox, entry, rules);
}

struct judgement
judge_entry(const struct agent_entry *entry, bool released,
    struct owner_view view, const struct judge_rules *rules)
{
	struct owner owner = owner_parse(entry->owner);
	int64_t at =
	    entry->handed > entry->created ? entry->handed : entry->created;
	struct judgement judged;

	if (entry->hold > rules->now)
		return keep(VERDICT_HELD, entry->hold);
	if (released)
		return keep(VERDICT_RELEASED, 0);
	if (process_is_dead(&owner, view))
		judged = keep(VERDICT_OWNER_STOPPED, 0);
	else if (entry->expires > 0 && entry->expires <= rules->now)
		judged = keep(VERDICT_LEASE_OVER, 0);
	else if (entry->state == ENTRY_PROVISIONING)
		judged = keep(VERDICT_ABANDONED, 0);
	else
		judged = judge_owner(&owner, entry->expires, view, rules);
	if (!verdict_removes(judged.verdict))
		return judged;
	if (at > rules->now)
		return keep(VERDICT_AGE_UNKNOWN, 0);
	if (owner.type != OWNER_PROCESS && rules->now - at < rules->grace)
		return keep(VERDICT_YOUNG, at + rules->grace);
	return judged;
}
