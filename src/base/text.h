/* SPDX-License-Identifier: ISC */
/*
 * Text that we did not write: names, docker's stderr, a container's log.  It
 * is made visible before it reaches a terminal or a log, and secrets are
 * masked out of it.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/*
 * The text in one line: control and invalid bytes as C escapes (a second time
 * changes nothing more, so a backslash stays what it is), blanks at both
 * ends cut, and no longer than max bytes ("..." marks a cut).  The caller
 * frees it.
 */
char *text_visible(const char *, size_t max);
/* Is it made of printable ASCII alone? */
bool text_is_plain(const char *);
/* The same of the last line that is not blank. */
char *text_last_line(const char *, size_t max);

/* The first line that speaks of an error; the first one where none does. */
char *text_telling_line(const char *, size_t max);

/* Append at most the last lines of text, at most max bytes of it. */
void text_tail(struct strbuf *, const char *text, size_t lines, size_t max);

/* Replace every occurrence of the secret; an empty one changes nothing. */
void text_mask(struct strbuf *, const char *secret);

bool text_has_prefix(const char *, const char *prefix);
bool text_has_suffix(const char *, const char *suffix);
/* Is it neither empty nor made of anything but characters of the set? */
bool text_only(const char *, const char *set);

/* An IPv4 or IPv6 address, in brackets or not, in its one usual form? */
#define ADDRESS_TEXT 48
bool text_address(const char *, char buf[ADDRESS_TEXT]);

/*
 * Fill buf with an even number of random lower-case hex digits from
 * arc4random_buf(3), and a NUL after them.
 */
void text_random_hex(char *buf, size_t digits);

/*
 * How many single-character edits (insert, delete, replace, swap neighbours)
 * lie between two short words.  Used to suggest what was meant.
 */
size_t text_distance(const char *, const char *);

#endif
