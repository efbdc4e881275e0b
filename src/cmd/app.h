/* SPDX-License-Identifier: ISC */
/*
 * What the global options say, and what a command prepares of settings,
 * engines, docker and state: each part once, when it is asked for, and nothing
 * else.  "release" of nothing, "env" and "list" so need no daemon.
 */
#ifndef CMD_APP_H
#define CMD_APP_H

#include "base/clock.h"
#include "core/core.h"

struct app {
	/* from the global options */
	bool json;
	bool quiet;
	const char *config;
	const char *docker_program;
	const char *context;
	const char *state_dir_option;
	struct strvec sets;
	int64_t timeout;   /* seconds; 0: none */
	int exit_code;     /* of a command that ran another */
	int failure_code;  /* what a failure exits with; 0: by its kind */
	bool shell_output; /* on failure print "false" */
	/* prepared */
	bool has_settings, has_engines, has_docker, has_store;
	struct settings settings;
	struct engine_list engines;
	struct docker docker;
	struct store store;
	struct core core;
	char *state_dir;
	char *log_dir;
	char *endpoint;
	char *pinned_context;
};

int app_settings(struct app *, struct error *);
int app_engines(struct app *, struct error *); /* and settings */
/* Both in spite of mistakes, which are told: what is right counts. */
void app_settings_anyhow(struct app *, struct mistakes *settings,
    struct mistakes *engines);
/* Is the state where it is without anybody choosing? */
bool app_state_dir_is_usual(const struct app *);
int app_docker(struct app *, struct error *); /* and settings */
/* Opening it again with STORE_CHANGE makes what is missing. */
int app_store(struct app *, enum store_mode, struct error *);
/* All four. */
int app_everything(struct app *, struct error *);
/* For a command that stays: the context of now, whatever docker's becomes. */
void app_pin_context(struct app *);
/*
 * Read settings and engines anew, and find the client that they name; on
 * failure the old ones stay.
 */
int app_reload(struct app *, struct error *);
void app_clear(struct app *);

#endif
