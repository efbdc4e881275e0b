/* SPDX-License-Identifier: ISC */
/* docker/parse: the rows of "docker ps", strictly. */
#include <string.h>

#include "docker/docker.h"
#include "docker/parse.h"
#include "unit.h"

#define HEX16 "0123456789abcdef"
#define ID HEX16 HEX16 HEX16 HEX16
#define ID2 "f" HEX16 HEX16 HEX16 "123456789abcdef"

/* A row of that id, names, state, date and labels, all as JSON. */
#define ROW(id, names, state, created, labels)                      \
	"{\"id\":\"" id "\",\"names\":" names ",\"state\":\"" state \
	"\",\"created\":" created ",\"labels\":{\"\":\"\"" labels "}}\n"
#define GOOD \
	ROW(ID, "\"a\"", "running", "\"2026-11-30 15:00:45 +0000 UTC\"", "")
#define TEXT(s)                  \
	{                        \
		s, sizeof(s) - 1 \
	}

static int
parse(const char *data, size_t len, struct container_list *list)
{
	struct strbuf output = { 0 };
	struct error err = { 0 };
	int rc;

	strbuf_add(&output, data, len);
	rc = parse_list(&output, list, &err);
	if (rc == -1) {
		ck_assert_int_eq(err.kind, ERROR_DOCKER);
		ck_assert_str_ne(err.msg, "");
		ck_assert_ptr_null(strchr(err.msg, '\n'));
	}
	strbuf_clear(&output);
	return rc;
}

START_TEST(whole_rows)
{
	static const char text[] = GOOD ROW(ID2, "\"b.c_d-1\"", "exited",
	    "\"2026-11-30 10:00:45 -0500 EST\"",
	    ",\"k\":\"1,2=3\\ttab\\nline \\\"q\\\" \\u00e9\",\"e\":\"\"");
	struct container_list list = { 0 };

	ck_assert_int_eq(parse(text, sizeof(text) - 1, &list), 0);
	ck_assert_uint_eq(list.len, 2);
	ck_assert_str_eq(list.items[0].id, ID);
	ck_assert_str_eq(list.items[0].name, "a");
	ck_assert_int_eq(list.items[0].state, CONTAINER_RUNNING);
	ck_assert_int_eq(list.items[0].created, 1796050845);
	ck_assert_int_eq(list.items[0].finished, TIME_UNKNOWN);
	ck_assert_str_eq(container_label(&list.items[0], "k"), "");
	ck_assert_str_eq(list.items[1].id, ID2);
	ck_assert_str_eq(list.items[1].name, "b.c_d-1");
	ck_assert_int_eq(list.items[1].state, CONTAINER_EXITED);
	ck_assert_int_eq(list.items[1].created, 1796050845);
	ck_assert_str_eq(container_label(&list.items[1], "k"),
	    "1,2=3\ttab\nline \"q\" \xc3\xa9");
	ck_assert_str_eq(container_label(&list.items[1], "e"), "");
	container_list_clear(&list);
}
END_TEST

START_TEST(nothing)
{
	struct container_list list = { 0 };

	ck_assert_int_eq(parse("", 0, &list), 0);
	ck_assert_uint_eq(list.len, 0);
	container_list_clear(&list);
}
END_TEST

#define DATE "\"2026-11-30 15:00:45 +0000 UTC\""

static const struct {
	const char *data;
	size_t len;
} bad[] = {
	TEXT("\n"),
	TEXT(GOOD "\n"),
	TEXT("\n" GOOD),
	TEXT(GOOD "\n" GOOD),
	TEXT(GOOD " \n"),
	TEXT("json\n"),
	TEXT("[]\n"),
	TEXT("[" ID "]\n"),
	TEXT("{}\n"),
	TEXT("null\n"),
	TEXT("\"" ID "\"\n"),
	TEXT(ID "\n"),
	TEXT("Cannot connect to the Docker daemon\n"),
	TEXT("\0"),
	TEXT("\0\n"),
	TEXT(GOOD "\0"),
	TEXT(GOOD "\0\n" GOOD),
	TEXT(ROW(ID, "\"a\\u0000\"", "running", DATE, "")),
	TEXT(ROW(ID, "\"a\xff\"", "running", DATE, "")),
	/* a raw newline in a label makes two lines of one row */
	TEXT(ROW(ID, "\"a\"", "running", DATE, ",\"k\":\"x\ny\"")),
	/* a forged row within a label has no end */
	TEXT(ROW(ID, "\"a\"", "running", DATE, ",\"k\":\"x\n" GOOD "\"")),
	TEXT(ROW("", "\"a\"", "running", DATE, "")),
	TEXT(ROW("0123456789ab", "\"a\"", "running", DATE, "")),
	TEXT(ROW(ID "0", "\"a\"", "running", DATE, "")),
	TEXT(ROW("X" HEX16 HEX16 HEX16 "123456789abcdef", "\"a\"", "running",
	    DATE, "")),
	TEXT(ROW(ID, "\"\"", "running", DATE, "")),
	TEXT(ROW(ID, "\"b/a\"", "running", DATE, "")),
	TEXT(ROW(ID, "null", "running", DATE, "")),
	TEXT(ROW(ID, "[]", "running", DATE, "")),
	TEXT(ROW(ID, "[1]", "running", DATE, "")),
	TEXT("{\"names\":\"a\",\"state\":\"running\",\"labels\":{}}\n"),
	TEXT("{\"id\":\"" ID "\",\"state\":\"running\",\"labels\":{}}\n"),
	TEXT("{\"id\":\"" ID "\",\"names\":\"a\",\"labels\":{}}\n"),
	TEXT("{\"id\":\"" ID "\",\"names\":\"a\",\"state\":\"running\"}\n"),
	TEXT("{\"id\":\"" ID "\",\"names\":\"a\",\"state\":\"running\","
	     "\"labels\":\"k=v\"}\n"),
	TEXT("{\"id\":1,\"names\":\"a\",\"state\":\"running\",\"labels\":{}}"
	     "\n"),
	TEXT("{\"id\":\"" ID "\",\"id\":\"" ID2
	     "\",\"names\":\"a\",\"state\":\"running\",\"labels\":{}}\n"),
};

START_TEST(bad_rows)
{
	struct container_list list = { 0 };

	ck_assert_int_eq(parse(GOOD, sizeof(GOOD) - 1, &list), 0);
	ck_assert_int_eq(parse(bad[_i].data, bad[_i].len, &list), -1);
	ck_assert_uint_eq(list.len, 1);
	container_list_clear(&list);
}
END_TEST

START_TEST(cut_anywhere)
{
	static const char text[] = GOOD GOOD;
	size_t len, half = sizeof(GOOD) - 1;
	struct container_list list = { 0 };

	for (len = 1; len < sizeof(text) - 1; len++) {
		int rc = parse(text, len, &list);

		ck_assert_msg(rc == (len == half ? 0 : -1), "%zu bytes", len);
		ck_assert_uint_eq(list.len, len == half ? 1 : 0);
		container_list_clear(&list);
	}
}
END_TEST

static const struct {
	const char *names, *name;
} linked[] = {
	{ "\"a\"", "a" },
	{ "\"a,b/alias\"", "a" },
	{ "\"b/alias,a\"", "a" },
	{ "\"b/alias,c/db,a\"", "a" },
	{ "[\"a\"]", "a" },
	{ "[\"a\",\"c\"]", "a" },
};

START_TEST(own_name)
{
	char text[800];
	struct container_list list = { 0 };

	(void)snprintf(text, sizeof(text),
	    "{\"id\":\"" ID "\",\"names\":%s,\"state\":\"running\","
	    "\"created\":" DATE ",\"labels\":{}}\n",
	    linked[_i].names);
	ck_assert_int_eq(parse(text, strlen(text), &list), 0);
	ck_assert_str_eq(list.items[0].name, linked[_i].name);
	container_list_clear(&list);
}
END_TEST

static const char *const no_dates[] = { "\"\"", "null",
	"\"0001-01-01 00:00:00 +0000 UTC\"", "\"4 seconds ago\"", "7", "{}",
	"\"1969-12-31 23:59:59 +0000 UTC\"" };

START_TEST(unknown_age)
{
	char text[800];
	struct container_list list = { 0 };

	(void)snprintf(text, sizeof(text),
	    "{\"id\":\"" ID "\",\"names\":\"a\",\"state\":\"running\","
	    "\"created\":%s,\"labels\":{}}\n",
	    no_dates[_i]);
	ck_assert_int_eq(parse(text, strlen(text), &list), 0);
	ck_assert_int_eq(list.items[0].created, TIME_UNKNOWN);
	container_list_clear(&list);
}
END_TEST

static const struct {
	const char *output;
	bool is_id;
} ids[] = {
	{ ID "\n", true },
	{ ID, true },
	{ "a note\n" ID "\n", true },
	{ "", false },
	{ "\n", false },
	{ "0123456789ab\n", false },
	{ ID "0\n", false },
	{ "0123456789ABCDEF" HEX16 HEX16 HEX16 "\n", false },
	{ ID "\nmore\n", false },
	{ ID " x\n", false },
};

START_TEST(id_of_run)
{
	char id[65] = "unchanged";

	ck_assert(parse_id(ids[_i].output, id) == ids[_i].is_id);
	ck_assert_str_eq(id, ids[_i].is_id ? ID : "unchanged");
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("docker-list");

	unit_add(suite, "rows of ps; a label may hold anything", whole_rows);
	unit_add(suite, "no row is an empty list", nothing);
	unit_add_each(suite, "S2: one bad row fails the whole listing",
	    bad_rows, ROWS(bad));
	unit_add(suite, "S2: a listing cut anywhere is no listing",
	    cut_anywhere);
	unit_add_each(suite, "of a linked container's names its own", own_name,
	    ROWS(linked));
	unit_add_each(suite, "case 9: a date that is none is an unknown age",
	    unknown_age, ROWS(no_dates));
	unit_add_each(suite, "the id that run prints", id_of_run, ROWS(ids));
	return suite;
}

UNIT_MAIN(make_suite)
