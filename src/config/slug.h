/* SPDX-License-Identifier: ISC */
/*
 * Agents' names, and the names of containers that follow from them.
 */
#ifndef CONFIG_SLUG_H
#define CONFIG_SLUG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* A DNS label: longer names run, but nobody can resolve them. */
#define CONTAINER_NAME_MAX 63

/*
 * [a-z0-9]([a-z0-9_.-]*[a-z0-9])?, no "..", and short enough that a name of
 * prefix_len more characters stays within CONTAINER_NAME_MAX.
 */
bool slug_is_valid(const char *slug, size_t prefix_len);

/* The same as an error of kind ERROR_SLUG that says what is wrong. */
int slug_check(const char *slug, size_t prefix_len, struct error *);

#endif
