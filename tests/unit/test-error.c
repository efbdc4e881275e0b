/* SPDX-License-Identifier: ISC */
/* base/error: the error object. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "unit.h"

START_TEST(set_fills)
{
	struct error err = { ERROR_DAEMON, 5, "old", "old", "old", "old",
		"old" };

	ck_assert_int_eq(error_set(&err, ERROR_SLUG, "'%s' is %d", "x", 7), -1);
	ck_assert_int_eq(err.kind, ERROR_SLUG);
	ck_assert_int_eq(err.sys, 0);
	ck_assert_str_eq(err.msg, "'x' is 7");
	ck_assert_str_eq(err.hint, "");
	ck_assert_str_eq(err.agent, "");
	ck_assert_str_eq(err.service, "");
	ck_assert_str_eq(err.allowed, "");
}
END_TEST

START_TEST(errno_is_told)
{
	struct error err;

	errno = ENOENT;
	ck_assert_int_eq(error_errno(&err, ERROR_STATE_READ, "open '%s'", "f"),
	    -1);
	ck_assert_int_eq(err.sys, ENOENT);
	ck_assert_str_eq(err.msg, "open 'f': No such file or directory");
}
END_TEST

START_TEST(wrap_puts_before)
{
	struct error err;

	(void)error_set(&err, ERROR_TIMEOUT, "timed out");
	(void)error_hint(&err, "wait %d s", 3);
	(void)error_about(&err, "be-dev-1", NULL);
	(void)error_about(&err, NULL, "redis");
	ck_assert_int_eq(error_wrap(&err, "pull %s", "i"), -1);
	ck_assert_str_eq(err.msg, "pull i: timed out");
	ck_assert_int_eq(err.kind, ERROR_TIMEOUT);
	ck_assert_str_eq(err.hint, "wait 3 s");
	ck_assert_str_eq(err.agent, "be-dev-1");
	ck_assert_str_eq(err.service, "redis");
}
END_TEST

START_TEST(too_long_is_cut)
{
	char text[5000];
	struct error err;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	errno = EIO;
	(void)error_errno(&err, ERROR_DOCKER, "%s", text);
	ck_assert_uint_eq(strlen(err.msg), sizeof(err.msg) - 1);
	(void)error_wrap(&err, "%s", text);
	ck_assert_uint_eq(strlen(err.msg), sizeof(err.msg) - 1);
	(void)error_hint(&err, "%s", text);
	ck_assert_uint_eq(strlen(err.hint), sizeof(err.hint) - 1);
	(void)error_about(&err, text, text);
	ck_assert_uint_eq(strlen(err.agent), sizeof(err.agent) - 1);
	ck_assert_uint_eq(strlen(err.service), sizeof(err.service) - 1);
	(void)error_set(&err, ERROR_DOCKER, "%s", "short");
	(void)error_wrap(&err, "%s", "before");
	ck_assert_str_eq(err.msg, "before: short");
}
END_TEST

START_TEST(stays_one_line)
{
	struct error err;

	(void)error_set(&err, ERROR_VALUE, "a\nb\tc%s", "\033[1m\x7f");
	ck_assert_str_eq(err.msg, "a?b?c?[1m?");
	(void)error_wrap(&err, "%s", "x\ry");
	ck_assert_str_eq(err.msg, "x?y: a?b?c?[1m?");
	(void)error_hint(&err, "%s", "one\ntwo");
	ck_assert_str_eq(err.hint, "one?two");
}
END_TEST

START_TEST(first_counts)
{
	struct error first = { 0 }, second, third;

	(void)error_set(&second, ERROR_BUSY, "second");
	(void)error_set(&third, ERROR_GONE, "third");
	error_keep_first(&first, &second);
	error_keep_first(&first, &third);
	ck_assert_int_eq(first.kind, ERROR_BUSY);
	ck_assert_str_eq(first.msg, "second");
	error_clear(&first);
	ck_assert_int_eq(first.kind, ERROR_NONE);
	ck_assert_str_eq(first.msg, "");
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("error");

	unit_add(suite, "setting an error forgets what was there", set_fills);
	unit_add(suite, "the system's reason follows the message",
	    errno_is_told);
	unit_add(suite, "wrapping keeps kind, hint and whom it is about",
	    wrap_puts_before);
	unit_add(suite, "what is too long is cut, never beyond its buffer",
	    too_long_is_cut);
	unit_add(suite, "a message is one line, whatever is in it",
	    stays_one_line);
	unit_add(suite, "the first of several failures counts", first_counts);
	return suite;
}

UNIT_MAIN(make_suite)
