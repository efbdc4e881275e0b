/* SPDX-License-Identifier: ISC */
/* A growing list of strings. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/strvec.h"

void
strvec_clear(struct strvec *v)
{
	size_t i;

	for (i = 0; i < v->len; i++)
		free(v->items[i]);
	free(v->items);
	memset(v, 0, sizeof(*v));
}

/* Take over a string that is already ours. */
static void
adopt(struct strvec *v, char *s)
{
	if (v->len + 2 > v->cap) {
		v->cap = v->cap > 0 ? v->cap * 2 : 16;
		v->items = xreallocarray(v->items, v->cap, sizeof(*v->items));
	}
	v->items[v->len++] = s;
	v->items[v->len] = NULL;
}

void
strvec_add(struct strvec *v, const char *s)
{
	adopt(v, xstrdup(s));
}

void
strvec_addf(struct strvec *v, const char *fmt, ...)
{
	va_list ap;
	char *s = NULL;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) == -1)
		s = xstrdup("");
	va_end(ap);
	adopt(v, s);
}

void
strvec_add_all(struct strvec *v, ...)
{
	va_list ap;
	const char *s;

	va_start(ap, v);
	while ((s = va_arg(ap, const char *)) != NULL)
		strvec_add(v, s);
	va_end(ap);
}

void
strvec_append(struct strvec *v, const struct strvec *other)
{
	size_t i;

	for (i = 0; i < other->len; i++)
		strvec_add(v, other->items[i]);
}

void
strvec_add_once(struct strvec *v, const char *s)
{
	if (!strvec_has(v, s))
		strvec_add(v, s);
}

bool
strvec_equal(const struct strvec *a, const struct strvec *b)
{
	size_t i;

	if (a->len != b->len)
		return false;
	for (i = 0; i < a->len; i++)
		if (strcmp(a->items[i], b->items[i]) != 0)
			return false;
	return true;
}

void
strvec_split(struct strvec *v, const char *s, char separator)
{
	const char *end;

	for (; *s != '\0'; s = *end != '\0' ? end + 1 : end) {
		end = strchrnul(s, separator);
		if (end > s)
			adopt(v, xstrndup(s, (size_t)(end - s)));
	}
}

bool
strvec_has(const struct strvec *v, const char *s)
{
	size_t i;

	for (i = 0; i < v->len; i++)
		if (strcmp(v->items[i], s) == 0)
			return true;
	return false;
}

void
strvec_remove(struct strvec *v, size_t index)
{
	free(v->items[index]);
	memmove(v->items + index, v->items + index + 1,
	    (v->len - index) * sizeof(*v->items));
	v->len--;
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void
strvec_sort(struct strvec *v)
{
	if (v->len > 1)
		qsort(v->items, v->len, sizeof(*v->items), compare);
}

char *
strvec_join(const struct strvec *v, const char *separator)
{
	struct strbuf sb = { 0 };
	size_t i;

	for (i = 0; i < v->len; i++) {
		if (i > 0)
			strbuf_adds(&sb, separator);
		strbuf_adds(&sb, v->items[i]);
	}
	return strbuf_detach(&sb);
}
