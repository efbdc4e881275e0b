/* SPDX-License-Identifier: ISC */
/*
 * The settings: one table in config/settings.c names each, its kind and its
 * built-in value.  They come, each overriding the one before, from what is
 * built in, the settings file, the environment (SANDKEEPER_ and the name in
 * capitals, "-" and "." as "_") and --set.
 */
#ifndef CONFIG_SETTINGS_H
#define CONFIG_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strvec.h"
#include "config/engine.h"
#include "config/mistakes.h"

struct project {
	char *name;
	struct strvec services;
	struct strvec features; /* "service:feature" */
};

struct settings {
	bool enabled;
	bool syslog;
	char *docker;
	char *container_prefix;
	char *sandbox_prefix;
	char *label;
	char *stack; /* "": none */
	char *network;
	char *compose; /* "off" or "owner" */
	char *engines_dir;
	char *log_dir;
	char *memory; /* "0" leaves the option out */
	char *cpus;
	char *pids_limit;
	char *pull_policy;
	char *image_prefix;
	int64_t grace; /* seconds, as all durations here */
	int64_t owner_grace;
	int64_t foreign_grace;
	int64_t interval; /* between two sweeps of a watch */
	int64_t lock_timeout;
	int64_t stop_timeout;
	int64_t log_max_age;
	int64_t log_lines;
	int64_t log_limit; /* bytes */
	int64_t log_keep;
	int64_t max_sandboxes;
	int64_t timeout_inspect, timeout_list, timeout_run, timeout_exec;
	int64_t timeout_remove, timeout_pull, timeout_logs, timeout_init;
	struct project *projects;
	size_t project_count;
	struct engine_list overrides; /* engine sections of the file */
	char *file;                   /* that was read; NULL: none */
};

struct settings_source {
	const char *file;          /* -c; NULL: the default places */
	const struct strvec *sets; /* "KEY=VALUE" of --set */
};

/*
 * Load them all.  ERROR_SETTINGS names file and line, variable or option of
 * every wrong value; ERROR_UNSAFE is an unsafe owner or mode of a file in a
 * default place.
 */
int settings_load(struct settings *, const struct settings_source *,
    struct error *);
/* The same, without an end at mistakes: what is right counts. */
void settings_load_all(struct settings *, const struct settings_source *,
    struct mistakes *);
void settings_clear(struct settings *);
/* Where the file would be that counts; the caller frees it. */
char *settings_usual_file(void);

/* NULL with ERROR_PROJECT where there is none of that name.  Borrowed. */
const struct project *settings_project(const struct settings *,
    const char *name, struct error *);

/* Does a project of theirs name a feature of that service? */
bool settings_want_feature(const struct settings *, const char *service);

/* The length of what a sandbox container's name has before the slug. */
size_t settings_longest_prefix(const struct settings *, size_t short_len);

#endif
