/* SPDX-License-Identifier: ISC */
/* Whose is it? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config/slug.h"
#include "core/sandbox.h"

/* Our own label says it whole; the orchestrator's names a container. */
static void
read_owner(struct sandbox *sandbox, const struct core *core)
{
	const struct container *c = sandbox->container;
	const char *full = container_label(c, LABEL_OWNER);
	const char *name = container_label(c, core->scheme.owner_label);
	bool by_name = *full == '\0' && *name != '\0';
	int len;

	if (by_name)
		len = snprintf(sandbox->owner_text, sizeof(sandbox->owner_text),
		    "container:%s", name);
	else
		len = snprintf(sandbox->owner_text, sizeof(sandbox->owner_text),
		    "%s", full);
	sandbox->owner = owner_parse(by_name ? sandbox->owner_text : full);
	/* borrowed from the label: what is in ourselves may be moved */
	if (by_name && sandbox->owner.type == OWNER_CONTAINER)
		sandbox->owner.name = name;
	/* a label that says two things, or too much, says nothing */
	if (len >= (int)sizeof(sandbox->owner_text) ||
	    (*full != '\0' && *name != '\0' &&
		(sandbox->owner.type != OWNER_CONTAINER ||
		    strcmp(sandbox->owner.name, name) != 0)))
		sandbox->owner.type = OWNER_STRANGE;
}

static const char *
read_slug(const struct sandbox *sandbox, const struct core *core)
{
	const char *slug = container_label(sandbox->container, LABEL_AGENT);

	if (*slug != '\0')
		return slug_is_valid(slug, 0) ? slug : NULL;
	if (sandbox->owner.type != OWNER_CONTAINER)
		return NULL;
	return scheme_slug_of(&core->scheme,
	    container_label(sandbox->container, core->scheme.owner_label));
}

static void
read_expiry(struct sandbox *sandbox)
{
	const char *text = container_label(sandbox->container, LABEL_EXPIRES),
		   *problem;

	if (*text != '\0')
		sandbox->expires = strtonum(text, 0, INT64_MAX, &problem);
}

void
sandbox_read(struct sandbox *sandbox, const struct core *core,
    const struct container *c)
{
	const char *slug;

	memset(sandbox, 0, sizeof(*sandbox));
	sandbox->container = c;
	sandbox->slug = "";
	sandbox->service = container_label(c, LABEL_SERVICE);
	sandbox->keeper = container_label(c, LABEL_KEEPER);
	read_owner(sandbox, core);
	read_expiry(sandbox);
	slug = read_slug(sandbox, core);
	/* a committed image hands its labels on, but not its name */
	if (slug == NULL ||
	    strcmp(container_label(c, core->scheme.label), LABEL_YES) != 0 ||
	    !scheme_is_sandbox_name(&core->scheme, c->name, slug,
		sandbox->short_name))
		return;
	sandbox->slug = slug;
	if (*sandbox->keeper == '\0')
		sandbox->kind = SANDBOX_UNKEPT;
	else if (strcmp(sandbox->keeper, core->store->keeper) == 0)
		sandbox->kind = SANDBOX_OURS;
	else
		sandbox->kind = SANDBOX_FOREIGN;
}
