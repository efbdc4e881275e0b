/* SPDX-License-Identifier: ISC */
/*
 * The janitor's judgement: a pure function of what is known.  sweep, list,
 * why, --explain, --dry-run and watch all use this one.  Unknown means keep.
 */
#ifndef CORE_JUDGE_H
#define CORE_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/sandbox.h"

enum verdict {
	/* kept */
	VERDICT_STRANGER,
	VERDICT_FOREIGN,
	VERDICT_UNREADABLE, /* its entry cannot be read */
	VERDICT_ELSEWHERE,  /* it is kept for another daemon's name */
	VERDICT_HELD,
	VERDICT_AGE_UNKNOWN,
	VERDICT_YOUNG,
	VERDICT_OWNER_ALIVE,
	VERDICT_OWNER_UNKNOWN,
	VERDICT_OWNER_GRACE, /* it stopped a moment ago */
	VERDICT_LEASED,
	VERDICT_NO_OWNER, /* neither owner nor lease: never removed */
	VERDICT_LOCKED,   /* somebody is at work on its agent */
	/* removed, from here on */
	VERDICT_RELEASED,
	VERDICT_ABANDONED,  /* its making was cut off */
	VERDICT_UNRECORDED, /* it came after its making had ended */
	VERDICT_LEASE_OVER,
	VERDICT_OWNER_STOPPED,
	VERDICT_OWNER_ABSENT,
	VERDICT_DRAINED,
	VERDICT_COUNT
};

struct judge_rules {
	int64_t now;
	int64_t grace, owner_grace, foreign_grace; /* seconds */
};

struct judgement {
	enum verdict verdict;
	int64_t until; /* kept until then at least; 0: no date */
};

/*
 * entry: what the cache holds of its agent, or NULL; not looked at for another
 * keeper's.  unreadable: there is one that could not be read.  released: a
 * release is asked for.  The agent's lock is taken to be free.
 */
struct judgement judge(const struct sandbox *, const struct agent_entry *,
    bool unreadable, bool released, struct owner_view,
    const struct judge_rules *);

/*
 * The same of an entry by itself: may it go, if all of its containers are
 * proven gone?
 */
struct judgement judge_entry(const struct agent_entry *, bool released,
    struct owner_view, const struct judge_rules *);

bool verdict_removes(enum verdict);
/* One word for scripts ("owner-alive"), and a sentence's part for people. */
const char *verdict_word(enum verdict);
const char *verdict_text(enum verdict);

#endif
