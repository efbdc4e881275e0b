/* SPDX-License-Identifier: ISC */
/*
 * Engines: the definitions of services.  They are data (engines/, and the
 * engine sections of the settings); this is their form in memory.
 */
#ifndef CONFIG_ENGINE_H
#define CONFIG_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "config/mistakes.h"

struct engine {
	char *name; /* the service: "postgres" */
	char *like;
	char *short_name; /* in container names: "pg" */
	char *image;
	char *feature_image;  /* where features are asked for */
	char *feature_recipe; /* the folder of its Dockerfile */
	char *port;
	char *user;
	char *database;
	char *memory; /* that it needs at least */
	char *shm_size;
	char *entrypoint;
	char *run_as;
	char *ready_expect;     /* must be in the probe's output */
	char *ready_timeout;    /* duration */
	char *feature_variable; /* features are taken at the start */
	char *feature_line;     /* its line for each: %f %v */
	char *available;        /* the JSON key of the features */
	struct strvec tmpfs;
	struct strvec environment;
	struct strvec secret_environment;
	struct strvec run_options;
	struct strvec command;
	struct strvec ready;
	struct strvec client;
	struct strvec features;
	struct strvec feature_values; /* "feature=value", %v */
	struct strvec feature_listed; /* "feature=name in the listing" */
	struct strvec script_client;  /* reads enable and verify on stdin */
	struct strvec init_client;    /* reads --init; script_client if empty */
	struct strvec enable;         /* lines, each feature: %f %v */
	struct strvec verify;         /* lines, once */
	struct strvec exports;        /* "NAME=VALUE" */
	struct strvec set;            /* the keys that were named */
};

struct engine_list {
	struct engine *items;
	size_t len;
};

/* What stands for %h %p %u %w %d %f %v in an engine's texts; %% is "%". */
struct engine_values {
	const char *host, *port, *user, *password, *database;
	const char *feature, *feature_value;
};

void engine_clear(struct engine *);
void engine_list_clear(struct engine_list *);
const struct engine *engine_list_find(const struct engine_list *,
    const char *name);
/* The engine with that short name. */
const struct engine *engine_list_find_short(const struct engine_list *,
    const char *short_name);
/* The names with ", " between them; the caller frees it. */
char *engine_list_names(const struct engine_list *);

int engine_port(const struct engine *);
int64_t engine_ready_timeout(const struct engine *);
/* The usual limit of memory (0: none), or its own where that is less. */
const char *engine_memory(const struct engine *, const char *usual);
/* "NAME=value" of a list for a feature; the feature itself where none is. */
const char *engine_feature_word(const struct strvec *list, const char *feature);

/* Append the text with its placeholders filled in. */
void engine_expand(const char *text, const struct engine_values *,
    struct strbuf *);
void engine_expand_all(const struct strvec *texts, const struct engine_values *,
    struct strvec *out);

/*
 * Load the shipped engines from dir, what overrides them in
 * SYSCONFDIR/sandkeeper/engines.d, and then overrides.  Every mistake is told:
 * ERROR_SETTINGS.
 */
int engine_list_load(struct engine_list *, const char *dir,
    const struct engine_list *overrides, struct error *);
/* The same, without an end at mistakes: what is right counts. */
void engine_list_load_all(struct engine_list *, const char *dir,
    const struct engine_list *overrides, struct mistakes *);

/* For config/engine_file.c: the table of keys. */
struct engine_key {
	const char *name;
	bool is_list;
	size_t offset;
};
extern const struct engine_key engine_keys[];
/* Find or append. */
struct engine *engine_list_add(struct engine_list *, const char *name);
/* Append and empty it; false, and nothing done, where its name is known. */
bool engine_list_move(struct engine_list *, struct engine *);
/* Take over every key that from was given. */
void engine_override(struct engine *, const struct engine *from);

#endif
