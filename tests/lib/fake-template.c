/* SPDX-License-Identifier: ISC */
/*
 * The part of Go's text/template that docker's --format is used with: fields,
 * json, index, len, eq, ne, not, and, or, parentheses, .Label "key", if/else.
 * Evaluated while it is read; a branch that is not taken is read as well.
 */

#include <stdlib.h>
#include <string.h>

#include "fake.h"

struct template
{
	const char *start;
	const char *p; /* what is left to read */
	json_t *root, *labels;
	FILE *to;
	char *error;
	enum template_result result;
};

static struct value pipeline(struct template *, int);

static void
fail(struct template *t, enum template_result result, char *text)
{
	if (t->result == TEMPLATE_OK) {
		t->result = result;
		t->error = text;
	}
}

static void
skip_blanks(struct template *t)
{
	t->p += strspn(t->p, " \t\n");
}

static size_t
word_length(const char *p)
{
	return strspn(p,
	    "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

/*
 * The client knows some fields that a container may lack, but only as long as
 * the template has nothing that it does not know: .Id is .ID in its struct,
 * and sends it to the plain JSON.
 */
static int
is_known_absent(struct template *t, const char *key)
{
	return strcmp(key, "Health") == 0 && t->labels == NULL &&
	    strstr(t->start, ".Id") == NULL;
}

/* The words of Go about a field that is not there. */
static char *
no_field(struct template *t, const char *chain, const char *dot,
    const char *key, int is_map)
{
	size_t len = strspn(chain,
	    "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
	char *where = xasprintf("template: :1:%d: executing \"\" at <%.*s>",
	    (int)(dot - t->start), (int)len, chain);

	if (t->labels != NULL)
		return xasprintf("%s: can't evaluate field %s in type "
				 "*formatter.ContainerContext",
		    where, key);
	return xasprintf(is_map ? "%s: map has no entry for key \"%s\"" :
				  "%s: nil data; no entry for key \"%s\"",
	    where, key);
}

/* Reads .NAME behind t->p; replaces *val by that field of it. */
static void
field(struct template *t, struct value *val, const char *chain, int live)
{
	const char *dot = t->p++;
	size_t len = word_length(t->p);
	char *key = strndup(t->p, len);
	json_t *v;

	if (key == NULL)
		die("out of memory");
	t->p += len;
	val->of_strings = strcmp(key, "Labels") == 0;
	if (live && len > 0) {
		v = json_object_get(val->v, key);
		if (v == NULL && is_known_absent(t, key) && *t->p != '.')
			v = json_null();
		if (v == NULL)
			fail(t, TEMPLATE_FAILED,
			    no_field(t, chain, dot, key,
				json_is_object(val->v)));
		val->v = v;
	}
	free(key);
}

static struct value
quoted(struct template *t)
{
	struct value val = { NULL, 0 };
	char end = *t->p, *text;
	const char *start = ++t->p;
	size_t len;

	while (*t->p != end && *t->p != '\0')
		t->p +=
		    (*t->p == '\\' && end == '"' && t->p[1] != '\0') ? 2 : 1;
	text = strndup(start, (size_t)(t->p - start));
	if (*t->p == '\0')
		fail(t, TEMPLATE_SYNTAX,
		    xstrdup("template: :1: unterminated quoted string"));
	else
		t->p++;
	val.v = end == '"' ? jstring(unescape(text, &len)) : jstring(text);
	return val;
}

/* A field, a string, a number, true or false, or something in (). */
static struct value
operand(struct template *t, int live)
{
	struct value val = { t->root, 0 };
	const char *chain;

	skip_blanks(t);
	if (*t->p == '"' || *t->p == '`')
		return quoted(t);
	if (*t->p == '(') {
		t->p++;
		val = pipeline(t, live);
		skip_blanks(t);
		if (*t->p != ')')
			fail(t, TEMPLATE_SYNTAX,
			    xstrdup("template: :1: unclosed left paren"));
		else
			t->p++;
	} else if (*t->p >= '0' && *t->p <= '9') {
		val.v = json_integer(strtol(t->p, NULL, 10));
		t->p += strspn(t->p, "0123456789");
		return val;
	} else if (strncmp(t->p, "true", 4) == 0 ||
	    strncmp(t->p, "false", 5) == 0) {
		val.v = json_boolean(*t->p == 't');
		t->p += *t->p == 't' ? 4 : 5;
		return val;
	} else if (*t->p != '.') {
		fail(t, TEMPLATE_SYNTAX,
		    xasprintf("template: :1: unexpected "
			      "\"%.1s\" in operand",
			t->p));
		return val;
	}
	chain = t->p;
	while (*t->p == '.' && t->result == TEMPLATE_OK)
		field(t, &val, chain, live);
	return val;
}

/* .Label "key" of a row: "" where there is no such label. */
static struct value
label(struct template *t, int live)
{
	struct value val;

	t->p += strlen(".Label ");
	val = operand(t, live);
	val.v = json_object_get(t->labels,
	    json_is_string(val.v) ? json_string_value(val.v) : "");
	if (val.v == NULL)
		val.v = json_string("");
	return val;
}

static int
at_end(struct template *t)
{
	skip_blanks(t);
	return *t->p == '\0' || *t->p == '|' || *t->p == ')' ||
	    strncmp(t->p, "}}", 2) == 0 || strncmp(t->p, "-}}", 3) == 0;
}

/* A function with its arguments, or one operand; piped is the last one. */
static struct value
command(struct template *t, const struct value *piped, int live)
{
	struct value argv[8], val = { NULL, 0 };
	char *name;
	size_t len;
	int argc = 0;

	skip_blanks(t);
	if (t->labels != NULL && strncmp(t->p, ".Label ", 7) == 0)
		return label(t, live);
	len = *t->p >= '0' && *t->p <= '9' ? 0 : word_length(t->p);
	if (len == 0 || strncmp(t->p, "true", len) == 0 ||
	    strncmp(t->p, "false", len) == 0)
		return operand(t, live);
	name = strndup(t->p, len);
	t->p += len;
	while (t->result == TEMPLATE_OK && argc < 7 && !at_end(t))
		argv[argc++] = operand(t, live);
	if (piped != NULL)
		argv[argc++] = *piped;
	if (argc == 0)
		argv[0] = (struct value){ NULL, 0 };
	if (!value_apply(&val, name, argv, argc))
		fail(t, TEMPLATE_SYNTAX,
		    xasprintf("template: :1: function "
			      "\"%s\" not defined",
			name));
	free(name);
	return val;
}

static struct value
pipeline(struct template *t, int live)
{
	struct value val = command(t, NULL, live);

	skip_blanks(t);
	while (*t->p == '|' && t->result == TEMPLATE_OK) {
		t->p++;
		val = command(t, &val, live);
		skip_blanks(t);
	}
	return val;
}

/* The end of an action: its braces, and the blanks that -}} eats. */
static void
close_action(struct template *t)
{
	skip_blanks(t);
	if (t->result != TEMPLATE_OK)
		return;
	if (strncmp(t->p, "-}}", 3) == 0) {
		t->p += 3;
		skip_blanks(t);
	} else if (strncmp(t->p, "}}", 2) == 0) {
		t->p += 2;
	} else if (*t->p == '\0') {
		fail(t, TEMPLATE_SYNTAX,
		    xstrdup("template: :1: unclosed action"));
	} else {
		fail(t, TEMPLATE_SYNTAX,
		    xasprintf("template: :1: unexpected "
			      "\"%.1s\" in operand",
			t->p));
	}
}

static int
keyword(struct template *t, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(t->p, word, len) != 0 || word_length(t->p) != len)
		return 0;
	t->p += len;
	return 1;
}

static void
text(struct template *t, int live)
{
	const char *end = strstr(t->p, "{{");
	size_t len = end == NULL ? strlen(t->p) : (size_t)(end - t->p), trim;

	trim = len;
	if (end != NULL && end[2] == '-')
		while (trim > 0 && strchr(" \t\n", t->p[trim - 1]) != NULL)
			trim--;
	if (live && t->to != NULL)
		fwrite(t->p, 1, trim, t->to);
	t->p += len;
}

/* Up to the end, or to an {{end}} or {{else}} that is left unread. */
static const char *
block(struct template *t, int live)
{
	struct value val;
	const char *stop;
	int yes;

	for (;;) {
		if (t->result != TEMPLATE_OK)
			return "";
		text(t, live);
		if (*t->p == '\0')
			return "";
		t->p += t->p[2] == '-' ? 3 : 2;
		skip_blanks(t);
		if (keyword(t, "end")) {
			close_action(t);
			return "end";
		}
		if (keyword(t, "else")) {
			close_action(t);
			return "else";
		}
		if (!keyword(t, "if")) {
			val = pipeline(t, live);
			close_action(t);
			if (live && t->to != NULL && t->result == TEMPLATE_OK)
				value_print(t->to, val.v);
			continue;
		}
		val = pipeline(t, live);
		close_action(t);
		yes = value_is_true(val.v);
		stop = block(t, live && yes);
		if (strcmp(stop, "else") == 0)
			stop = block(t, live && !yes);
		if (*stop == '\0' && t->result == TEMPLATE_OK)
			fail(t, TEMPLATE_SYNTAX,
			    xstrdup("template: :1: unexpected EOF"));
	}
}

/*
 * Prints root by a template; labels, where not NULL, answer .Label.  On
 * failure *error has Go's words, and something may have been printed.
 */
enum template_result
template_run(const char *format, json_t *root, json_t *labels, FILE *to,
    char **error)
{
	struct template t = { format, format, root, labels, to, NULL,
		TEMPLATE_OK };

	block(&t, root != NULL);
	*error = t.error;
	return t.result;
}

/* Reads a template without using it. */
enum template_result
template_check(const char *format, char **error)
{
	json_t *labels = json_object();

	return template_run(format, NULL, labels, NULL, error);
}
