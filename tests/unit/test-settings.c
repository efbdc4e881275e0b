/* SPDX-License-Identifier: ISC */
/* config/settings: their sources, and what each kind takes. */
#include <ctype.h>
#include <stdlib.h>

#include "confs.h"

static const char *const flags[] = { NULL, "true", "false" };

/* Every way to set the flag in none, one or more of its four places. */
START_TEST(flag_in_all_orders)
{
	const char *set = flags[_i % 3], *ours = flags[_i / 3 % 3];
	const char *theirs = flags[_i / 9 % 3], *file = flags[_i / 27 % 3];
	const char *first = set != NULL ? set :
	    ours != NULL                ? ours :
	    theirs != NULL              ? theirs :
	    file != NULL                ? file :
					  "false";
	struct strvec sets = { 0 };
	struct settings settings;
	struct error err;
	char text[40] = "";

	if (set != NULL)
		strvec_addf(&sets, "enabled=%s", set);
	if (ours != NULL)
		(void)setenv("SANDKEEPER_ENABLED", ours, 1);
	if (theirs != NULL)
		(void)setenv("ROBOCO_SANDBOX_DB_ENABLED", theirs, 1);
	if (file != NULL)
		(void)snprintf(text, sizeof(text), "enabled = %s\n", file);
	ck_assert_int_eq(confs_load(&settings, text, &sets, &err), 0);
	ck_assert(settings.enabled == (strcmp(first, "true") == 0));
	settings_clear(&settings);
	strvec_clear(&sets);
}
END_TEST

static const struct {
	const char *word;
	bool on;
} words[] = { { "1", true }, { "true", true }, { "yes", true }, { "on", true },
	{ "TRUE", true }, { "Yes", true }, { "0", false }, { "false", false },
	{ "no", false }, { "off", false }, { "Off", false } };

START_TEST(flag_words)
{
	struct settings settings;
	struct error err;
	char text[40];

	(void)snprintf(text, sizeof(text), "enabled = %s\n", words[_i].word);
	ck_assert_int_eq(confs_load(&settings, text, NULL, &err), 0);
	ck_assert(settings.enabled == words[_i].on);
	settings_clear(&settings);
	(void)setenv("ROBOCO_SANDBOX_DB_ENABLED", words[_i].word, 1);
	ck_assert_int_eq(confs_load(&settings, "", NULL, &err), 0);
	ck_assert(settings.enabled == words[_i].on);
	settings_clear(&settings);
	/* an empty variable is none */
	(void)setenv("ROBOCO_SANDBOX_DB_ENABLED", "", 1);
	(void)setenv("SANDKEEPER_ENABLED", "", 1);
	ck_assert_int_eq(confs_load(&settings, "enabled = on", NULL, &err), 0);
	ck_assert(settings.enabled);
	settings_clear(&settings);
}
END_TEST

/* Bit 0: --set, bit 1: environment, bit 2: file. */
START_TEST(later_source_wins)
{
	struct strvec sets = { 0 };
	struct settings settings;
	struct error err;

	if ((_i & 1) != 0)
		strvec_add_all(&sets, "timeouts.inspect=9", "grace=5s",
		    "timeouts.inspect=3", "log-dir=/set", NULL);
	if ((_i & 2) != 0) {
		(void)setenv("SANDKEEPER_GRACE", "20s", 1);
		(void)setenv("SANDKEEPER_TIMEOUTS_INSPECT", "2", 1);
		(void)setenv("SANDKEEPER_LOG_DIR", "/environment", 1);
	}
	ck_assert_int_eq(confs_load(&settings,
			     (_i & 4) != 0 ?
				 "grace = \"10s\"\nlog-dir = \"/file\"\n"
				 "timeouts { inspect = \"1\" }\n" :
				 "",
			     &sets, &err),
	    0);
	ck_assert_int_eq(settings.grace,
	    (_i & 1)     ? 5 :
		(_i & 2) ? 20 :
		(_i & 4) ? 10 :
			   180);
	ck_assert_int_eq(settings.timeout_inspect,
	    (_i & 1)     ? 3 :
		(_i & 2) ? 2 :
		(_i & 4) ? 1 :
			   10);
	ck_assert_str_eq(settings.log_dir,
	    (_i & 1)     ? "/set" :
		(_i & 2) ? "/environment" :
		(_i & 4) ? "/file" :
			   "");
	settings_clear(&settings);
	strvec_clear(&sets);
}
END_TEST

START_TEST(built_in)
{
	struct settings s;
	struct error err;

	ck_assert_int_eq(confs_load(&s, "", NULL, &err), 0);
	ck_assert(!s.enabled);
	ck_assert_str_eq(s.container_prefix, "roboco-agent-");
	ck_assert_str_eq(s.sandbox_prefix, "roboco-sandbox-");
	ck_assert_str_eq(s.label, "roboco.sandbox");
	ck_assert_str_eq(s.network, "owner");
	ck_assert_str_eq(s.compose, "off");
	ck_assert_str_eq(s.memory, "512m");
	ck_assert_str_eq(s.image_prefix, "");
	ck_assert_str_eq(s.pull_policy, "missing");
	ck_assert_int_eq(s.grace, 180);
	ck_assert_int_eq(s.owner_grace, 30);
	ck_assert_int_eq(s.foreign_grace, 86400);
	ck_assert_int_eq(s.stop_timeout, 0);
	ck_assert_int_eq(s.log_lines, 100000);
	ck_assert_int_eq(s.log_limit, 64 * 1024 * 1024);
	ck_assert_int_eq(s.log_keep, 20);
	ck_assert_int_eq(s.log_max_age, 30 * 86400);
	ck_assert_int_eq(s.max_sandboxes, 0);
	ck_assert_int_eq(s.timeout_inspect, 10);
	ck_assert_int_eq(s.timeout_list, 10);
	ck_assert_int_eq(s.timeout_run, 20);
	ck_assert_int_eq(s.timeout_exec, 10);
	ck_assert_int_eq(s.timeout_remove, 15);
	ck_assert_int_eq(s.timeout_pull, 300);
	ck_assert_uint_eq(s.project_count, 0);
	ck_assert_uint_eq(settings_longest_prefix(&s, 2),
	    strlen("roboco-sandbox-pg-"));
	settings_clear(&s);
}
END_TEST

/* A name and a value that it does not take, by its kind. */
static const struct {
	const char *name, *value;
} wrong[] = {
	{ "enabled", "maybe" },
	{ "enabled", "2" },
	{ "enabled", "true " },
	{ "grace", "soon" },
	{ "grace", "-1s" },
	{ "grace", "1.5h" },
	{ "owner-grace", "99999999999999999999" },
	{ "log-keep", "-1" },
	{ "log-keep", "many" },
	{ "log-keep", "1k" },
	{ "max-sandboxes", "2000000000" },
	{ "log-limit", "big" },
	{ "log-limit", "-5" },
	{ "memory", "512q" },
	{ "memory", "lots" },
	{ "pull-policy", "always" },
	{ "pull-policy", "missing|never" },
	{ "compose", "on" },
	{ "container-prefix", "-rf" },
	{ "container-prefix", "a b" },
	{ "container-prefix", "../" },
	{ "sandbox-prefix", "a\tb" },
	{ "label", "a=b" },
	{ "label", "a,b" },
	{ "network", "--privileged" },
	{ "docker", "-H" },
	{ "log-dir", "a\nb" },
	{ "cpus", "--privileged" },
};

START_TEST(wrong_value)
{
	const char *name = wrong[_i].name, *value = wrong[_i].value;
	struct strvec sets = { 0 };
	struct settings settings;
	struct error err;
	char variable[60], text[100];
	size_t i;

	strvec_addf(&sets, "%s=%s", name, value);
	ck_assert_int_eq(confs_load(&settings, "", &sets, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_SETTINGS);
	ck_assert_ptr_nonnull(strstr(err.msg, "--set"));
	ck_assert_ptr_nonnull(strstr(err.msg, name));
	strvec_clear(&sets);
	(void)snprintf(text, sizeof(text), "# one\n%s = '%s'\n", name, value);
	ck_assert_int_eq(confs_load(&settings, text, NULL, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_SETTINGS);
	ck_assert_ptr_nonnull(strstr(err.msg, "conf:"));
	ck_assert_ptr_nonnull(strstr(err.msg, name));
	ck_assert_ptr_null(strchr(err.msg, '\n'));
	(void)snprintf(variable, sizeof(variable), "SANDKEEPER_%s", name);
	for (i = 0; variable[i] != '\0'; i++)
		variable[i] = variable[i] == '-' ?
		    '_' :
		    (char)toupper((unsigned char)variable[i]);
	(void)setenv(variable, value, 1);
	ck_assert_int_eq(confs_load(&settings, "", NULL, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_SETTINGS);
	ck_assert_ptr_nonnull(strstr(err.msg, variable));
}
END_TEST

static const char *const bad_sets[] = { "", "enabled", "=true", "nope=1",
	"timeouts=1", "inspect=1", "timeouts.nope=1", "Enabled=true",
	"enabled =true", "project=x", "engine.image=x" };

START_TEST(unknown_set)
{
	struct strvec sets = { 0 };
	struct settings settings;
	struct error err;

	strvec_add(&sets, bad_sets[_i]);
	ck_assert_int_eq(confs_load(&settings, "", &sets, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_SETTINGS);
	strvec_clear(&sets);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("settings");

	confs_add(suite, "F1: the first source of the flag that is set counts",
	    flag_in_all_orders, 81);
	confs_add(suite, "F1: words of the flag", flag_words, ROWS(words));
	confs_add(suite, "command line, environment, file, built-in",
	    later_source_wins, 8);
	confs_add(suite, "what is built in is that of DESIGN 5", built_in, 1);
	confs_add(suite, "a wrong value names its source, from each of them",
	    wrong_value, ROWS(wrong));
	confs_add(suite, "--set takes settings alone", unknown_set,
	    ROWS(bad_sets));
	return suite;
}

UNIT_MAIN(make_suite)
