/* SPDX-License-Identifier: ISC */
/* renew - move a lease's end; never earlier than it was. */
#include "base/log.h"
#include "cmd/cmd.h"
#include "cmd/meant.h"
#include "cmd/output.h"
#include "config/slug.h"
#include "core/lease.h"

enum { OPT_TTL = 256 + 64 };

static const struct option_spec options[] = {
	{ OPT_TTL, "ttl", "D", "the new end, that long from now" },
	{ 0, NULL, NULL, NULL },
};

static int
renew_exec(struct app *app, const struct args *args, struct error *err)
{
	int64_t ttl = 0, expires;
	struct lease lease = { 0 };
	char until[TIME_TEXT];
	const char *slug;

	if (args_expect(args, 1, 1, "the agent", err) == -1 ||
	    args_duration(args, OPT_TTL, &ttl, err) == -1)
		return -1;
	if (ttl == 0)
		return error_set(err, ERROR_USAGE, "--ttl D is missing");
	slug = args->operands.items[0];
	lease.slug = slug;
	if (slug_check(slug, 0, err) == -1 || app_settings(app, err) == -1 ||
	    app_store(app, STORE_CHANGE, err) == -1 ||
	    lease_renew(&app->core, lease, ttl,
		deadline_in_ms(app->settings.lock_timeout * 1000), &expires,
		err) == -1)
		return meant_hint(app, slug, err);
	time_format(until, expires);
	if (app->json)
		output_json(json_pack("{s:s,s:I}", "agent", slug, "expires",
		    (json_int_t)expires));
	else
		log_info("%s: its lease ends at %s", slug, until);
	return 0;
}

const struct cmd cmd_renew = {
	.name = "renew",
	.args = "AGENT",
	.help = "move the end of a sandbox's lease",
	.options = options,
	.exec = renew_exec,
};
