/* SPDX-License-Identifier: ISC */
/* The table of settings. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "config/setting.h"
#include "config/slug.h"

#define AT(member) offsetof(struct settings, member)

const struct setting setting_table[] = {
	{ NULL, "enabled", SETTING_FLAG, AT(enabled), "false", NULL },
	{ NULL, "docker", SETTING_TEXT, AT(docker), DEFAULT_DOCKER, NULL },
	{ NULL, "container-prefix", SETTING_NAME, AT(container_prefix),
	    "roboco-agent-", NULL },
	{ NULL, "sandbox-prefix", SETTING_NAME, AT(sandbox_prefix),
	    "roboco-sandbox-", NULL },
	{ NULL, "label", SETTING_NAME, AT(label), "roboco.sandbox", NULL },
	{ NULL, "stack", SETTING_STACK, AT(stack), "", NULL },
	{ NULL, "network", SETTING_NAME, AT(network), "owner", NULL },
	{ NULL, "compose", SETTING_CHOICE, AT(compose), "off", "off|owner" },
	{ NULL, "engines-dir", SETTING_TEXT, AT(engines_dir),
	    PKGDATADIR "/engines.d", NULL },
	{ NULL, "syslog", SETTING_FLAG, AT(syslog), "false", NULL },
	{ NULL, "log-dir", SETTING_TEXT, AT(log_dir), "", NULL },
	{ NULL, "memory", SETTING_LIMIT, AT(memory), "512m", NULL },
	{ NULL, "cpus", SETTING_TEXT, AT(cpus), "1", NULL },
	{ NULL, "pids-limit", SETTING_TEXT, AT(pids_limit), "512", NULL },
	{ NULL, "pull-policy", SETTING_CHOICE, AT(pull_policy), "missing",
	    "missing|never" },
	{ NULL, "image-prefix", SETTING_TEXT, AT(image_prefix), "", NULL },
	{ NULL, "grace", SETTING_DURATION, AT(grace), "180s", NULL },
	{ NULL, "owner-grace", SETTING_DURATION, AT(owner_grace), "30s", NULL },
	{ NULL, "foreign-grace", SETTING_DURATION, AT(foreign_grace), "24h",
	    NULL },
	{ NULL, "interval", SETTING_DURATION, AT(interval), "300s", NULL },
	{ NULL, "lock-timeout", SETTING_DURATION, AT(lock_timeout), "10m",
	    NULL },
	{ NULL, "stop-timeout", SETTING_DURATION, AT(stop_timeout), "0", NULL },
	{ NULL, "log-lines", SETTING_COUNT, AT(log_lines), "100000", NULL },
	{ NULL, "log-limit", SETTING_SIZE, AT(log_limit), "64m", NULL },
	{ NULL, "log-keep", SETTING_COUNT, AT(log_keep), "20", NULL },
	{ NULL, "log-max-age", SETTING_DURATION, AT(log_max_age), "30d", NULL },
	{ NULL, "max-sandboxes", SETTING_COUNT, AT(max_sandboxes), "0", NULL },
	{ "timeouts", "inspect", SETTING_DURATION, AT(timeout_inspect), "10s",
	    NULL },
	{ "timeouts", "ps", SETTING_DURATION, AT(timeout_list), "10s", NULL },
	{ "timeouts", "run", SETTING_DURATION, AT(timeout_run), "20s", NULL },
	{ "timeouts", "exec", SETTING_DURATION, AT(timeout_exec), "10s", NULL },
	{ "timeouts", "rm", SETTING_DURATION, AT(timeout_remove), "15s", NULL },
	{ "timeouts", "pull", SETTING_DURATION, AT(timeout_pull), "300s",
	    NULL },
	{ "timeouts", "logs", SETTING_DURATION, AT(timeout_logs), "30s", NULL },
	{ "timeouts", "init", SETTING_DURATION, AT(timeout_init), "300s",
	    NULL },
	{ NULL, NULL, SETTING_TEXT, 0, NULL, NULL },
};

static int
parse_flag(const char *value, bool *flag)
{
	static const char *const words[2][4] = { { "0", "false", "no", "off" },
		{ "1", "true", "yes", "on" } };
	int which, i;

	for (which = 0; which < 2; which++)
		for (i = 0; i < 4; i++)
			if (strcasecmp(value, words[which][i]) == 0) {
				*flag = which == 1;
				return 0;
			}
	return -1;
}

static bool
is_choice(const char *value, const char *choices)
{
	struct strvec list = { 0 };
	bool found;

	strvec_split(&list, choices, '|');
	found = strvec_has(&list, value);
	strvec_clear(&list);
	return found;
}

/* What docker takes in names, labels and networks; never a leading dash. */
static bool
is_name(const char *value)
{
	static const char set[] = "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-";

	return isalnum((unsigned char)*value) && text_only(value, set);
}

static const char *
apply_number(const struct setting *setting, const char *value, int64_t *place)
{
	const char *problem;

	if (setting->type == SETTING_DURATION)
		return duration_parse(value, place) == 0 ?
		    NULL :
		    "is no duration, such as 90s, 15m or 1h30m";
	if (setting->type == SETTING_SIZE)
		return size_parse(value, place) == 0 ?
		    NULL :
		    "is no size, such as 512m or 2g";
	*place = strtonum(value, 0, 1000000000, &problem);
	return problem == NULL ? NULL : "is no number from 0 on";
}

static const char *
check_text(const struct setting *setting, const char *value)
{
	int64_t ignored;

	if (setting->type == SETTING_NAME)
		return is_name(value) ?
		    NULL :
		    "may hold letters, digits and _ . : - alone";
	if (setting->type == SETTING_LIMIT)
		return size_parse(value, &ignored) == 0 ?
		    NULL :
		    "is no size, such as 512m or 2g";
	if (setting->type == SETTING_STACK)
		return *value == '\0' || slug_is_valid(value, 0) ?
		    NULL :
		    "is no name such as blue: a-z, 0-9, _ . and - alone";
	if (setting->type == SETTING_CHOICE)
		return is_choice(value, setting->choices) ?
		    NULL :
		    "is not one of the words that may stand here";
	return *value != '-' && strpbrk(value, "\r\n") == NULL ?
	    NULL :
	    "may not begin with a dash or hold a newline";
}

int
setting_apply(struct settings *settings, const struct setting *setting,
    const char *value, const char **problem)
{
	void *place = (char *)settings + setting->offset;

	switch (setting->type) {
	case SETTING_FLAG:
		*problem = parse_flag(value, place) == 0 ?
		    NULL :
		    "is neither true nor false";
		break;
	case SETTING_DURATION:
	case SETTING_COUNT:
	case SETTING_SIZE:
		*problem = apply_number(setting, value, place);
		break;
	case SETTING_TEXT:
	case SETTING_NAME:
	case SETTING_LIMIT:
	case SETTING_STACK:
	case SETTING_CHOICE:
		*problem = check_text(setting, value);
		if (*problem == NULL)
			xstr_set(place, value);
		break;
	}
	return *problem == NULL ? 0 : -1;
}

bool
setting_is_text(const struct setting *setting)
{
	return setting->type == SETTING_TEXT || setting->type == SETTING_NAME ||
	    setting->type == SETTING_LIMIT || setting->type == SETTING_STACK ||
	    setting->type == SETTING_CHOICE;
}
