/* SPDX-License-Identifier: ISC */
/* What is wrong with settings and engines. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "config/mistakes.h"

void
mistakes_add(struct mistakes *mistakes, const struct error *err)
{
	mistakes->items = xreallocarray(mistakes->items, mistakes->len + 1,
	    sizeof(*mistakes->items));
	mistakes->items[mistakes->len++] = *err;
}

void
mistakes_add_texts(struct mistakes *mistakes, const struct strvec *texts)
{
	struct error err;
	size_t i;

	for (i = 0; i < texts->len; i++) {
		(void)error_set(&err, ERROR_SETTINGS, "%s", texts->items[i]);
		mistakes_add(mistakes, &err);
	}
}

static void
join(const struct mistakes *mistakes, struct error *err)
{
	struct strvec texts = { 0 };
	char *all;
	size_t i;

	for (i = 0; i < mistakes->len; i++)
		strvec_add(&texts, mistakes->items[i].msg);
	all = strvec_join(&texts, "; ");
	(void)error_set(err, ERROR_SETTINGS, "%s", all);
	free(all);
	strvec_clear(&texts);
}

int
mistakes_finish(struct mistakes *mistakes, struct error *err)
{
	const struct error *first = mistakes->items;

	if (mistakes->len == 0)
		return 0;
	if (mistakes->len == 1 || first->kind != ERROR_SETTINGS)
		*err = *first;
	else
		join(mistakes, err);
	if (err->hint[0] == '\0' && err->kind == ERROR_SETTINGS)
		(void)error_hint(err,
		    "mend it and try again; nothing was done");
	mistakes_clear(mistakes);
	return -1;
}

void
mistakes_clear(struct mistakes *mistakes)
{
	free(mistakes->items);
	memset(mistakes, 0, sizeof(*mistakes));
}
