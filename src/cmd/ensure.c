/* SPDX-License-Identifier: ISC */
/*
 * ensure - hand over an agent's sandbox: the verified one that is there, or
 * what is missing of it, fresh.
 */
#include <stdlib.h>

#include "cmd/cmd.h"
#include "cmd/handed.h"
#include "cmd/ownership.h"
#include "cmd/wanted.h"

enum { OPT_OWNER = 256 + 64, OPT_INTO };

static const struct option_spec options[] = {
	WANTED_OPTIONS,
	{ OPT_OWNER, "owner", "O",
	    "container:NAME, self, pid:N or none, instead of the agent's "
	    "container" },
	{ OPT_INTO, "into", "PATH",
	    "write the variables into the running owner container" },
	{ OPT_REPLACE, "replace", NULL, "live containers may be replaced" },
	{ OPT_FRESH, "fresh", NULL, "new containers, new credentials" },
	HANDED_OPTIONS,
	{ 0, NULL, NULL, NULL },
};

static int
hand_over(struct app *app, const struct args *args,
    struct ensure_request *request, enum handed_form form, struct error *err)
{
	struct ensure_result result;
	char *owner = NULL;
	int rc = -1;

	if (app_engines(app, err) == 0 &&
	    ensure_check(&app->settings, &app->engines, request, err) == 0 &&
	    ownership_read(app, args_value(args, OPT_OWNER), request, &owner,
		err) == 0 &&
	    app_everything(app, err) == 0)
		rc = ensure_run(&app->core, request, &result, err);
	if (rc == 0) {
		handed_print(app, form, &result.entry, &result.shown,
		    &result.made);
		ensure_result_clear(&result);
	}
	free(owner);
	return rc == -1 ? error_about(err, request->slug, NULL) : 0;
}

static int
ensure_exec(struct app *app, const struct args *args, struct error *err)
{
	struct ensure_request request = { 0 };
	enum handed_form form;
	int rc;

	if (args_expect(args, 1, 1, "the agent", err) == -1 ||
	    handed_form(app, args, HANDED_SUMMARY, &form, err) == -1)
		return -1;
	request.slug = args->operands.items[0];
	request.into = args_value(args, OPT_INTO);
	rc = wanted_read(args, &request, err);
	if (rc == 0)
		rc = hand_over(app, args, &request, form, err);
	ensure_request_clear(&request);
	return rc;
}

const struct cmd cmd_ensure = {
	.name = "ensure",
	.args = "AGENT",
	.help = "hand over an agent's sandbox, making what is missing",
	.options = options,
	.exec = ensure_exec,
};
