/* SPDX-License-Identifier: ISC */
/*
 * remove - the choke point for removing agent containers: keep the log, remove,
 * tear the sandbox down.
 */
#include <stdlib.h>

#include "base/log.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/failure.h"
#include "cmd/output.h"
#include "core/remove.h"

enum { OPT_KEEP_SANDBOX = 256 + 64, OPT_REASON, OPT_NO_LOG, OPT_STOP };

static const struct option_spec options[] = {
	{ OPT_KEEP_SANDBOX, "keep-sandbox", NULL, "leave its sandbox alone" },
	{ OPT_REASON, "reason", "TEXT", "for the history" },
	{ OPT_NO_LOG, "no-log", NULL, "do not keep its log" },
	{ OPT_STOP, "stop", "D", "ask it to stop first, and wait that long" },
	{ 0, NULL, NULL, NULL },
};

static int
check_name(const char *name, struct error *err)
{
	char *visible;

	if (docker_name_is_safe(name))
		return 0;
	visible = text_visible(name, 60);
	(void)error_set(err, ERROR_VALUE, "'%s' is no container name", visible);
	free(visible);
	return error_hint(err, "'docker ps -a' shows the names");
}

static int
remove_one(struct app *app, const struct args *args, const char *name,
    int64_t stop, struct error *err)
{
	struct remove_request request = { .container = name, .stop = stop };

	request.reason = args_value(args, OPT_REASON);
	request.keep_sandbox = args_has(args, OPT_KEEP_SANDBOX);
	request.no_log = args_has(args, OPT_NO_LOG);
	if (check_name(name, err) == -1)
		return -1;
	return remove_run(&app->core, &request, err);
}

static int
remove_all(struct app *app, const struct args *args, int64_t stop,
    struct error *err)
{
	json_t *done = json_array();
	struct error next;
	size_t i;

	for (i = 0; i < args->operands.len; i++) {
		if (remove_one(app, args, args->operands.items[i], stop,
			&next) == 0) {
			(void)json_array_append_new(done,
			    json_safe_string(args->operands.items[i]));
			continue;
		}
		if (err->kind != ERROR_NONE)
			failure_log(&next);
		error_keep_first(err, &next);
		if (next.kind == ERROR_INTERRUPTED)
			break;
	}
	if (app->json && err->kind == ERROR_NONE)
		output_json(json_pack("{s:O}", "removed", done));
	json_decref(done);
	return err->kind == ERROR_NONE ? 0 : -1;
}

static int
remove_exec(struct app *app, const struct args *args, struct error *err)
{
	int64_t stop = 0;

	if (args_expect(args, 1, SIZE_MAX, "the container", err) == -1 ||
	    args_duration(args, OPT_STOP, &stop, err) == -1 ||
	    app_settings(app, err) == -1)
		return -1;
	/* switched off, it is as if sandboxes did not exist: no state */
	if (app->settings.enabled && app_engines(app, err) == -1)
		return -1;
	if (app_docker(app, err) == -1)
		return -1;
	if (app->settings.enabled && app_store(app, STORE_CHANGE, err) == -1)
		return -1;
	error_clear(err);
	return remove_all(app, args, stop, err);
}

const struct cmd cmd_remove = {
	.name = "remove",
	.args = "CONTAINER...",
	.help = "remove agent containers, keeping their logs, and their "
		"sandboxes",
	.options = options,
	.exec = remove_exec,
};
