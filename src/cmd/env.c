/* SPDX-License-Identifier: ISC */
/* env - the credentials again, from the cache, without calling docker. */
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/environment.h"
#include "cmd/handed.h"
#include "cmd/meant.h"
#include "config/slug.h"
#include "process/foreground.h"

enum { OPT_SERVICES = 256 + 64 };

static const struct option_spec options[] = {
	{ OPT_SERVICES, "services", "A,B", "of these services alone" },
	HANDED_OPTIONS,
	{ 0, NULL, NULL, NULL },
};

static int
check_ready(const struct agent_entry *entry, bool found, const char *slug,
    struct error *err)
{
	if (!found) {
		(void)error_set(err, ERROR_NO_SANDBOX, "it has no sandbox");
		return error_hint(err,
		    "'sandkeeper ensure %s --services postgres' makes one",
		    slug);
	}
	if (entry->state != ENTRY_READY) {
		(void)error_set(err, ERROR_NOT_READY,
		    "its sandbox is being made");
		return error_hint(err, "'sandkeeper ensure' waits for it");
	}
	return 0;
}

static int
say_what_it_has(const struct agent_entry *entry, const char *wanted,
    struct error *err)
{
	struct strvec names = { 0 };

	agent_entry_services(entry, &names);
	meant_service(&names, wanted, err);
	strvec_clear(&names);
	return error_about(err, NULL, wanted);
}

static int
choose_services(const struct args *args, const struct agent_entry *entry,
    struct strvec *shown, struct error *err)
{
	const struct service_entry *service;
	size_t i;

	args_lists(args, OPT_SERVICES, shown);
	for (i = 0; i < shown->len; i++) {
		service = agent_entry_find(entry, shown->items[i]);
		if (service != NULL && !service->pending)
			continue;
		(void)error_set(err, ERROR_SERVICE,
		    "its sandbox has no "
		    "service '%s'",
		    shown->items[i]);
		return say_what_it_has(entry, shown->items[i], err);
	}
	if (shown->len == 0)
		agent_entry_services(entry, shown);
	return 0;
}

/* An entry of before exports were recorded has them in the engines alone. */
static bool
needs_engines(const struct agent_entry *entry, const struct strvec *shown)
{
	const struct service_entry *service;
	size_t i;

	for (i = 0; i < shown->len; i++) {
		service = agent_entry_find(entry, shown->items[i]);
		if (service != NULL && service->exports.len == 0)
			return true;
	}
	return false;
}

/* Become the command, with the variables and nothing else of ours. */
static int
become(struct app *app, const struct args *args,
    const struct agent_entry *entry, const struct strvec *shown,
    struct error *err)
{
	char **argv = args->operands.items + args->separator;
	struct foreground how = { .argv = argv };
	struct strvec envp = { 0 };
	char *path;

	path = foreground_find(argv[0], &app->failure_code);
	if (path != NULL) {
		environment_fill(app, entry, shown, &envp);
		how.path = path;
		how.envp = envp.items;
		app->failure_code = foreground_become(&how);
		free(path);
		strvec_clear(&envp);
	}
	return error_errno(err, ERROR_VALUE, "cannot run '%s'", argv[0]);
}

/* One agent; and behind "--", if that is there, a command. */
static int
check_operands(const struct args *args, struct error *err)
{
	if (args->separator == SIZE_MAX)
		return args_expect(args, 1, 1, "the agent", err);
	if (args->separator != 1)
		return error_set(err, ERROR_USAGE,
		    "one agent stands before '--'");
	return args_expect(args, 2, SIZE_MAX, "the command behind '--'", err);
}

static int
print_entry(struct app *app, const struct args *args, const char *slug,
    enum handed_form form, struct error *err)
{
	struct strvec shown = { 0 }, made = { 0 };
	struct agent_entry entry;
	bool found;
	int rc;

	if (store_read(&app->store, slug, false, &entry, &found, err) == -1)
		return -1;
	rc = check_ready(&entry, found, slug, err);
	if (rc == 0)
		rc = choose_services(args, &entry, &shown, err);
	/* else neither settings nor engines are read: credentials do not
	 * depend on what somebody has broken there */
	if (rc == 0 && (form == HANDED_JSON || needs_engines(&entry, &shown)))
		rc = app_engines(app, err);
	if (rc == 0 && args->separator != SIZE_MAX)
		rc = become(app, args, &entry, &shown, err);
	else if (rc == 0)
		handed_print(app, form, &entry, &shown, &made);
	strvec_clear(&shown);
	agent_entry_clear(&entry);
	return rc;
}

static int
env_exec(struct app *app, const struct args *args, struct error *err)
{
	enum handed_form form;
	const char *slug;

	app->shell_output = !app->json && !args_has(args, OPT_FORM_DOTENV) &&
	    !args_has(args, OPT_FORM_DOCKER_ARGS) &&
	    args->separator == SIZE_MAX;
	if (check_operands(args, err) == -1 ||
	    handed_form(app, args, HANDED_SHELL, &form, err) == -1)
		return -1;
	slug = args->operands.items[0];
	if (slug_check(slug, 0, err) == -1 ||
	    app_store(app, STORE_LOOK, err) == -1 ||
	    print_entry(app, args, slug, form, err) == -1) {
		(void)meant_hint(app, slug, err);
		return error_about(err, slug, NULL);
	}
	return 0;
}

const struct cmd cmd_env = {
	.name = "env",
	.args = "AGENT [-- CMD [ARG...]]",
	.help = "print an agent's credentials again, or run CMD with them",
	.options = options,
	.exec = env_exec,
};
