/* SPDX-License-Identifier: ISC */
/* What was meant by a word that is none of those that could be. */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include "base/error.h"
#include "base/strvec.h"

/* The nearest of the words; NULL where none is near.  Borrowed from them. */
const char *suggest_nearest(const char *word, const struct strvec *words);
/* Where one is near, the hint begins with "did you mean 'X'?". */
void suggest_add(struct error *, const char *word, const struct strvec *words);
/* The same of a list of words with ", " between them. */
void suggest_listed(struct error *, const char *word, const char *list);
/* The list is what is allowed: it is the hint, and with the error. */
void suggest_allowed(struct error *, const char *word, const char *list);

#endif
