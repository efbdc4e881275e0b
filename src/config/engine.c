/* SPDX-License-Identifier: ISC */
/* Engines in memory. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "config/engine.h"

#define TEXT(name, member)                                   \
	{                                                    \
		name, false, offsetof(struct engine, member) \
	}
#define LIST(name, member)                                  \
	{                                                   \
		name, true, offsetof(struct engine, member) \
	}

const struct engine_key engine_keys[] = {
	TEXT("like", like),
	TEXT("short", short_name),
	TEXT("image", image),
	TEXT("feature-image", feature_image),
	TEXT("feature-recipe", feature_recipe),
	TEXT("port", port),
	TEXT("user", user),
	TEXT("database", database),
	TEXT("memory", memory),
	TEXT("shm-size", shm_size),
	TEXT("entrypoint", entrypoint),
	TEXT("run-as", run_as),
	TEXT("ready-expect", ready_expect),
	TEXT("ready-timeout", ready_timeout),
	TEXT("feature-variable", feature_variable),
	TEXT("feature-line", feature_line),
	TEXT("available", available),
	LIST("tmpfs", tmpfs),
	LIST("environment", environment),
	LIST("secret-environment", secret_environment),
	LIST("run-options", run_options),
	LIST("command", command),
	LIST("ready", ready),
	LIST("client", client),
	LIST("features", features),
	LIST("feature-values", feature_values),
	LIST("feature-listed", feature_listed),
	LIST("script-client", script_client),
	LIST("init-client", init_client),
	LIST("enable", enable),
	LIST("verify", verify),
	LIST("export", exports),
	{ NULL, false, 0 },
};

static char **
text_at(struct engine *engine, const struct engine_key *key)
{
	return (char **)(void *)((char *)engine + key->offset);
}

static struct strvec *
list_at(struct engine *engine, const struct engine_key *key)
{
	return (struct strvec *)(void *)((char *)engine + key->offset);
}

void
engine_clear(struct engine *engine)
{
	const struct engine_key *key;

	for (key = engine_keys; key->name != NULL; key++)
		if (key->is_list)
			strvec_clear(list_at(engine, key));
		else
			free(*text_at(engine, key));
	strvec_clear(&engine->set);
	free(engine->name);
	memset(engine, 0, sizeof(*engine));
}

void
engine_list_clear(struct engine_list *list)
{
	size_t i;

	for (i = 0; i < list->len; i++)
		engine_clear(&list->items[i]);
	free(list->items);
	memset(list, 0, sizeof(*list));
}

const struct engine *
engine_list_find(const struct engine_list *list, const char *name)
{
	size_t i;

	for (i = 0; i < list->len; i++)
		if (strcmp(list->items[i].name, name) == 0)
			return &list->items[i];
	return NULL;
}

const struct engine *
engine_list_find_short(const struct engine_list *list, const char *short_name)
{
	size_t i;

	for (i = 0; i < list->len; i++)
		if (strcmp(list->items[i].short_name, short_name) == 0)
			return &list->items[i];
	return NULL;
}

char *
engine_list_names(const struct engine_list *list)
{
	struct strvec names = { 0 };
	char *joined;
	size_t i;

	for (i = 0; i < list->len; i++)
		strvec_add(&names, list->items[i].name);
	strvec_sort(&names);
	joined = strvec_join(&names, ", ");
	strvec_clear(&names);
	return joined;
}

struct engine *
engine_list_add(struct engine_list *list, const char *name)
{
	const struct engine_key *key;
	struct engine *engine;
	size_t i;

	for (i = 0; i < list->len; i++)
		if (strcmp(list->items[i].name, name) == 0)
			return &list->items[i];
	list->items =
	    xreallocarray(list->items, list->len + 1, sizeof(*list->items));
	engine = &list->items[list->len++];
	memset(engine, 0, sizeof(*engine));
	engine->name = xstrdup(name);
	for (key = engine_keys; key->name != NULL; key++)
		if (!key->is_list)
			*text_at(engine, key) = xstrdup("");
	return engine;
}

bool
engine_list_move(struct engine_list *list, struct engine *engine)
{
	if (engine_list_find(list, engine->name) != NULL)
		return false;
	list->items =
	    xreallocarray(list->items, list->len + 1, sizeof(*list->items));
	list->items[list->len++] = *engine;
	memset(engine, 0, sizeof(*engine));
	return true;
}

void
engine_override(struct engine *engine, const struct engine *from)
{
	const struct engine_key *key;
	const char *place;

	for (key = engine_keys; key->name != NULL; key++) {
		if (!strvec_has(&from->set, key->name))
			continue;
		strvec_add_once(&engine->set, key->name);
		place = (const char *)from + key->offset;
		if (key->is_list) {
			strvec_clear(list_at(engine, key));
			strvec_append(list_at(engine, key),
			    (const struct strvec *)(const void *)place);
		} else {
			xstr_set(text_at(engine, key),
			    *(char *const *)(const void *)place);
		}
	}
}

int
engine_port(const struct engine *engine)
{
	const char *problem;

	return (int)strtonum(engine->port, 1, 65535, &problem);
}

int64_t
engine_ready_timeout(const struct engine *engine)
{
	int64_t seconds = 60;

	(void)duration_parse(engine->ready_timeout, &seconds);
	return seconds;
}

const char *
engine_memory(const struct engine *engine, const char *usual)
{
	int64_t least, limit;

	if (size_parse(engine->memory, &least) == -1 ||
	    size_parse(usual, &limit) == -1 || limit == 0 || limit >= least)
		return usual;
	return engine->memory;
}

const char *
engine_feature_word(const struct strvec *list, const char *feature)
{
	size_t i, len = strlen(feature);

	for (i = 0; i < list->len; i++)
		if (strncmp(list->items[i], feature, len) == 0 &&
		    list->items[i][len] == '=')
			return list->items[i] + len + 1;
	return feature;
}

static const char *
value_of(char placeholder, const struct engine_values *values)
{
	switch (placeholder) {
	case 'h':
		return values->host;
	case 'p':
		return values->port;
	case 'u':
		return values->user;
	case 'w':
		return values->password;
	case 'd':
		return values->database;
	case 'f':
		return values->feature;
	case 'v':
		return values->feature_value;
	case '%':
		return "%";
	default:
		return NULL;
	}
}

/* In a URL, an IPv6 address is in brackets. */
static void
add_host(const char *text, const char *host, struct strbuf *out)
{
	bool brackets =
	    strchr(host, ':') != NULL && strstr(text, "://") != NULL;

	strbuf_addf(out, "%s%s%s", brackets ? "[" : "", host,
	    brackets ? "]" : "");
}

void
engine_expand(const char *text, const struct engine_values *values,
    struct strbuf *out)
{
	const char *whole = text, *value;

	for (; *text != '\0'; text++) {
		value = *text == '%' ? value_of(text[1], values) : NULL;
		if (value == NULL) {
			strbuf_addc(out, *text);
			continue;
		}
		if (*++text == 'h')
			add_host(whole, value, out);
		else
			strbuf_adds(out, value);
	}
}

void
engine_expand_all(const struct strvec *texts,
    const struct engine_values *values, struct strvec *out)
{
	struct strbuf text = { 0 };
	size_t i;

	for (i = 0; i < texts->len; i++) {
		strbuf_reset(&text);
		engine_expand(texts->items[i], values, &text);
		strvec_add(out, strbuf_str(&text));
	}
	strbuf_clear(&text);
}
