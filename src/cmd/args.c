/* SPDX-License-Identifier: ISC */
/* Command lines. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/suggest.h"
#include "base/text.h"
#include "cmd/args.h"

static const struct option_spec *
find_name(const struct option_spec *table, const char *name, size_t len)
{
	for (; table != NULL && table->name != NULL; table++)
		if (strlen(table->name) == len &&
		    memcmp(table->name, name, len) == 0)
			return table;
	return NULL;
}

static const struct option_spec *
find_letter(const struct option_spec *table, char letter)
{
	for (; table != NULL && table->name != NULL; table++)
		if (table->id == letter)
			return table;
	return NULL;
}

static void
add(struct args *args, const struct option_spec *spec, const char *value)
{
	args->options = xreallocarray(args->options, args->option_count + 1,
	    sizeof(*args->options));
	args->options[args->option_count].spec = spec;
	args->options[args->option_count++].value = value;
}

static int
unknown(const char *word, size_t len, const struct option_spec *one,
    const struct option_spec *two, struct error *err)
{
	struct strvec names = { 0 };
	char *name = xstrndup(word, len), *shown = text_visible(name, 60);
	const char *nearest;

	for (; one != NULL && one->name != NULL; one++)
		strvec_add(&names, one->name);
	for (; two != NULL && two->name != NULL; two++)
		strvec_add(&names, two->name);
	nearest = suggest_nearest(name, &names);
	(void)error_set(err, ERROR_USAGE, "unknown option '--%s'", shown);
	if (nearest != NULL)
		(void)error_hint(err, "did you mean --%s?", nearest);
	else
		(void)error_hint(err, "--help lists the options");
	strvec_clear(&names);
	free(shown);
	free(name);
	return -1;
}

/* The words being parsed, and where we are. */
struct cursor {
	int argc;
	char *const *argv;
	int at;
};

bool
args_wants_word(const struct option_spec *spec)
{
	return spec->argument != NULL && spec->argument[0] != '[';
}

const struct option_spec *
args_option_of(const char *word, const struct option_spec *one,
    const struct option_spec *two, const char **value)
{
	const struct option_spec *spec = NULL;
	size_t len;

	*value = NULL;
	if (word[1] == '-') {
		len = strcspn(word + 2, "=");
		spec = find_name(one, word + 2, len);
		if (spec == NULL)
			spec = find_name(two, word + 2, len);
		if (word[2 + len] == '=')
			*value = word + 2 + len + 1;
		return spec;
	}
	for (word++; *word != '\0'; word++) {
		spec = find_letter(one, *word);
		if (spec == NULL)
			spec = find_letter(two, *word);
		if (spec == NULL || spec->argument != NULL || word[1] == '\0')
			break;
	}
	if (spec != NULL && spec->argument != NULL && word[1] != '\0')
		*value = word + 1;
	return spec;
}

static int
take_value(struct cursor *cursor, const struct option_spec *spec,
    const char **value, struct error *err)
{
	if (cursor->at + 1 >= cursor->argc)
		return error_set(err, ERROR_USAGE, "--%s needs %s", spec->name,
		    spec->argument);
	*value = cursor->argv[++cursor->at];
	return 0;
}

static int
parse_long(struct args *args, struct cursor *cursor, const char *word,
    const struct option_spec *one, const struct option_spec *two,
    struct error *err)
{
	size_t len = strcspn(word, "=");
	const struct option_spec *spec = find_name(one, word, len);
	const char *value = NULL;

	if (spec == NULL)
		spec = find_name(two, word, len);
	if (spec == NULL)
		return unknown(word, len, one, two, err);
	if (spec->argument == NULL && word[len] == '=')
		return error_set(err, ERROR_USAGE, "--%s takes no value",
		    spec->name);
	if (spec->argument != NULL && word[len] == '=')
		value = word + len + 1;
	else if (args_wants_word(spec) &&
	    take_value(cursor, spec, &value, err) == -1)
		return -1;
	add(args, spec, value);
	return 0;
}

static int
parse_letters(struct args *args, struct cursor *cursor, const char *word,
    const struct option_spec *one, const struct option_spec *two,
    struct error *err)
{
	const struct option_spec *spec;
	const char *value;

	for (; *word != '\0'; word++) {
		spec = find_letter(one, *word);
		if (spec == NULL)
			spec = find_letter(two, *word);
		if (spec == NULL) {
			(void)error_set(err, ERROR_USAGE,
			    "unknown option '-%c'", *word);
			return error_hint(err, "--help lists the options");
		}
		value = NULL;
		if (spec->argument != NULL && word[1] != '\0')
			value = word + 1;
		else if (spec->argument != NULL &&
		    take_value(cursor, spec, &value, err) == -1)
			return -1;
		add(args, spec, value);
		if (value != NULL)
			break;
	}
	return 0;
}

int
args_parse(struct args *args, int argc, char *const argv[],
    const struct option_spec *one, const struct option_spec *two,
    bool stop_at_operand, int *next, struct error *err)
{
	struct cursor cursor = { argc, argv, 0 };
	const char *word;
	int rc;

	args->separator = SIZE_MAX;
	for (; cursor.at < argc; cursor.at++) {
		word = argv[cursor.at];
		if (args->separator != SIZE_MAX || word[0] != '-' ||
		    word[1] == '\0') {
			if (stop_at_operand)
				break;
			strvec_add(&args->operands, word);
			continue;
		}
		if (strcmp(word, "--") == 0) {
			args->separator = args->operands.len;
			continue;
		}
		rc = word[1] == '-' ?
		    parse_long(args, &cursor, word + 2, one, two, err) :
		    parse_letters(args, &cursor, word + 1, one, two, err);
		if (rc == -1)
			return -1;
	}
	if (next != NULL)
		*next = cursor.at;
	return 0;
}

void
args_clear(struct args *args)
{
	free(args->options);
	strvec_clear(&args->operands);
	memset(args, 0, sizeof(*args));
}

bool
args_has(const struct args *args, int id)
{
	size_t i;

	for (i = 0; i < args->option_count; i++)
		if (args->options[i].spec->id == id)
			return true;
	return false;
}

const char *
args_value(const struct args *args, int id)
{
	const char *value = NULL;
	size_t i;

	for (i = 0; i < args->option_count; i++)
		if (args->options[i].spec->id == id)
			value = args->options[i].value;
	return value;
}

void
args_lists(const struct args *args, int id, struct strvec *list)
{
	struct strvec words = { 0 };
	size_t i;

	for (i = 0; i < args->option_count; i++)
		if (args->options[i].spec->id == id)
			strvec_split(&words, args->options[i].value, ',');
	for (i = 0; i < words.len; i++)
		strvec_add_once(list, words.items[i]);
	strvec_clear(&words);
}

void
args_values(const struct args *args, int id, struct strvec *list)
{
	size_t i;

	for (i = 0; i < args->option_count; i++)
		if (args->options[i].spec->id == id)
			strvec_add(list, args->options[i].value);
}

int
args_duration(const struct args *args, int id, int64_t *seconds,
    struct error *err)
{
	const char *value = args_value(args, id);
	char *visible;

	if (value == NULL || duration_parse(value, seconds) == 0)
		return 0;
	visible = text_visible(value, 40);
	(void)error_set(err, ERROR_VALUE,
	    "'%s' is no duration, such as 90s, "
	    "15m or 1h30m",
	    visible);
	free(visible);
	return -1;
}

int
args_expect(const struct args *args, size_t min, size_t max, const char *what,
    struct error *err)
{
	char *visible;

	if (args->operands.len < min)
		return error_set(err, ERROR_USAGE, "%s is missing", what);
	if (args->operands.len <= max)
		return 0;
	visible = text_visible(args->operands.items[max], 60);
	(void)error_set(err, ERROR_USAGE, "unexpected argument '%s'", visible);
	free(visible);
	return -1;
}
