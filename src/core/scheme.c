/* SPDX-License-Identifier: ISC */
/* Names and labels. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "config/slug.h"
#include "core/scheme.h"

void
scheme_init(struct scheme *scheme, const struct settings *settings)
{
	memset(scheme, 0, sizeof(*scheme));
	scheme->container_prefix = settings->container_prefix;
	scheme->sandbox_prefix = settings->sandbox_prefix;
	scheme->label = settings->label;
	scheme->owner_label = xasprintf("%s.owner", settings->label);
	scheme->filter = xasprintf("%s=%s", settings->label, LABEL_YES);
	strvec_add_all(&scheme->keys, scheme->label, scheme->owner_label,
	    LABEL_KEEPER, LABEL_AGENT, LABEL_SERVICE, LABEL_OWNER,
	    LABEL_EXPIRES, NULL);
}

void
scheme_clear(struct scheme *scheme)
{
	free(scheme->owner_label);
	free(scheme->filter);
	strvec_clear(&scheme->keys);
	memset(scheme, 0, sizeof(*scheme));
}

char *
scheme_agent_container(const struct scheme *scheme, const char *slug)
{
	return xasprintf("%s%s", scheme->container_prefix, slug);
}

char *
scheme_sandbox_name(const struct scheme *scheme, const char *short_name,
    const char *slug)
{
	return xasprintf("%s%s-%s", scheme->sandbox_prefix, short_name, slug);
}

const char *
scheme_slug_of(const struct scheme *scheme, const char *container)
{
	const char *slug;

	if (!text_has_prefix(container, scheme->container_prefix))
		return NULL;
	slug = container + strlen(scheme->container_prefix);
	return slug_is_valid(slug, 0) ? slug : NULL;
}

bool
scheme_is_sandbox_name(const struct scheme *scheme, const char *name,
    const char *slug, char short_name[64])
{
	static const char set[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	size_t before = strlen(scheme->sandbox_prefix), len = strlen(name);
	size_t after = strlen(slug) + 1, middle;
	char part[64];

	if (!text_has_prefix(name, scheme->sandbox_prefix) ||
	    !text_has_suffix(name, slug) || len <= before + after)
		return false;
	middle = len - before - after;
	if (name[before + middle] != '-' || middle >= sizeof(part))
		return false;
	memcpy(part, name + before, middle);
	part[middle] = '\0';
	if (!text_only(part, set))
		return false;
	if (short_name != NULL)
		memcpy(short_name, part, middle + 1);
	return true;
}
