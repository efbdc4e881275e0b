/* SPDX-License-Identifier: ISC */
/* base/clock: points of time, durations, sizes, deadlines. */
#include <string.h>

#include "base/clock.h"
#include "unit.h"

static const struct {
	const char *text;
	int64_t seconds; /* -1: it is none */
} times[] = {
	/* inspect's, with and without the zeros that it drops */
	{ "2026-11-30T15:00:45Z", 1796050845 },
	{ "2026-11-30T15:00:45.123456789Z", 1796050845 },
	{ "2026-11-30T15:00:45.12345678Z", 1796050845 },
	{ "2026-11-30T15:00:45.120000000Z", 1796050845 },
	{ "2026-11-30T15:00:45.1Z", 1796050845 },
	{ "2026-11-30T15:00:45.999999999Z", 1796050845 },
	{ "2026-11-30T16:00:45+01:00", 1796050845 },
	{ "2026-11-30T10:00:45.5-05:00", 1796050845 },
	{ "2026-11-30T20:30:45+05:30", 1796050845 },
	{ "2024-02-29T00:00:00Z", 1709164800 },
	/* those of ps, under any zone */
	{ "2026-11-30 15:00:45 +0000 UTC", 1796050845 },
	{ "2026-11-30 10:00:45 -0500 EST", 1796050845 },
	{ "2026-12-01 00:00:45 +0900 JST", 1796050845 },
	{ "2026-11-30 16:00:45 +0100 +0100", 1796050845 },
	{ "2026-11-30 15:00:45.731979175 +0000 UTC", 1796050845 },
	/* a future one is a time; the judge keeps it */
	{ "2999-01-01T00:00:00Z", INT64_C(32472144000) },
	{ "9999-12-31T23:59:59Z", INT64_C(253402300799) },
	{ "1970-01-01T00:00:00Z", 0 },
	/* never, and before 1970 */
	{ "0001-01-01T00:00:00Z", -1 },
	{ "0001-01-01 00:00:00 +0000 UTC", -1 },
	{ "1969-12-31T23:59:59Z", -1 },
	{ "1970-01-01T00:59:59+01:00", -1 },
	{ "-001-01-01T00:00:00Z", -1 },
	{ "-2026-11-30T15:00:45Z", -1 },
	/* anything else */
	{ "", -1 },
	{ " ", -1 },
	{ "null", -1 },
	{ "<no value>", -1 },
	{ "4 seconds ago", -1 },
	{ "1796050845", -1 },
	{ "2026-11-30", -1 },
	{ "2026-11-30T", -1 },
	{ "2026-11-30T15:00", -1 },
	{ "2026-11-30T15:00:45", -1 },
	{ "2026-11-30 15:00:45", -1 },
	{ "2026-11-30 15:00:45 UTC", -1 },
	{ "2026-11-30T15:00:45.Z", -1 },
	{ "2026-11-30T15:00:45.Z1", -1 },
	{ "2026-11-30T15:00:45Zx", -1 },
	{ "2026-11-30T15:00:45Z ", -1 },
	{ "2026-11-30T15:00:45+1", -1 },
	{ "2026-11-30T15:00:45+25:00", -1 },
	{ "2026-11-30t15:00:45z", -1 },
	{ "2026-00-30T15:00:45Z", -1 },
	{ "2026-13-30T15:00:45Z", -1 },
	{ "2026-11-00T15:00:45Z", -1 },
	{ "2026-11-31T15:00:45Z", -1 },
	{ "2026-02-29T15:00:45Z", -1 },
	{ "2026-11-32T15:00:45Z", -1 },
	{ "2026-11-30T24:00:45Z", -1 },
	{ "2026-11-30T15:60:45Z", -1 },
	{ "2026-11-30T15:00:61Z", -1 },
	{ "20261-11-30T15:00:45Z", -1 },
	{ " 2026-11-30T15:00:45Z", -1 },
	{ "2026-11-30T15:0 :45Z", -1 },
};

START_TEST(parses_times)
{
	int64_t seconds = 4711;
	int rc = time_parse(times[_i].text, &seconds);

	ck_assert_msg(rc == (times[_i].seconds == -1 ? -1 : 0), "'%s' gave %d",
	    times[_i].text, rc);
	ck_assert_msg(seconds ==
		(times[_i].seconds == -1 ? 4711 : times[_i].seconds),
	    "'%s' gave %lld", times[_i].text, (long long)seconds);
}
END_TEST

START_TEST(formats_times)
{
	char buf[TIME_TEXT];
	int64_t seconds;

	time_format(buf, 1796050845);
	ck_assert_str_eq(buf, "2026-11-30T15:00:45Z");
	time_format_compact(buf, 1796050845);
	ck_assert_str_eq(buf, "20261130T150045Z");
	time_format(buf, 0);
	ck_assert_str_eq(buf, "1970-01-01T00:00:00Z");
	/* what cannot be shown is an end of the string, not of the program */
	for (seconds = INT64_MAX; seconds > 100; seconds /= 7) {
		memset(buf, 'X', sizeof(buf));
		time_format(buf, seconds);
		ck_assert_ptr_nonnull(memchr(buf, '\0', sizeof(buf)));
	}
}
END_TEST

static const struct {
	const char *text;
	int64_t seconds; /* -1: it is none */
} durations[] = {
	{ "0", 0 },
	{ "0s", 0 },
	{ "90", 90 },
	{ "90s", 90 },
	{ "15m", 900 },
	{ "2h", 7200 },
	{ "1d", 86400 },
	{ "1h30m", 5400 },
	{ "1d2h3m4s", 93784 },
	{ "007s", 7 },
	{ "36600d", INT64_C(36600) * 86400 },
	{ "3162240000", INT64_C(3162240000) },
	{ "", -1 },
	{ "s", -1 },
	{ "-1", -1 },
	{ "-1s", -1 },
	{ "+1s", -1 },
	{ "1.5h", -1 },
	{ "1hh", -1 },
	{ "1h30", -1 },
	{ "30m1h", -1 },
	{ "1m1m", -1 },
	{ " 1", -1 },
	{ "1 ", -1 },
	{ "1 h", -1 },
	{ "1w", -1 },
	{ "1H", -1 },
	{ "10ms", -1 },
	{ "1h\n", -1 },
	{ "36601d", -1 },
	{ "36600d1s", -1 },
	{ "3162240001", -1 },
	{ "99999999999999999999", -1 },
	{ "9223372036854775807d", -1 },
	{ "infinity", -1 },
};

START_TEST(parses_durations)
{
	int64_t seconds = 4711;
	int rc = duration_parse(durations[_i].text, &seconds);

	ck_assert_msg(rc == (durations[_i].seconds == -1 ? -1 : 0),
	    "'%s' gave %d", durations[_i].text, rc);
	ck_assert_int_eq(seconds,
	    durations[_i].seconds == -1 ? 4711 : durations[_i].seconds);
}
END_TEST

static const struct {
	int64_t seconds;
	const char *text;
} ages[] = {
	{ -5, "0s" },
	{ 0, "0s" },
	{ 119, "119s" },
	{ 120, "2m" },
	{ 7199, "119m" },
	{ 7200, "2h" },
	{ 172799, "47h" },
	{ 172800, "2d" },
	{ INT64_MAX, "106751991167300d" },
};

START_TEST(formats_durations)
{
	char buf[DURATION_TEXT];

	duration_format(buf, ages[_i].seconds);
	ck_assert_str_eq(buf, ages[_i].text);
}
END_TEST

static const struct {
	const char *text;
	int64_t bytes; /* -1: it is none */
} sizes[] = {
	{ "0", 0 },
	{ "65536", 65536 },
	{ "1b", 1 },
	{ "1k", 1024 },
	{ "1K", 1024 },
	{ "512m", INT64_C(512) << 20 },
	{ "2g", INT64_C(2) << 30 },
	{ "8388607t", INT64_C(8388607) << 40 },
	{ "", -1 },
	{ "m", -1 },
	{ "-1", -1 },
	{ "1.5g", -1 },
	{ "1kb", -1 },
	{ "1 k", -1 },
	{ "1p", -1 },
	{ "8388608t", -1 },
	{ "99999999999999999999", -1 },
};

START_TEST(parses_sizes)
{
	int64_t bytes = 4711;
	int rc = size_parse(sizes[_i].text, &bytes);

	ck_assert_msg(rc == (sizes[_i].bytes == -1 ? -1 : 0), "'%s' gave %d",
	    sizes[_i].text, rc);
	ck_assert_int_eq(bytes, sizes[_i].bytes == -1 ? 4711 : sizes[_i].bytes);
}
END_TEST

static const struct {
	int64_t bytes;
	const char *text;
} size_texts[] = {
	{ 0, "0B" },
	{ 900, "900B" },
	{ 1024, "1.0K" },
	{ 65536, "64K" },
	{ INT64_C(512) << 20, "512M" },
	{ INT64_C(3) << 29, "1.5G" },
	{ INT64_C(1) << 40, "1.0T" },
	{ INT64_MAX, "8.0E" },
};

START_TEST(formats_sizes)
{
	char text[SIZE_TEXT];

	size_format(text, size_texts[_i].bytes);
	ck_assert_str_eq(text, size_texts[_i].text);
}
END_TEST

START_TEST(deadlines)
{
	struct deadline soon = deadline_in_ms(60000);
	struct deadline past = deadline_in_ms(-1);

	ck_assert_int_gt(deadline_left_ms(soon), 30000);
	ck_assert_int_le(deadline_left_ms(soon), 60000);
	ck_assert_int_eq(deadline_left_ms(past), 0);
	ck_assert(deadline_left_ms(DEADLINE_NEVER) == INT64_MAX);
	ck_assert_int_eq(deadline_earlier(soon, past).at_ms, past.at_ms);
	ck_assert_int_eq(deadline_earlier(past, soon).at_ms, past.at_ms);
	ck_assert_int_eq(deadline_earlier(DEADLINE_NEVER, soon).at_ms,
	    soon.at_ms);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("clock");

	unit_add_each(suite,
	    "case 9: docker's dates; zero, empty and early ones are none",
	    parses_times, ROWS(times));
	unit_add(suite, "a point of time as text", formats_times);
	unit_add_each(suite, "durations", parses_durations, ROWS(durations));
	unit_add_each(suite, "durations as text", formats_durations,
	    ROWS(ages));
	unit_add_each(suite, "sizes", parses_sizes, ROWS(sizes));
	unit_add_each(suite, "sizes as text", formats_sizes, ROWS(size_texts));
	unit_add(suite, "deadlines pass, and never comes last", deadlines);
	return suite;
}

UNIT_MAIN(make_suite)
