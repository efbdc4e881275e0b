/* SPDX-License-Identifier: ISC */
/* The docker client's plugin. */
#include <stdlib.h>
#include <string.h>

#include "cmd/args.h"
#include "cmd/output.h"
#include "cmd/plugin.h"
#include "process/caller.h"

#define PLUGIN_PROGRAM "docker-sandkeeper"
#define PLUGIN_NAME "sandkeeper"

enum {
	OPT_CONFIG = 256,
	OPT_DEBUG,
	OPT_TLS,
	OPT_TLS_CA,
	OPT_TLS_CERT,
	OPT_TLS_KEY,
	OPT_TLS_VERIFY
};

/* What docker takes before a command. */
static const struct option_spec docker_options[] = {
	{ OPT_CONFIG, "config", "DIR", "" },
	{ 'c', "context", "NAME", "" },
	{ OPT_DEBUG, "debug", "[=BOOL]", "" },
	{ 'D', "D", NULL, "" },
	{ 'H', "host", "HOST", "" },
	{ 'l', "log-level", "LEVEL", "" },
	{ OPT_TLS, "tls", "[=BOOL]", "" },
	{ OPT_TLS_CA, "tlscacert", "FILE", "" },
	{ OPT_TLS_CERT, "tlscert", "FILE", "" },
	{ OPT_TLS_KEY, "tlskey", "FILE", "" },
	{ OPT_TLS_VERIFY, "tlsverify", "[=BOOL]", "" },
	{ 0, NULL, NULL, NULL },
};

static bool
is_plugin(const char *program)
{
	const char *slash = strrchr(program, '/');

	return strcmp(slash != NULL ? slash + 1 : program, PLUGIN_PROGRAM) == 0;
}

bool
plugin_metadata(int argc, char *const argv[])
{
	if (argc != 2 || !is_plugin(argv[0]) ||
	    strcmp(argv[1], "docker-cli-plugin-metadata") != 0)
		return false;
	output_json(json_pack("{s:s,s:s,s:s,s:s}", "SchemaVersion", "0.1.0",
	    "Vendor", "The sandkeeper authors", "Version", PACKAGE_VERSION,
	    "ShortDescription",
	    "Throwaway service sandboxes for agent and CI containers"));
	return true;
}

/* "-H=X" is "-H X" there. */
static const char *
value_of(const struct args *args, int id)
{
	const char *value = args_value(args, id);

	return value != NULL && *value == '=' ? value + 1 : value;
}

static bool
is_on(const struct args_option *option)
{
	return option->value == NULL || strcmp(option->value, "true") == 0 ||
	    strcmp(option->value, "1") == 0;
}

static int
refuse_tls(const struct option_spec *spec, struct error *err)
{
	(void)error_set(err, ERROR_USAGE,
	    "docker's option --%s cannot be handed on", spec->name);
	return error_hint(err,
	    "make a context with it ('docker context create'), and name that");
}

/* What chooses the daemon goes on to the docker calls that we make. */
static int
follow(struct app *app, const struct args *args, struct error *err)
{
	const char *host = value_of(args, 'H'), *context = value_of(args, 'c');
	const char *config = args_value(args, OPT_CONFIG);
	const struct args_option *option;
	size_t i, hosts = 0;

	for (i = 0; i < args->option_count; i++) {
		option = &args->options[i];
		hosts += option->spec->id == 'H';
		if (option->spec->id == OPT_TLS_VERIFY && is_on(option))
			(void)setenv("DOCKER_TLS_VERIFY", "1", 1);
		else if (option->spec->id >= OPT_TLS &&
		    option->spec->id <= OPT_TLS_KEY &&
		    (option->spec->id != OPT_TLS || is_on(option)))
			return refuse_tls(option->spec, err);
	}
	if (hosts > 1)
		return error_set(err, ERROR_USAGE, "-H is there twice");
	if (host != NULL && context != NULL)
		return error_set(err, ERROR_USAGE,
		    "-H and --context exclude each other");
	if (config != NULL)
		(void)setenv("DOCKER_CONFIG", config, 1);
	if (host != NULL)
		(void)setenv("DOCKER_HOST", host, 1);
	/* docker's own option is stronger than the variable */
	if (context != NULL && strcmp(context, "default") != 0)
		(void)unsetenv("DOCKER_HOST");
	app->context = context;
	return 0;
}

int
plugin_begin(struct app *app, int *argc, char ***argv, struct error *err)
{
	struct args args = { 0 };
	struct error ignored;
	char **words, *word;
	int next, rc = 0;

	if (*argc < 2 || !is_plugin(**argv))
		return 0;
	if (args_parse(&args, *argc - 1, *argv + 1, docker_options, NULL, true,
		&next, &ignored) == 0) {
		words = *argv + 1 + next;
		/* our parser knows "sandkeeper help COMMAND" */
		if (*argc - next > 2 && strcmp(words[0], "help") == 0 &&
		    strcmp(words[1], PLUGIN_NAME) == 0) {
			word = words[0];
			words[0] = words[1];
			words[1] = word;
		}
		if (*argc - next > 1 && strcmp(words[0], PLUGIN_NAME) == 0) {
			*argc -= next + 1;
			*argv = words;
			caller_heed(getenv("DOCKER_CLI_PLUGIN_SOCKET"));
			rc = follow(app, &args, err);
		}
	}
	args_clear(&args);
	return rc;
}
