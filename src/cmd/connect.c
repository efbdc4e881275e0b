/* SPDX-License-Identifier: ISC */
/*
 * connect - the service's own client, inside its sandbox container, logged in.
 *
 * No password is in any argv: the client reads it from the container's own
 * environment, or needs none on its own machine.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/meant.h"
#include "config/slug.h"
#include "process/foreground.h"

static int
choose_service(const struct agent_entry *entry, const char *wanted,
    const struct service_entry **service, struct error *err)
{
	struct strvec names = { 0 };

	agent_entry_services(entry, &names);
	*service = NULL;
	if (wanted != NULL && strvec_has(&names, wanted))
		*service = agent_entry_find(entry, wanted);
	else if (wanted == NULL && names.len == 1)
		*service = agent_entry_find(entry, names.items[0]);
	if (*service == NULL) {
		if (wanted != NULL)
			(void)error_set(err, ERROR_SERVICE,
			    "its sandbox has no service '%s'", wanted);
		else
			(void)error_set(err, ERROR_USAGE,
			    "its sandbox has several services: name one");
		meant_service(&names, wanted, err);
	}
	strvec_clear(&names);
	return *service == NULL ? -1 : 0;
}

static void
fill_argv(const struct app *app, const struct args *args,
    const struct engine *engine, const struct service_entry *service,
    struct strvec *argv)
{
	struct engine_values values = { 0 };
	size_t i;

	values.user = service->user;
	values.database = service->database;
	values.host = "127.0.0.1";
	values.port = engine->port;
	strvec_add_all(argv, app->docker.path, "exec", "-i", NULL);
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		strvec_add(argv, "-t");
	strvec_add(argv, service->id);
	engine_expand_all(&engine->client, &values, argv);
	for (i = args->separator; i < args->operands.len; i++)
		strvec_add(argv, args->operands.items[i]);
}

static int
connect_to(struct app *app, const struct args *args,
    const struct service_entry *service, struct error *err)
{
	const struct engine *engine =
	    engine_list_find(&app->engines, service->service);
	struct foreground how = { 0 };
	struct strvec argv = { 0 };
	bool ran;
	int rc = 0;

	if (engine == NULL || engine->client.len == 0) {
		(void)error_set(err, ERROR_SETTINGS,
		    "the engine '%s' names no client", service->service);
		return error_hint(err,
		    "set 'client' of that engine: see sandkeeper-engines(5)");
	}
	if (app_docker(app, err) == -1)
		return -1;
	fill_argv(app, args, engine, service, &argv);
	how.path = app->docker.path;
	how.argv = argv.items;
	how.envp = app->docker.environment.items;
	app->exit_code = foreground_run(&how, &ran);
	if (!ran && errno != EINTR)
		rc = error_errno(err, ERROR_DOCKER_MISSING, "cannot run '%s'",
		    how.path);
	strvec_clear(&argv);
	return rc;
}

static int
connect_agent(struct app *app, const struct args *args, const char *slug,
    const char *wanted, struct error *err)
{
	const struct service_entry *service;
	struct agent_entry entry;
	bool found;
	int rc;

	if (store_read(&app->store, slug, false, &entry, &found, err) == -1)
		return -1;
	if (!found) {
		(void)error_set(err, ERROR_NO_SANDBOX, "it has no sandbox");
		rc = error_hint(err, "'sandkeeper list' shows who has one");
	} else {
		rc = choose_service(&entry, wanted, &service, err);
		if (rc == 0)
			rc = connect_to(app, args, service, err);
	}
	agent_entry_clear(&entry);
	return rc;
}

static int
connect_exec(struct app *app, const struct args *args, struct error *err)
{
	size_t named =
	    args->separator != SIZE_MAX ? args->separator : args->operands.len;
	const char *slug;

	if (named < 1)
		return error_set(err, ERROR_USAGE, "the agent is missing");
	if (named > 2)
		return error_set(err, ERROR_USAGE,
		    "what is for the client stands behind '--'");
	slug = args->operands.items[0];
	if (slug_check(slug, 0, err) == -1 || app_engines(app, err) == -1 ||
	    app_store(app, STORE_LOOK, err) == -1 ||
	    connect_agent(app, args, slug,
		named == 2 ? args->operands.items[1] : NULL, err) == -1) {
		(void)meant_hint(app, slug, err);
		return error_about(err, slug, NULL);
	}
	return 0;
}

const struct cmd cmd_connect = {
	.name = "connect",
	.args = "AGENT [SERVICE] [-- ARG...]",
	.help = "open a service's own client, logged in",
	.exec = connect_exec,
};
