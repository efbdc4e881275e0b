/* SPDX-License-Identifier: ISC */
/*
 * Memory that is there.  When it is not, the program says so and exits with
 * 71 (EX_OSERR): what is on disk is safe at every instant, because every write
 * is atomic.
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stddef.h>

void *xcalloc(size_t count, size_t size);
void *xreallocarray(void *, size_t count, size_t size);
char *xstrdup(const char *);
char *xstrndup(const char *, size_t max);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* malloc(3) for jansson, which would silently leave out what has no room. */
void *xmalloc(size_t size);
/* What stravis(3) makes of it. */
char *xstravis(const char *, int flags);

/* Replace the string at *place, which is freed, by a copy; NULL clears it. */
void xstr_set(char **place, const char *value);

#endif
