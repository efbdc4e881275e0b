/* SPDX-License-Identifier: ISC */
/* Preparing what a command needs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/log.h"
#include "cmd/app.h"
#include "docker/endpoint.h"

/*
 * "-blue" where the settings name a stack, else "".  Whoever needs no settings
 * needs none for this: what cannot be read of them says nothing.  The caller
 * frees it.
 */
static char *
stack_suffix(const struct app *app)
{
	struct settings_source source = { app->config, &app->sets };
	struct mistakes ignored = { 0 };
	struct settings settings;
	char *suffix;

	if (app->has_settings)
		return *app->settings.stack != '\0' ?
		    xasprintf("-%s", app->settings.stack) :
		    xstrdup("");
	settings_load_all(&settings, &source, &ignored);
	suffix = *settings.stack != '\0' ? xasprintf("-%s", settings.stack) :
					   xstrdup("");
	settings_clear(&settings);
	mistakes_clear(&ignored);
	return suffix;
}

static char *
default_state_dir(const struct app *app)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	char *suffix = stack_suffix(app), *dir;

	if (geteuid() == 0)
		dir = xasprintf(LOCALSTATEDIR "/lib/sandkeeper%s", suffix);
	else if (state != NULL && *state == '/')
		dir = xasprintf("%s/sandkeeper%s", state, suffix);
	else if (home != NULL && *home == '/')
		dir = xasprintf("%s/.local/state/sandkeeper%s", home, suffix);
	else
		dir = xasprintf("/tmp/sandkeeper-%u%s", geteuid(), suffix);
	free(suffix);
	return dir;
}

static void
choose_state_dir(struct app *app)
{
	const char *chosen = app->state_dir_option;

	if (app->state_dir != NULL)
		return;
	if (chosen == NULL)
		chosen = getenv("SANDKEEPER_STATE_DIR");
	app->state_dir = chosen != NULL && *chosen != '\0' ?
	    xstrdup(chosen) :
	    default_state_dir(app);
}

static void
choose_log_dir(struct app *app)
{
	choose_state_dir(app);
	free(app->log_dir);
	if (*app->settings.log_dir != '\0')
		app->log_dir = xstrdup(app->settings.log_dir);
	else if (geteuid() == 0)
		app->log_dir = xasprintf(LOCALSTATEDIR "/log/sandkeeper%s%s",
		    *app->settings.stack != '\0' ? "-" : "",
		    app->settings.stack);
	else
		app->log_dir = xasprintf("%s/log", app->state_dir);
	app->core.log_dir = app->log_dir;
}

bool
app_state_dir_is_usual(const struct app *app)
{
	char *usual = default_state_dir(app);
	bool same = strcmp(usual, app->state_dir) == 0;

	free(usual);
	return same;
}

/* What follows from the settings. */
static void
use_settings(struct app *app)
{
	app->has_settings = true;
	/* the limit for the whole command is one for waiting, too */
	if (app->timeout > 0 && app->timeout < app->settings.lock_timeout)
		app->settings.lock_timeout = app->timeout;
	app->core.settings = &app->settings;
	scheme_init(&app->core.scheme, &app->settings);
	choose_log_dir(app);
}

int
app_settings(struct app *app, struct error *err)
{
	struct settings_source source = { app->config, &app->sets };
	struct mistakes mistakes = { 0 };

	if (app->has_settings)
		return 0;
	settings_load_all(&app->settings, &source, &mistakes);
	/* of the mistakes, too */
	log_to_syslog(app->settings.syslog);
	if (mistakes_finish(&mistakes, err) == -1) {
		settings_clear(&app->settings);
		return -1;
	}
	use_settings(app);
	return 0;
}

void
app_settings_anyhow(struct app *app, struct mistakes *settings,
    struct mistakes *engines)
{
	struct settings_source source = { app->config, &app->sets };

	settings_load_all(&app->settings, &source, settings);
	log_to_syslog(app->settings.syslog);
	use_settings(app);
	engine_list_load_all(&app->engines, app->settings.engines_dir,
	    &app->settings.overrides, engines);
	app->has_engines = true;
	app->core.engines = &app->engines;
}

int
app_engines(struct app *app, struct error *err)
{
	if (app->has_engines)
		return 0;
	if (app_settings(app, err) == -1 ||
	    engine_list_load(&app->engines, app->settings.engines_dir,
		&app->settings.overrides, err) == -1)
		return -1;
	app->has_engines = true;
	app->core.engines = &app->engines;
	return 0;
}

static void
set_timeouts(const struct settings *settings, struct docker_timeouts *timeouts)
{
	timeouts->inspect = settings->timeout_inspect * 1000;
	timeouts->list = settings->timeout_list * 1000;
	timeouts->run = settings->timeout_run * 1000;
	timeouts->exec = settings->timeout_exec * 1000;
	timeouts->remove = settings->timeout_remove * 1000;
	timeouts->pull = settings->timeout_pull * 1000;
	timeouts->logs = settings->timeout_logs * 1000;
}

static int
open_docker(const struct app *app, const struct settings *settings,
    struct docker *docker, struct error *err)
{
	struct docker_timeouts timeouts;

	set_timeouts(settings, &timeouts);
	return docker_open(docker,
	    app->docker_program != NULL ? app->docker_program :
					  settings->docker,
	    app->context, &timeouts, err);
}

int
app_docker(struct app *app, struct error *err)
{
	if (app->has_docker)
		return 0;
	if (app_settings(app, err) == -1 ||
	    open_docker(app, &app->settings, &app->docker, err) == -1)
		return -1;
	if (app->timeout > 0)
		app->docker.control.deadline =
		    deadline_in_ms(app->timeout * 1000);
	app->has_docker = true;
	app->core.docker = &app->docker;
	return 0;
}

int
app_store(struct app *app, enum store_mode mode, struct error *err)
{
	if (app->has_store)
		store_close(&app->store);
	app->has_store = false;
	choose_state_dir(app);
	if (app->endpoint == NULL &&
	    endpoint_resolve(app->context, &app->endpoint, err) == -1)
		return -1;
	if (store_open(&app->store, app->state_dir, app->endpoint, mode, err) ==
	    -1)
		return -1;
	app->has_store = true;
	app->core.store = &app->store;
	return 0;
}

int
app_everything(struct app *app, struct error *err)
{
	if (app_engines(app, err) == -1 || app_docker(app, err) == -1)
		return -1;
	return app_store(app, STORE_CHANGE, err);
}

void
app_pin_context(struct app *app)
{
	app->pinned_context = endpoint_context(app->context);
	if (app->pinned_context != NULL)
		app->context = app->pinned_context;
}

int
app_reload(struct app *app, struct error *err)
{
	struct settings_source source = { app->config, &app->sets };
	struct settings settings;
	struct engine_list engines;
	struct docker docker;

	if (settings_load(&settings, &source, err) == -1)
		return -1;
	if (engine_list_load(&engines, settings.engines_dir,
		&settings.overrides, err) == -1) {
		settings_clear(&settings);
		return -1;
	}
	if (open_docker(app, &settings, &docker, err) == -1) {
		engine_list_clear(&engines);
		settings_clear(&settings);
		return -1;
	}
	docker.control = app->docker.control;
	docker.calls = app->docker.calls;
	docker_close(&app->docker);
	scheme_clear(&app->core.scheme);
	settings_clear(&app->settings);
	engine_list_clear(&app->engines);
	app->docker = docker;
	app->settings = settings;
	app->engines = engines;
	scheme_init(&app->core.scheme, &app->settings);
	log_to_syslog(app->settings.syslog);
	choose_log_dir(app);
	return 0;
}

void
app_clear(struct app *app)
{
	if (app->has_settings) {
		scheme_clear(&app->core.scheme);
		settings_clear(&app->settings);
	}
	if (app->has_engines)
		engine_list_clear(&app->engines);
	if (app->has_docker)
		docker_close(&app->docker);
	if (app->has_store)
		store_close(&app->store);
	strvec_clear(&app->sets);
	free(app->state_dir);
	free(app->log_dir);
	free(app->endpoint);
	free(app->pinned_context);
	memset(app, 0, sizeof(*app));
}
