/* SPDX-License-Identifier: ISC */
/* config/slug: agents' names. */
#include <string.h>

#include "config/slug.h"
#include "unit.h"

static const struct {
	const char *slug;
	bool valid;
} slugs[] = {
	{ "be-dev-1", true },
	{ "a", true },
	{ "0", true },
	{ "ab", true },
	{ "a.b", true },
	{ "a_b", true },
	{ "a--b", true },
	{ "a__b", true },
	{ "a._-b", true },
	{ "1.2.3", true },
	{ "", false },
	{ ".", false },
	{ "..", false },
	{ "-", false },
	{ "_", false },
	{ "-a", false },
	{ "--help", false },
	{ "a-", false },
	{ ".a", false },
	{ "a.", false },
	{ "_a", false },
	{ "a_", false },
	{ "a..b", false },
	{ "a...b", false },
	{ "A", false },
	{ "be-Dev-1", false },
	{ "a b", false },
	{ " a", false },
	{ "a ", false },
	{ "a\n", false },
	{ "a\nb", false },
	{ "a\tb", false },
	{ "a/b", false },
	{ "/a", false },
	{ "../a", false },
	{ "a\\b", false },
	{ "a:b", false },
	{ "a,b", false },
	{ "a=b", false },
	{ "a$b", false },
	{ "a*", false },
	{ "a\xc3\xa9", false },
	{ "\xff", false },
};

START_TEST(by_table)
{
	const char *slug = slugs[_i].slug;
	struct error err = { 0 };

	ck_assert_msg(slug_is_valid(slug, 0) == slugs[_i].valid, "'%s'", slug);
	ck_assert_int_eq(slug_check(slug, 0, &err), slugs[_i].valid ? 0 : -1);
	if (slugs[_i].valid)
		return;
	ck_assert_int_eq(err.kind, ERROR_SLUG);
	ck_assert_str_ne(err.hint, "");
	ck_assert_ptr_null(strchr(err.msg, '\n'));
	ck_assert_ptr_null(strchr(err.agent, '\n'));
}
END_TEST

static const struct {
	size_t prefix, len;
	bool valid;
} lengths[] = {
	{ 0, 63, true },
	{ 0, 64, false },
	{ 18, 45, true }, /* roboco-sandbox-pg- */
	{ 18, 46, false },
	{ 62, 1, true },
	{ 63, 1, false },
	{ 0, 200, false },
	{ 0, 300, false },
};

START_TEST(by_length)
{
	char slug[301];
	struct error err;
	bool valid;

	memset(slug, 'a', lengths[_i].len);
	slug[lengths[_i].len] = '\0';
	valid = slug_is_valid(slug, lengths[_i].prefix);
	ck_assert(valid == lengths[_i].valid);
	if (!valid) {
		ck_assert_int_eq(slug_check(slug, lengths[_i].prefix, &err),
		    -1);
		ck_assert_ptr_nonnull(strstr(err.msg, "63"));
		ck_assert_uint_lt(strlen(err.agent), 64);
	}
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("slug");

	unit_add_each(suite, "E1: what an agent may be called", by_table,
	    ROWS(slugs));
	unit_add_each(suite, "case 23: a container's name can be resolved",
	    by_length, ROWS(lengths));
	return suite;
}

UNIT_MAIN(make_suite)
