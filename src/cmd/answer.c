/* SPDX-License-Identifier: ISC */
/* What a word could be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "cmd/answer.h"
#include "cmd/output.h"
#include "cmd/past.h"
#include "config/setting.h"

/* For docker, so that all of it is within half a second. */
static const int64_t docker_ms = 300;

struct answering {
	struct app *app;
	const struct typed *typed;
	const char *head; /* what stands before the value in its word */
	size_t head_len;
	const char *word; /* what is typed of the value */
	size_t given;
};

static void
give(struct answering *a, const char *word, const char *help)
{
	if (!text_has_prefix(word, a->word))
		return;
	a->given++;
	output_text("%.*s%s%s%s\n", (int)a->head_len, a->head, word,
	    *help != '\0' ? "\t" : "", help);
}

/* What was given is the beginning of a word. */
static void
go_on(const struct answering *a)
{
	if (a->given > 0)
		output_text(":nospace\n");
}

static void
give_commands(struct answering *a)
{
	size_t i;

	for (i = 0; cmd_table[i] != NULL; i++)
		give(a, cmd_table[i]->name, cmd_table[i]->help);
}

static void
give_shells(struct answering *a)
{
	give(a, "bash", "");
	give(a, "fish", "");
	give(a, "zsh", "");
}

static void
give_option_table(struct answering *a, const struct option_spec *spec)
{
	char word[64];

	for (; spec != NULL && spec->name != NULL; spec++) {
		(void)snprintf(word, sizeof(word), "--%s", spec->name);
		give(a, word, spec->help);
	}
}

static void
give_options(struct answering *a)
{
	if (a->typed->cmd != NULL)
		give_option_table(a, a->typed->cmd->options);
	give_option_table(a, global_options);
}

static void
give_agents(struct answering *a)
{
	struct strvec slugs = { 0 };
	struct error ignored;
	size_t i;

	if (app_store(a->app, STORE_LOOK, &ignored) == 0)
		(void)store_list(&a->app->store, &slugs, &ignored);
	/* it tells of those that are gone, too */
	if (a->typed->cmd == &cmd_why)
		past_agents(a->app, &slugs);
	for (i = 0; i < slugs.len; i++)
		give(a, slugs.items[i], "");
	strvec_clear(&slugs);
}

/* Docker's filter is a regular expression, and theirs may begin with "/". */
static void
add_pattern(struct strvec *patterns, const char *start)
{
	struct strbuf pattern = { 0 };

	strbuf_adds(&pattern, "^/?");
	for (; *start != '\0'; start++) {
		if (*start == '.')
			strbuf_addc(&pattern, '\\');
		strbuf_addc(&pattern, *start);
	}
	strvec_add(patterns, strbuf_str(&pattern));
	strbuf_clear(&pattern);
}

/* Names that begin with the prefix and with the word: the longer one. */
static void
add_start(const struct answering *a, const char *prefix,
    struct strvec *patterns)
{
	if (text_has_prefix(prefix, a->word))
		add_pattern(patterns, prefix);
	else if (text_has_prefix(a->word, prefix))
		add_pattern(patterns, a->word);
}

/* Agents' containers; for why, sandbox containers, too. */
static void
give_containers(struct answering *a)
{
	struct container_list list = { 0 };
	struct strvec patterns = { 0 };
	struct docker_filter filter = { NULL, &patterns, NULL };
	struct error ignored;
	size_t i;

	if ((*a->word != '\0' && !docker_name_is_safe(a->word) &&
		a->word[1] != '\0') ||
	    app_docker(a->app, &ignored) == -1)
		return;
	add_start(a, a->app->settings.container_prefix, &patterns);
	if (strcmp(a->typed->cmd->name, "why") == 0)
		add_start(a, a->app->settings.sandbox_prefix, &patterns);
	if (patterns.len == 0)
		add_pattern(&patterns, a->word);
	a->app->docker.control.deadline = deadline_in_ms(docker_ms);
	if (docker_list(&a->app->docker, &filter, &list, &ignored) == 0)
		container_list_sort(&list);
	for (i = 0; i < list.len; i++)
		give(a, list.items[i].name, "");
	container_list_clear(&list);
	strvec_clear(&patterns);
}

/* Behind the last comma of a list; what is in it already is not told again. */
static void
give_services(struct answering *a, const char *tail)
{
	struct strvec there = { 0 };
	const char *comma = strrchr(a->word, ',');
	struct error ignored;
	char *word, *list;
	size_t i;

	if (app_engines(a->app, &ignored) == -1)
		return;
	if (comma != NULL && *tail == '\0') {
		list = xstrndup(a->word, (size_t)(comma - a->word));
		strvec_split(&there, list, ',');
		free(list);
		a->head_len += (size_t)(comma + 1 - a->word);
		a->word = comma + 1;
	}
	for (i = 0; i < a->app->engines.len; i++) {
		word = xasprintf("%s%s", a->app->engines.items[i].name, tail);
		if (!strvec_has(&there, word))
			give(a, word, a->app->engines.items[i].image);
		free(word);
	}
	strvec_clear(&there);
}

static void
give_service_list(struct answering *a)
{
	give_services(a, "");
	go_on(a);
}

static void
give_service_equals(struct answering *a)
{
	give_services(a, "=");
	go_on(a);
}

static void
give_service_path(struct answering *a)
{
	if (strchr(a->word, '=') != NULL)
		output_text(":files\n");
	else
		give_service_equals(a);
}

static void
give_features(struct answering *a)
{
	const struct engine *engine;
	struct error ignored;
	size_t i, k;
	char *word;

	if (strchr(a->word, ':') == NULL) {
		give_services(a, ":");
		go_on(a);
		return;
	}
	if (app_engines(a->app, &ignored) == -1)
		return;
	for (i = 0; i < a->app->engines.len; i++) {
		engine = &a->app->engines.items[i];
		for (k = 0; k < engine->features.len; k++) {
			word = xasprintf("%s:%s", engine->name,
			    engine->features.items[k]);
			give(a, word, "");
			free(word);
		}
	}
}

/* Those that the agent has; any where it has no entry. */
static void
give_recorded_services(struct answering *a)
{
	struct agent_entry entry = { 0 };
	struct error ignored;
	bool found = false;
	size_t i;

	if (a->typed->before.len > 0 &&
	    app_store(a->app, STORE_LOOK, &ignored) == 0 &&
	    store_has(&a->app->store, a->typed->before.items[0]))
		(void)store_read(&a->app->store, a->typed->before.items[0],
		    false, &entry, &found, &ignored);
	if (!found)
		give_services(a, "");
	for (i = 0; found && i < entry.service_count; i++)
		give(a, entry.services[i].service, entry.services[i].container);
	agent_entry_clear(&entry);
}

static void
give_projects(struct answering *a)
{
	struct error ignored;
	size_t i;

	if (app_settings(a->app, &ignored) == -1)
		return;
	for (i = 0; i < a->app->settings.project_count; i++)
		give(a, a->app->settings.projects[i].name, "");
}

static void
give_settings(struct answering *a)
{
	const struct setting *setting;
	char *word;

	for (setting = setting_table; setting->name != NULL; setting++) {
		word = xasprintf("%s%s%s=",
		    setting->section != NULL ? setting->section : "",
		    setting->section != NULL ? "." : "", setting->name);
		give(a, word, "");
		free(word);
	}
	go_on(a);
}

static void
give_owners(struct answering *a)
{
	give(a, "container:", "a container of that name");
	give(a, "self", "the container that this runs in");
	give(a, "pid:", "a process");
	give(a, "none", "nothing but its lease");
}

static void
give_files(struct answering *a)
{
	(void)a;
	output_text(":files\n");
}

static void
give_dirs(struct answering *a)
{
	(void)a;
	output_text(":dirs\n");
}

static void
give_command(struct answering *a)
{
	output_text(":command %zu\n", a->typed->own + 1);
}

/* What the words of the tables stand for; what is not here is the user's. */
static const struct {
	const char *word;
	const char *option; /* NULL: any */
	void (*give)(struct answering *);
} sources[] = {
	{ "A,B", NULL, give_service_list },
	{ "AGENT", NULL, give_agents },
	{ "C", NULL, give_service_list },
	{ "CMD", NULL, give_command },
	{ "COMMAND", NULL, give_commands },
	{ "CONTAINER", NULL, give_containers },
	{ "DIR", NULL, give_dirs },
	{ "FILE", NULL, give_files },
	{ "KEY=VALUE", NULL, give_settings },
	{ "O", NULL, give_owners },
	{ "P", NULL, give_projects },
	/* another one's is inside a container */
	{ "PATH", "docker", give_files },
	{ "SERVICE", NULL, give_recorded_services },
	{ "SHELL", NULL, give_shells },
	{ "SVC:NAME", NULL, give_features },
	{ "SVC=IMAGE", NULL, give_service_equals },
	{ "SVC=PATH", NULL, give_service_path },
};

/* "AGENT|CONTAINER": the second where there is none of the first. */
static void
give_what(struct answering *a, const char *words)
{
	size_t i, len;

	for (; *words != '\0' && a->given == 0; words += *words == '|') {
		len = strcspn(words, "|");
		for (i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
			if (strlen(sources[i].word) == len &&
			    strncmp(sources[i].word, words, len) == 0 &&
			    (sources[i].option == NULL ||
				(a->typed->option != NULL &&
				    strcmp(sources[i].option,
					a->typed->option->name) == 0)))
				sources[i].give(a);
		words += len;
	}
}

static void
give_operand(struct answering *a)
{
	char word[64];
	bool optional = typed_operand(a->typed, word, sizeof(word));

	if (strcmp(word, "--") != 0)
		give_what(a, word);
	if (*a->word != '\0' || a->typed->own > 0)
		return;
	if (optional && strstr(a->typed->cmd->args, "-- ") != NULL)
		give(a, "--", "what follows is for another program");
	else if (*word == '\0')
		give_options(a);
}

void
answer(struct app *app, const struct typed *typed)
{
	struct answering a = { app, typed, typed->head, typed->head_len,
		typed->last, 0 };

	if (typed->unknown)
		return;
	if (typed->option != NULL)
		give_what(&a, typed->option->argument);
	else if (typed->own == 0 && typed->last[0] == '-')
		give_options(&a);
	else if (typed->cmd == NULL)
		give_commands(&a);
	else
		give_operand(&a);
}
