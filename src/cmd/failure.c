/* SPDX-License-Identifier: ISC */
/* Kinds, exit codes and words. */
#include <stdbool.h>
#include <sysexits.h>

#include "base/log.h"
#include "base/strvec.h"
#include "cmd/failure.h"

static const struct {
	const char *word;
	int code;
	bool retryable;
} kinds[ERROR_KIND_COUNT] = {
	[ERROR_NONE] = { "none", EX_OK, false },
	[ERROR_USAGE] = { "usage", EX_USAGE, false },
	[ERROR_VALUE] = { "value", EX_DATAERR, false },
	[ERROR_SLUG] = { "agent-name", EX_DATAERR, false },
	[ERROR_PROJECT] = { "project", EX_DATAERR, false },
	[ERROR_SERVICE] = { "service", EX_DATAERR, false },
	[ERROR_FEATURE] = { "feature", EX_DATAERR, false },
	[ERROR_VARIABLE] = { "variable", EX_DATAERR, false },
	[ERROR_LIVE] = { "live-container", EX_DATAERR, false },
	[ERROR_NO_SANDBOX] = { "no-sandbox", EX_DATAERR, false },
	[ERROR_DOCKER_MISSING] = { "docker-missing", EX_UNAVAILABLE, false },
	[ERROR_DAEMON] = { "daemon-unreachable", EX_UNAVAILABLE, true },
	[ERROR_DAEMON_DENIED] = { "daemon-denied", EX_NOPERM, false },
	[ERROR_DOCKER] = { "docker", EX_TEMPFAIL, true },
	[ERROR_TIMEOUT] = { "timeout", EX_TEMPFAIL, true },
	[ERROR_GONE] = { "gone", EX_TEMPFAIL, true },
	[ERROR_NAME_TAKEN] = { "name-taken", EX_TEMPFAIL, false },
	[ERROR_NETWORK] = { "network", EX_TEMPFAIL, false },
	[ERROR_IMAGE_MISSING] = { "image-missing", EX_TEMPFAIL, false },
	[ERROR_IMAGE_PULL] = { "image-pull", EX_TEMPFAIL, false },
	[ERROR_REMOVING] = { "removing", EX_TEMPFAIL, true },
	[ERROR_BUSY] = { "busy", EX_TEMPFAIL, true },
	[ERROR_NOT_RUNNING] = { "not-running", EX_TEMPFAIL, true },
	[ERROR_DIED] = { "died", EX_TEMPFAIL, false },
	[ERROR_NOT_READY] = { "not-ready", EX_TEMPFAIL, true },
	[ERROR_FEATURE_FAILED] = { "feature-failed", EX_TEMPFAIL, false },
	[ERROR_INIT] = { "init", EX_TEMPFAIL, false },
	[ERROR_OWNER] = { "owner-missing", EX_TEMPFAIL, true },
	[ERROR_LOCKED] = { "locked", EX_TEMPFAIL, true },
	[ERROR_HELD] = { "held", EX_TEMPFAIL, false },
	[ERROR_FOREIGN] = { "foreign", EX_TEMPFAIL, false },
	[ERROR_RELEASED] = { "released", EX_TEMPFAIL, true },
	[ERROR_LIMIT] = { "limit", EX_TEMPFAIL, true },
	[ERROR_STATE_CREATE] = { "state-create", EX_CANTCREAT, false },
	[ERROR_STATE_WRITE] = { "state-write", EX_IOERR, true },
	[ERROR_STATE_READ] = { "state-read", EX_IOERR, false },
	[ERROR_PERMISSION] = { "permission", EX_NOPERM, false },
	[ERROR_UNSAFE] = { "unsafe", EX_NOPERM, false },
	[ERROR_SETTINGS] = { "settings", EX_CONFIG, false },
	[ERROR_NEWER] = { "newer-version", EX_CONFIG, false },
	[ERROR_DISABLED] = { "disabled", EX_CONFIG, false },
	[ERROR_INTERRUPTED] = { "interrupted", 128, true },
	[ERROR_OUTPUT] = { "output", EX_IOERR, false },
};

int
failure_exit_code(const struct error *err)
{
	if (err->kind == ERROR_INTERRUPTED)
		return 128 + err->sys;
	return kinds[err->kind].code;
}

const char *
failure_kind(const struct error *err)
{
	return kinds[err->kind].word;
}

static void
put_known(json_t *object, const char *key, const char *text)
{
	json_put_text(object, key, *text != '\0' ? text : NULL);
}

json_t *
failure_json(const struct error *err, int code)
{
	json_t *body = json_object(), *list = json_array();
	struct strvec allowed = { 0 };
	size_t i;

	json_put_number(body, "exit", code);
	json_put_text(body, "kind", failure_kind(err));
	json_put_flag(body, "retryable", kinds[err->kind].retryable);
	put_known(body, "agent", err->agent);
	put_known(body, "service", err->service);
	json_put_text(body, "message", err->msg);
	put_known(body, "remedy", err->hint);
	strvec_split(&allowed, err->allowed, ',');
	for (i = 0; i < allowed.len; i++)
		(void)json_array_append_new(list,
		    json_safe_string(allowed.items[i] +
			(allowed.items[i][0] == ' ')));
	(void)json_object_set_new(body, "allowed", list);
	strvec_clear(&allowed);
	return json_pack("{s:o}", "error", body);
}

void
failure_warn(const char *what, const struct error *err)
{
	log_warn("%s: %s%s%s", what, err->msg, *err->hint != '\0' ? "; " : "",
	    err->hint);
}

void
failure_log(const struct error *err)
{
	log_error("%s%s%s", err->agent, *err->agent != '\0' ? ": " : "",
	    err->msg);
	if (*err->hint != '\0')
		log_error("hint: %s", err->hint);
}
