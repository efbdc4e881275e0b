/* SPDX-License-Identifier: ISC */
/* The settings file. */
#include <confuse.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "config/confile.h"
#include "config/engine_file.h"
#include "config/setting.h"
#include "config/settings_file.h"

#define OPTIONS_MAX 64

static const char system_file[] = SYSCONFDIR "/sandkeeper/sandkeeper.conf";

/* libConfuse's callbacks get no argument of ours. */
static struct settings *loading;

static bool
is_in_section(const struct setting *setting, const char *section)
{
	if (strcmp(section, "root") == 0)
		return setting->section == NULL;
	return setting->section != NULL &&
	    strcmp(setting->section, section) == 0;
}

/* Called for each value as it is read, while the line is known. */
static int
take_value(cfg_t *cfg, cfg_opt_t *opt)
{
	const char *value = cfg_opt_getnstr(opt, cfg_opt_size(opt) - 1);
	const struct setting *setting;
	const char *problem;

	for (setting = setting_table; setting->name != NULL; setting++) {
		if (strcmp(setting->name, opt->name) != 0 ||
		    !is_in_section(setting, cfg_name(cfg)))
			continue;
		if (setting_apply(loading, setting, value, &problem) == -1)
			confile_problem(confile_current(), cfg->line,
			    "%s: '%s' %s", setting->name, value, problem);
	}
	return 0;
}

/* The options of one section, from the table; returns how many. */
static size_t
add_options(cfg_opt_t *options, const char *section)
{
	const struct setting *setting;
	size_t count = 0;

	for (setting = setting_table; setting->name != NULL; setting++)
		if (is_in_section(setting, section)) {
			cfg_opt_t option =
			    CFG_STR(setting->name, NULL, CFGF_NODEFAULT);

			option.validcb = take_value;
			options[count++] = option;
		}
	return count;
}

static void
take_list(cfg_t *section, const char *name, struct strvec *list)
{
	unsigned int i;

	for (i = 0; i < cfg_size(section, name); i++)
		strvec_add(list, cfg_getnstr(section, name, i));
}

static void
take_projects(struct settings *settings, cfg_t *cfg)
{
	unsigned int i, count = cfg_size(cfg, "project");
	struct project *project;
	cfg_t *section;

	settings->projects = xcalloc(count, sizeof(*settings->projects));
	for (i = 0; i < count; i++) {
		section = cfg_getnsec(cfg, "project", i);
		project = &settings->projects[settings->project_count++];
		project->name = xstrdup(cfg_title(section));
		take_list(section, "services", &project->services);
		take_list(section, "features", &project->features);
	}
}

/* 1, 0 where there is no such file, or -1 where it may not be read. */
static int
parse(struct settings *settings, const char *path, bool check_safety,
    struct mistakes *mistakes)
{
	cfg_opt_t timeouts[OPTIONS_MAX], options[OPTIONS_MAX];
	cfg_opt_t project[] = { CFG_STR_LIST("services", NULL, CFGF_NODEFAULT),
		CFG_STR_LIST("features", NULL, CFGF_NODEFAULT), CFG_END() };
	cfg_opt_t end = CFG_END();
	struct confile file = { 0 };
	struct error err;
	size_t count;
	cfg_t *cfg;
	int rc;

	timeouts[add_options(timeouts, "timeouts")] = end;
	count = add_options(options, "root");
	options[count++] = (cfg_opt_t)CFG_SEC("timeouts", timeouts, CFGF_NONE);
	options[count++] = (cfg_opt_t)CFG_SEC("project", project,
	    CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES);
	options[count++] = (cfg_opt_t)CFG_SEC("engine", engine_file_options(),
	    CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES);
	options[count] = end;
	loading = settings;
	rc = confile_parse(&file, path, check_safety, options, &cfg, &err);
	loading = NULL;
	if (rc == 1) {
		xstr_set(&settings->file, path);
		take_projects(settings, cfg);
		engine_file_take(&file, cfg, &settings->overrides);
		mistakes_add_texts(mistakes, &file.problems);
	} else if (rc == -1) {
		mistakes_add(mistakes, &err);
	}
	strvec_clear(&file.problems);
	(void)cfg_free(cfg);
	return rc;
}

static char *
user_file(void)
{
	const char *folder = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	if (geteuid() == 0)
		return NULL;
	if (folder != NULL && *folder == '/')
		return xasprintf("%s/sandkeeper/sandkeeper.conf", folder);
	if (home != NULL && *home == '/')
		return xasprintf("%s/.config/sandkeeper/sandkeeper.conf", home);
	return NULL;
}

char *
settings_usual_file(void)
{
	char *user = user_file();

	return user != NULL ? user : xstrdup(system_file);
}

void
settings_load_file(struct settings *settings, const char *path,
    struct mistakes *mistakes)
{
	struct error err;
	char *user;
	int rc = 0;

	if (path != NULL) {
		if (parse(settings, path, false, mistakes) != 0)
			return;
		(void)error_set(&err, ERROR_SETTINGS,
		    "there is no settings file '%s'; without -c the usual "
		    "places are looked at",
		    path);
		mistakes_add(mistakes, &err);
		return;
	}
	user = user_file();
	if (user != NULL)
		rc = parse(settings, user, true, mistakes);
	free(user);
	if (rc == 0)
		(void)parse(settings, system_file, true, mistakes);
}
