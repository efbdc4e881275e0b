/* SPDX-License-Identifier: ISC */
/* The filters of ps. */

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

/* In a listing a dead container is one that is being removed. */
const char *
ps_state(const json_t *c)
{
	const char *status = jstr(c, "State.Status");

	return strcmp(status, "dead") == 0 ? "removing" : status;
}

/* An unanchored expression, tried on the name with the slash and without. */
static int
name_matches(const json_t *c, const char *pattern)
{
	const char *name = jstr(c, "Name");
	regex_t re;
	int yes;

	if (regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return 0;
	yes = *name == '/' &&
	    (regexec(&re, name, 0, NULL, 0) == 0 ||
		regexec(&re, name + 1, 0, NULL, 0) == 0);
	regfree(&re);
	return yes;
}

static int
label_matches(const json_t *c, const char *wanted)
{
	char *key;
	const char *value, *have;
	int with_value = args_key_value(wanted, &key, &value);

	have =
	    json_string_value(json_object_get(jget(c, "Config.Labels"), key));
	free(key);
	return have != NULL && (!with_value || strcmp(have, value) == 0);
}

static int
matches(const json_t *c, const char *key, const char *value)
{
	if (strcmp(key, "name") == 0)
		return name_matches(c, value);
	if (strcmp(key, "label") == 0)
		return label_matches(c, value);
	if (strcmp(key, "id") == 0)
		return strncmp(jstr(c, "Id"), value, strlen(value)) == 0;
	if (strcmp(key, "status") == 0)
		return strcmp(ps_state(c), value) == 0;
	if (strcmp(key, "network") == 0)
		return json_object_get(jget(c, "NetworkSettings.Networks"),
			   value) != NULL;
	if (strcmp(key, "ancestor") == 0)
		return strcmp(image_normal(jstr(c, "Config.Image")),
			   image_normal(value)) == 0;
	return 1;
}

/* Filters of one key are alternatives, those on labels all count. */
static int
passes(const json_t *c, const struct args *a, const char *key)
{
	const char *value;
	size_t i;
	char *k;
	int yes, some = 0, any = 0;

	for (i = 0; i < a->len; i++) {
		if (strcmp(a->names[i], "filter") != 0)
			continue;
		args_key_value(a->values[i], &k, &value);
		if (strcmp(k, key) != 0)
			continue;
		some = 1;
		yes = matches(c, key, value);
		if (!yes && strcmp(key, "label") == 0)
			return 0;
		any |= yes;
	}
	return !some || any;
}

static int
status_filter(const struct args *a)
{
	size_t i;

	for (i = 0; i < a->len; i++)
		if (strcmp(a->names[i], "filter") == 0 &&
		    strncmp(a->values[i], "status=", 7) == 0)
			return 1;
	return 0;
}

int
ps_lists(const json_t *c, const struct args *a)
{
	static const char *const keys[] = { "name", "label", "id", "status",
		"network", "ancestor" };
	size_t i;

	if (!args_has(a, "all") && !status_filter(a) &&
	    !container_is_running(c))
		return 0;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!passes(c, a, keys[i]))
			return 0;
	return 1;
}

/* Says what is wrong with the filters; the exit code, or 0. */
int
ps_check_filters(const struct args *a, const char *usage)
{
	static const char *const known =
	    " ancestor before exited expose "
	    "health id is-task isolation label name network publish since "
	    "status volume ";
	static const char *const states = " created restarting running "
					  "removing paused exited dead ";
	const char *value;
	char *key, *word;
	size_t i;

	for (i = 0; i < a->len; i++) {
		if (strcmp(a->names[i], "filter") != 0)
			continue;
		if (!args_key_value(a->values[i], &key, &value))
			return text_usage_error("ps", usage,
			    "invalid argument "
			    "\"%s\" for \"-f, --filter\" flag: bad format of "
			    "filter (expected name=value)",
			    a->values[i]);
		word = xasprintf(" %s ", key);
		if (strstr(known, word) == NULL) {
			text_daemon("Invalid filter '%s'", key);
			return 1;
		}
		word = xasprintf(" %s ", value);
		if (strcmp(key, "status") == 0 &&
		    strstr(states, word) == NULL) {
			text_daemon("Invalid filter 'status=%s'", value);
			return 1;
		}
	}
	return 0;
}
