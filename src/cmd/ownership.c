/* SPDX-License-Identifier: ISC */
/* --owner. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"
#include "cmd/ownership.h"
#include "core/owner.h"
#include "core/process_owner.h"
#include "core/self.h"

static int
read_self(struct app *app, char **text, struct error *err)
{
	char *name = NULL;

	if (app_docker(app, err) == -1 ||
	    self_container(&app->core, &name, err) == -1)
		return -1;
	*text = xasprintf("container:%s", name);
	free(name);
	return 0;
}

static int
read_process(const char *number, char **text, struct error *err)
{
	const char *problem;
	long long pid = strtonum(number, 1, INT32_MAX, &problem);

	if (problem != NULL)
		return error_set(err, ERROR_VALUE,
		    "--owner pid:%s: the process id is %s", number, problem);
	return process_owner_describe((pid_t)pid, text, err);
}

static int
refuse(const char *value, struct error *err)
{
	char *visible = text_visible(value, 60);

	(void)error_set(err, ERROR_VALUE, "--owner '%s' is no owner", visible);
	free(visible);
	return error_hint(err, "write container:NAME, self, pid:N or none");
}

int
ownership_read(struct app *app, const char *value,
    struct ensure_request *request, char **text, struct error *err)
{
	int rc = 0;

	if (value == NULL)
		return 0;
	if (strcmp(value, "self") == 0)
		rc = read_self(app, text, err);
	else if (text_has_prefix(value, "pid:"))
		rc = read_process(value + strlen("pid:"), text, err);
	else if (strcmp(value, "none") == 0 && request->ttl == 0)
		rc = error_set(err, ERROR_USAGE,
		    "--owner none needs --ttl, or nothing would ever end it");
	else if (strcmp(value, "none") == 0 ||
	    owner_parse(value).type == OWNER_CONTAINER)
		*text = xstrdup(value);
	else
		rc = refuse(value, err);
	if (rc == -1)
		return -1;
	request->owner = *text;
	/* where nobody may judge it, its lease must end it */
	if (text_has_prefix(*text, "pid:") && request->ttl == 0)
		request->ttl = OWNERSHIP_TTL;
	return 0;
}
