/* SPDX-License-Identifier: ISC */
/* base/json: the questions that we ask of documents. */
#include <string.h>

#include "base/json.h"
#include "unit.h"

#define TEXT(s)                  \
	{                        \
		s, sizeof(s) - 1 \
	}

static const struct {
	const char *data;
	size_t len;
} refused[] = {
	TEXT(""),
	TEXT("\n"),
	TEXT("{"),
	TEXT("{\"a\":1"),
	TEXT("{\"a\":1}}"),
	TEXT("{\"a\":1}{\"a\":1}"),
	TEXT("{\"a\":1} x"),
	TEXT("{'a':1}"),
	TEXT("{\"a\":1,}"),
	TEXT("{\"a\":1,\"a\":2}"),
	TEXT("{\"a\":\"\\u0000\"}"),
	TEXT("{\"a\":\"b\0c\"}"),
	TEXT("{\"a\":1}\0"),
	TEXT("{\"a\":\"\xff\"}"),
	TEXT("{\"a\":\"line\nbreak\"}"),
	TEXT("template parsing error"),
	TEXT("json"),
};

START_TEST(refuses)
{
	json_t *doc = json_read(refused[_i].data, refused[_i].len);

	ck_assert_msg(doc == NULL, "row %d was read", _i);
}
END_TEST

START_TEST(asks)
{
	static const char text[] =
	    " {\"s\":\"x\\ny\",\"n\":1,\"z\":null,\"t\":true,\"f\":false,"
	    "\"e\":\"\",\"u\":\"\\u00e9\"}\n";
	json_t *doc = json_read(text, sizeof(text) - 1);

	ck_assert_ptr_nonnull(doc);
	ck_assert_str_eq(json_text(doc, "s"), "x\ny");
	ck_assert_str_eq(json_text(doc, "u"), "\xc3\xa9");
	ck_assert_str_eq(json_text(doc, "e"), "");
	ck_assert_ptr_null(json_text(doc, "n"));
	ck_assert_ptr_null(json_text(doc, "z"));
	ck_assert_ptr_null(json_text(doc, "none"));
	ck_assert_ptr_null(json_text(NULL, "s"));
	ck_assert_str_eq(json_text_or_empty(doc, "z"), "");
	ck_assert_str_eq(json_text_or_empty(NULL, "s"), "");
	ck_assert(json_flag(doc, "t"));
	ck_assert(!json_flag(doc, "f"));
	ck_assert(!json_flag(doc, "n"));
	ck_assert(!json_flag(doc, "none"));
	json_decref(doc);
}
END_TEST

START_TEST(writes)
{
	json_t *doc = json_object();
	struct strbuf sb = { 0 };

	json_put_text(doc, "text", "a\"\n\xc3\xa9");
	json_put_text(doc, "null", NULL);
	json_put_number(doc, "number", 7);
	json_put_flag(doc, "flag", true);
	json_write(&sb, doc, 0);
	ck_assert_str_eq(strbuf_str(&sb),
	    "{\"text\":\"a\\\"\\n\xc3\xa9\",\"null\":null,\"number\":7,"
	    "\"flag\":true}");
	strbuf_reset(&sb);
	json_write(&sb, doc, 2);
	ck_assert_ptr_nonnull(strstr(sb.data, "\n  \"number\": 7,\n"));
	strbuf_clear(&sb);
	json_decref(doc);
}
END_TEST

START_TEST(bad_utf8_is_visible)
{
	json_t *doc = json_object();

	json_put_text(doc, "bad", "a\xff\nb");
	ck_assert_str_eq(json_text(doc, "bad"), "a\\377\\nb");
	json_decref(doc);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("json");

	unit_add_each(suite, "what is not exactly one document is refused",
	    refuses, ROWS(refused));
	unit_add(suite, "absent, null and other types are no text", asks);
	unit_add(suite, "a document is written compact or indented", writes);
	unit_add(suite, "text that is not UTF-8 is made visible",
	    bad_utf8_is_visible);
	return suite;
}

UNIT_MAIN(make_suite)
