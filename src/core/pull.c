/* SPDX-License-Identifier: ISC */
/* pull: images, fetched before somebody has to wait for them. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/suggest.h"
#include "base/text.h"
#include "core/pull.h"

void
pull_report_clear(struct pull_report *report)
{
	strvec_clear(&report->pulled);
	strvec_clear(&report->here);
}

static int
refuse_service(const struct core *core, const char *service, struct error *err)
{
	char *names = engine_list_names(core->engines);
	char *shown = text_visible(service, 60);

	(void)error_set(err, ERROR_SERVICE, "there is no service '%s'", shown);
	suggest_allowed(err, service, names);
	free(shown);
	free(names);
	return error_about(err, NULL, service);
}

static int
choose_services(const struct core *core, const struct pull_request *request,
    struct strvec *services, struct error *err)
{
	const struct settings *settings = core->settings;
	size_t i, k;

	if (request->services->len > 0)
		strvec_append(services, request->services);
	else
		for (i = 0; i < settings->project_count; i++)
			for (k = 0; k < settings->projects[i].services.len; k++)
				strvec_add_once(services,
				    settings->projects[i].services.items[k]);
	for (i = 0; i < services->len; i++)
		if (engine_list_find(core->engines, services->items[i]) == NULL)
			return refuse_service(core, services->items[i], err);
	if (services->len > 0)
		return 0;
	(void)error_set(err, ERROR_USAGE, "the services are missing");
	return error_hint(err,
	    "name them, or the projects of the settings: 'sandkeeper services' "
	    "lists what there is");
}

static void
choose_images(const struct core *core, const struct pull_request *request,
    const struct strvec *services, struct strvec *images)
{
	const char *prefix = core->settings->image_prefix;
	const struct engine *engine;
	struct strvec all = { 0 };
	size_t i;

	for (i = 0; i < services->len; i++) {
		engine = engine_list_find(core->engines, services->items[i]);
		strvec_addf(&all, "%s%s", prefix, engine->image);
		if (*engine->feature_image != '\0' &&
		    (request->features ||
			settings_want_feature(core->settings, engine->name)))
			strvec_addf(&all, "%s%s", prefix,
			    engine->feature_image);
	}
	for (i = 0; i < all.len; i++)
		strvec_add_once(images, all.items[i]);
	strvec_clear(&all);
}

static int
fetch(const struct core *core, const char *image, struct pull_report *report,
    struct error *err)
{
	struct strvec one = { 0 };
	int rc;

	strvec_add(&one, image);
	log_info("pulling %s", image);
	progress_begin("pulling %s", image);
	rc = docker_pull(core->docker, &one, err);
	progress_end();
	if (rc == 0)
		strvec_add(&report->pulled, image);
	strvec_clear(&one);
	return rc;
}

static int
fetch_all(const struct core *core, const struct strvec *images,
    const struct strvec *missing, bool again, struct pull_report *report,
    struct error *err)
{
	struct error first = { 0 }, failure;
	size_t i;
	int rc = 0;

	for (i = 0; i < images->len; i++) {
		if (!again && !strvec_has(missing, images->items[i])) {
			strvec_add(&report->here, images->items[i]);
			continue;
		}
		memset(&failure, 0, sizeof(failure));
		if (fetch(core, images->items[i], report, &failure) == 0)
			continue;
		if (rc == 0)
			first = failure;
		else
			log_warn("%s", failure.msg);
		rc = -1;
		if (failure.kind != ERROR_IMAGE_PULL)
			break;
	}
	if (rc == -1)
		*err = first;
	return rc;
}

int
pull_images(const struct core *core, const struct pull_request *request,
    struct pull_report *report, struct error *err)
{
	struct strvec services = { 0 }, images = { 0 }, missing = { 0 };
	int rc;

	memset(report, 0, sizeof(*report));
	rc = choose_services(core, request, &services, err);
	if (rc == 0) {
		choose_images(core, request, &services, &images);
		rc =
		    docker_images_missing(core->docker, &images, &missing, err);
	}
	if (rc == 0 && (missing.len > 0 || request->again) &&
	    strcmp(core->settings->pull_policy, "never") == 0) {
		(void)error_set(err, ERROR_IMAGE_MISSING,
		    "pull-policy is 'never'");
		(void)error_hint(err,
		    "load the images with 'docker load', or "
		    "set pull-policy to 'missing'");
		rc = -1;
	}
	if (rc == 0)
		rc = fetch_all(core, &images, &missing, request->again, report,
		    err);
	strvec_clear(&services);
	strvec_clear(&images);
	strvec_clear(&missing);
	return rc;
}
