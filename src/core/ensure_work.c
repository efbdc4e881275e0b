/* SPDX-License-Identifier: ISC */
/* ensure: what its steps share. */
#include <stdlib.h>

#include "core/ensure_work.h"
#include "process/interrupt.h"

bool
ensure_was_released(void *arg)
{
	const struct ensure_work *work = arg;

	return store_is_marked(work->core->store, work->request->slug);
}

int
ensure_go_on(const struct ensure_work *work, struct error *err)
{
	if (interrupt_pending() != 0)
		return interrupt_error(err);
	if (!store_is_marked(work->core->store, work->request->slug))
		return 0;
	(void)error_set(err, ERROR_RELEASED,
	    "it was released while it was being made");
	return error_hint(err, "ask again if it is still needed");
}

void
ensure_work_clear(struct ensure_work *work)
{
	size_t i;

	for (i = 0; i < work->service_count; i++) {
		free(work->services[i].container);
		free(work->services[i].image);
		strvec_clear(&work->services[i].features);
	}
	free(work->services);
	free(work->owner_text);
	free(work->network);
	agent_entry_clear(&work->before);
	agent_entry_clear(&work->entry);
	container_list_clear(&work->found);
}
