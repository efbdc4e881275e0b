/* SPDX-License-Identifier: ISC */
/* The settings: their table, and the order of their sources. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/suggest.h"
#include "base/text.h"
#include "config/mistakes.h"
#include "config/setting.h"
#include "config/settings_file.h"

/* "timeouts.inspect" */
static char *
dotted_name(const struct setting *setting)
{
	if (setting->section == NULL)
		return xstrdup(setting->name);
	return xasprintf("%s.%s", setting->section, setting->name);
}

static char *
variable_name(const struct setting *setting)
{
	char *dotted = dotted_name(setting);
	char *name = xasprintf("SANDKEEPER_%s", dotted), *p;

	for (p = name; *p != '\0'; p++)
		if (*p == '-' || *p == '.')
			*p = '_';
		else if (*p >= 'a' && *p <= 'z')
			*p -= 'a' - 'A';
	free(dotted);
	return name;
}

static void
apply_from(struct settings *settings, const struct setting *setting,
    const char *source, const char *value, struct mistakes *mistakes)
{
	const char *problem;
	struct error err;
	char *visible;

	if (setting_apply(settings, setting, value, &problem) == 0)
		return;
	visible = text_visible(value, 60);
	(void)error_set(&err, ERROR_SETTINGS, "%s: '%s' %s", source, visible,
	    problem);
	mistakes_add(mistakes, &err);
	free(visible);
}

static void
load_environment(struct settings *settings, struct mistakes *mistakes)
{
	const struct setting *setting;
	const char *value;
	char *name;

	/* the orchestrator's own switch; ours, which follows, overrides it */
	value = getenv("ROBOCO_SANDBOX_DB_ENABLED");
	if (value != NULL && *value != '\0')
		apply_from(settings, &setting_table[0],
		    "ROBOCO_SANDBOX_DB_ENABLED", value, mistakes);
	for (setting = setting_table; setting->name != NULL; setting++) {
		name = variable_name(setting);
		value = getenv(name);
		if (value != NULL && *value != '\0')
			apply_from(settings, setting, name, value, mistakes);
		free(name);
	}
}

static const struct setting *
find_setting(const char *name, size_t len)
{
	const struct setting *setting;
	char *dotted;
	bool same;

	for (setting = setting_table; setting->name != NULL; setting++) {
		dotted = dotted_name(setting);
		same = strlen(dotted) == len && memcmp(dotted, name, len) == 0;
		free(dotted);
		if (same)
			return setting;
	}
	return NULL;
}

static void
refuse_set(const char *set, struct mistakes *mistakes)
{
	struct error err;

	(void)error_set(&err, ERROR_SETTINGS,
	    "--set %s: there is no such setting", set);
	(void)error_hint(&err,
	    "write --set KEY=VALUE; the "
	    "keys are those of sandkeeper.conf");
	mistakes_add(mistakes, &err);
}

static void
load_sets(struct settings *settings, const struct strvec *sets,
    struct mistakes *mistakes)
{
	const struct setting *setting;
	const char *equals, *set;
	char *source;
	size_t i;

	for (i = 0; sets != NULL && i < sets->len; i++) {
		set = sets->items[i];
		equals = strchrnul(set, '=');
		setting = find_setting(set, (size_t)(equals - set));
		if (*equals == '\0' || setting == NULL) {
			refuse_set(set, mistakes);
			continue;
		}
		source = xasprintf("%s: --set", setting->name);
		apply_from(settings, setting, source, equals + 1, mistakes);
		free(source);
	}
}

/* What a stack makes of the setting, behind its own name; NULL: nothing. */
static const char *
stack_form(const char *name)
{
	static const char *const forms[][2] = { { "container-prefix",
						    "-agent-" },
		{ "sandbox-prefix", "-sandbox-" }, { "label", ".sandbox" } };
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strcmp(forms[i][0], name) == 0)
			return forms[i][1];
	return NULL;
}

/* Nobody said what these are: the stack does, or what is built in. */
static void
derive_from_stack(struct settings *settings)
{
	const struct setting *setting;
	const char *form;
	char **place;

	for (setting = setting_table; setting->name != NULL; setting++) {
		form = stack_form(setting->name);
		if (form == NULL)
			continue;
		place = (char **)(void *)((char *)settings + setting->offset);
		if (*place == NULL)
			*place = *settings->stack != '\0' ?
			    xasprintf("%s%s", settings->stack, form) :
			    xstrdup(setting->initial);
	}
}

void
settings_load_all(struct settings *settings,
    const struct settings_source *source, struct mistakes *mistakes)
{
	const struct setting *setting;
	const char *problem;

	memset(settings, 0, sizeof(*settings));
	for (setting = setting_table; setting->name != NULL; setting++)
		if (stack_form(setting->name) == NULL)
			(void)setting_apply(settings, setting, setting->initial,
			    &problem);
	settings_load_file(settings, source->file, mistakes);
	load_environment(settings, mistakes);
	load_sets(settings, source->sets, mistakes);
	derive_from_stack(settings);
}

int
settings_load(struct settings *settings, const struct settings_source *source,
    struct error *err)
{
	struct mistakes mistakes = { 0 };

	settings_load_all(settings, source, &mistakes);
	if (mistakes_finish(&mistakes, err) == 0)
		return 0;
	settings_clear(settings);
	return -1;
}

static void
project_clear(struct project *project)
{
	free(project->name);
	strvec_clear(&project->services);
	strvec_clear(&project->features);
}

void
settings_clear(struct settings *settings)
{
	const struct setting *setting;
	size_t i;

	for (setting = setting_table; setting->name != NULL; setting++)
		if (setting_is_text(setting))
			free(*(char **)(void *)((char *)settings +
			    setting->offset));
	for (i = 0; i < settings->project_count; i++)
		project_clear(&settings->projects[i]);
	free(settings->projects);
	free(settings->file);
	engine_list_clear(&settings->overrides);
	memset(settings, 0, sizeof(*settings));
}

static void
refuse_project(const struct settings *settings, const char *name,
    struct error *err)
{
	struct strvec names = { 0 };
	char *list;
	size_t i;

	for (i = 0; i < settings->project_count; i++)
		strvec_add(&names, settings->projects[i].name);
	list = strvec_join(&names, ", ");
	(void)error_set(err, ERROR_PROJECT, "there is no project '%s'", name);
	(void)error_hint(err,
	    *list != '\0' ? "the settings know: %s" :
			    "the settings file names no project%s",
	    list);
	suggest_listed(err, name, list);
	(void)strlcpy(err->allowed, list, sizeof(err->allowed));
	free(list);
	strvec_clear(&names);
}

const struct project *
settings_project(const struct settings *settings, const char *name,
    struct error *err)
{
	size_t i;

	for (i = 0; i < settings->project_count; i++)
		if (strcmp(settings->projects[i].name, name) == 0)
			return &settings->projects[i];
	refuse_project(settings, name, err);
	return NULL;
}

size_t
settings_longest_prefix(const struct settings *settings, size_t short_len)
{
	return strlen(settings->sandbox_prefix) + short_len + 1;
}

bool
settings_want_feature(const struct settings *settings, const char *service)
{
	char *prefix = xasprintf("%s:", service);
	const struct strvec *features;
	bool found = false;
	size_t i, k;

	for (i = 0; i < settings->project_count; i++) {
		features = &settings->projects[i].features;
		for (k = 0; k < features->len; k++)
			found |= text_has_prefix(features->items[k], prefix);
	}
	free(prefix);
	return found;
}
