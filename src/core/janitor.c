/* SPDX-License-Identifier: ISC */
/* Who runs the janitor? */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strvec.h"
#include "base/text.h"
#include "core/janitor.h"

static const size_t file_max = (size_t)256 * 1024;

/* The text of a file, through links, which both systems use; or NULL. */
static char *
read_text(const char *path)
{
	char *real = realpath(path, NULL);
	struct strbuf text = { 0 };
	char *read = NULL;

	if (real != NULL && fd_read_file(AT_FDCWD, real, file_max, &text) == 0)
		read = xstrdup(strbuf_str(&text));
	strbuf_clear(&text);
	free(real);
	return read;
}

static bool
has_word(const char *text, const char *word)
{
	static const char inside[] = "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	size_t len = strlen(word);
	const char *hit;

	for (hit = text; (hit = strstr(hit, word)) != NULL; hit += len)
		if ((hit == text || strchr(inside, hit[-1]) == NULL) &&
		    (hit[len] == '\0' || strchr(inside, hit[len]) == NULL))
			return true;
	return false;
}

/* Is it our state and our daemon that the job is for? */
static bool
is_for_us(const struct janitor *janitor, const char *text)
{
	if (janitor->state_dir != NULL &&
	    strstr(text, janitor->state_dir) == NULL)
		return false;
	return janitor->endpoint == NULL ||
	    strstr(text, janitor->endpoint) != NULL;
}

static bool
runs_sweep(const char *text)
{
	return has_word(text, "sandkeeper") && has_word(text, "sweep");
}

/* The sixth word of a line of a system's crontab, or the second of "@...". */
static bool
is_users(const char *line, const char *user)
{
	struct strvec words = { 0 };
	char *blanks = xstrdup(line), *p;
	size_t i, at = *line == '@' ? 1 : 5;
	bool same;

	for (p = blanks; *p != '\0'; p++)
		if (*p == '\t')
			*p = ' ';
	strvec_split(&words, blanks, ' ');
	for (i = 0; i < words.len;)
		if (words.items[i][0] == '\0')
			strvec_remove(&words, i);
		else
			i++;
	same = at < words.len && strcmp(words.items[at], user) == 0;
	strvec_clear(&words);
	free(blanks);
	return same;
}

/* with_user: its lines name one. */
static bool
crontab_sweeps(const struct janitor *janitor, const char *path, bool with_user)
{
	char *text = read_text(path);
	struct strvec lines = { 0 };
	bool found = false;
	const char *line;
	size_t i;

	if (text == NULL)
		return false;
	strvec_split(&lines, text, '\n');
	for (i = 0; i < lines.len && !found; i++) {
		line = lines.items[i] + strspn(lines.items[i], " \t");
		found = *line != '#' && runs_sweep(line) &&
		    (!with_user || is_users(line, janitor->user)) &&
		    /* a variable may be set above it */
		    is_for_us(janitor, text);
	}
	strvec_clear(&lines);
	free(text);
	return found;
}

/* The names in a folder, sorted; none where it cannot be read. */
static void
list_folder(const char *path, struct strvec *names)
{
	struct strvec all = { 0 };
	size_t i;

	(void)fd_list(AT_FDCWD, path, &all);
	for (i = 0; i < all.len; i++)
		if (all.items[i][0] != '.')
			strvec_add(names, all.items[i]);
	strvec_clear(&all);
	strvec_sort(names);
}

static char *
find_in_cron_d(const struct janitor *janitor)
{
	char *folder = xasprintf("%s/etc/cron.d", janitor->root);
	struct strvec names = { 0 };
	char *path = NULL;
	size_t i;

	list_folder(folder, &names);
	for (i = 0; i < names.len && path == NULL; i++) {
		/* cron passes over other names: "x.dpkg-old", "x~" */
		if (strpbrk(names.items[i], ".~") != NULL)
			continue;
		path = xasprintf("%s/%s", folder, names.items[i]);
		if (!crontab_sweeps(janitor, path, true)) {
			free(path);
			path = NULL;
		}
	}
	strvec_clear(&names);
	free(folder);
	return path;
}

static char *
find_in_crontabs(const struct janitor *janitor)
{
	static const char *const folders[] = { "/var/spool/cron/crontabs",
		"/var/spool/cron", "/etc/crontabs" };
	char *path = xasprintf("%s/etc/crontab", janitor->root);
	size_t i;

	if (crontab_sweeps(janitor, path, true))
		return path;
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		free(path);
		path = xasprintf("%s%s/%s", janitor->root, folders[i],
		    janitor->user);
		if (crontab_sweeps(janitor, path, false))
			return path;
	}
	free(path);
	return NULL;
}

/* What systemd is told by the machine's owner wins over the packages'. */
static const char *const unit_folders[] = { "/etc/systemd/system",
	"/run/systemd/system", "/usr/local/lib/systemd/system",
	"/usr/lib/systemd/system", "/lib/systemd/system" };

/* A manager of units: the machine's, or the user's own. */
struct manager {
	struct strvec folders;
	bool own;
};

static char *
read_unit(const struct manager *manager, const char *name)
{
	char *path, *text = NULL;
	size_t i;

	for (i = 0; i < manager->folders.len && text == NULL; i++) {
		path = xasprintf("%s/%s", manager->folders.items[i], name);
		text = read_text(path);
		free(path);
	}
	return text;
}

/* Without User= the machine's is root's. */
static bool
is_users_unit(const struct janitor *janitor, const struct manager *manager,
    const char *text)
{
	char *user;
	bool same;

	if (manager->own)
		return true;
	if (strstr(text, "\nUser=") == NULL)
		return strcmp(janitor->user, "root") == 0;
	user = xasprintf("\nUser=%s\n", janitor->user);
	same = strstr(text, user) != NULL;
	free(user);
	return same;
}

/* An enabled unit: a service of ours, or a timer that starts one. */
static bool
unit_sweeps(const struct janitor *janitor, const struct manager *manager,
    const char *unit)
{
	bool is_timer = text_has_suffix(unit, ".timer");
	char *name, *text, *start, *line;
	bool found = false;

	if (!is_timer && !text_has_suffix(unit, ".service"))
		return false;
	name =
	    xasprintf("%.*s.service", (int)(strrchr(unit, '.') - unit), unit);
	text = read_unit(manager, name);
	start = text != NULL ? strstr(text, "\nExecStart=") : NULL;
	if (start != NULL) {
		line = xstrndup(start + 1, strcspn(start + 1, "\n"));
		found = has_word(line, "sandkeeper") &&
		    has_word(line, is_timer ? "sweep" : "watch") &&
		    is_users_unit(janitor, manager, text) &&
		    is_for_us(janitor, text);
		free(line);
	}
	free(text);
	free(name);
	return found;
}

/* "systemctl enable" makes links in TARGET.wants. */
static char *
find_in_wants(const struct janitor *janitor, const struct manager *manager,
    const char *folder)
{
	struct strvec units = { 0 };
	char *found = NULL;
	size_t i;

	list_folder(folder, &units);
	for (i = 0; i < units.len && found == NULL; i++)
		if (unit_sweeps(janitor, manager, units.items[i]))
			found = xasprintf("%s/%s", folder, units.items[i]);
	strvec_clear(&units);
	return found;
}

static char *
find_in_manager(const struct janitor *janitor, const struct manager *manager)
{
	struct strvec names = { 0 };
	char *path, *found = NULL;
	const char *folder;
	size_t i, k;

	for (i = 0; i < manager->folders.len && found == NULL; i++) {
		folder = manager->folders.items[i];
		list_folder(folder, &names);
		for (k = 0; k < names.len && found == NULL; k++) {
			if (!text_has_suffix(names.items[k], ".wants"))
				continue;
			path = xasprintf("%s/%s", folder, names.items[k]);
			found = find_in_wants(janitor, manager, path);
			free(path);
		}
		strvec_clear(&names);
	}
	return found;
}

static char *
find_in_systemd(const struct janitor *janitor)
{
	struct manager machine = { .own = false }, own = { .own = true };
	char *found;
	size_t i;

	for (i = 0; i < sizeof(unit_folders) / sizeof(unit_folders[0]); i++)
		strvec_addf(&machine.folders, "%s%s", janitor->root,
		    unit_folders[i]);
	if (janitor->user_units != NULL)
		strvec_add(&own.folders, janitor->user_units);
	found = find_in_manager(janitor, &machine);
	if (found == NULL)
		found = find_in_manager(janitor, &own);
	strvec_clear(&machine.folders);
	strvec_clear(&own.folders);
	return found;
}

char *
janitor_find(const struct janitor *janitor)
{
	char *found = find_in_cron_d(janitor);

	if (found == NULL)
		found = find_in_crontabs(janitor);
	if (found == NULL)
		found = find_in_systemd(janitor);
	return found;
}
