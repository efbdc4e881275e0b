/* SPDX-License-Identifier: ISC */
/*
 * What can be done with a descriptor that may be a terminal.  Nothing that is
 * no terminal, or a dumb one, gets more than plain lines.
 */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* A terminal that is not dumb: a line of it can be written anew. */
bool terminal_is(int fd);
/* The same, and the user has not set NO_COLOR. */
bool terminal_has_colour(int fd);
/* How many columns; 80 where it does not tell. */
size_t terminal_width(int fd);

#define TERMINAL_RED "\033[31m"
#define TERMINAL_GREEN "\033[32m"
#define TERMINAL_YELLOW "\033[33m"
#define TERMINAL_CYAN "\033[36m"
#define TERMINAL_BOLD "\033[1m"
#define TERMINAL_PLAIN "\033[0m"

#endif
