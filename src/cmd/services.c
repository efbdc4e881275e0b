/* SPDX-License-Identifier: ISC */
/* services - which services and features may be requested.  No docker call. */
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/output.h"

enum { OPT_PROJECT = 256 + 64, OPT_MARKER };

static const struct option_spec options[] = {
	{ OPT_PROJECT, "project", "P", "those of a project alone" },
	{ OPT_MARKER, "marker", NULL,
	    "print ROBOCO_SANDBOX_SERVICES_AVAILABLE=A,B" },
	{ 0, NULL, NULL, NULL },
};

static json_t *
engine_json(const struct engine *engine)
{
	json_t *features = json_array();
	size_t i;

	for (i = 0; i < engine->features.len; i++)
		(void)json_array_append_new(features,
		    json_safe_string(engine->features.items[i]));
	return json_pack("{s:s,s:o}", "image", engine->image, "features",
	    features);
}

static void
print_json(const struct app *app, const struct strvec *names)
{
	json_t *doc = json_object();
	size_t i;

	for (i = 0; i < names->len; i++)
		(void)json_object_set_new(doc, names->items[i],
		    engine_json(engine_list_find(&app->engines,
			names->items[i])));
	output_json(doc);
}

static void
print_table(const struct app *app, const struct strvec *names)
{
	struct output_table table = { 3, { 0 }, 0 };
	const struct engine *engine;
	char *features;
	size_t i;

	output_row(&table, "SERVICE", "IMAGE", "FEATURES");
	for (i = 0; i < names->len; i++) {
		engine = engine_list_find(&app->engines, names->items[i]);
		features = strvec_join(&engine->features, ", ");
		output_row(&table, engine->name, engine->image, features);
		free(features);
	}
	output_table(&table);
}

static int
choose_names(const struct app *app, const struct args *args,
    struct strvec *names, struct error *err)
{
	const char *wanted = args_value(args, OPT_PROJECT);
	const struct project *project = NULL;
	size_t i;

	if (wanted != NULL) {
		project = settings_project(&app->settings, wanted, err);
		if (project == NULL)
			return -1;
	}
	for (i = 0; i < app->engines.len; i++)
		if (project == NULL ||
		    strvec_has(&project->services, app->engines.items[i].name))
			strvec_add(names, app->engines.items[i].name);
	strvec_sort(names);
	return 0;
}

static int
services_exec(struct app *app, const struct args *args, struct error *err)
{
	struct strvec names = { 0 };
	char *joined;
	int rc;

	if (args_expect(args, 0, 0, "", err) == -1 ||
	    app_engines(app, err) == -1)
		return -1;
	rc = choose_names(app, args, &names, err);
	if (rc == 0 && args_has(args, OPT_MARKER)) {
		joined = strvec_join(&names, ",");
		output_text("ROBOCO_SANDBOX_SERVICES_AVAILABLE=%s\n", joined);
		free(joined);
	} else if (rc == 0 && app->json) {
		print_json(app, &names);
	} else if (rc == 0) {
		print_table(app, &names);
	}
	strvec_clear(&names);
	return rc;
}

const struct cmd cmd_services = {
	.name = "services",
	.args = "",
	.help = "show which services and features may be requested",
	.options = options,
	.exec = services_exec,
};
