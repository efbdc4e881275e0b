/* SPDX-License-Identifier: ISC */
/*
 * watch - the janitor driven by docker's events.  It stays in the foreground:
 * the service manager does the rest.
 */
#include "core/watch.h"
#include "base/log.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "process/notify.h"

static int
reload(void *arg, struct error *err)
{
	return app_reload(arg, err);
}

static void
tell(void *arg, const struct watch_news *news)
{
	const struct app *app = arg;
	char now[TIME_TEXT];
	json_t *line;

	if (!app->json)
		return;
	line = json_object();
	time_format(now, clock_now());
	json_put_text(line, "time", now);
	json_put_text(line, "event", news->event);
	json_put_text(line, "container", news->container);
	json_put_text(line, "agent", news->agent);
	json_put_text(line, "why", news->why);
	json_put_number(line, "until", (json_int_t)news->until);
	output_json_line(line);
}

static int
watch_exec(struct app *app, const struct args *args, struct error *err)
{
	struct watch_hooks hooks = { reload, tell, app };

	if (args_expect(args, 0, 0, "", err) == -1)
		return -1;
	if (app->timeout > 0)
		return error_set(err, ERROR_USAGE,
		    "--timeout: a watch has no end of its own");
	if (app_settings(app, err) == -1)
		return -1;
	if (!app->settings.enabled) {
		log_info("sandboxes are switched off: nothing to watch");
		notify_ready();
		return 0;
	}
	app_pin_context(app);
	if (app_everything(app, err) == -1)
		return -1;
	return watch_run(&app->core, &hooks, err);
}

const struct cmd cmd_watch = {
	.name = "watch",
	.args = "",
	.help = "the janitor driven by docker's events; stays in the "
		"foreground",
	.exec = watch_exec,
};
