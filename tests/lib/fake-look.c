/* SPDX-License-Identifier: ISC */
/* The verbs fake-* that only look: at the containers, and at the calls. */

#include <stdlib.h>
#include <string.h>

#include "fake.h"

/* fake-inspect NAME [PATH]: the whole file, or one value of it. */
int
look_inspect(int argc, char *argv[])
{
	json_t *c = argc > 1 ? container_find(argv[1], NULL) : NULL, *v;

	if (c == NULL)
		return scene_complain("no such container");
	v = argc > 2 ? jget(c, argv[2]) : c;
	if (argc > 2 && strncmp(argv[2], "label.", 6) == 0)
		v = json_object_get(jget(c, "Config.Labels"), argv[2] + 6);
	if (json_is_string(v))
		fprintf(fake.out, "%s\n", json_string_value(v));
	else
		fprintf(fake.out, "%s\n",
		    v == NULL ?
			"" :
			json_dumps(v, JSON_ENCODE_ANY | JSON_INDENT(2)));
	return 0;
}

static int
compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* fake-list [-q]: names, and states, in order of the names. */
int
look_list(int argc, char *argv[])
{
	json_t *all = container_all(), *c;
	char **lines = xmalloc(json_array_size(all) * sizeof(*lines));
	int names_alone = argc > 1 && strcmp(argv[1], "-q") == 0;
	size_t i;

	json_array_foreach (all, i, c)
		lines[i] = xasprintf("%s%s%s", jstr(c, "Name") + 1,
		    names_alone ? "" : " ",
		    names_alone ? "" : jstr(c, "State.Status"));
	qsort(lines, json_array_size(all), sizeof(*lines), compare_lines);
	for (i = 0; i < json_array_size(all); i++)
		fprintf(fake.out, "%s\n", lines[i]);
	return 0;
}

static int
has_control(const char *word)
{
	while (*word != '\0')
		if ((unsigned char)*word++ < ' ')
			return 1;
	return 0;
}

static void
print_word(const char *word)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-^";

	if (*word != '\0' && strspn(word, plain) == strlen(word)) {
		fputs(word, fake.out);
		return;
	}
	/* A call is one line, whatever is in it. */
	fputs(has_control(word) ? "$'" : "'", fake.out);
	for (; *word != '\0'; word++)
		if (*word == '\n')
			fputs("\\n", fake.out);
		else if (*word == '\t')
			fputs("\\t", fake.out);
		else if ((unsigned char)*word < ' ')
			fprintf(fake.out, "\\x%02x", *word);
		else if (*word == '\'')
			fputs("'\\''", fake.out);
		else
			fputc(*word, fake.out);
	fputc('\'', fake.out);
}

/* fake-calls [VERB]: what was called, a line for each.  fake-verbs: so too,
 * with the first word alone. */
int
look_calls(int argc, char *argv[])
{
	int words = strcmp(argv[0], "fake-verbs") == 0 ? 1 : 100000;
	char *text = state_slurp("calls.log", NULL), *line, *next;
	json_t *call, *args, *arg;
	const char *verb;
	size_t i;

	for (line = text; line != NULL && *line != '\0'; line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		call = json_loads(line, JSON_ALLOW_NUL, NULL);
		args = json_object_get(call, "argv");
		verb = json_string_value(json_array_get(args, 0));
		if (argc > 1 && (verb == NULL || strcmp(argv[1], verb) != 0))
			continue;
		json_array_foreach (args, i, arg) {
			if ((int)i >= words)
				break;
			fputs(i > 0 ? " " : "", fake.out);
			print_word(json_string_value(arg));
		}
		fputc('\n', fake.out);
		json_decref(call);
	}
	return 0;
}

/* fake-count [VERB] */
int
look_count(int argc, char *argv[])
{
	size_t len = 0;
	char *rel = argc > 1 ? xasprintf("counts/verb-%s", argv[1]) :
			       xstrdup("counts/call");

	state_slurp(rel, &len);
	fprintf(fake.out, "%zu\n", len);
	return 0;
}
