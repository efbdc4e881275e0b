/* SPDX-License-Identifier: ISC */
/* base/strbuf and base/strvec: growing strings and lists of them. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/strvec.h"
#include "unit.h"

START_TEST(grows)
{
	struct strbuf sb = { 0 };
	size_t i;

	ck_assert_str_eq(strbuf_str(&sb), "");
	for (i = 0; i < 5000; i++) {
		strbuf_addc(&sb, (char)('a' + i % 26));
		ck_assert_uint_eq(sb.len, i + 1);
		ck_assert_int_eq(sb.data[sb.len], '\0');
	}
	for (i = 0; i < 5000; i++)
		ck_assert_int_eq(sb.data[i], (char)('a' + i % 26));
	strbuf_reset(&sb);
	ck_assert_str_eq(strbuf_str(&sb), "");
	strbuf_add(&sb, "a\0b", 3);
	ck_assert_uint_eq(sb.len, 3);
	ck_assert_int_eq(memcmp(sb.data, "a\0b", 4), 0);
	strbuf_clear(&sb);
	ck_assert_ptr_null(sb.data);
	strbuf_adds(&sb, "again");
	ck_assert_str_eq(strbuf_str(&sb), "again");
	strbuf_clear(&sb);
}
END_TEST

START_TEST(formats)
{
	struct strbuf sb = { 0 };
	size_t i;

	strbuf_addf(&sb, "%s", "");
	ck_assert_uint_eq(sb.len, 0);
	for (i = 0; i < 300; i++)
		strbuf_addf(&sb, "%0300d;", 7);
	ck_assert_uint_eq(sb.len, (size_t)300 * 301);
	ck_assert_int_eq(sb.data[sb.len - 1], ';');
	ck_assert_uint_eq(strlen(sb.data), sb.len);
	strbuf_clear(&sb);
}
END_TEST

START_TEST(hands_over)
{
	struct strbuf sb = { 0 };
	char *s = strbuf_detach(&sb);

	ck_assert_str_eq(s, "");
	free(s);
	strbuf_adds(&sb, "mine");
	s = strbuf_detach(&sb);
	ck_assert_str_eq(s, "mine");
	ck_assert_uint_eq(sb.len, 0);
	ck_assert_str_eq(strbuf_str(&sb), "");
	free(s);
}
END_TEST

static void
check_joined(const struct strvec *v, const char *expected)
{
	char *joined = strvec_join(v, "|");

	ck_assert_str_eq(joined, expected);
	free(joined);
	if (v->items != NULL)
		ck_assert_ptr_null(v->items[v->len]);
}

START_TEST(list_is_an_argv)
{
	struct strvec v = { 0 }, w = { 0 };
	int i;

	check_joined(&v, "");
	strvec_add_all(&v, "a", "", "b c", NULL);
	strvec_addf(&v, "%d-%s", 1, "x");
	check_joined(&v, "a||b c|1-x");
	strvec_append(&w, &v);
	strvec_remove(&w, 0);
	check_joined(&w, "|b c|1-x");
	strvec_remove(&w, 2);
	check_joined(&w, "|b c");
	strvec_clear(&v);
	check_joined(&w, "|b c");
	strvec_clear(&w);
	for (i = 0; i < 1000; i++) {
		strvec_addf(&v, "%d", i);
		ck_assert_ptr_null(v.items[v.len]);
	}
	ck_assert_str_eq(v.items[999], "999");
	strvec_clear(&v);
}
END_TEST

START_TEST(list_once_and_sorted)
{
	struct strvec v = { 0 };

	strvec_add_once(&v, "b");
	strvec_add_once(&v, "a");
	strvec_add_once(&v, "b");
	check_joined(&v, "b|a");
	ck_assert(strvec_has(&v, "a"));
	ck_assert(!strvec_has(&v, "A"));
	ck_assert(!strvec_has(&v, ""));
	ck_assert(strvec_equal(&v, &v));
	ck_assert(!strvec_equal(&v, &(struct strvec){ 0 }));
	strvec_sort(&v);
	check_joined(&v, "a|b");
	strvec_clear(&v);
	strvec_sort(&v);
	check_joined(&v, "");
}
END_TEST

static const struct {
	const char *text, *parts;
} splits[] = {
	{ "", "" },
	{ ",", "" },
	{ ",,,", "" },
	{ "a", "a" },
	{ "a,b", "a|b" },
	{ ",a,,b,", "a|b" },
	{ "a b, c", "a b| c" },
};

START_TEST(splits_at_the_separator)
{
	struct strvec v = { 0 };

	strvec_split(&v, splits[_i].text, ',');
	check_joined(&v, splits[_i].parts);
	strvec_clear(&v);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("strbuf");

	unit_add(suite, "a buffer grows and always ends in NUL", grows);
	unit_add(suite, "formatted text of any length fits", formats);
	unit_add(suite, "a handed over string leaves an empty buffer",
	    hands_over);
	unit_add(suite, "a list is NULL-terminated, and owns copies",
	    list_is_an_argv);
	unit_add(suite, "a list adds once, finds whole words, sorts",
	    list_once_and_sorted);
	unit_add_each(suite, "splitting leaves empty parts out",
	    splits_at_the_separator, ROWS(splits));
	return suite;
}

UNIT_MAIN(make_suite)
