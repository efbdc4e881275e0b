/* SPDX-License-Identifier: ISC */
/* doctor: settings, the flag, engines, their images, networks. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "core/doctor_work.h"

static void
tell_mistakes(struct doctor *doctor, const struct mistakes *mistakes,
    const char *remedy)
{
	size_t i;

	for (i = 0; i < mistakes->len; i++)
		doctor_error(doctor, &mistakes->items[i], remedy);
}

void
doctor_check_settings(struct doctor *doctor)
{
	const struct mistakes *mistakes = doctor->question->settings;
	const char *file = doctor->core->settings->file;

	tell_mistakes(doctor, mistakes,
	    "correct it; sandkeeper.conf(5) tells what may stand there");
	if (mistakes->len == 0 && file != NULL)
		doctor_ok(doctor, "%s", file);
	else if (mistakes->len == 0)
		doctor_ok(doctor, "there is no file, and none is needed");
}

/* What says that they are off, and so has to say otherwise. */
static char *
switch_remedy(const struct doctor *doctor)
{
	static const char *const variables[] = { "SANDKEEPER_ENABLED",
		"ROBOCO_SANDBOX_DB_ENABLED" };
	const char *value;
	size_t i;

	for (i = 0; i < 2; i++) {
		value = getenv(variables[i]);
		if (value != NULL && *value != '\0')
			return xasprintf("set %s=true", variables[i]);
	}
	return xasprintf("write 'enabled = true' into %s",
	    doctor->question->settings_file);
}

void
doctor_check_enabled(struct doctor *doctor)
{
	char *remedy;

	if (doctor->core->settings->enabled) {
		doctor_ok(doctor, "sandboxes are switched on");
		return;
	}
	remedy = switch_remedy(doctor);
	doctor_warn(doctor, remedy,
	    "sandboxes are switched off: ensure and run refuse, sweep does "
	    "nothing");
	free(remedy);
}

void
doctor_check_engines(struct doctor *doctor)
{
	const struct mistakes *mistakes = doctor->question->engines;
	char *names;

	tell_mistakes(doctor, mistakes,
	    "correct it; sandkeeper-engines(5) tells what may stand there");
	if (mistakes->len > 0)
		return;
	names = engine_list_names(doctor->core->engines);
	doctor_ok(doctor, "%s", names);
	free(names);
}

/* Is the service in a project?  Where there are none, every one counts. */
static bool
is_wanted(const struct settings *settings, const char *service)
{
	size_t i;

	for (i = 0; i < settings->project_count; i++)
		if (strvec_has(&settings->projects[i].services, service))
			return true;
	return settings->project_count == 0;
}

static void
add_image(const struct settings *settings, const char *image,
    struct strvec *images)
{
	char *name = xasprintf("%s%s", settings->image_prefix, image);

	if (*image != '\0' && *image != '-')
		strvec_add_once(images, name);
	free(name);
}

static void
collect_images(const struct core *core, struct strvec *images)
{
	const struct settings *settings = core->settings;
	const struct engine *engine;
	size_t i;

	for (i = 0; i < core->engines->len; i++) {
		engine = &core->engines->items[i];
		if (!is_wanted(settings, engine->name))
			continue;
		add_image(settings, engine->image, images);
		if (settings_want_feature(settings, engine->name))
			add_image(settings, engine->feature_image, images);
	}
}

/* Nobody wants a dozen images that nobody asks for. */
static char *
image_remedy(const struct settings *settings, const struct strvec *missing)
{
	char *pulls, *remedy;

	if (settings->project_count == 0 && missing->len > 1)
		return xstrdup("'docker pull' those that will be asked for, or "
			       "name the services that count in a project of "
			       "the settings");
	pulls = strvec_join(missing, " && docker pull ");
	remedy = xasprintf("docker pull %s", pulls);
	free(pulls);
	return remedy;
}

static void
tell_images(struct doctor *doctor, const struct strvec *missing, size_t count)
{
	char *list = strvec_join(missing, ", ");
	char *remedy = image_remedy(doctor->core->settings, missing);

	if (missing->len == 0)
		doctor_ok(doctor, "all %zu are here", count);
	else if (doctor->core->settings->project_count == 0 &&
	    missing->len < count)
		/* some are wanted, and nothing says that these are */
		doctor_ok(doctor, "%zu of %zu are here; not here: %s",
		    count - missing->len, count, list);
	else if (strcmp(doctor->core->settings->pull_policy, "never") == 0)
		doctor_problem(doctor, ERROR_IMAGE_MISSING, remedy,
		    "not here, and pull-policy is never: %s", list);
	else
		doctor_warn(doctor, remedy,
		    "not here, the first that asks for them has to wait: %s",
		    list);
	free(remedy);
	free(list);
}

void
doctor_check_images(struct doctor *doctor)
{
	struct strvec images = { 0 }, missing = { 0 };
	struct error err;

	if (!doctor->answers) {
		doctor_skip(doctor, "the daemon does not answer");
		return;
	}
	collect_images(doctor->core, &images);
	if (images.len == 0)
		doctor_skip(doctor, "there is no engine");
	else if (docker_images_missing(doctor->core->docker, &images, &missing,
		     &err) == -1)
		doctor_error(doctor, &err, "try 'docker image ls' and see");
	else
		tell_images(doctor, &missing, images.len);
	strvec_clear(&images);
	strvec_clear(&missing);
}

/* Named by hand, or by an entry: those of the owners are there with them. */
static void
collect_networks(const struct doctor *doctor, struct strvec *names)
{
	const char *wanted = doctor->core->settings->network;

	/* "container:X" is none of docker's networks */
	if (strcmp(wanted, "owner") != 0 && strchr(wanted, ':') == NULL)
		strvec_add(names, wanted);
}

void
doctor_check_networks(struct doctor *doctor)
{
	struct strvec names = { 0 }, missing = { 0 };
	struct error err;
	char *remedy;
	size_t i;

	collect_networks(doctor, &names);
	if (names.len == 0)
		doctor_ok(doctor, "%s", doctor->core->settings->network);
	else if (!doctor->answers)
		doctor_skip(doctor, "the daemon does not answer");
	else if (docker_networks_missing(doctor->core->docker, &names, &missing,
		     &err) == -1)
		doctor_error(doctor, &err, "try 'docker network ls' and see");
	else if (missing.len == 0)
		doctor_ok(doctor, "%s is there", names.items[0]);
	for (i = 0; i < missing.len; i++) {
		remedy =
		    xasprintf("docker network create %s", missing.items[i]);
		doctor_problem(doctor, ERROR_NETWORK, remedy,
		    "there is no network '%s', which the settings name",
		    missing.items[i]);
		free(remedy);
	}
	strvec_clear(&names);
	strvec_clear(&missing);
}
