/* SPDX-License-Identifier: ISC */
/* cmd/args: command lines, by table. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cmd/args.h"
#include "unit.h"

enum { OPT_LONG = 256, OPT_WORD, OPT_MAYBE, OPT_GLOBAL };

static const struct option_spec own[] = {
	{ 'a', "all", NULL, "" },
	{ 'n', "name", "NAME", "" },
	{ OPT_LONG, "long", NULL, "" },
	{ OPT_WORD, "services", "LIST", "" },
	{ OPT_MAYBE, "publish", "[ADDR]", "" },
	{ 0, NULL, NULL, NULL },
};
static const struct option_spec global[] = {
	{ 'v', "verbose", NULL, "" },
	{ OPT_GLOBAL, "set", "KEY=VALUE", "" },
	{ 'n', "hidden-by-own", NULL, "" },
	{ 0, NULL, NULL, NULL },
};

/* Words with "|" between them; what was read, in the same way. */
static const struct {
	const char *words;
	bool stop;
	const char *read; /* NULL: ERROR_USAGE */
	const char *message;
} lines[] = {
	{ "", false, "", "" },
	{ "x", false, "x", "" },
	{ "x|y z|-", false, "x y_z -", "" },
	{ "-a", false, "-all", "" },
	{ "--all", false, "-all", "" },
	{ "-av", false, "-all -verbose", "" },
	{ "-vv", false, "-verbose -verbose", "" },
	{ "x|-a|y", false, "-all x y", "" },
	{ "-n|N", false, "-name=N", "" },
	{ "-nN", false, "-name=N", "" },
	{ "-anN", false, "-all -name=N", "" },
	{ "-an|N|x", false, "-all -name=N x", "" },
	{ "--name|N", false, "-name=N", "" },
	{ "--name=N", false, "-name=N", "" },
	{ "--name=", false, "-name=", "" },
	{ "--name=a=b", false, "-name=a=b", "" },
	{ "--name|-a", false, "-name=-a", "" },
	{ "--name|--", false, "-name=--", "" },
	{ "-n-a", false, "-name=-a", "" },
	{ "--set|a=b|--set=c=d", false, "-set=a=b -set=c=d", "" },
	/* an argument that may be there is behind "=" alone */
	{ "--publish|x", false, "-publish x", "" },
	{ "--publish=x", false, "-publish=x", "" },
	/* the end of the options */
	{ "--|-a|--all", false, "-- -a --all", "" },
	{ "x|--|y", false, "x -- y", "" },
	{ "x|--|--", false, "x -- --", "" },
	{ "--", false, "--", "" },
	/* up to the command */
	{ "-v|x|-a", true, "-verbose >1", "" },
	{ "x|-a", true, ">0", "" },
	{ "-v", true, "-verbose >1", "" },
	/* mistakes */
	{ "-x", false, NULL, "-x" },
	{ "-ax", false, NULL, "-x" },
	{ "--nope", false, NULL, "--nope" },
	{ "--al", false, NULL, "--al" },
	{ "--alll", false, NULL, "--alll" },
	{ "--", true, ">1", "" },
	{ "-n", false, NULL, "NAME" },
	{ "--name", false, NULL, "NAME" },
	{ "--set", false, NULL, "KEY=VALUE" },
	{ "--all=x", false, NULL, "no value" },
	{ "--all=", false, NULL, "no value" },
	{ "--=x", false, NULL, "--" },
	{ "--bad\nline", false, NULL, "--bad\\nline" },
};

/* What was read, as the table has it. */
static void
describe(const struct args *args, bool stop, int next, struct strbuf *text)
{
	const struct args_option *option;
	size_t i, k;

	for (i = 0; i < args->option_count; i++) {
		option = &args->options[i];
		strbuf_addf(text, " -%s%s%s", option->spec->name,
		    option->value != NULL ? "=" : "",
		    option->value != NULL ? option->value : "");
	}
	for (i = 0; i <= args->operands.len; i++) {
		if (args->separator == i && !stop)
			strbuf_adds(text, " --");
		if (i == args->operands.len)
			break;
		strbuf_addc(text, ' ');
		for (k = 0; args->operands.items[i][k] != '\0'; k++)
			strbuf_addc(text,
			    args->operands.items[i][k] == ' ' ?
				'_' :
				args->operands.items[i][k]);
	}
	if (stop)
		strbuf_addf(text, " >%d", next);
}

START_TEST(parses)
{
	struct strvec words = { 0 };
	struct args args = { 0 };
	struct strbuf text = { 0 };
	struct error err = { 0 };
	int next = -1, rc;

	strvec_split(&words, lines[_i].words, '|');
	rc = args_parse(&args, (int)words.len, words.items, own, global,
	    lines[_i].stop, &next, &err);
	if (lines[_i].read == NULL) {
		ck_assert_msg(rc == -1, "%s", lines[_i].words);
		ck_assert_int_eq(err.kind, ERROR_USAGE);
		ck_assert_msg(strstr(err.msg, lines[_i].message) != NULL, "%s",
		    err.msg);
	} else {
		ck_assert_msg(rc == 0, "%s", err.msg);
		describe(&args, lines[_i].stop, next, &text);
		ck_assert_str_eq(strbuf_str(&text) + (text.len > 0),
		    lines[_i].read);
	}
	strbuf_clear(&text);
	args_clear(&args);
	strvec_clear(&words);
}
END_TEST

static const struct {
	const char *word, *hint;
} mistyped[] = {
	{ "--nam=x", "--name" },
	{ "--servces", "--services" },
	{ "--verbsoe", "--verbose" },
	{ "--longe", "--long" },
	{ "--zzzzzzzz", "--help" },
};

START_TEST(suggests)
{
	char word[40], *argv[] = { word, NULL };
	struct args args = { 0 };
	struct error err = { 0 };

	(void)snprintf(word, sizeof(word), "%s", mistyped[_i].word);
	ck_assert_int_eq(args_parse(&args, 1, argv, own, global, false, NULL,
			     &err),
	    -1);
	ck_assert_msg(strstr(err.hint, mistyped[_i].hint) != NULL, "%s",
	    err.hint);
	args_clear(&args);
}
END_TEST

static void
parse_words(struct args *args, struct strvec *words)
{
	struct error err = { 0 };

	memset(args, 0, sizeof(*args));
	ck_assert_msg(args_parse(args, (int)words->len, words->items, own, NULL,
			  false, NULL, &err) == 0,
	    "%s", err.msg);
}

START_TEST(values)
{
	struct strvec words = { 0 }, list = { 0 };
	struct args args;
	char *joined;

	strvec_add_all(&words, "--services", "a,b", "--services=,b,c,", "-n",
	    "one", "-n", "two", NULL);
	parse_words(&args, &words);
	ck_assert(args_has(&args, OPT_WORD));
	ck_assert(!args_has(&args, 'a'));
	ck_assert_str_eq(args_value(&args, 'n'), "two");
	ck_assert_ptr_null(args_value(&args, OPT_MAYBE));
	args_lists(&args, OPT_WORD, &list);
	joined = strvec_join(&list, "|");
	ck_assert_str_eq(joined, "a|b|c");
	free(joined);
	strvec_clear(&list);
	args_values(&args, 'n', &list);
	ck_assert_uint_eq(list.len, 2);
	ck_assert_str_eq(list.items[0], "one");
	strvec_clear(&list);
	args_clear(&args);
	strvec_clear(&words);
}
END_TEST

START_TEST(durations)
{
	struct strvec words = { 0 };
	struct error err = { 0 };
	int64_t seconds = 7;
	struct args args;

	strvec_add_all(&words, "-n", "soon", NULL);
	parse_words(&args, &words);
	ck_assert_int_eq(args_duration(&args, OPT_WORD, &seconds, &err), 0);
	ck_assert_int_eq(seconds, 7);
	ck_assert_int_eq(args_duration(&args, 'n', &seconds, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_VALUE);
	ck_assert_ptr_nonnull(strstr(err.msg, "soon"));
	args_clear(&args);
	strvec_clear(&words);
	strvec_add(&words, "-n2m");
	parse_words(&args, &words);
	ck_assert_int_eq(args_duration(&args, 'n', &seconds, &err), 0);
	ck_assert_int_eq(seconds, 120);
	args_clear(&args);
	strvec_clear(&words);
}
END_TEST

START_TEST(operands)
{
	struct strvec words = { 0 };
	struct error err = { 0 };
	struct args args;

	strvec_add_all(&words, "x", "y\n", NULL);
	parse_words(&args, &words);
	ck_assert_int_eq(args_expect(&args, 2, 2, "an agent", &err), 0);
	ck_assert_int_eq(args_expect(&args, 0, SIZE_MAX, "an agent", &err), 0);
	ck_assert_int_eq(args_expect(&args, 3, 3, "an agent", &err), -1);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	ck_assert_ptr_nonnull(strstr(err.msg, "an agent"));
	ck_assert_int_eq(args_expect(&args, 0, 1, "an agent", &err), -1);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	ck_assert_ptr_null(strchr(err.msg, '\n'));
	args_clear(&args);
	strvec_clear(&words);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("cmd-args");

	unit_add_each(suite, "options and operands, mixed; -- ends options",
	    parses, ROWS(lines));
	unit_add_each(suite, "a mistyped option gets the nearest suggestion",
	    suggests, ROWS(mistyped));
	unit_add(suite, "the last value counts; lists add up", values);
	unit_add(suite, "a duration that is none is a wrong value", durations);
	unit_add(suite, "operands: as many as the command takes", operands);
	return suite;
}

UNIT_MAIN(make_suite)
