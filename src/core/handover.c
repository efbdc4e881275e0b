/* SPDX-License-Identifier: ISC */
/* The exported variables. */
#include <stdio.h>

#include "core/handover.h"

void
handover_variables(const struct engine *engine,
    const struct service_entry *service, struct strvec *variables)
{
	struct engine_values values = { 0 };
	char port[8];

	if (engine == NULL)
		return;
	(void)snprintf(port, sizeof(port), "%d", service->port);
	values.host = service->host;
	values.port = port;
	values.user = service->user;
	values.password = service->password;
	values.database = service->database;
	engine_expand_all(&engine->exports, &values, variables);
}
