/* SPDX-License-Identifier: ISC */
/* What an agent is given of its sandbox: the exported variables. */
#ifndef CORE_HANDOVER_H
#define CORE_HANDOVER_H

#include "core/core.h"

/*
 * Append "NAME=VALUE" for each variable that the service's engine exports,
 * from what the entry records.  The engine is asked only for an entry that has
 * no exports, of before they were recorded; it may be NULL.
 */
void handover_variables(const struct engine *, const struct service_entry *,
    struct strvec *);

/* Record what the engine exports now; false where that is what is there. */
bool handover_record(const struct engine *, struct service_entry *);

#endif
