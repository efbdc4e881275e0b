/* SPDX-License-Identifier: ISC */
/* The client itself, and the rules for names. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "docker/docker.h"

extern char **environ;

/* What a child does not take over from us. */
static bool
is_ours(const char *variable)
{
	static const char *const names[] = { "LC_ALL=", "TZ=",
		"DOCKER_CLI_HINTS=", "DOCKER_CONTEXT=" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_has_prefix(variable, names[i]))
			return true;
	return false;
}

static void
prepare_environment(struct strvec *environment, const char *context)
{
	size_t i;

	for (i = 0; environ[i] != NULL; i++)
		if (!is_ours(environ[i]))
			strvec_add(environment, environ[i]);
	/* "docker ps" prints times in the client's zone */
	strvec_add_all(environment, "LC_ALL=C", "TZ=UTC",
	    "DOCKER_CLI_HINTS=false", NULL);
	if (context == NULL)
		context = getenv("DOCKER_CONTEXT");
	if (context != NULL && *context != '\0')
		strvec_addf(environment, "DOCKER_CONTEXT=%s", context);
}

/*
 * docker is a Go program that lives for ten milliseconds: with one thread, and
 * without collecting garbage, inspect takes 0.85 and ps 0.94 of the time on an
 * idle machine (tests/bench/client.sh).
 */
static void
prepare_quick(struct strvec *quick)
{
	if (getenv("GOMAXPROCS") == NULL)
		strvec_add(quick, "GOMAXPROCS=1");
	if (getenv("GOGC") == NULL)
		strvec_add(quick, "GOGC=400");
}

int
docker_open(struct docker *docker, const char *program, const char *context,
    const struct docker_timeouts *timeouts, struct error *err)
{
	memset(docker, 0, sizeof(*docker));
	docker->timeouts = *timeouts;
	docker->control.deadline = DEADLINE_NEVER;
	docker->path = process_find(program);
	if (docker->path == NULL) {
		(void)error_set(err, ERROR_DOCKER_MISSING,
		    "cannot run '%s': %s", program, strerror(errno));
		return error_hint(err,
		    "install docker, or name it with "
		    "--docker PATH or the setting 'docker'");
	}
	docker->podman = text_has_suffix(docker->path, "/podman");
	/* its name server hears of a container when that runs already */
	docker->names_lag = docker->podman;
	prepare_environment(&docker->environment, context);
	/* podman's children outlive it, and were not measured */
	if (!docker->podman)
		prepare_quick(&docker->quick);
	return 0;
}

void
docker_close(struct docker *docker)
{
	free(docker->path);
	strvec_clear(&docker->environment);
	strvec_clear(&docker->quick);
	memset(docker, 0, sizeof(*docker));
}

bool
docker_name_is_safe(const char *name)
{
	static const char first[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	static const char rest[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

	if (*name == '\0' || strchr(first, *name) == NULL)
		return false;
	return text_only(name + 1, rest);
}

bool
docker_id_is_full(const char *id)
{
	return strlen(id) == 64 && text_only(id, "0123456789abcdef");
}
