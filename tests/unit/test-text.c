/* SPDX-License-Identifier: ISC */
/* base/text: foreign text made safe, and small questions. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "unit.h"

static const struct {
	const char *text;
	size_t max;
	const char *visible;
} shown[] = {
	{ "", 20, "" },
	{ "plain text", 20, "plain text" },
	{ " \t\r\n blanks \n", 20, "blanks" },
	{ " \n ", 20, "" },
	{ "two\nlines", 20, "two\\nlines" },
	{ "a\tb\rc", 20, "a\\tb\\rc" },
	{ "back\\slash", 20, "back\\slash" },
	{ "once\\nvisible", 20, "once\\nvisible" },
	{ "\033[31mred", 40, "\\033[31mred" },
	{ "\x7f\x01", 40, "\\177\\001" },
	{ "\xc3\xa9\xff", 40, "\\303\\251\\377" },
	{ "exactly ten", 11, "exactly ten" },
	{ "one too many", 11, "one too ..." },
	{ "a text that is far too long", 10, "a text ..." },
	{ "\n\n\001\001\001\001", 10, "\\001\\00..." },
};

START_TEST(visible)
{
	char *s = text_visible(shown[_i].text, shown[_i].max);

	ck_assert_str_eq(s, shown[_i].visible);
	free(s);
}
END_TEST

static const struct {
	const char *text, *line;
} last_lines[] = {
	{ "", "" },
	{ "\n\n", "" },
	{ "one", "one" },
	{ "one\ntwo\n", "two" },
	{ "one\n  two  \n\n \n", "two" },
	{ "one\r\ntwo\r\n", "two" },
	{ "\x1b[0m\n", "\\033[0m" },
};

START_TEST(last_line)
{
	char *s = text_last_line(last_lines[_i].text, 40);

	ck_assert_str_eq(s, last_lines[_i].line);
	free(s);
}
END_TEST

static const struct {
	const char *text;
	size_t lines, max;
	const char *tail;
} tails[] = {
	{ "", 3, 100, "" },
	{ "\n\n", 3, 100, "" },
	{ "a", 3, 100, "a" },
	{ "a\nb\nc\n", 3, 100, "a\nb\nc" },
	{ "a\nb\nc\n", 2, 100, "b\nc" },
	{ "a\nb\nc\n\n\n", 1, 100, "c" },
	{ "a\n\nc", 2, 100, "\nc" },
	{ "abcdef", 2, 3, "def" },
	{ "abc\ndef", 5, 5, "c\ndef" },
};

START_TEST(tail)
{
	struct strbuf sb = { 0 };

	strbuf_adds(&sb, ">");
	text_tail(&sb, tails[_i].text, tails[_i].lines, tails[_i].max);
	ck_assert_str_eq(sb.data + 1, tails[_i].tail);
	strbuf_clear(&sb);
}
END_TEST

#define STARS "********"

static const struct {
	const char *text, *secret, *masked;
} masks[] = {
	{ "nothing here", "s3cret", "nothing here" },
	{ "", "s3cret", "" },
	{ "s3cret", "s3cret", STARS },
	{ "a s3cret and s3crets3cret", "s3cret",
	    "a " STARS " and " STARS STARS },
	{ "s3cres3cret s3cre", "s3cret", "s3cre" STARS " s3cre" },
	{ "aaaaa", "aa", STARS STARS "a" },
	{ "any", "", "any" },
};

START_TEST(mask)
{
	struct strbuf sb = { 0 };

	strbuf_adds(&sb, masks[_i].text);
	text_mask(&sb, masks[_i].secret);
	ck_assert_str_eq(strbuf_str(&sb), masks[_i].masked);
	ck_assert_uint_eq(sb.len, strlen(strbuf_str(&sb)));
	strbuf_clear(&sb);
}
END_TEST

START_TEST(mask_beyond_nul)
{
	static const char text[] = "log\0pw and pw\0";
	static const char masked[] = "log\0" STARS " and " STARS "\0";
	struct strbuf sb = { 0 };

	strbuf_add(&sb, text, sizeof(text) - 1);
	text_mask(&sb, "pw");
	ck_assert_uint_eq(sb.len, sizeof(masked) - 1);
	ck_assert_int_eq(memcmp(sb.data, masked, sizeof(masked)), 0);
	strbuf_clear(&sb);
}
END_TEST

START_TEST(questions)
{
	ck_assert(text_has_prefix("abc", ""));
	ck_assert(text_has_prefix("abc", "abc"));
	ck_assert(!text_has_prefix("abc", "abcd"));
	ck_assert(!text_has_prefix("abc", "b"));
	ck_assert(text_has_suffix("abc", ""));
	ck_assert(text_has_suffix("abc", "bc"));
	ck_assert(!text_has_suffix("abc", "abcd"));
	ck_assert(!text_has_suffix("abc", "ab"));
	ck_assert(text_only("aba", "ab"));
	ck_assert(!text_only("abc", "ab"));
	ck_assert(!text_only("", "ab"));
	ck_assert(!text_only("ab\n", "ab"));
}
END_TEST

START_TEST(plain)
{
	ck_assert(text_is_plain(""));
	ck_assert(text_is_plain(" A~\\"));
	ck_assert(!text_is_plain("a\n"));
	ck_assert(!text_is_plain("\x7f"));
	ck_assert(!text_is_plain("\xc3\xa9"));
}
END_TEST

static const struct {
	const char *text, *address; /* NULL: none */
} addresses[] = {
	{ "127.0.0.1", "127.0.0.1" },
	{ "[127.0.0.1]", "127.0.0.1" },
	{ "::1", "::1" },
	{ "[::1]", "::1" },
	{ "FD00:0:0::2", "fd00::2" },
	{ "0.0.0.0", "0.0.0.0" },
	{ "", NULL },
	{ "[]", NULL },
	{ "[::1", NULL },
	{ "127.0.0", NULL },
	{ "127.0.0.256", NULL },
	{ "127.0.0.1 ", NULL },
	{ "127.0.0.1:80", NULL },
	{ "localhost", NULL },
	{ "::g", NULL },
	{ "0000000000000000000000000000000000000000000000000000:1", NULL },
};

START_TEST(address)
{
	char buf[ADDRESS_TEXT];
	bool is = text_address(addresses[_i].text, buf);

	ck_assert(is == (addresses[_i].address != NULL));
	if (is)
		ck_assert_str_eq(buf, addresses[_i].address);
}
END_TEST

START_TEST(random_hex)
{
	char one[40], two[40];

	memset(one, 'X', sizeof(one));
	text_random_hex(one, 32);
	text_random_hex(two, 32);
	ck_assert_uint_eq(strlen(one), 32);
	ck_assert(text_only(one, "0123456789abcdef"));
	ck_assert_int_eq(one[33], 'X');
	ck_assert_str_ne(one, two);
}
END_TEST

static const struct {
	const char *one, *two;
	size_t distance;
} distances[] = {
	{ "", "", 0 },
	{ "", "abc", 3 },
	{ "sweep", "sweep", 0 },
	{ "swep", "sweep", 1 },
	{ "sweeep", "sweep", 1 },
	{ "sweap", "sweep", 1 },
	{ "sewep", "sweep", 1 },
	{ "lsit", "list", 1 },
	{ "kitten", "sitting", 3 },
	{ "ensure", "release", 5 },
};

START_TEST(distance)
{
	ck_assert_uint_eq(text_distance(distances[_i].one, distances[_i].two),
	    distances[_i].distance);
	ck_assert_uint_eq(text_distance(distances[_i].two, distances[_i].one),
	    distances[_i].distance);
}
END_TEST

START_TEST(distance_of_long_words)
{
	char word[400];

	memset(word, 'a', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	ck_assert_uint_ge(text_distance(word, "aaa"), 10);
	word[64] = '\0';
	ck_assert_uint_eq(text_distance(word, word), 0);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("text");

	unit_add_each(suite, "foreign text is one visible line, a cut is shown",
	    visible, ROWS(shown));
	unit_add_each(suite, "the last line that is not blank", last_line,
	    ROWS(last_lines));
	unit_add_each(suite, "the last lines, within a bound", tail,
	    ROWS(tails));
	unit_add_each(suite, "E8: every occurrence of a secret is masked", mask,
	    ROWS(masks));
	unit_add(suite, "E8: secrets are masked beyond a NUL byte too",
	    mask_beyond_nul);
	unit_add(suite, "prefix, suffix, and characters of a set", questions);
	unit_add(suite, "plain text is printable ASCII", plain);
	unit_add_each(suite, "E10: addresses to publish at", address,
	    ROWS(addresses));
	unit_add(suite, "random digits are hex, in number, and differ",
	    random_hex);
	unit_add_each(suite, "the distance of two words, either way round",
	    distance, ROWS(distances));
	unit_add(suite, "long words stay within bounds",
	    distance_of_long_words);
	return suite;
}

UNIT_MAIN(make_suite)
