/* SPDX-License-Identifier: ISC */
/*
 * A sandbox container: what its labels and its name say, and whether it is
 * ours to touch.
 */
#ifndef CORE_SANDBOX_H
#define CORE_SANDBOX_H

#include "core/owner.h"

enum sandbox_kind {
	SANDBOX_STRANGER, /* label and name do not agree: leave it */
	SANDBOX_FOREIGN,  /* another keeper's */
	SANDBOX_UNKEPT,   /* no keeper's: the orchestrator made it */
	SANDBOX_OURS,
};

struct sandbox {
	enum sandbox_kind kind;
	const struct container *container; /* borrowed */
	const char *slug;                  /* "" for a stranger */
	char short_name[64];               /* the engine's */
	const char *service;               /* label; may be "" */
	const char *keeper;                /* label; may be "" */
	struct owner owner;
	char owner_text[160]; /* "container:NAME" */
	int64_t expires;      /* first lease; 0: none */
	/* its agent's entry was damaged: only the labels tell of it */
	bool entry_lost;
	/* an entry that is kept for another name of this daemon has it */
	bool elsewhere;
};

/* Read one; everything in it is borrowed from the container. */
void sandbox_read(struct sandbox *, const struct core *,
    const struct container *);

#endif
