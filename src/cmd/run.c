/* SPDX-License-Identifier: ISC */
/*
 * run - provision, run a command with the variables, release, and exit as it
 * did.
 *
 * The sandbox belongs to this process: if even that is killed, it is an orphan
 * at once, and the next sweep takes it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/environment.h"
#include "cmd/output.h"
#include "cmd/wanted.h"
#include "core/lease.h"
#include "core/process_owner.h"
#include "core/release.h"
#include "process/foreground.h"
#include "process/interrupt.h"

enum { OPT_KEEP_ON_FAILURE = 256 + 64 };

static const struct option_spec options[] = {
	WANTED_OPTIONS,
	{ OPT_KEEP_ON_FAILURE, "keep-on-failure", "D",
	    "where CMD fails, hold the sandbox that long" },
	{ 0, NULL, NULL, NULL },
};

/* A lease for where nobody can judge this process; renewed while it lives. */
static const int64_t run_ttl = INT64_C(24) * 3600;

struct run {
	struct app *app;
	struct ensure_request request;
	struct ensure_result result;
	char *slug;
	char *owner;
	char *path;
	int64_t keep; /* seconds; 0: release whatever happens */
	bool ran;     /* the command was started */
	bool lost;    /* its sandbox was released by somebody else */
};

/*
 * While CMD runs, nothing may wait here: its signals and its end are noticed
 * between two of these.  There is another one before the lease is over.
 */
static void
renew(void *arg)
{
	struct run *run = arg;
	struct lease lease = { run->slug, run->owner };
	struct deadline at_once = { 0 };
	struct error err;
	int64_t expires;

	if (run->lost ||
	    lease_renew(&run->app->core, lease, run->request.ttl, at_once,
		&expires, &err) == 0)
		return;
	if (err.kind == ERROR_LOCKED) {
		log_verbose("%s: %s", run->slug, err.msg);
		return;
	}
	run->lost = err.kind == ERROR_NO_SANDBOX;
	log_warn("%s: its lease is not renewed: %s", run->slug, err.msg);
}

/* -1 where it cannot be started; *code is then 126 or 127. */
static int
run_command(struct run *run, const struct args *args, int *code,
    struct error *err)
{
	struct foreground how = { .path = run->path };
	struct strvec envp = { 0 };
	int rc = 0;

	environment_fill(run->app, &run->result.entry, &run->result.shown,
	    &envp);
	how.argv = args->operands.items + args->separator;
	how.envp = envp.items;
	how.tick_ms = run->request.ttl * 1000 / 3;
	how.tick = renew;
	how.tick_arg = run;
	*code = foreground_run(&how, &run->ran);
	if (!run->ran && errno != EINTR)
		rc = error_errno(err, ERROR_VALUE, "cannot run '%s'",
		    how.argv[0]);
	strvec_clear(&envp);
	return rc;
}

/* Hold it, and say how it is reached; false where that cannot be. */
static bool
keep(const struct run *run)
{
	struct lease lease = { run->slug, run->owner };
	char until[TIME_TEXT];
	struct error err;
	int64_t end = clock_now() + run->keep;

	if (lease_hold(&run->app->core, lease, end, &err) == -1) {
		log_warn("%s: it cannot be held: %s", run->slug, err.msg);
		return false;
	}
	time_format(until, end);
	log_line("the command failed: the sandbox is held until %s", until);
	log_line("reach it with: sandkeeper connect %s, or sandkeeper env %s; "
		 "end it with: sandkeeper release --force %s",
	    run->slug, run->slug, run->slug);
	return true;
}

/* What this process made, and nothing that came in its place since. */
static void
release(const struct run *run)
{
	struct release how = { .slug = run->slug,
		.cause = "run",
		.owner = run->owner };
	enum release_outcome outcome;
	struct error err;

	if (release_run(&run->app->core, &how, &outcome, &err) == -1)
		log_warn("%s: it is not released (%s): the next sweep does it",
		    run->slug, err.msg);
	else if (outcome == RELEASE_HELD)
		log_info("%s: its sandbox is held and stays", run->slug);
}

/* Whatever comes of it, the command's own status is what counts. */
static void
clean_up(const struct run *run, bool failed)
{
	/* the limit for the whole command has no say in this, nor a signal */
	run->app->docker.control.deadline = DEADLINE_NEVER;
	interrupt_shield(true);
	if (!failed || run->keep == 0 || !keep(run))
		release(run);
	interrupt_shield(false);
}

static int
provision(struct run *run, struct error *err)
{
	struct app *app = run->app;

	if (app_engines(app, err) == -1 ||
	    ensure_check(&app->settings, &app->engines, &run->request, err) ==
		-1 ||
	    process_owner_describe(getpid(), &run->owner, err) == -1)
		return -1;
	run->request.owner = run->owner;
	run->request.must_be_new = true;
	if (run->request.ttl == 0)
		run->request.ttl = run_ttl;
	if (app_everything(app, err) == -1)
		return -1;
	return ensure_run(&app->core, &run->request, &run->result, err);
}

static int
run_all(struct run *run, const struct args *args, struct error *err)
{
	int code, rc;

	if (provision(run, err) == -1)
		return error_about(err, run->slug, NULL);
	rc = run_command(run, args, &code, err);
	clean_up(run, run->ran && code != 0);
	ensure_result_clear(&run->result);
	run->app->exit_code = code;
	if (rc == 0)
		return 0;
	run->app->failure_code = code;
	return error_about(err, run->slug, NULL);
}

static char *
choose_slug(const struct args *args)
{
	char digits[9];

	if (args->separator == 1)
		return xstrdup(args->operands.items[0]);
	text_random_hex(digits, 8);
	return xasprintf("run-%s", digits);
}

static int
check_command(struct run *run, const struct args *args, struct error *err)
{
	const char *program;
	int code;

	if (args->separator == SIZE_MAX ||
	    args->operands.len <= args->separator)
		return error_set(err, ERROR_USAGE,
		    "the command is missing: write it behind '--'");
	if (args->separator > 1)
		return error_set(err, ERROR_USAGE,
		    "one agent at most stands before '--'");
	program = args->operands.items[args->separator];
	run->path = foreground_find(program, &code);
	if (run->path != NULL)
		return 0;
	run->app->failure_code = code;
	return error_set(err, ERROR_VALUE, "'%s' %s", program,
	    code == 127 ? "is not there" : "cannot be run");
}

static int
run_exec(struct app *app, const struct args *args, struct error *err)
{
	struct run run = { .app = app };
	int rc;

	rc = check_command(&run, args, err);
	if (rc == 0)
		rc = args_duration(args, OPT_KEEP_ON_FAILURE, &run.keep, err);
	if (rc == 0)
		rc = wanted_read(args, &run.request, err);
	if (rc == 0) {
		run.slug = choose_slug(args);
		run.request.slug = run.slug;
		rc = run_all(&run, args, err);
	}
	ensure_request_clear(&run.request);
	free(run.slug);
	free(run.owner);
	free(run.path);
	return rc;
}

const struct cmd cmd_run = {
	.name = "run",
	.args = "[AGENT] -- CMD [ARG...]",
	.help = "run a command with a sandbox that lives as long as it",
	.options = options,
	/* as docker's: what fails is us, not the command */
	.failure_code = 125,
	.exec = run_exec,
};
