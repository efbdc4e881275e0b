/* SPDX-License-Identifier: ISC */
/* What an agent is given of its sandbox: the exported variables. */
#ifndef CORE_HANDOVER_H
#define CORE_HANDOVER_H

#include "core/core.h"

/*
 * Append "NAME=VALUE" for each variable that the service's engine exports,
 * from what the entry records; nothing where the engine has left the settings.
 */
void handover_variables(const struct engine *, const struct service_entry *,
    struct strvec *);

#endif
