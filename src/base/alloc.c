/* SPDX-License-Identifier: ISC */
/* Allocation that ends the program when it fails. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>
#include <vis.h>

#include "base/alloc.h"

static _Noreturn void
out_of_memory(void)
{
	static const char text[] = "sandkeeper: out of memory\n";

	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(EX_OSERR);
}

static void *
checked(void *p)
{
	if (p == NULL)
		out_of_memory();
	return p;
}

void *
xmalloc(size_t size)
{
	return checked(malloc(size > 0 ? size : 1));
}

void *
xcalloc(size_t count, size_t size)
{
	return checked(calloc(count > 0 ? count : 1, size > 0 ? size : 1));
}

void *
xreallocarray(void *old, size_t count, size_t size)
{
	return checked(reallocarray(old, count > 0 ? count : 1, size));
}

char *
xstrdup(const char *s)
{
	return checked(strdup(s));
}

char *
xstrndup(const char *s, size_t max)
{
	return checked(strndup(s, max));
}

char *
xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s = NULL;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) == -1)
		out_of_memory();
	va_end(ap);
	return s;
}

char *
xstravis(const char *s, int flags)
{
	char *encoded = NULL;

	if (stravis(&encoded, s, flags) == -1)
		out_of_memory();
	return encoded;
}

void
xstr_set(char **place, const char *value)
{
	char *copy = value != NULL ? xstrdup(value) : NULL;

	free(*place);
	*place = copy;
}
