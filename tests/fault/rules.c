/* SPDX-License-Identifier: ISC */
/* The file "rules" of a template: KEY=VALUE lines. */

#include <stdlib.h>
#include <string.h>

#include "fault.h"

static enum command_kind
kind_of(const char *word)
{
	static const char *const words[] = { "ensure", "run", "release",
		"remove", "sweep", "look", "doctor", "change" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i], word) == 0)
			return (enum command_kind)i;
	die("'%s' is no kind of command", word);
}

static void
take(struct rules *rules, const char *key, const char *value)
{
	const struct {
		const char *key;
		struct words *words;
	} lists[] = {
		{ "argv", &rules->argv },
		{ "set", &rules->settings },
		{ "may", &rules->may },
		{ "ageless", &rules->ageless },
		{ "next", &rules->next },
		{ "stay", &rules->stay },
		{ "wanted", &rules->wanted },
		{ "hang", &rules->hang },
	};
	size_t i;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (strcmp(lists[i].key, key) == 0) {
			words_add(lists[i].words, value);
			return;
		}
	if (strcmp(key, "kind") == 0)
		rules->kind = kind_of(value);
	else if (strcmp(key, "code") == 0)
		rules->code = atoi(value);
	else if (strcmp(key, "slug") == 0)
		rules->slug = format("%s", value);
	else if (strcmp(key, "owner") == 0)
		rules->owner = format("%s", value);
	else
		die("rules: '%s' is no key", key);
}

void
rules_read(struct rules *rules, const char *template)
{
	char *path = format("%s/rules", template), *text, *line, *next, *equals;

	memset(rules, 0, sizeof(*rules));
	rules->path = format("%s", template);
	rules->name = format("%s", strrchr(template, '/') + 1);
	text = slurp(path, NULL);
	if (text == NULL)
		die("%s cannot be read", path);
	for (line = text; *line != '\0'; line = next) {
		next = strchr(line, '\n');
		if (next == NULL)
			die("%s: a torn line", path);
		*next++ = '\0';
		equals = strchr(line, '=');
		if (equals == NULL)
			die("%s: '%s'", path, line);
		*equals = '\0';
		take(rules, line, equals + 1);
	}
	if (rules->slug == NULL || rules->argv.len == 0)
		die("%s says too little", path);
	free(text);
	free(path);
}
