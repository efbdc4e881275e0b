/* SPDX-License-Identifier: ISC */
/* Entries that were set aside because they cannot be read. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"
#include "store/damaged.h"
#include "store/store.h"

static const char tag[] = ".corrupt.";
/* "20261130T150045Z" */
enum { TAG_LEN = sizeof(tag) - 1, COMPACT_TIME_LEN = 16 };

char *
damaged_name(const char *slug)
{
	char now[TIME_TEXT];

	time_format_compact(now, clock_now());
	return xasprintf(".%s%s%s", slug, tag, now);
}

static bool
is_compact_time(const char *text)
{
	static const char digits[] = "0123456789";

	return strspn(text, digits) == 8 && text[8] == 'T' &&
	    strspn(text + 9, digits) == 6 && strcmp(text + 15, "Z") == 0;
}

/*
 * Whose is it?  NULL for another name, such as ".a.corrupt.x.release", a mark
 * of the agent a.corrupt.x: a slug may hold the tag, but no capital letter.
 * The caller frees it.
 */
static char *
slug_of(const char *name)
{
	size_t len = strlen(name);
	const char *end;

	if (name[0] != '.' || len <= 1 + TAG_LEN + COMPACT_TIME_LEN)
		return NULL;
	end = name + len - COMPACT_TIME_LEN - TAG_LEN;
	if (strncmp(end, tag, TAG_LEN) != 0 || !is_compact_time(end + TAG_LEN))
		return NULL;
	return xstrndup(name + 1, (size_t)(end - name) - 1);
}

void
store_list_damaged(const struct store *store, struct strvec *slugs)
{
	struct strvec names = { 0 };
	char *slug;
	size_t i;

	(void)fd_list(store->agents, ".", &names);
	for (i = 0; i < names.len; i++) {
		slug = slug_of(names.items[i]);
		if (slug != NULL)
			strvec_add_once(slugs, slug);
		free(slug);
	}
	strvec_clear(&names);
}

bool
store_has_damaged(const struct store *store, const char *slug)
{
	struct strvec slugs = { 0 };
	bool has;

	store_list_damaged(store, &slugs);
	has = strvec_has(&slugs, slug);
	strvec_clear(&slugs);
	return has;
}

void
store_forget_damaged(const struct store *store, const char *slug)
{
	struct strvec names = { 0 };
	char *whose;
	size_t i;

	(void)fd_list(store->agents, ".", &names);
	for (i = 0; i < names.len; i++) {
		whose = slug_of(names.items[i]);
		if (whose != NULL && strcmp(whose, slug) == 0)
			(void)unlinkat(store->agents, names.items[i], 0);
		free(whose);
	}
	strvec_clear(&names);
}
