/* SPDX-License-Identifier: ISC */
/* The dump of an agent container's log before it goes (rule R2). */
#ifndef CORE_LOGDUMP_H
#define CORE_LOGDUMP_H

#include "core/core.h"

/*
 * Write LOGDIR/agents/SLUG/TIME.log, bounded by the settings, and prune that
 * folder.  An empty dump is deleted; whatever fails is a warning.
 */
void logdump_write(const struct core *, const struct container *);

#endif
