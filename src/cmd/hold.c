/* SPDX-License-Identifier: ISC */
/*
 * hold - keep a sandbox for debugging, whatever happens to its owner or lease.
 */
#include "base/log.h"
#include "cmd/cmd.h"
#include "cmd/meant.h"
#include "cmd/output.h"
#include "config/slug.h"
#include "core/lease.h"

enum { OPT_FOR = 256 + 64, OPT_OFF };

static const struct option_spec options[] = {
	{ OPT_FOR, "for", "D", "hold it that long from now" },
	{ OPT_OFF, "off", NULL, "hold it no more" },
	{ 0, NULL, NULL, NULL },
};

static void
tell(const struct app *app, const char *slug, int64_t until)
{
	char text[TIME_TEXT];

	time_format(text, until);
	if (app->json)
		output_json(json_pack("{s:s,s:I}", "agent", slug, "hold",
		    (json_int_t)until));
	else if (until == 0)
		log_info("%s: held no more", slug);
	else
		log_info("%s: held until %s", slug, text);
}

static int
hold_exec(struct app *app, const struct args *args, struct error *err)
{
	int64_t length = 0, until = 0;
	struct lease lease = { 0 };
	const char *slug;

	if (args_expect(args, 1, 1, "the agent", err) == -1 ||
	    args_duration(args, OPT_FOR, &length, err) == -1)
		return -1;
	if (args_has(args, OPT_OFF) == (length > 0))
		return error_set(err, ERROR_USAGE,
		    "give either --for D or --off");
	if (length > 0)
		until = clock_now() + length;
	slug = args->operands.items[0];
	lease.slug = slug;
	if (slug_check(slug, 0, err) == -1 || app_settings(app, err) == -1 ||
	    app_store(app, STORE_CHANGE, err) == -1 ||
	    lease_hold(&app->core, lease, until, err) == -1)
		return meant_hint(app, slug, err);
	tell(app, slug, until);
	return 0;
}

const struct cmd cmd_hold = {
	.name = "hold",
	.args = "AGENT",
	.help = "keep a sandbox for debugging, whatever happens to its owner",
	.options = options,
	.exec = hold_exec,
};
