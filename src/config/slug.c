/* SPDX-License-Identifier: ISC */
/* Agents' names. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config/slug.h"

static const char ends[] = "abcdefghijklmnopqrstuvwxyz0123456789";
static const char inside[] = "abcdefghijklmnopqrstuvwxyz0123456789_.-";

/* What is wrong with it; NULL where nothing is. */
static const char *
fault(const char *slug, size_t prefix_len)
{
	size_t len = strlen(slug);

	if (len == 0)
		return "it is empty";
	if (!text_only(slug, inside))
		return "only a-z, 0-9, '_', '.' and '-' may be in it";
	if (strchr(ends, slug[0]) == NULL ||
	    strchr(ends, slug[len - 1]) == NULL)
		return "it must begin and end with a letter or digit";
	if (strstr(slug, "..") != NULL)
		return "two dots follow each other";
	if (prefix_len + len > CONTAINER_NAME_MAX)
		return "its containers' names would be longer than 63 "
		       "characters and could not be resolved";
	return NULL;
}

bool
slug_is_valid(const char *slug, size_t prefix_len)
{
	return fault(slug, prefix_len) == NULL;
}

int
slug_check(const char *slug, size_t prefix_len, struct error *err)
{
	const char *why = fault(slug, prefix_len);
	char *visible;

	if (why == NULL)
		return 0;
	visible = text_visible(slug, 60);
	(void)error_set(err, ERROR_SLUG, "'%s' is no agent name: %s", visible,
	    why);
	(void)error_hint(err, "use a name such as be-dev-1");
	(void)error_about(err, visible, NULL);
	free(visible);
	return -1;
}
