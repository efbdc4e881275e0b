/* SPDX-License-Identifier: ISC */
/* inspect, and how every inspect prints what it found. */

#include <stdlib.h>
#include <string.h>

#include "fake.h"

static void
print_json(json_t *found, size_t flags)
{
	char *text = json_dumps(found, flags);

	fprintf(fake.out, "%s\n", text);
	free(text);
}

/* One row for each, all or nothing for a row; an empty line for no row. */
static int
print_rows(json_t *found, const char *format)
{
	char *row, *error;
	size_t i, len, printed = 0;
	json_t *doc;
	FILE *to;
	int rc = 0;

	json_array_foreach (found, i, doc) {
		to = open_memstream(&row, &len);
		if (template_run(format, doc, NULL, to, &error) ==
		    TEMPLATE_OK) {
			fputc('\n', to);
			fclose(to);
			fwrite(row, 1, len, fake.out);
			printed++;
		} else {
			fclose(to);
			fprintf(fake.err, "template parsing error: %s\n",
			    error);
			rc = 1;
		}
		free(row);
	}
	if (printed == 0)
		fputc('\n', fake.out);
	return rc;
}

/* Prints what an inspect has found.  0, or the exit code of a bad format. */
int
inspect_finish(json_t *found, const char *format)
{
	json_t *doc;
	size_t i;

	json_array_foreach (found, i, doc)
		json_object_del(doc, "Fake");
	if (format == NULL || *format == '\0')
		print_json(found, JSON_INDENT(4));
	else if (strcmp(format, "json") == 0 && !fake.old)
		print_json(found, JSON_COMPACT);
	else
		return print_rows(found, format);
	return 0;
}

static int
bad_type(const char *type)
{
	if (fake.old)
		fprintf(fake.err, "\"%s\" is not a valid value for --type\n",
		    type);
	else
		fprintf(fake.err,
		    "unknown type: \"%s\": must be one of "
		    "\"config\", \"container\", \"image\", \"network\", "
		    "\"node\", \"plugin\", \"secret\", \"service\", \"task\", "
		    "\"volume\"\n",
		    type);
	return 1;
}

/* Without --type the name of an image or a network will do as well. */
static json_t *
find_anything(const char *ref)
{
	json_t *doc = image_read(ref);

	if (doc != NULL)
		return image_document(image_normal(ref), doc);
	doc = network_find(ref);
	if (doc != NULL)
		json_object_del(doc, "Octet");
	return doc;
}

static json_t *
find_one(const char *ref, int typed)
{
	enum find how;
	json_t *doc;

	if (*ref == '\0') {
		fputs(fake.old ?
			"Error: No such container: \n" :
			"invalid container name or ID: value is empty\n",
		    fake.err);
		return NULL;
	}
	doc = container_find(ref, &how);
	if (doc == NULL && !typed && how == FIND_NONE)
		doc = find_anything(ref);
	if (doc == NULL && !typed && how == FIND_NONE)
		fprintf(fake.err, "Error: No such object: %s\n", ref);
	else if (doc == NULL)
		text_find_failed(how, ref);
	return doc;
}

int
verb_inspect(int argc, char *argv[])
{
	const char *usage = "[OPTIONS] NAME|ID [NAME|ID...]", *type, *format;
	json_t *found = json_array(), *doc;
	struct args a;
	char *error;
	int i, rc = 0, bad;

	if (args_parse(&a, "inspect", usage, "f,format= s,size type=", 1, argc,
		argv) != 0)
		return RC_USAGE;
	if (a.nrest == 0)
		return text_too_few("inspect", usage, 1);
	type = args_get(&a, "type");
	format = args_get(&a, "format");
	if (format != NULL && template_check(format, &error) != TEMPLATE_OK) {
		fprintf(fake.err, "template parsing error: %s\n", error);
		return 64;
	}
	if (type != NULL && strcmp(type, "image") == 0)
		return verb_image_inspect(argc, argv);
	if (type != NULL && strcmp(type, "container") != 0)
		return bad_type(type);
	for (i = 0; i < a.nrest; i++) {
		doc = find_one(a.rest[i], type != NULL);
		if (doc == NULL)
			rc = 1;
		else
			json_array_append_new(found, doc);
	}
	bad = inspect_finish(found, format);
	return bad != 0 ? bad : rc;
}
