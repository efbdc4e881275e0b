/* SPDX-License-Identifier: ISC */
/* What was meant. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/suggest.h"
#include "base/text.h"

const char *
suggest_nearest(const char *word, const struct strvec *words)
{
	size_t i, distance, best = strlen(word) / 2 + 1;
	const char *nearest = NULL;

	if (best > 3)
		best = 3;
	for (i = 0; i < words->len; i++) {
		distance = text_distance(word, words->items[i]);
		if (distance < best) {
			best = distance;
			nearest = words->items[i];
		}
	}
	return nearest;
}

void
suggest_add(struct error *err, const char *word, const struct strvec *words)
{
	const char *nearest = suggest_nearest(word, words);
	char *hint;

	/* a word that is one of them is wrong for another cause */
	if (nearest == NULL || strcmp(nearest, word) == 0)
		return;
	hint = xstrdup(err->hint);
	(void)error_hint(err, "did you mean '%s'?%s%s", nearest,
	    *hint != '\0' ? " " : "", hint);
	free(hint);
}

void
suggest_listed(struct error *err, const char *word, const char *list)
{
	struct strvec parts = { 0 }, words = { 0 };
	size_t i;

	strvec_split(&parts, list, ',');
	for (i = 0; i < parts.len; i++)
		strvec_add(&words,
		    parts.items[i] + strspn(parts.items[i], " "));
	suggest_add(err, word, &words);
	strvec_clear(&parts);
	strvec_clear(&words);
}

void
suggest_allowed(struct error *err, const char *word, const char *list)
{
	(void)error_hint(err, "allowed: %s", list);
	(void)strlcpy(err->allowed, list, sizeof(err->allowed));
	suggest_listed(err, word, list);
}
