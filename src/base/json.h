/* SPDX-License-Identifier: ISC */
/*
 * The questions that we ask of JSON documents, over jansson.  All strings are
 * borrowed from the document.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "base/strbuf.h"

/* A document is whole or there is none: without memory the program ends. */
void json_init(void);

/* One document of len bytes; NULL for anything that is not exactly one. */
json_t *json_read(const char *, size_t len);
/* The string under a key; NULL where it is absent, null or no string. */
const char *json_text(const json_t *, const char *key);
/* The same, with "" for NULL. */
const char *json_text_or_empty(const json_t *, const char *key);
bool json_flag(const json_t *, const char *key);
/* Append the document, compact (indent 0) or indented. */
void json_write(struct strbuf *, const json_t *, size_t indent);

/* Set a string; text that is not UTF-8 is made visible first. */
void json_put_text(json_t *, const char *key, const char *text_or_null);
void json_put_number(json_t *, const char *key, json_int_t);
void json_put_flag(json_t *, const char *key, bool);
/* A string of text that may not be UTF-8. */
json_t *json_safe_string(const char *);

#endif
