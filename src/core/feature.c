/* SPDX-License-Identifier: ISC */
/*
 * ensure: features (rule E11).  One docker call a service: its client reads
 * the lines that enable each and the lines that list them, and every one must
 * be in the listing.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "core/chronicle.h"
#include "core/ensure_work.h"

static void
script(const struct ensure_service *service, struct strbuf *text)
{
	const struct engine *engine = service->engine;
	struct engine_values values = { "", "", "", "", "", "", "" };
	size_t i, k;

	for (i = 0; i < service->features.len; i++) {
		values.feature = service->features.items[i];
		values.feature_value =
		    engine_feature_word(&engine->feature_values,
			values.feature);
		for (k = 0; k < engine->enable.len; k++) {
			engine_expand(engine->enable.items[k], &values, text);
			strbuf_addc(text, '\n');
		}
	}
	for (k = 0; k < engine->verify.len; k++) {
		engine_expand(engine->verify.items[k], &values, text);
		strbuf_addc(text, '\n');
	}
}

/* The first feature that the listing lacks; NULL where none does. */
static const char *
missing(const struct ensure_service *service, const char *output)
{
	struct strvec lines = { 0 };
	const char *feature, *first = NULL;
	size_t i;

	strvec_split(&lines, output, '\n');
	for (i = 0; i < service->features.len && first == NULL; i++) {
		feature = service->features.items[i];
		if (!strvec_has(&lines,
			engine_feature_word(&service->engine->feature_listed,
			    feature)))
			first = feature;
	}
	strvec_clear(&lines);
	return first;
}

/*
 * The line of a client's output that tells what it did not like: the first
 * that names one of the features, which is then the one that failed.  Without
 * such a line, the last one.
 */
static char *
telling_line(const struct ensure_service *service, const char *output,
    const char **feature)
{
	struct strvec lines = { 0 };
	char *line = NULL;
	size_t i, k;

	strvec_split(&lines, output, '\n');
	for (i = 0; i < lines.len && line == NULL; i++)
		for (k = 0; k < service->features.len && line == NULL; k++)
			if (strstr(lines.items[i],
				service->features.items[k]) != NULL) {
				*feature = service->features.items[k];
				line = text_visible(lines.items[i], 200);
			}
	strvec_clear(&lines);
	return line != NULL ? line : text_last_line(output, 200);
}

static int
failed(const struct ensure_work *work, const struct ensure_service *service,
    const struct docker_exec_result *result, const char *image,
    struct error *err)
{
	const char *name = service->engine->name;
	const char *feature = service->features.items[0];
	struct strbuf masked = { 0 };
	char *line;

	strbuf_adds(&masked, strbuf_str(&result->output));
	chronicle_mask(&masked, &work->entry);
	if (result->end == DOCKER_EXEC_EXITED && result->code == 0) {
		feature = missing(service, strbuf_str(&masked));
		line = xstrdup("it is not listed afterwards");
	} else {
		line = telling_line(service, strbuf_str(&masked), &feature);
	}
	(void)error_set(err, service->make ? ERROR_FEATURE_FAILED : ERROR_LIVE,
	    "the feature '%s' of %s cannot be enabled in %s: %s", feature, name,
	    image, *line != '\0' ? line : "the client said nothing");
	if (service->make)
		(void)error_hint(err,
		    "the image lacks it: set feature-image "
		    "of the engine to one that has it");
	else
		(void)error_hint(err,
		    "--replace makes a new %s of the image "
		    "%s, and its data is lost",
		    name, service->image);
	free(line);
	strbuf_clear(&masked);
	return error_about(err, NULL, name);
}

static int
enable(const struct ensure_work *work, const struct ensure_service *service,
    struct error *err)
{
	const struct service_entry *entry =
	    agent_entry_find(&work->entry, service->engine->name);
	struct docker_exec exec = { 0 };
	struct docker_exec_result result;
	struct engine_values values;
	struct strbuf text = { 0 };
	char port[8];
	int rc = 0;

	ensure_values(entry, &values, port);
	script(service, &text);
	exec.id = service->make ? service->id : entry->id;
	exec.input = strbuf_str(&text);
	exec.timeout_ms = work->core->settings->timeout_exec * 1000;
	engine_expand_all(&service->engine->script_client, &values,
	    &exec.command);
	docker_exec_many(work->core->docker, &exec, 1, &result);
	if (result.end == DOCKER_EXEC_FAILED) {
		*err = result.error;
		rc = error_about(err, NULL, service->engine->name);
	} else if (result.end != DOCKER_EXEC_EXITED || result.code != 0 ||
	    missing(service, strbuf_str(&result.output)) != NULL) {
		rc = failed(work, service, &result,
		    service->make ? service->image : entry->image, err);
	}
	docker_exec_result_clear(&result);
	strvec_clear(&exec.command);
	strbuf_clear(&text);
	return rc;
}

int
ensure_enable_features(struct ensure_work *work, struct error *err)
{
	const struct ensure_service *service;
	size_t i;

	for (i = 0; i < work->service_count; i++) {
		service = &work->services[i];
		if (service->features.len == 0 ||
		    (!service->make && !service->enable))
			continue;
		if (ensure_go_on(work, err) == -1 ||
		    enable(work, service, err) == -1)
			return -1;
	}
	return 0;
}
