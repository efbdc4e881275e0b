/* SPDX-License-Identifier: ISC */
/* The exported variables. */
#include <stdio.h>

#include "core/handover.h"

void
handover_variables(const struct engine *engine,
    const struct service_entry *service, struct strvec *variables)
{
	const struct strvec *exports = &service->exports;
	struct engine_values values = { 0 };
	char port[8];

	if (exports->len == 0 && engine != NULL)
		exports = &engine->exports;
	(void)snprintf(port, sizeof(port), "%d", service->port);
	values.host = service->host;
	values.port = port;
	values.user = service->user;
	values.password = service->password;
	values.database = service->database;
	engine_expand_all(exports, &values, variables);
}

bool
handover_record(const struct engine *engine, struct service_entry *service)
{
	if (strvec_equal(&service->exports, &engine->exports))
		return false;
	strvec_clear(&service->exports);
	strvec_append(&service->exports, &engine->exports);
	return true;
}
