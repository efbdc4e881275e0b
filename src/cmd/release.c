/* SPDX-License-Identifier: ISC */
/*
 * release - tear an agent's sandbox down and forget it.
 *
 * The common case by far is an agent that has none: it is answered by one look
 * into the state directory, before settings, engines or docker are touched.
 */
#include "core/release.h"
#include "base/log.h"
#include "cmd/cmd.h"
#include "cmd/failure.h"
#include "cmd/meant.h"
#include "cmd/output.h"
#include "config/slug.h"

enum { OPT_FORCE = 256 + 64, OPT_REASON };

static const struct option_spec options[] = {
	{ OPT_FORCE, "force", NULL, "even where it is held" },
	{ OPT_REASON, "reason", "TEXT", "for the history" },
	{ 0, NULL, NULL, NULL },
};

static int
release_found(struct app *app, const struct args *args, const char *slug,
    enum release_outcome *outcome, struct error *err)
{
	struct release release = { .slug = slug, .cause = "release" };

	release.force = args_has(args, OPT_FORCE);
	release.reason = args_value(args, OPT_REASON);
	if (app_everything(app, err) == -1 ||
	    release_run(&app->core, &release, outcome, err) == -1)
		return -1;
	if (*outcome != RELEASE_HELD)
		return 0;
	(void)error_set(err, ERROR_HELD, "its sandbox is held");
	return error_hint(err,
	    "'sandkeeper release --force %s' ends it all "
	    "the same",
	    slug);
}

static int
release_one(struct app *app, const struct args *args, const char *slug,
    json_t *done, struct error *err)
{
	enum release_outcome outcome = RELEASE_NOTHING;

	if (slug_check(slug, 0, err) == -1)
		return -1;
	if ((store_has(&app->store, slug) ||
		store_has_damaged(&app->store, slug)) &&
	    release_found(app, args, slug, &outcome, err) == -1)
		return error_about(err, slug, NULL);
	if (app->json)
		(void)json_array_append_new(done,
		    json_pack("{s:s,s:b}", "agent", slug, "released",
			outcome == RELEASE_DONE));
	else if (outcome == RELEASE_DONE)
		log_info("%s: released", slug);
	else
		meant_tell(app, slug);
	return 0;
}

static int
release_exec(struct app *app, const struct args *args, struct error *err)
{
	json_t *done = NULL;
	struct error next;
	size_t i;

	if (args_expect(args, 1, SIZE_MAX, "the agent", err) == -1 ||
	    app_store(app, STORE_LOOK, err) == -1)
		return -1;
	if (app->json)
		done = json_array();
	error_clear(err);
	for (i = 0; i < args->operands.len; i++) {
		if (release_one(app, args, args->operands.items[i], done,
			&next) == 0)
			continue;
		/* main tells the first one */
		if (err->kind != ERROR_NONE)
			failure_log(&next);
		error_keep_first(err, &next);
		if (next.kind == ERROR_INTERRUPTED)
			break;
	}
	if (app->json && err->kind == ERROR_NONE)
		output_json(json_pack("{s:O}", "released", done));
	json_decref(done);
	return err->kind == ERROR_NONE ? 0 : -1;
}

const struct cmd cmd_release = {
	.name = "release",
	.args = "AGENT...",
	.help = "tear an agent's sandbox down and forget it",
	.options = options,
	.exec = release_exec,
};
