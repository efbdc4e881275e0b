/* SPDX-License-Identifier: ISC */
/* pull - fetch images ahead of need. */
#include "core/pull.h"
#include "cmd/cmd.h"
#include "cmd/output.h"

enum { OPT_FEATURES = 256 + 64, OPT_AGAIN };

static const struct option_spec options[] = {
	{ OPT_FEATURES, "features", NULL, "their images for features, too" },
	{ OPT_AGAIN, "again", NULL, "those that are here, too" },
	{ 0, NULL, NULL, NULL },
};

static json_t *
names_json(const struct strvec *names)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < names->len; i++)
		(void)json_array_append_new(list,
		    json_safe_string(names->items[i]));
	return list;
}

static void
print_report(const struct app *app, const struct pull_report *report)
{
	struct output_table table = { .columns = 2 };
	size_t i;

	if (app->json) {
		output_json(json_pack("{s:o,s:o}", "pulled",
		    names_json(&report->pulled), "here",
		    names_json(&report->here)));
		return;
	}
	output_row(&table, "IMAGE", "OUTCOME");
	for (i = 0; i < report->pulled.len; i++)
		output_row(&table, report->pulled.items[i], "pulled");
	for (i = 0; i < report->here.len; i++)
		output_row(&table, report->here.items[i], "here");
	output_table(&table);
}

static int
pull_exec(struct app *app, const struct args *args, struct error *err)
{
	struct pull_request request = { 0 };
	struct pull_report report;
	int rc;

	if (app_engines(app, err) == -1 || app_docker(app, err) == -1)
		return -1;
	request.services = &args->operands;
	request.features = args_has(args, OPT_FEATURES);
	request.again = args_has(args, OPT_AGAIN);
	rc = pull_images(&app->core, &request, &report, err);
	/* with --json a failure is the one document */
	if (rc == 0 || (!app->json && report.pulled.len > 0))
		print_report(app, &report);
	pull_report_clear(&report);
	return rc;
}

const struct cmd cmd_pull = {
	.name = "pull",
	.args = "[SERVICE...]",
	.help = "fetch images before somebody has to wait for them",
	.options = options,
	.exec = pull_exec,
};
