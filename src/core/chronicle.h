/* SPDX-License-Identifier: ISC */
/*
 * The history: one line for every end of a container or sandbox, by whatever
 * command.  What cannot be written is a warning.
 */
#ifndef CORE_CHRONICLE_H
#define CORE_CHRONICLE_H

#include "core/core.h"

struct ending {
	const char *agent;
	const char *container; /* name */
	const char *id;
	const char *service; /* may be NULL */
	const char *cause;   /* command: "sweep", "release", ... */
	const char *reason;  /* a verdict's word, or --reason's text */
	int64_t age;         /* seconds; -1: unknown */
	/* of one that was found dead: its inspected container, and the end of
	 * its log, secrets masked; both may be NULL */
	const struct container *dead;
	const char *last_lines;
};

void chronicle_end(const struct core *, const struct ending *);

/*
 * The last lines of a container's log, every password of the entry (may be
 * NULL) masked; the caller frees it.  NULL where docker does not tell.
 */
char *chronicle_last_lines(const struct core *, const char *id,
    const struct agent_entry *);

/* Mask every password that the entry (may be NULL) holds. */
void chronicle_mask(struct strbuf *, const struct agent_entry *);

/* Seconds since it was created; -1 where that is unknown. */
int64_t chronicle_age(const struct container *);

#endif
