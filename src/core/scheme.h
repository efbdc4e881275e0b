/* SPDX-License-Identifier: ISC */
/*
 * How names and labels are made from an agent's slug, and read back.
 */
#ifndef CORE_SCHEME_H
#define CORE_SCHEME_H

#include "base/strvec.h"
#include "config/settings.h"

/* The labels that are ours whatever the settings say. */
#define LABEL_KEEPER "sandkeeper.keeper"
#define LABEL_AGENT "sandkeeper.agent"
#define LABEL_SERVICE "sandkeeper.service"
#define LABEL_OWNER "sandkeeper.owner"
#define LABEL_EXPIRES "sandkeeper.expires"
#define LABEL_VERSION "sandkeeper.version"
/* The value of the sandbox label, and of LABEL_VERSION. */
#define LABEL_YES "1"

struct scheme {
	const char *container_prefix; /* borrowed from the settings */
	const char *sandbox_prefix;
	const char *label;
	char *owner_label;  /* label + ".owner" */
	char *filter;       /* label + "=1" */
	struct strvec keys; /* every label that is read */
};

void scheme_init(struct scheme *, const struct settings *);
void scheme_clear(struct scheme *);

/* "roboco-agent-" + slug; the caller frees it. */
char *scheme_agent_container(const struct scheme *, const char *slug);
/* "roboco-sandbox-" + short name + "-" + slug; the caller frees it. */
char *scheme_sandbox_name(const struct scheme *, const char *short_name,
    const char *slug);
/*
 * The slug of an agent container's name, a part of it; NULL where the name has
 * another prefix or what follows is no slug.
 */
const char *scheme_slug_of(const struct scheme *, const char *container);
/*
 * Is it the name of one of this agent's sandbox containers, whatever the
 * engine?  Then short_name (if not NULL) gets the engine's short name.
 */
bool scheme_is_sandbox_name(const struct scheme *, const char *name,
    const char *slug, char short_name[64]);

#endif
