/* SPDX-License-Identifier: ISC */
/* Loading engines from files, and checking what they say. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "config/engine_file.h"

#define OPTIONS_MAX 64

static const char lower_and_digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";

cfg_opt_t *
engine_file_options(void)
{
	static cfg_opt_t options[OPTIONS_MAX];
	const struct engine_key *key;
	size_t count = 0;

	for (key = engine_keys; key->name != NULL; key++) {
		cfg_opt_t text = CFG_STR(key->name, NULL, CFGF_NODEFAULT);
		cfg_opt_t list = CFG_STR_LIST(key->name, NULL, CFGF_NODEFAULT);

		options[count++] = key->is_list ? list : text;
	}
	options[count] = (cfg_opt_t)CFG_END();
	return options;
}

static void
take_key(struct engine *engine, cfg_opt_t *option, const struct engine_key *key)
{
	void *place = (char *)engine + key->offset;
	unsigned int i;

	strvec_add(&engine->set, key->name);
	if (!key->is_list) {
		xstr_set(place, cfg_opt_getnstr(option, 0));
		return;
	}
	strvec_clear(place);
	for (i = 0; i < cfg_opt_size(option); i++)
		strvec_add(place, cfg_opt_getnstr(option, i));
}

/* By place, as engine_file_options() made them: no search for each name. */
static void
take_section(struct engine *engine, cfg_t *section)
{
	const struct engine_key *key;
	cfg_opt_t *option = section->opts;

	for (key = engine_keys; key->name != NULL; key++, option++)
		if ((option->flags & CFGF_MODIFIED) != 0)
			take_key(engine, option, key);
}

void
engine_file_take(struct confile *file, cfg_t *cfg, struct engine_list *list)
{
	struct engine *engine;
	cfg_t *section;
	unsigned int i;

	for (i = 0; i < cfg_size(cfg, "engine"); i++) {
		section = cfg_getnsec(cfg, "engine", i);
		if (!text_only(cfg_title(section),
			"abcdefghijklmnopqrstuvwxyz"
			"0123456789_-")) {
			confile_problem(file, section->line,
			    "engine '%s': a name may hold a-z, 0-9, _ and - "
			    "alone",
			    cfg_title(section));
			continue;
		}
		engine = engine_list_add(list, cfg_title(section));
		take_section(engine, section);
	}
}

/* Lay one definition over what is there; "like" starts from another. */
static void
merge(struct engine_list *list, const struct engine *definition)
{
	const struct engine *model;
	struct engine *engine;
	char *name;

	if (engine_list_find(list, definition->name) == NULL &&
	    *definition->like != '\0') {
		engine = engine_list_add(list, definition->name);
		/* found again: the list may have moved */
		model = engine_list_find(list, definition->like);
		if (model != NULL)
			engine_override(engine, model);
	}
	name = definition->name;
	engine_override(engine_list_add(list, name), definition);
}

static void
load_file(struct engine_list *list, const char *path, struct mistakes *mistakes)
{
	cfg_opt_t options[] = { CFG_SEC("engine", engine_file_options(),
				    CFGF_MULTI | CFGF_TITLE |
					CFGF_NO_TITLE_DUPES),
		CFG_END() };
	struct engine_list read = { 0 };
	struct confile file = { 0 };
	struct error err;
	cfg_t *cfg;
	size_t i;
	int rc;

	rc = confile_parse(&file, path, true, options, &cfg, &err);
	if (rc == 1) {
		engine_file_take(&file, cfg, &read);
		mistakes_add_texts(mistakes, &file.problems);
	} else if (rc == -1) {
		mistakes_add(mistakes, &err);
	}
	for (i = 0; file.problems.len == 0 && i < read.len; i++)
		if (*read.items[i].like != '\0' ||
		    !engine_list_move(list, &read.items[i]))
			merge(list, &read.items[i]);
	engine_list_clear(&read);
	strvec_clear(&file.problems);
	(void)cfg_free(cfg);
}

static void
refuse_folder(const char *folder, struct mistakes *mistakes)
{
	struct error err;

	(void)error_errno(&err, ERROR_SETTINGS,
	    "cannot read the engines in '%s'", folder);
	(void)error_hint(&err, "install them, or set engines-dir");
	mistakes_add(mistakes, &err);
}

/* The *.conf files of a folder, in the order of their names. */
static void
load_folder(struct engine_list *list, const char *folder, bool must_be,
    struct mistakes *mistakes)
{
	struct strvec names = { 0 };
	DIR *dir = opendir(folder);
	struct dirent *item;
	char *path;
	size_t i;

	if (dir == NULL) {
		if (errno != ENOENT || must_be)
			refuse_folder(folder, mistakes);
		return;
	}
	while ((item = readdir(dir)) != NULL)
		if (item->d_name[0] != '.' &&
		    text_has_suffix(item->d_name, ".conf"))
			strvec_add(&names, item->d_name);
	(void)closedir(dir);
	strvec_sort(&names);
	for (i = 0; i < names.len; i++) {
		path = xasprintf("%s/%s", folder, names.items[i]);
		load_file(list, path, mistakes);
		free(path);
	}
	strvec_clear(&names);
}

static bool
is_variable(const char *text)
{
	size_t len = strcspn(text, "="), i;

	if (len == 0 || isdigit((unsigned char)text[0]))
		return false;
	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	return true;
}

static bool
are_variables(const struct strvec *list, bool with_value)
{
	size_t i;

	for (i = 0; i < list->len; i++)
		if (!is_variable(list->items[i]) ||
		    (strchr(list->items[i], '=') != NULL) != with_value)
			return false;
	return true;
}

/* What is wrong with a whole engine; NULL where nothing is. */
static const char *
fault(const struct engine_list *list, const struct engine *engine)
{
	const struct engine *other;
	int64_t ignored;

	if (!text_only(engine->short_name, lower_and_digits))
		return "'short' must be there, of a-z and 0-9 alone";
	other = engine_list_find_short(list, engine->short_name);
	if (other != engine)
		return "'short' is another engine's too";
	if (*engine->image == '\0' || *engine->image == '-')
		return "'image' must be there";
	if (engine_port(engine) == 0)
		return "'port' must be a number from 1 to 65535";
	if (engine->ready.len == 0)
		return "'ready' must be there";
	if (*engine->ready_timeout != '\0' &&
	    duration_parse(engine->ready_timeout, &ignored) == -1)
		return "'ready-timeout' is no duration";
	if (*engine->memory != '\0' &&
	    size_parse(engine->memory, &ignored) == -1)
		return "'memory' is no size";
	if (!are_variables(&engine->environment, true) ||
	    !are_variables(&engine->exports, true))
		return "'environment' and 'export' hold NAME=VALUE";
	if (!are_variables(&engine->secret_environment, false))
		return "'secret-environment' holds names alone";
	return NULL;
}

/* What is wrong with whole engines. */
static void
find_faults(const struct engine_list *list, struct mistakes *mistakes)
{
	struct error err;
	const char *why;
	size_t i;

	for (i = 0; i < list->len; i++) {
		why = fault(list, &list->items[i]);
		if (why == NULL)
			continue;
		(void)error_set(&err, ERROR_SETTINGS, "engine '%s': %s",
		    list->items[i].name, why);
		mistakes_add(mistakes, &err);
	}
}

void
engine_list_load_all(struct engine_list *list, const char *dir,
    const struct engine_list *overrides, struct mistakes *mistakes)
{
	size_t i, before = mistakes->len;

	memset(list, 0, sizeof(*list));
	load_folder(list, dir, true, mistakes);
	load_folder(list, SYSCONFDIR "/sandkeeper/engines.d", false, mistakes);
	for (i = 0; i < overrides->len; i++)
		merge(list, &overrides->items[i]);
	/* an engine may lack what a file that is left out would have said */
	if (mistakes->len == before)
		find_faults(list, mistakes);
}

int
engine_list_load(struct engine_list *list, const char *dir,
    const struct engine_list *overrides, struct error *err)
{
	struct mistakes mistakes = { 0 };

	engine_list_load_all(list, dir, overrides, &mistakes);
	if (mistakes_finish(&mistakes, err) == 0)
		return 0;
	engine_list_clear(list);
	return -1;
}
