/* SPDX-License-Identifier: ISC */
/* What a docker call's end means. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "docker/fault.h"
#include "process/interrupt.h"

/* The first row whose words are all there, in that order, counts. */
static const struct fault {
	const char *words[2];
	enum error_kind kind;
} faults[] = {
	/* the daemon as a whole comes first: its texts quote others */
	{ { "permission denied while trying to connect", NULL },
	    ERROR_DAEMON_DENIED },
	{ { "error during connect", "permission denied" },
	    ERROR_DAEMON_DENIED },
	{ { "dial unix", "permission denied" }, ERROR_DAEMON_DENIED },
	{ { "cannot connect to the docker daemon", NULL }, ERROR_DAEMON },
	{ { "cannot connect to podman", NULL }, ERROR_DAEMON },
	{ { "error during connect", NULL }, ERROR_DAEMON },
	{ { "unable to resolve docker endpoint", NULL }, ERROR_DAEMON },
	{ { "client version", "is too new" }, ERROR_DAEMON },
	{ { "client version", "is too old" }, ERROR_DAEMON },
	{ { "request returned", "for api route" }, ERROR_DAEMON },
	{ { "invalid character", "looking for beginning of value" },
	    ERROR_DAEMON },
	/* one object */
	{ { "is already in use by", NULL }, ERROR_NAME_TAKEN },
	{ { "removal of container", "already in progress" }, ERROR_REMOVING },
	{ { "marked for removal", NULL }, ERROR_REMOVING },
	{ { "failed to remove root filesystem", NULL }, ERROR_BUSY },
	{ { "device or resource busy", NULL }, ERROR_BUSY },
	{ { "no such container", NULL }, ERROR_GONE },
	{ { "no such object", NULL }, ERROR_GONE },
	{ { "no container with name or id", NULL }, ERROR_GONE },
	{ { "no such image", NULL }, ERROR_IMAGE_MISSING },
	{ { "image not known", NULL }, ERROR_IMAGE_MISSING },
	{ { "unable to find image", NULL }, ERROR_IMAGE_MISSING },
	{ { "manifest unknown", NULL }, ERROR_IMAGE_PULL },
	{ { "pull access denied", NULL }, ERROR_IMAGE_PULL },
	{ { "toomanyrequests", NULL }, ERROR_IMAGE_PULL },
	{ { "network", "not found" }, ERROR_NETWORK },
	{ { "no such network", NULL }, ERROR_NETWORK },
	{ { "is not running", NULL }, ERROR_NOT_RUNNING },
	{ { "is paused", NULL }, ERROR_NOT_RUNNING },
	{ { "is restarting", NULL }, ERROR_NOT_RUNNING },
	{ { "container state improper", NULL }, ERROR_NOT_RUNNING },
};

static bool
row_fits(const struct fault *row, const char *text)
{
	const char *hit = strcasestr(text, row->words[0]);

	if (hit == NULL)
		return false;
	return row->words[1] == NULL || strcasestr(hit, row->words[1]) != NULL;
}

enum error_kind
fault_kind(const char *text)
{
	size_t i;

	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (row_fits(&faults[i], text))
			return faults[i].kind;
	return ERROR_DOCKER;
}

static void
hint_for(struct error *err)
{
	if (err->kind == ERROR_DAEMON)
		(void)error_hint(err,
		    "start the docker daemon, or set "
		    "DOCKER_HOST or --context to the one that runs");
	else if (err->kind == ERROR_DAEMON_DENIED)
		(void)error_hint(err,
		    "run it as root, or as a member of the "
		    "group that owns the docker socket");
	else if (err->kind == ERROR_NETWORK)
		(void)error_hint(err,
		    "'docker network ls' lists the networks "
		    "that there are");
	else if (err->kind == ERROR_TIMEOUT)
		(void)error_hint(err,
		    "the daemon may hang: try 'docker ps'; "
		    "deadlines are settings (timeouts)");
}

/* The last line, but for the client's advice to read its help. */
static char *
telling_line(const char *text)
{
	const char *end = strstr(text, "\nSee 'docker ");
	char *told, *line;

	if (end == NULL)
		end = strstr(text, "\nRun 'docker ");
	if (end == NULL)
		end = text + strlen(text);
	told = xstrndup(text, (size_t)(end - text));
	line = text_last_line(told, 300);
	free(told);
	return line;
}

static int
exited_error(const char *verb, const struct process_result *result,
    struct error *err)
{
	const char *text = strbuf_str(&result->err);
	char *line;

	/* an exec's own failure is told on stdout */
	if (*text == '\0')
		text = strbuf_str(&result->out);
	line = telling_line(text);
	(void)error_set(err, fault_kind(text), "docker %s: exit code %d%s%s",
	    verb, result->code, *line != '\0' ? ": " : "", line);
	free(line);
	hint_for(err);
	return -1;
}

int
fault_error(const char *verb, const struct process_result *result,
    struct error *err)
{
	switch (result->end) {
	case PROCESS_EXITED:
		if (result->code == 0 && result->truncated)
			return error_set(err, ERROR_DOCKER,
			    "docker %s: its answer is too long to be true",
			    verb);
		return exited_error(verb, result, err);
	case PROCESS_SIGNALED:
		return error_set(err, ERROR_DOCKER,
		    "docker %s: killed by signal %d", verb, result->code);
	case PROCESS_TIMED_OUT:
	case PROCESS_LIMITED:
		(void)error_set(err, ERROR_TIMEOUT,
		    "docker %s: timed out after %.1f s", verb,
		    (double)result->duration_ms / 1000);
		hint_for(err);
		return -1;
	case PROCESS_STOPPED:
		break;
	case PROCESS_NOT_STARTED:
		if (result->spawn_errno == 0)
			break;
		return error_set(err, ERROR_DOCKER_MISSING,
		    "docker %s: cannot be started: %s", verb,
		    strerror(result->spawn_errno));
	}
	if (interrupt_pending() != 0)
		return interrupt_error(err);
	return error_set(err, ERROR_RELEASED, "docker %s: stopped", verb);
}

static bool
is_name_character(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

/* Is it this name that follows?  Later words may be names of others. */
static bool
begins_with_name(const char *s, const char *name)
{
	size_t len = strlen(name);

	s += strspn(s, ": \"");
	return strncmp(s, name, len) == 0 && !is_name_character(s[len]);
}

/* "no such container: NAME", or podman's 'no container with ... "NAME"'. */
static bool
line_proves_gone(const char *line, const char *name)
{
	static const char *const phrases[] = {
		"no such container",
		"no such object",
		"no container with name or id",
	};
	const char *hit;
	size_t i;

	for (i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
		hit = strcasestr(line, phrases[i]);
		if (hit != NULL &&
		    begins_with_name(hit + strlen(phrases[i]), name))
			return true;
	}
	return false;
}

bool
fault_proves_gone(const char *text, const char *name)
{
	const char *end;
	char *line;
	bool says;

	for (; *text != '\0'; text = *end != '\0' ? end + 1 : end) {
		end = strchrnul(text, '\n');
		line = xstrndup(text, (size_t)(end - text));
		says = line_proves_gone(line, name);
		free(line);
		if (says)
			return true;
	}
	return false;
}
