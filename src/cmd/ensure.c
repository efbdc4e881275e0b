/* SPDX-License-Identifier: ISC */
/*
 * ensure - hand over an agent's sandbox: the verified one that is there, or
 * what is missing of it, fresh.
 */
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/handed.h"
#include "core/ensure.h"

enum {
	OPT_SERVICES = 256 + 64,
	OPT_ALSO,
	OPT_PROJECT,
	OPT_FEATURE,
	OPT_IMAGE,
	OPT_MEMORY,
	OPT_DATA_SIZE,
	OPT_NETWORK,
	OPT_REPLACE,
	OPT_FRESH
};

static const struct option_spec options[] = { { OPT_SERVICES, "services", "A,B",
						  "the services wanted" },
	{ OPT_ALSO, "also", "C", "provisioned too, and not printed" },
	{ OPT_PROJECT, "project", "P", "the services of a project" },
	{ OPT_FEATURE, "feature", "SVC:NAME",
	    "a feature of a service; may be repeated" },
	{ OPT_IMAGE, "image", "SVC=IMAGE", "another image for a service" },
	{ OPT_MEMORY, "memory", "SIZE", "memory limit of each container" },
	{ OPT_DATA_SIZE, "data-size", "SIZE", "size of the data's tmpfs" },
	{ OPT_NETWORK, "network", "N", "network, instead of the owner's" },
	{ OPT_REPLACE, "replace", NULL, "live containers may be replaced" },
	{ OPT_FRESH, "fresh", NULL, "new containers, new credentials" },
	HANDED_OPTIONS, { 0, NULL, NULL, NULL } };

/* "svc:a,b" is "svc:a" and "svc:b". */
static void
read_features(const struct args *args, struct strvec *features)
{
	struct strvec values = { 0 }, names = { 0 };
	const char *colon;
	size_t i, k;

	args_values(args, OPT_FEATURE, &values);
	for (i = 0; i < values.len; i++) {
		colon = strchr(values.items[i], ':');
		if (colon == NULL) {
			strvec_add(features, values.items[i]);
			continue;
		}
		strvec_split(&names, colon + 1, ',');
		for (k = 0; k < names.len; k++)
			strvec_addf(features, "%.*s%s",
			    (int)(colon + 1 - values.items[i]), values.items[i],
			    names.items[k]);
		if (names.len == 0)
			strvec_add(features, values.items[i]);
		strvec_clear(&names);
	}
	strvec_clear(&values);
}

static void
read_request(const struct args *args, struct ensure_request *request)
{
	request->slug = args->operands.items[0];
	request->project = args_value(args, OPT_PROJECT);
	request->memory = args_value(args, OPT_MEMORY);
	request->data_size = args_value(args, OPT_DATA_SIZE);
	request->network = args_value(args, OPT_NETWORK);
	request->replace = args_has(args, OPT_REPLACE);
	request->fresh = args_has(args, OPT_FRESH);
	args_lists(args, OPT_SERVICES, &request->services);
	args_lists(args, OPT_ALSO, &request->also);
	args_values(args, OPT_IMAGE, &request->images);
	read_features(args, &request->features);
}

static int
hand_over(struct app *app, struct ensure_request *request,
    enum handed_form form, struct error *err)
{
	struct ensure_result result;

	if (app_engines(app, err) == -1 ||
	    ensure_check(&app->settings, &app->engines, request, err) == -1 ||
	    app_everything(app, err) == -1 ||
	    ensure_run(&app->core, request, &result, err) == -1)
		return error_about(err, request->slug, NULL);
	handed_print(app, form, &result.entry, &result.shown, &result.made);
	ensure_result_clear(&result);
	return 0;
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
	read_request(args, &request);
	if (request.services.len == 0 && request.project == NULL)
		rc = error_set(err, ERROR_USAGE,
		    "neither --services nor --project is given");
	else
		rc = hand_over(app, &request, form, err);
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
