/* SPDX-License-Identifier: ISC */
/*
 * Options, as the client's parser takes them: --name value, --name=value,
 * -n value, -nvalue, -n=value, clusters of letters, and -- as the end.
 */

#include <stdlib.h>
#include <string.h>

#include "fake.h"

struct option_spec {
	const char *name; /* not terminated */
	size_t len;
	int takes_value;
	char letter;
};

/* Reads the next "f,format=" of a list that blanks separate. */
static const char *
next_spec(const char *p, struct option_spec *o)
{
	p += strspn(p, " ");
	if (*p == '\0')
		return NULL;
	o->letter = '\0';
	if (p[1] == ',') {
		o->letter = *p;
		p += 2;
	}
	o->name = p;
	o->len = strcspn(p, " =");
	o->takes_value = p[o->len] == '=';
	return p + o->len + (size_t)o->takes_value;
}

static int
find_long(const char *specs, const char *name, size_t len,
    struct option_spec *o)
{
	while ((specs = next_spec(specs, o)) != NULL)
		if (o->len == len && strncmp(o->name, name, len) == 0)
			return 1;
	return 0;
}

static int
find_letter(const char *specs, char letter, struct option_spec *o)
{
	while ((specs = next_spec(specs, o)) != NULL)
		if (o->letter == letter)
			return 1;
	return 0;
}

static void
add(struct args *a, const struct option_spec *o, const char *value)
{
	a->names = realloc(a->names, (a->len + 1) * sizeof(*a->names));
	a->values = realloc(a->values, (a->len + 1) * sizeof(*a->values));
	if (a->names == NULL || a->values == NULL)
		die("out of memory");
	a->names[a->len] = strndup(o->name, o->len);
	a->values[a->len++] = value;
}

/* One argument that starts with two dashes; says how many it used. */
static int
parse_long(struct args *a, const char *usage, const char *specs, int left,
    char *argv[])
{
	struct option_spec o;
	const char *name = argv[0] + 2, *equals = strchr(name, '=');
	size_t len = equals != NULL ? (size_t)(equals - name) : strlen(name);

	if (!find_long(specs, name, len, &o)) {
		text_usage_error(a->verb, usage, "unknown flag: --%.*s",
		    (int)len, name);
		return -1;
	}
	if (equals != NULL || !o.takes_value) {
		add(a, &o, equals != NULL ? equals + 1 : "true");
		return 1;
	}
	if (left < 2) {
		text_usage_error(a->verb, usage, "flag needs an argument: --%s",
		    name);
		return -1;
	}
	add(a, &o, argv[1]);
	return 2;
}

/* One argument of letters; says how many it used. */
static int
parse_letters(struct args *a, const char *usage, const char *specs, int left,
    char *argv[])
{
	struct option_spec o;
	const char *p;

	for (p = argv[0] + 1; *p != '\0'; p++) {
		if (!find_letter(specs, *p, &o)) {
			text_usage_error(a->verb, usage,
			    "unknown shorthand flag: '%c' in -%s", *p, p);
			return -1;
		}
		if (!o.takes_value) {
			if (p[1] == '=') {
				add(a, &o, p + 2);
				return 1;
			}
			add(a, &o, "true");
			continue;
		}
		if (p[1] != '\0') {
			add(a, &o, p[1] == '=' ? p + 2 : p + 1);
			return 1;
		}
		if (left < 2) {
			text_usage_error(a->verb, usage,
			    "flag needs an argument: '%c' in -%s", *p, p);
			return -1;
		}
		add(a, &o, argv[1]);
		return 2;
	}
	return 1;
}

/*
 * Parses argv[1] and on.  With mixed, options may follow other arguments;
 * else the first argument that is none ends them, as in `run` and `exec`.
 * Returns -1 after the client's own words about a mistake.
 */
int
args_parse(struct args *a, const char *verb, const char *usage,
    const char *specs, int mixed, int argc, char *argv[])
{
	int i = 1, used;

	memset(a, 0, sizeof(*a));
	a->verb = verb;
	a->rest = xmalloc(((size_t)argc + 1) * sizeof(*a->rest));
	while (i < argc) {
		if (argv[i][0] != '-' || argv[i][1] == '\0') {
			if (!mixed)
				break;
			a->rest[a->nrest++] = argv[i++];
			continue;
		}
		if (strcmp(argv[i], "--") == 0) {
			i++;
			break;
		}
		used = argv[i][1] == '-' ?
		    parse_long(a, usage, specs, argc - i, argv + i) :
		    parse_letters(a, usage, specs, argc - i, argv + i);
		if (used == -1)
			return -1;
		i += used;
	}
	while (i < argc)
		a->rest[a->nrest++] = argv[i++];
	a->rest[a->nrest] = NULL;
	return 0;
}

/* The last value that was given, NULL for none. */
const char *
args_get(const struct args *a, const char *name)
{
	size_t i;

	for (i = a->len; i > 0; i--)
		if (strcmp(a->names[i - 1], name) == 0)
			return a->values[i - 1];
	return NULL;
}

int
args_has(const struct args *a, const char *name)
{
	const char *value = args_get(a, name);

	return value != NULL && strcmp(value, "false") != 0 &&
	    strcmp(value, "0") != 0;
}

/* Splits k=v.  Returns 0, with "" as the value, where there is no '='. */
int
args_key_value(const char *text, char **key, const char **value)
{
	size_t len = strcspn(text, "=");

	*key = strndup(text, len);
	if (*key == NULL)
		die("out of memory");
	*value = text[len] == '=' ? text + len + 1 : text + len;
	return text[len] == '=';
}
