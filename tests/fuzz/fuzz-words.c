/* SPDX-License-Identifier: ISC */
/*
 * Fuzz target: small texts: names, durations, sizes, times, and text that is
 * made visible or masked.
 */
#include <ctype.h>
#include <regex.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "config/slug.h"
#include "docker/docker.h"
#include "fuzz.h"

/* The same rule, told by a regular expression. */
static bool
matches(const char *s, const char *pattern)
{
	regex_t regex;
	bool does;

	must(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) == 0);
	does = regexec(&regex, s, 0, NULL, 0) == 0;
	regfree(&regex);
	return does;
}

static void
names(const char *s)
{
	const size_t prefix_len = 18;
	struct error err = { 0 };
	bool want = strlen(s) + prefix_len <= CONTAINER_NAME_MAX &&
	    matches(s, "^[a-z0-9]([a-z0-9_.-]*[a-z0-9])?$") &&
	    strstr(s, "..") == NULL;

	must(slug_is_valid(s, prefix_len) == want);
	must((slug_check(s, prefix_len, &err) == 0) == want);
	if (!want) {
		must_tell(&err);
		must(err.kind == ERROR_SLUG);
	}
	must(docker_name_is_safe(s) ==
	    matches(s, "^[a-zA-Z0-9][a-zA-Z0-9_.-]+$"));
	must(docker_id_is_full(s) == matches(s, "^[0-9a-f]{64}$"));
}

static void
durations(const char *s)
{
	char text[DURATION_TEXT];
	int64_t seconds = -1, again = -1;

	if (duration_parse(s, &seconds) == -1) {
		must(seconds == -1);
		return;
	}
	must(matches(s, "^([0-9]+|([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?)$"));
	must(seconds >= 0);
	duration_format(text, seconds);
	must(duration_parse(text, &again) == 0);
	must(again >= 0 && again <= seconds);
}

static void
sizes(const char *s)
{
	int64_t bytes = -1;

	if (size_parse(s, &bytes) == -1)
		must(bytes == -1);
	else
		must(bytes >= 0 && matches(s, "^[0-9]+[bkmgtBKMGT]?$"));
}

static void
times(const char *s)
{
	char text[TIME_TEXT];
	int64_t seconds = -1, again = -1;

	if (time_parse(s, &seconds) == -1) {
		must(seconds == -1);
		return;
	}
	must(seconds >= 0);
	must(matches(s, "^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:"));
	time_format(text, seconds);
	/* a zone west of Greenwich may lead into the year 10000 */
	if (text[0] != '\0' && strlen(text) == 20) {
		must(time_parse(text, &again) == 0);
		must(again == seconds);
	}
}

static void
must_be_visible(char *visible, size_t max)
{
	const char *p;

	must(strlen(visible) <= max);
	for (p = visible; *p != '\0'; p++)
		must(isprint((unsigned char)*p));
	free(visible);
}

static void
shown(const char *s)
{
	static const size_t limits[] = { 4, 5, 40, 300 };
	struct strbuf tail = { 0 };
	json_t *value = json_safe_string(s);
	size_t i;

	for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		must_be_visible(text_visible(s, limits[i]), limits[i]);
		must_be_visible(text_last_line(s, limits[i]), limits[i]);
		text_tail(&tail, s, 3, limits[i]);
		must(tail.len <= limits[i]);
		strbuf_reset(&tail);
	}
	must(json_is_string(value));
	json_decref(value);
	strbuf_clear(&tail);
}

/* The first word of the input is the secret in the rest. */
static void
masked(const uint8_t *data, size_t size)
{
	struct input input = { data, size };
	struct strbuf text = { 0 };
	char *secret = input_string(&input);
	size_t len = strlen(secret);

	strbuf_add(&text, input.data, input.left);
	text_mask(&text, secret);
	/* stars on both sides of what is left could make one of stars */
	if (len > 0 && text.len > 0 && strchr(secret, '*') == NULL)
		must(memmem(text.data, text.len, secret, len) == NULL);
	strbuf_clear(&text);
	free(secret);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *s = input_text(data, size);

	names(s);
	durations(s);
	sizes(s);
	times(s);
	shown(s);
	masked(data, size);
	must(text_distance(s, s) == 0 || strlen(s) > 64);
	free(s);
	return 0;
}
