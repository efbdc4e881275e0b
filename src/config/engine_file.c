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
take_key(struct engine *engine, cfg_t *section, const struct engine_key *key)
{
	void *place = (char *)engine + key->offset;
	unsigned int i;

	strvec_add(&engine->set, key->name);
	if (!key->is_list) {
		xstr_set(place, cfg_getstr(section, key->name));
		return;
	}
	strvec_clear(place);
	for (i = 0; i < cfg_size(section, key->name); i++)
		strvec_add(place, cfg_getnstr(section, key->name, i));
}

void
engine_file_take(struct confile *file, cfg_t *cfg, struct engine_list *list)
{
	const struct engine_key *key;
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
		for (key = engine_keys; key->name != NULL; key++)
			if (confile_is_set(section, key->name))
				take_key(engine, section, key);
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

static int
load_file(struct engine_list *list, const char *path, struct error *err)
{
	cfg_opt_t options[] = { CFG_SEC("engine", engine_file_options(),
				    CFGF_MULTI | CFGF_TITLE |
					CFGF_NO_TITLE_DUPES),
		CFG_END() };
	struct engine_list read = { 0 };
	struct confile file = { 0 };
	cfg_t *cfg = cfg_init(options, CFGF_NONE);
	size_t i;
	int rc;

	rc = confile_parse(&file, path, true, cfg, err);
	if (rc == 1) {
		engine_file_take(&file, cfg, &read);
		rc = confile_finish(&file, err) == -1 ? -1 : 0;
	}
	for (i = 0; rc == 0 && i < read.len; i++)
		merge(list, &read.items[i]);
	engine_list_clear(&read);
	strvec_clear(&file.problems);
	(void)cfg_free(cfg);
	return rc;
}

/* The *.conf files of a folder, in the order of their names. */
static int
load_folder(struct engine_list *list, const char *folder, bool must_be,
    struct error *err)
{
	struct strvec names = { 0 };
	DIR *dir = opendir(folder);
	struct dirent *item;
	char *path;
	size_t i;
	int rc = 0;

	if (dir == NULL) {
		if (errno == ENOENT && !must_be)
			return 0;
		(void)error_errno(err, ERROR_SETTINGS,
		    "cannot read the engines in '%s'", folder);
		return error_hint(err, "install them, or set engines-dir");
	}
	while ((item = readdir(dir)) != NULL)
		if (item->d_name[0] != '.' &&
		    text_has_suffix(item->d_name, ".conf"))
			strvec_add(&names, item->d_name);
	(void)closedir(dir);
	strvec_sort(&names);
	for (i = 0; i < names.len && rc == 0; i++) {
		path = xasprintf("%s/%s", folder, names.items[i]);
		rc = load_file(list, path, err);
		free(path);
	}
	strvec_clear(&names);
	return rc;
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
	if (!are_variables(&engine->environment, true) ||
	    !are_variables(&engine->exports, true))
		return "'environment' and 'export' hold NAME=VALUE";
	if (!are_variables(&engine->secret_environment, false))
		return "'secret-environment' holds names alone";
	return NULL;
}

int
engine_list_load(struct engine_list *list, const char *dir,
    const struct engine_list *overrides, struct error *err)
{
	const char *why;
	size_t i;

	memset(list, 0, sizeof(*list));
	if (load_folder(list, dir, true, err) == -1 ||
	    load_folder(list, SYSCONFDIR "/sandkeeper/engines.d", false, err) ==
		-1)
		goto fail;
	for (i = 0; i < overrides->len; i++)
		merge(list, &overrides->items[i]);
	for (i = 0; i < list->len; i++) {
		why = fault(list, &list->items[i]);
		if (why == NULL)
			continue;
		(void)error_set(err, ERROR_SETTINGS, "engine '%s': %s",
		    list->items[i].name, why);
		goto fail;
	}
	return 0;
fail:
	engine_list_clear(list);
	return -1;
}
