/* SPDX-License-Identifier: ISC */
/* Running the caller's program with a sandbox's variables. */
#include <string.h>
#include <unistd.h>

#include "cmd/environment.h"
#include "core/handover.h"

extern char **environ;

/* Is the variable one of the list's, whatever its value? */
static bool
is_set(const struct strvec *variables, const char *variable)
{
	size_t len = strcspn(variable, "=") + 1, i;

	for (i = 0; i < variables->len; i++)
		if (strncmp(variables->items[i], variable, len) == 0)
			return true;
	return false;
}

void
environment_fill(const struct app *app, const struct agent_entry *entry,
    const struct strvec *shown, struct strvec *envp)
{
	const struct service_entry *service;
	size_t i;

	for (i = 0; i < shown->len; i++) {
		service = agent_entry_find(entry, shown->items[i]);
		if (service != NULL)
			handover_variables(engine_list_find(&app->engines,
					       service->service),
			    service, envp);
	}
	for (i = 0; environ[i] != NULL; i++)
		if (!is_set(envp, environ[i]))
			strvec_add(envp, environ[i]);
}
