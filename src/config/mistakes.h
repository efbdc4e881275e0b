/* SPDX-License-Identifier: ISC */
/*
 * What is wrong with settings and engines: all of it.  Whoever needs them
 * whole asks mistakes_finish(); doctor shows each by itself.
 *
 * A zeroed struct is an empty list.
 */
#ifndef CONFIG_MISTAKES_H
#define CONFIG_MISTAKES_H

#include <stddef.h>

#include "base/error.h"
#include "base/strvec.h"

struct mistakes {
	struct error *items;
	size_t len;
};

void mistakes_add(struct mistakes *, const struct error *);
/* Each text is one of ERROR_SETTINGS. */
void mistakes_add_texts(struct mistakes *, const struct strvec *);
/*
 * Clears the list.  0 where there is none; else -1 and all of them in one
 * error, or the first alone where that is not ERROR_SETTINGS.
 */
int mistakes_finish(struct mistakes *, struct error *);
void mistakes_clear(struct mistakes *);

#endif
