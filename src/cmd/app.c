/* SPDX-License-Identifier: ISC */
/* Preparing what a command needs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cmd/app.h"
#include "docker/endpoint.h"

static char *
default_state_dir(void)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	if (geteuid() == 0)
		return xstrdup(LOCALSTATEDIR "/lib/sandkeeper");
	if (state != NULL && *state == '/')
		return xasprintf("%s/sandkeeper", state);
	if (home != NULL && *home == '/')
		return xasprintf("%s/.local/state/sandkeeper", home);
	return xasprintf("/tmp/sandkeeper-%u", geteuid());
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
	    default_state_dir();
}

static void
choose_log_dir(struct app *app)
{
	choose_state_dir(app);
	if (*app->settings.log_dir != '\0')
		app->log_dir = xstrdup(app->settings.log_dir);
	else if (geteuid() == 0)
		app->log_dir = xstrdup(LOCALSTATEDIR "/log/sandkeeper");
	else
		app->log_dir = xasprintf("%s/log", app->state_dir);
	app->core.log_dir = app->log_dir;
}

int
app_settings(struct app *app, struct error *err)
{
	struct settings_source source = { app->config, &app->sets };

	if (app->has_settings)
		return 0;
	if (settings_load(&app->settings, &source, err) == -1)
		return -1;
	app->has_settings = true;
	/* the limit for the whole command is one for waiting, too */
	if (app->timeout > 0 && app->timeout < app->settings.lock_timeout)
		app->settings.lock_timeout = app->timeout;
	app->core.settings = &app->settings;
	scheme_init(&app->core.scheme, &app->settings);
	choose_log_dir(app);
	return 0;
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

int
app_docker(struct app *app, struct error *err)
{
	struct docker_timeouts timeouts;
	const char *program;

	if (app->has_docker)
		return 0;
	if (app_settings(app, err) == -1)
		return -1;
	set_timeouts(&app->settings, &timeouts);
	program = app->docker_program != NULL ? app->docker_program :
						app->settings.docker;
	if (docker_open(&app->docker, program, app->context, &timeouts, err) ==
	    -1)
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

int
app_reload(struct app *app, struct error *err)
{
	struct settings_source source = { app->config, &app->sets };
	struct settings settings;
	struct engine_list engines;

	if (settings_load(&settings, &source, err) == -1)
		return -1;
	if (engine_list_load(&engines, settings.engines_dir,
		&settings.overrides, err) == -1) {
		settings_clear(&settings);
		return -1;
	}
	scheme_clear(&app->core.scheme);
	settings_clear(&app->settings);
	engine_list_clear(&app->engines);
	app->settings = settings;
	app->engines = engines;
	scheme_init(&app->core.scheme, &app->settings);
	set_timeouts(&app->settings, &app->docker.timeouts);
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
	memset(app, 0, sizeof(*app));
}
