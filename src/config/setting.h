/* SPDX-License-Identifier: ISC */
/*
 * One setting: the table that names each, its kind and its built-in value, and
 * putting a value into its place.
 */
#ifndef CONFIG_SETTING_H
#define CONFIG_SETTING_H

#include "config/settings.h"

enum setting_type {
	SETTING_FLAG,
	SETTING_TEXT,
	SETTING_NAME,
	SETTING_DURATION,
	SETTING_COUNT,
	SETTING_SIZE,
	SETTING_LIMIT,
	SETTING_STACK,
	SETTING_CHOICE
};

struct setting {
	const char *section; /* "timeouts", or NULL */
	const char *name;
	enum setting_type type;
	size_t offset;
	const char *initial;
	const char *choices; /* SETTING_CHOICE: "a|b" */
};

/* Ended by a NULL name; "enabled" is the first. */
extern const struct setting setting_table[];

/* 0, or -1 with what is wrong in a static text. */
int setting_apply(struct settings *, const struct setting *, const char *value,
    const char **problem);

/* Does its value belong to the settings, to be freed? */
bool setting_is_text(const struct setting *);

#endif
