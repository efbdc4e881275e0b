/* SPDX-License-Identifier: ISC */
/*
 * sandkeeper - throwaway service sandboxes for agent and CI containers.
 *
 * Reads downward: the command table is here; src/cmd has a file for each
 * command; they call src/core, which decides; core asks src/docker, src/store
 * and src/config.
 */
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sysexits.h>

#include "base/fd.h"
#include "base/log.h"
#include "base/progress.h"
#include "cmd/cmd.h"
#include "cmd/failure.h"
#include "cmd/output.h"
#include "cmd/plugin.h"
#include "process/interrupt.h"

const struct cmd *const cmd_table[] = {
	&cmd_completion,
	&cmd_connect,
	&cmd_doctor,
	&cmd_ensure,
	&cmd_env,
	&cmd_help,
	&cmd_hold,
	&cmd_list,
	&cmd_pull,
	&cmd_release,
	&cmd_remove,
	&cmd_renew,
	&cmd_run,
	&cmd_services,
	&cmd_sweep,
	&cmd_watch,
	&cmd_why,
	NULL,
};

enum {
	OPT_SET = 256,
	OPT_DOCKER,
	OPT_CONTEXT,
	OPT_STATE_DIR,
	OPT_TIMEOUT,
	OPT_JSON
};

const struct option_spec global_options[] = {
	{ 'c', "config", "FILE", "read the settings from FILE" },
	{ OPT_SET, "set", "KEY=VALUE", "set one setting; may be repeated" },
	{ OPT_DOCKER, "docker", "PATH", "the docker client to run" },
	{ OPT_CONTEXT, "context", "NAME", "the docker context to use" },
	{ OPT_STATE_DIR, "state-dir", "DIR", "where the state is kept" },
	{ OPT_TIMEOUT, "timeout", "D", "limit of time for the whole command" },
	{ OPT_JSON, "json", NULL, "print one JSON document" },
	{ 'q', "quiet", NULL, "say nothing but warnings and errors" },
	{ 'v', "verbose", NULL, "say why; twice: every docker call" },
	{ 'h', "help", NULL, "show this help" },
	{ 'V', "version", NULL, "show the version" },
	{ 0, NULL, NULL, NULL },
};

/*
 * Passwords are in our memory: no core dump may write them to a disk.  Unlike
 * a limit, this is not handed on to the programs that we start.
 */
static void
forbid_core_dumps(void)
{
#ifndef __SANITIZE_ADDRESS__ /* its leak checker traces us */
	(void)prctl(PR_SET_DUMPABLE, 0);
#endif
}

static enum log_level
chosen_level(const struct args *before, const struct args *after)
{
	const struct args *both[] = { before, after };
	enum log_level level = LOG_LEVEL_NORMAL;
	size_t i, k;

	for (i = 0; i < 2; i++)
		for (k = 0; k < both[i]->option_count; k++) {
			if (both[i]->options[k].spec->id == 'q')
				level = LOG_LEVEL_QUIET;
			else if (both[i]->options[k].spec->id == 'v' &&
			    level < LOG_LEVEL_DEBUG)
				level = level + 1;
		}
	return level;
}

static const char *
last(const char *older, const char *newer)
{
	return newer != NULL ? newer : older;
}

/* Options before and after the command mean the same; the later one counts. */
static int
take_globals(struct app *app, const struct args *args, struct error *err)
{
	app->json |= args_has(args, OPT_JSON);
	app->quiet |= args_has(args, 'q');
	app->config = last(app->config, args_value(args, 'c'));
	app->docker_program =
	    last(app->docker_program, args_value(args, OPT_DOCKER));
	app->context = last(app->context, args_value(args, OPT_CONTEXT));
	app->state_dir_option =
	    last(app->state_dir_option, args_value(args, OPT_STATE_DIR));
	args_values(args, OPT_SET, &app->sets);
	return args_duration(args, OPT_TIMEOUT, &app->timeout, err);
}

static void
print_version(void)
{
	output_text("sandkeeper %s\n", PACKAGE_VERSION);
}

static int
run_command(struct app *app, const struct cmd *cmd, const struct args *before,
    int argc, char *const argv[], struct error *err)
{
	struct args args = { 0 };
	int rc;

	app->failure_code = cmd->failure_code;
	rc = args_parse(&args, argc, argv, cmd->options, global_options, false,
	    NULL, err);
	if (rc == 0)
		rc = take_globals(app, &args, err);
	log_open(chosen_level(before, &args));
	progress_open(log_shows(LOG_LEVEL_NORMAL) && !app->json);
	if (rc == -1 && err->hint[0] == '\0')
		(void)error_hint(err, "'sandkeeper help %s' tells more",
		    cmd->name);
	if (rc == 0 && args_has(&args, 'V'))
		print_version();
	else if (rc == 0 && args_has(&args, 'h'))
		rc = cmd_print_help(cmd, err);
	else if (rc == 0)
		rc = cmd->exec(app, &args, err);
	if (rc == -1 && err->kind == ERROR_USAGE && err->hint[0] == '\0')
		(void)error_hint(err, "'sandkeeper help %s' tells more",
		    cmd->name);
	args_clear(&args);
	return rc;
}

static int
run(struct app *app, int argc, char *const argv[], struct error *err)
{
	struct args before = { 0 };
	const struct cmd *cmd;
	int next, rc;

	rc = args_parse(&before, argc - 1, argv + 1, NULL, global_options, true,
	    &next, err);
	if (rc == 0)
		rc = take_globals(app, &before, err);
	next++;
	if (rc == 0 && args_has(&before, 'V')) {
		print_version();
	} else if (rc == 0 && args_has(&before, 'h')) {
		rc = cmd_print_help(NULL, err);
	} else if (rc == 0 && next >= argc) {
		(void)error_set(err, ERROR_USAGE, "a command is missing");
		rc = error_hint(err, "'sandkeeper help' lists them");
	} else if (rc == 0) {
		cmd = cmd_find(argv[next], err);
		rc = cmd == NULL ? -1 :
				   run_command(app, cmd, &before,
				       argc - next - 1, argv + next + 1, err);
	}
	args_clear(&before);
	return rc;
}

/* Does this word, before the command, take the next one as its value? */
static bool
takes_next(const char *word)
{
	const char *value;
	const struct option_spec *spec =
	    args_option_of(word, global_options, NULL, &value);

	return spec != NULL && value == NULL && args_wants_word(spec);
}

static bool
foresee_command(int argc, char *const argv[], const char *name)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (argv[i][0] != '-')
			return strcmp(argv[i], name) == 0;
		if (takes_next(argv[i]))
			i++;
	}
	return false;
}

/*
 * How a failure is told must be known even where the command line cannot be
 * read: eval "$(sandkeeper ensure ... --env)" has to fail then, too, and so
 * has eval "$(sandkeeper env ...)".
 */
static void
foresee_output(struct app *app, int argc, char *const argv[])
{
	bool shell = foresee_command(argc, argv, "env");
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		app->json |= strcmp(argv[i], "--json") == 0;
		app->shell_output |= strcmp(argv[i], "--env") == 0;
		shell &= strcmp(argv[i], "--dotenv") != 0 &&
		    strcmp(argv[i], "--docker-args") != 0;
	}
	app->shell_output |= shell && i == argc;
}

static void
print_failure(const struct app *app, const struct error *err, int code)
{
	failure_log(err);
	if (app->json)
		output_json(failure_json(err, code));
	else if (app->shell_output)
		output_text("false\n");
}

int
main(int argc, char *argv[])
{
	struct app app = { 0 };
	struct error err = { 0 }, lost;
	int code = EX_OK, rc;

	if (fd_open_standard() == -1)
		return EX_OSERR;
	forbid_core_dumps();
	interrupt_install();
	json_init();
	/* what our caller hides from himself would lock us out of our files */
	(void)umask(umask(0) & ~(mode_t)S_IRWXU);
	if (plugin_metadata(argc, argv))
		return output_finish(&err) == 0 ? EX_OK : EX_IOERR;
	rc = plugin_begin(&app, &argc, &argv, &err);
	foresee_output(&app, argc, argv);
	if (rc == 0)
		rc = run(&app, argc, argv, &err);
	if (rc == -1) {
		code = failure_exit_code(&err);
		if (app.failure_code != 0 && err.kind != ERROR_INTERRUPTED)
			code = app.failure_code;
		print_failure(&app, &err, code);
	} else {
		code = app.exit_code;
	}
	if (output_finish(&lost) == -1) {
		failure_log(&lost);
		if (code == EX_OK)
			code = failure_exit_code(&lost);
	}
	app_clear(&app);
	return code;
}
