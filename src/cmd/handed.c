/* SPDX-License-Identifier: ISC */
/* Printing a sandbox's credentials. */
#include <stdio.h>
#include <string.h>

#include "cmd/handed.h"
#include "cmd/output.h"
#include "core/handover.h"

int
handed_form(const struct app *app, const struct args *args,
    enum handed_form otherwise, enum handed_form *form, struct error *err)
{
	int chosen = 0;

	*form = otherwise;
	if (args_has(args, OPT_FORM_ENV) && ++chosen > 0)
		*form = HANDED_SHELL;
	if (args_has(args, OPT_FORM_DOTENV) && ++chosen > 0)
		*form = HANDED_DOTENV;
	if (args_has(args, OPT_FORM_DOCKER_ARGS) && ++chosen > 0)
		*form = HANDED_DOCKER_ARGS;
	if (app->json && ++chosen > 0)
		*form = HANDED_JSON;
	if (chosen > 1)
		return error_set(err, ERROR_USAGE,
		    "choose one of --env, "
		    "--dotenv, --docker-args and --json");
	return 0;
}

static void
print_variable(enum handed_form form, const char *variable)
{
	size_t name = strcspn(variable, "=");

	switch (form) {
	case HANDED_SHELL:
		output_text("export %.*s=", (int)name, variable);
		output_shell_word(variable + name + 1);
		output_text("\n");
		break;
	case HANDED_DOCKER_ARGS:
		output_text("-e %s ", variable);
		break;
	case HANDED_DOTENV:
	case HANDED_SUMMARY:
	case HANDED_JSON:
		output_text("%s\n", variable);
		break;
	}
}

static void
print_variables(const struct app *app, enum handed_form form,
    const struct agent_entry *entry, const struct strvec *shown)
{
	const struct service_entry *service;
	struct strvec variables = { 0 };
	size_t i;

	for (i = 0; i < shown->len; i++) {
		service = agent_entry_find(entry, shown->items[i]);
		if (service != NULL)
			handover_variables(engine_list_find(&app->engines,
					       service->service),
			    service, &variables);
	}
	for (i = 0; i < variables.len; i++)
		print_variable(form, variables.items[i]);
	if (form == HANDED_DOCKER_ARGS)
		output_text("\n");
	strvec_clear(&variables);
}

static json_t *
variables_json(const struct engine *engine, const struct service_entry *service)
{
	struct strvec variables = { 0 };
	json_t *object = json_object();
	size_t i, name;
	char *text;

	handover_variables(engine, service, &variables);
	for (i = 0; i < variables.len; i++) {
		text = variables.items[i];
		name = strcspn(text, "=");
		text[name] = '\0';
		json_put_text(object, text, text + name + 1);
	}
	strvec_clear(&variables);
	return object;
}

static json_t *
list_json(const struct strvec *list)
{
	struct strvec sorted = { 0 };
	json_t *array = json_array();
	size_t i;

	strvec_append(&sorted, list);
	strvec_sort(&sorted);
	for (i = 0; i < sorted.len; i++)
		(void)json_array_append_new(array,
		    json_safe_string(sorted.items[i]));
	strvec_clear(&sorted);
	return array;
}

static json_t *
service_json(const struct engine *engine, const struct service_entry *service,
    bool fresh)
{
	json_t *object = json_object();
	const char *key = engine != NULL && *engine->available != '\0' ?
	    engine->available :
	    "available_features";

	json_put_text(object, "host", service->host);
	json_put_number(object, "port", service->port);
	json_put_text(object, "user",
	    *service->user != '\0' ? service->user : NULL);
	json_put_text(object, "password", service->password);
	json_put_text(object, "database",
	    *service->database != '\0' ? service->database : NULL);
	(void)json_object_set_new(object, "env",
	    variables_json(engine, service));
	json_put_flag(object, "fresh", fresh);
	if (service->features.len > 0)
		(void)json_object_set_new(object, key,
		    list_json(&service->features));
	return object;
}

static void
print_json(const struct app *app, const struct agent_entry *entry,
    const struct strvec *shown, const struct strvec *made)
{
	const struct service_entry *service;
	json_t *doc = json_object();
	size_t i;

	for (i = 0; i < shown->len; i++) {
		service = agent_entry_find(entry, shown->items[i]);
		if (service == NULL)
			continue;
		(void)json_object_set_new(doc, service->service,
		    service_json(engine_list_find(&app->engines,
				     service->service),
			service, strvec_has(made, service->service)));
	}
	output_json(doc);
}

static void
print_summary(const struct agent_entry *entry, const struct strvec *shown,
    const struct strvec *made)
{
	const struct service_entry *service;
	struct output_table table = { 3, { 0 }, 0 };
	char place[160];
	bool brackets;
	size_t i;

	output_row(&table, "SERVICE", "WHERE", "SANDBOX");
	for (i = 0; i < shown->len; i++) {
		service = agent_entry_find(entry, shown->items[i]);
		if (service == NULL)
			continue;
		brackets = strchr(service->host, ':') != NULL;
		(void)snprintf(place, sizeof(place), "%s%s%s:%d",
		    brackets ? "[" : "", service->host, brackets ? "]" : "",
		    service->port);
		output_row(&table, service->service, place,
		    strvec_has(made, service->service) ? "fresh" : "as it was");
	}
	output_table(&table);
	output_text("\nThe credentials: sandkeeper env %s\n", entry->agent);
}

void
handed_print(const struct app *app, enum handed_form form,
    const struct agent_entry *entry, const struct strvec *shown,
    const struct strvec *made)
{
	switch (form) {
	case HANDED_SUMMARY:
		print_summary(entry, shown, made);
		break;
	case HANDED_JSON:
		print_json(app, entry, shown, made);
		break;
	case HANDED_SHELL:
	case HANDED_DOTENV:
	case HANDED_DOCKER_ARGS:
		print_variables(app, form, entry, shown);
		break;
	}
}
