/* SPDX-License-Identifier: ISC */
/* The questions that we ask of JSON documents. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/text.h"

void
json_init(void)
{
	json_set_alloc_funcs(xmalloc, free);
}

json_t *
json_read(const char *data, size_t len)
{
	json_error_t ignored;

	return json_loadb(data, len, JSON_REJECT_DUPLICATES, &ignored);
}

const char *
json_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

const char *
json_text_or_empty(const json_t *object, const char *key)
{
	const char *s = json_text(object, key);

	return s != NULL ? s : "";
}

bool
json_flag(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

static int
append(const char *data, size_t len, void *arg)
{
	strbuf_add(arg, data, len);
	return 0;
}

void
json_write(struct strbuf *out, const json_t *doc, size_t indent)
{
	size_t flags = indent > 0 ? JSON_INDENT(indent) : JSON_COMPACT;

	(void)json_dump_callback(doc, append, out, flags | JSON_ENCODE_ANY);
}

json_t *
json_safe_string(const char *text)
{
	json_t *value = json_string(text);
	char *visible;

	if (value != NULL)
		return value;
	visible = text_visible(text, 4000);
	value = json_string(visible);
	free(visible);
	return value;
}

void
json_put_text(json_t *object, const char *key, const char *text)
{
	json_t *value = text != NULL ? json_safe_string(text) : json_null();

	(void)json_object_set_new(object, key, value);
}

void
json_put_number(json_t *object, const char *key, json_int_t value)
{
	(void)json_object_set_new(object, key, json_integer(value));
}

void
json_put_flag(json_t *object, const char *key, bool value)
{
	(void)json_object_set_new(object, key, json_boolean(value));
}
