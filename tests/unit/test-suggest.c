/* SPDX-License-Identifier: ISC */
/* What was meant by a word that is none. */
#include "unit.h"

#include "base/suggest.h"

static const struct {
	const char *word;
	const char *list;
	const char *hint; /* what the hint "allowed: ..." becomes */
} rows[] = {
	{ "postgers", "mongo, postgres, redis",
	    "did you mean 'postgres'? allowed" },
	{ "rdis", "mongo, postgres, redis", "did you mean 'redis'? allowed" },
	{ "redis", "mongo, postgres, redis", "allowed" },
	{ "mysql", "mongo, postgres, redis", "allowed" },
	{ "", "mongo", "allowed" },
	{ "x", "", "allowed" },
	{ "be-dev-2", "be-dev-1,be-dev-10",
	    "did you mean 'be-dev-1'? allowed" },
};

START_TEST(suggests)
{
	struct error err = { 0 };

	(void)error_set(&err, ERROR_SERVICE, "no");
	(void)error_hint(&err, "allowed");
	suggest_listed(&err, rows[_i].word, rows[_i].list);
	ck_assert_str_eq(err.hint, rows[_i].hint);
	ck_assert_str_eq(err.msg, "no");
}
END_TEST

START_TEST(suggests_without_a_hint)
{
	struct strvec words = { 0 };
	struct error err = { 0 };

	strvec_add(&words, "sweep");
	(void)error_set(&err, ERROR_USAGE, "no");
	suggest_add(&err, "swepe", &words);
	ck_assert_str_eq(err.hint, "did you mean 'sweep'?");
	strvec_clear(&words);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("suggest");

	unit_add_each(suite, "the nearest word, before the hint", suggests,
	    ROWS(rows));
	unit_add(suite, "the hint, where there is none",
	    suggests_without_a_hint);
	return suite;
}

UNIT_MAIN(make_suite)
