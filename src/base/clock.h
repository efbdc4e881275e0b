/* SPDX-License-Identifier: ISC */
/*
 * Time: deadlines on the monotonic clock, points of time as seconds since the
 * epoch, and how people write both.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/* A point on the monotonic clock, in milliseconds; INT64_MAX means never. */
struct deadline {
	int64_t at_ms;
};
#define DEADLINE_NEVER ((struct deadline){ INT64_MAX })

int64_t clock_monotonic_ms(void);
/* Seconds since the epoch. */
int64_t clock_now(void);

struct deadline deadline_in_ms(int64_t ms);
struct deadline deadline_earlier(struct deadline, struct deadline);
/* Milliseconds left; 0 once it has passed, INT64_MAX for never. */
int64_t deadline_left_ms(struct deadline);

/*
 * Read a point of time as docker writes it: RFC 3339 with up to nine digits of
 * a fraction ("2026-11-30T15:00:45.123Z", "...+01:00"), or what "docker ps"
 * prints under TZ=UTC ("2026-11-30 15:00:45 +0000 UTC").  Returns 0, or -1 for
 * anything else and for what lies before 1970: docker writes year 1 for
 * "never", and that is no age.
 */
int time_parse(const char *, int64_t *seconds);

/* "2026-11-30T15:00:45Z"; 21 bytes. */
#define TIME_TEXT 24
void time_format(char buf[TIME_TEXT], int64_t seconds);
/* "20261130T150045Z", fit for a file name. */
void time_format_compact(char buf[TIME_TEXT], int64_t seconds);

/*
 * A duration: "90", "90s", "15m", "2h", "1d", "1h30m".  Returns 0, or -1 if it
 * is not one or longer than a hundred years.
 */
int duration_parse(const char *, int64_t *seconds);
/* "45s", "3m", "2h", "5d": the largest unit that keeps two digits of sense. */
#define DURATION_TEXT 24
void duration_format(char buf[DURATION_TEXT], int64_t seconds);

/* A size: "512m", "2g", "65536".  Returns 0 or -1. */
int size_parse(const char *, int64_t *bytes);
/* "512M", "1.5G", "64K", "900B", as humanize_number(3) rounds it. */
#define SIZE_TEXT 8
void size_format(char buf[SIZE_TEXT], int64_t bytes);

#endif
