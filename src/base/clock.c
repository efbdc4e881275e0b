/* SPDX-License-Identifier: ISC */
/* Deadlines, points of time, durations and sizes. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

static const int64_t longest_duration = INT64_C(100) * 366 * 86400;

int64_t
clock_monotonic_ms(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

int64_t
clock_now(void)
{
	return (int64_t)time(NULL);
}

struct deadline
deadline_in_ms(int64_t ms)
{
	return (struct deadline){ clock_monotonic_ms() + ms };
}

struct deadline
deadline_earlier(struct deadline a, struct deadline b)
{
	return a.at_ms < b.at_ms ? a : b;
}

int64_t
deadline_left_ms(struct deadline d)
{
	int64_t left;

	if (d.at_ms == INT64_MAX)
		return INT64_MAX;
	left = d.at_ms - clock_monotonic_ms();
	return left > 0 ? left : 0;
}

/* Read exactly count digits. */
static bool
digits(const char **s, int count, int *out)
{
	int n = 0;

	while (count-- > 0) {
		if (!isdigit((unsigned char)**s))
			return false;
		n = n * 10 + (*(*s)++ - '0');
	}
	*out = n;
	return true;
}

static bool
literal(const char **s, char c)
{
	if (**s != c)
		return false;
	(*s)++;
	return true;
}

/* Read "Z", "+hh:mm" or "+hhmm" as seconds east of Greenwich. */
static bool
zone(const char **s, int *offset)
{
	int hours, minutes, sign;

	*offset = 0;
	if (literal(s, 'Z'))
		return true;
	if (**s != '+' && **s != '-')
		return false;
	sign = *(*s)++ == '-' ? -1 : 1;
	if (!digits(s, 2, &hours))
		return false;
	(void)literal(s, ':');
	if (!digits(s, 2, &minutes) || hours > 14 || minutes > 59)
		return false;
	*offset = sign * (hours * 3600 + minutes * 60);
	return true;
}

static int
month_days(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
		31 };

	if (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))
		return 29;
	return days[month - 1];
}

static bool
date(const char **s, struct tm *tm)
{
	if (!digits(s, 4, &tm->tm_year) || !literal(s, '-') ||
	    !digits(s, 2, &tm->tm_mon) || !literal(s, '-') ||
	    !digits(s, 2, &tm->tm_mday))
		return false;
	if (tm->tm_year < 1970 || tm->tm_mon < 1 || tm->tm_mon > 12 ||
	    tm->tm_mday < 1 ||
	    tm->tm_mday > month_days(tm->tm_year, tm->tm_mon))
		return false;
	tm->tm_year -= 1900;
	tm->tm_mon -= 1;
	return true;
}

static bool
time_of_day(const char **s, struct tm *tm)
{
	int ignored;

	if (!digits(s, 2, &tm->tm_hour) || !literal(s, ':') ||
	    !digits(s, 2, &tm->tm_min) || !literal(s, ':') ||
	    !digits(s, 2, &tm->tm_sec))
		return false;
	if (literal(s, '.')) {
		if (!digits(s, 1, &ignored))
			return false;
		while (isdigit((unsigned char)**s))
			(*s)++;
	}
	return tm->tm_hour <= 23 && tm->tm_min <= 59 && tm->tm_sec <= 60;
}

int
time_parse(const char *s, int64_t *seconds)
{
	struct tm tm = { 0 };
	int64_t result;
	int offset;
	bool spaced;

	if (!date(&s, &tm))
		return -1;
	spaced = *s == ' ';
	if (!literal(&s, 'T') && !literal(&s, ' '))
		return -1;
	if (!time_of_day(&s, &tm))
		return -1;
	if (spaced && !literal(&s, ' '))
		return -1;
	if (!zone(&s, &offset))
		return -1;
	/* "docker ps" adds the zone's name, which the offset has told */
	if (*s != '\0' && !(spaced && *s == ' '))
		return -1;
	result = (int64_t)timegm(&tm) - offset;
	if (result < 0)
		return -1;
	*seconds = result;
	return 0;
}

static void
format_utc(char buf[TIME_TEXT], int64_t seconds, bool compact)
{
	time_t t = (time_t)seconds;
	struct tm tm;

	/* where it does not fit, strftime(3) leaves anything behind */
	if (gmtime_r(&t, &tm) == NULL ||
	    strftime(buf, TIME_TEXT,
		compact ? "%Y%m%dT%H%M%SZ" : "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		buf[0] = '\0';
}

void
time_format(char buf[TIME_TEXT], int64_t seconds)
{
	format_utc(buf, seconds, false);
}

void
time_format_compact(char buf[TIME_TEXT], int64_t seconds)
{
	format_utc(buf, seconds, true);
}

static int64_t
unit_seconds(char c)
{
	switch (c) {
	case 's':
		return 1;
	case 'm':
		return 60;
	case 'h':
		return 3600;
	case 'd':
		return 86400;
	default:
		return 0;
	}
}

/* Read an unsigned number; -1 where there is none or it is too large. */
static int64_t
number(const char **s)
{
	int64_t n = 0;

	if (!isdigit((unsigned char)**s))
		return -1;
	while (isdigit((unsigned char)**s)) {
		if (n > INT64_MAX / 100)
			return -1;
		n = n * 10 + (*(*s)++ - '0');
	}
	return n;
}

int
duration_parse(const char *s, int64_t *seconds)
{
	int64_t n, unit, total = 0, last = INT64_MAX;

	n = number(&s);
	if (n >= 0 && *s == '\0') {
		if (n > longest_duration)
			return -1;
		*seconds = n;
		return 0;
	}
	for (;;) {
		unit = unit_seconds(*s);
		if (n < 0 || unit == 0 || unit >= last ||
		    n > longest_duration / unit)
			return -1;
		total += n * unit;
		last = unit;
		if (*++s == '\0')
			break;
		n = number(&s);
	}
	if (total > longest_duration)
		return -1;
	*seconds = total;
	return 0;
}

void
duration_format(char buf[DURATION_TEXT], int64_t seconds)
{
	long long n = (long long)seconds;

	if (n < 0)
		n = 0;
	if (n < 120)
		(void)snprintf(buf, DURATION_TEXT, "%llds", n);
	else if (n < INT64_C(120) * 60)
		(void)snprintf(buf, DURATION_TEXT, "%lldm", n / 60);
	else if (n < INT64_C(48) * 3600)
		(void)snprintf(buf, DURATION_TEXT, "%lldh", n / 3600);
	else
		(void)snprintf(buf, DURATION_TEXT, "%lldd", n / 86400);
}

int
size_parse(const char *s, int64_t *bytes)
{
	static const char units[] = "bkmgt";
	int64_t n = number(&s);
	const char *unit;
	int shift = 0;

	if (n < 0)
		return -1;
	if (*s != '\0') {
		unit = strchr(units, tolower((unsigned char)*s));
		if (unit == NULL || s[1] != '\0')
			return -1;
		shift = (int)(unit - units) * 10;
	}
	if (n > (INT64_MAX >> shift))
		return -1;
	*bytes = n << shift;
	return 0;
}

void
size_format(char buf[SIZE_TEXT], int64_t bytes)
{
	/* "K" for 1024, as size_parse reads it; four digits at most */
	(void)humanize_number(buf, 5, bytes, "", HN_AUTOSCALE,
	    HN_B | HN_NOSPACE | HN_DECIMAL);
}
