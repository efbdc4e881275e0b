/* SPDX-License-Identifier: ISC */
/* The argument vectors of the docker calls. */
#include <string.h>

#include "base/strbuf.h"
#include "docker/args.h"

/*
 * A field of its own for each fact: a label may hold commas and newlines.
 * podman's .ID is another; it knows .Id in these very characters alone.
 */
static const char inspect_format[] =
    "{\"id\":\"{{.Id}}\",\"name\":{{json .Name}},"
    "\"created\":{{json .Created}},\"state\":{{json .State.Status}},"
    "\"started\":{{json .State.StartedAt}},"
    "\"finished\":{{json .State.FinishedAt}},"
    "\"exit\":{{json .State.ExitCode}},\"oom\":{{json .State.OOMKilled}},"
    "\"failure\":{{json .State.Error}},\"image\":{{json .Config.Image}},"
    "\"labels\":{{json .Config.Labels}},"
    "\"mode\":{{json .HostConfig.NetworkMode}},"
    "\"networks\":{{json .NetworkSettings.Networks}},"
    "\"ports\":{{json .NetworkSettings.Ports}}}";

void
args_inspect(struct strvec *argv, const struct strvec *names)
{
	/* a bare inspect finds images, networks and volumes too */
	strvec_add_all(argv, "inspect", "--type", "container", "--format",
	    inspect_format, NULL);
	strvec_append(argv, names);
}

static void
add_label_field(struct strbuf *format, const char *key, bool podman)
{
	strbuf_addf(format,
	    podman ? ",\"%s\":{{json (index .Labels \"%s\")}}" :
		     ",\"%s\":{{json (.Label \"%s\")}}",
	    key, key);
}

void
args_list(struct strvec *argv, const struct docker_filter *filter, bool podman)
{
	struct strbuf format = { 0 };
	size_t i;

	strvec_add_all(argv, "ps", "-a", "--no-trunc", NULL);
	if (filter->label != NULL)
		strvec_addf(argv, "--filter=label=%s", filter->label);
	for (i = 0; filter->names != NULL && i < filter->names->len; i++)
		strvec_addf(argv, "--filter=name=%s", filter->names->items[i]);
	/* podman's .State is what docker calls .Status: "Up 3 minutes ago" */
	strbuf_addf(&format,
	    "{\"id\":{{json .ID}},\"names\":{{json .Names}},"
	    "\"state\":{{json %s}},\"created\":{{json .CreatedAt}},"
	    "\"labels\":{\"\":\"\"",
	    podman ? ".ListContainer.State" : ".State");
	for (i = 0; filter->keys != NULL && i < filter->keys->len; i++)
		add_label_field(&format, filter->keys->items[i], podman);
	strbuf_adds(&format, "}}");
	strvec_add_all(argv, "--format", strbuf_str(&format), NULL);
	strbuf_clear(&format);
}

void
args_remove(struct strvec *argv, const struct strvec *ids, bool volumes,
    bool podman)
{
	strvec_add_all(argv, "rm", "-f", NULL);
	if (volumes)
		strvec_add(argv, "-v");
	/* podman waits ten seconds, and one missing name spoils the rest */
	if (podman)
		strvec_add_all(argv, "--ignore", "-t", "0", NULL);
	strvec_append(argv, ids);
}

void
args_logs(struct strvec *argv, const char *id, long tail)
{
	strvec_add_all(argv, "logs", "--tail", NULL);
	strvec_addf(argv, "%ld", tail);
	strvec_add(argv, id);
}

void
args_image_inspect(struct strvec *argv, const struct strvec *images)
{
	strvec_add_all(argv, "image", "inspect", "--format", "{{.Id}}", NULL);
	strvec_append(argv, images);
}

void
args_network_inspect(struct strvec *argv, const struct strvec *names)
{
	strvec_add_all(argv, "network", "inspect", "--format", "{{json .Name}}",
	    NULL);
	strvec_append(argv, names);
}

void
args_version(struct strvec *argv)
{
	strvec_add_all(argv, "version", "--format", "{{json .}}", NULL);
}

void
args_info(struct strvec *argv)
{
	strvec_add_all(argv, "info", "--format", "{{json .}}", NULL);
}

void
args_pull(struct strvec *argv, const char *image)
{
	strvec_add_all(argv, "pull", image, NULL);
}

static void
add_option(struct strvec *argv, const char *option, const char *value)
{
	if (value != NULL && *value != '\0')
		strvec_add_all(argv, option, value, NULL);
}

static void
add_each(struct strvec *argv, const char *option, const struct strvec *values)
{
	size_t i;

	for (i = 0; i < values->len; i++)
		strvec_add_all(argv, option, values->items[i], NULL);
}

/* The names alone of a list of NAME=VALUE. */
static void
add_secret_names(struct strvec *argv, const struct strvec *secrets)
{
	size_t i;

	for (i = 0; i < secrets->len; i++) {
		strvec_add(argv, "-e");
		strvec_addf(argv, "%.*s", (int)strcspn(secrets->items[i], "="),
		    secrets->items[i]);
	}
}

void
args_run(struct strvec *argv, const struct docker_run *run)
{
	/* "never": a pull of its own would escape the pull's deadline */
	strvec_add_all(argv, "run", "-d", "--pull", "never", "--name",
	    run->name, NULL);
	add_each(argv, "--label", &run->labels);
	add_option(argv, "--network", run->network);
	add_option(argv, "-p", run->publish);
	add_option(argv, "--memory", run->memory);
	add_option(argv, "--cpus", run->cpus);
	add_option(argv, "--pids-limit", run->pids_limit);
	add_option(argv, "--shm-size", run->shm_size);
	strvec_add_all(argv, "--security-opt", "no-new-privileges", NULL);
	add_each(argv, "--tmpfs", &run->tmpfs);
	add_option(argv, "--user", run->user);
	add_option(argv, "--entrypoint", run->entrypoint);
	add_each(argv, "-e", &run->environment);
	add_secret_names(argv, &run->secrets);
	strvec_append(argv, &run->options);
	strvec_add(argv, run->image);
	strvec_append(argv, &run->command);
}

void
args_exec(struct strvec *argv, const struct docker_exec *exec)
{
	strvec_add(argv, "exec");
	if (exec->input != NULL)
		strvec_add(argv, "-i");
	strvec_add(argv, exec->id);
	strvec_append(argv, &exec->command);
}

void
args_stop(struct strvec *argv, const struct strvec *ids, int64_t seconds)
{
	strvec_add_all(argv, "stop", "-t", NULL);
	strvec_addf(argv, "%lld", (long long)seconds);
	strvec_append(argv, ids);
}

void
args_unpause(struct strvec *argv, const struct strvec *ids)
{
	strvec_add(argv, "unpause");
	strvec_append(argv, ids);
}

void
args_events(struct strvec *argv, bool podman)
{
	/* its words for them are others: it is read unfiltered */
	static const char *const wanted[] = { "start", "die", "destroy",
		"rename" };
	size_t i;

	strvec_add_all(argv, "events", "--format", "{{json .}}", "--filter",
	    "type=container", NULL);
	for (i = 0; !podman && i < sizeof(wanted) / sizeof(wanted[0]); i++)
		strvec_addf(argv, "--filter=event=%s", wanted[i]);
}
