/* SPDX-License-Identifier: ISC */
/* The values of a template, the functions on them, and how Go prints them. */

#include <stdlib.h>
#include <string.h>

#include "fake.h"

int
value_is_true(const json_t *v)
{
	if (json_is_string(v))
		return *json_string_value(v) != '\0';
	if (json_is_integer(v))
		return json_integer_value(v) != 0;
	if (json_is_array(v))
		return json_array_size(v) > 0;
	if (json_is_object(v))
		return json_object_size(v) > 0;
	return json_is_true(v);
}

static struct value
index_of(struct value val, const struct value *key)
{
	struct value found = { NULL, 0 };

	if (json_is_string(key->v))
		found.v = json_object_get(val.v, json_string_value(key->v));
	else if (json_is_integer(key->v))
		found.v =
		    json_array_get(val.v, (size_t)json_integer_value(key->v));
	if (found.v == NULL)
		found.v = val.of_strings ? json_string("") : json_null();
	return found;
}

/* Calls a function by its name; 0 where there is none of that name. */
int
value_apply(struct value *result, const char *name, const struct value *argv,
    int argc)
{
	struct value val = { NULL, 0 };
	int i;

	if (strcmp(name, "json") == 0) {
		char *text = argv[0].v == NULL ?
		    NULL :
		    json_dumps(argv[0].v, JSON_COMPACT | JSON_ENCODE_ANY);

		val.v = jstring(text == NULL ? "null" : text);
		free(text);
	} else if (strcmp(name, "index") == 0) {
		val = argv[0];
		for (i = 1; i < argc; i++)
			val = index_of(val, &argv[i]);
	} else if (strcmp(name, "len") == 0) {
		val.v = json_integer((json_int_t)(json_is_string(argv[0].v) ?
			json_string_length(argv[0].v) :
			json_is_array(argv[0].v) ?
			json_array_size(argv[0].v) :
			json_object_size(argv[0].v)));
	} else if (strcmp(name, "not") == 0) {
		val.v = json_boolean(!value_is_true(argv[0].v));
	} else if (strcmp(name, "eq") == 0 || strcmp(name, "ne") == 0) {
		val.v = json_boolean((argc > 1 &&
					 json_equal(argv[0].v, argv[1].v)) ==
		    (*name == 'e'));
	} else if (strcmp(name, "and") == 0 || strcmp(name, "or") == 0) {
		val = argv[0];
		for (i = 1; i < argc && value_is_true(val.v) == (*name == 'a');
		     i++)
			val = argv[i];
	} else {
		return 0;
	}
	*result = val;
	return 1;
}

/* As Go's fmt prints it. */
void
value_print(FILE *to, const json_t *v)
{
	const char *key, *gap = "";
	json_t *item;
	size_t i;

	if (json_is_string(v)) {
		fwrite(json_string_value(v), 1, json_string_length(v), to);
	} else if (json_is_integer(v)) {
		fprintf(to, "%lld", (long long)json_integer_value(v));
	} else if (json_is_boolean(v)) {
		fputs(json_is_true(v) ? "true" : "false", to);
	} else if (json_is_array(v)) {
		fputc('[', to);
		json_array_foreach ((json_t *)(uintptr_t)v, i, item) {
			fputs(gap, to);
			value_print(to, item);
			gap = " ";
		}
		fputc(']', to);
	} else if (json_is_object(v)) {
		fputs("map[", to);
		json_object_foreach ((json_t *)(uintptr_t)v, key, item) {
			fprintf(to, "%s%s:", gap, key);
			value_print(to, item);
			gap = " ";
		}
		fputc(']', to);
	} else {
		fputs("<no value>", to);
	}
}
