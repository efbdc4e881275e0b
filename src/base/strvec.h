/* SPDX-License-Identifier: ISC */
/*
 * A growing list of strings that it owns.  A zeroed struct is an empty list;
 * items is NULL-terminated whenever it is not NULL, so it can serve as argv.
 */
#ifndef BASE_STRVEC_H
#define BASE_STRVEC_H

#include <stdbool.h>
#include <stddef.h>

struct strvec {
	char **items;
	size_t len;
	size_t cap;
};

void strvec_clear(struct strvec *);
void strvec_add(struct strvec *, const char *);
void strvec_addf(struct strvec *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Add each argument up to the closing NULL. */
void strvec_add_all(struct strvec *, ...) __attribute__((sentinel));
void strvec_append(struct strvec *, const struct strvec *);
/* Add unless it is there. */
void strvec_add_once(struct strvec *, const char *);
/* Split at the separator; empty parts are left out. */
void strvec_split(struct strvec *, const char *, char separator);

bool strvec_has(const struct strvec *, const char *);
/* The same items in the same order? */
bool strvec_equal(const struct strvec *, const struct strvec *);
void strvec_remove(struct strvec *, size_t index);
void strvec_sort(struct strvec *);
/* The items with the separator between them; the caller frees it. */
char *strvec_join(const struct strvec *, const char *separator);

#endif
