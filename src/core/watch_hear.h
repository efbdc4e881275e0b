/* SPDX-License-Identifier: ISC */
/*
 * What the events of docker mean to a watch: a death starts its owner's clock,
 * a start stops it.  Only core/watch.c includes this.
 */
#ifndef CORE_WATCH_HEAR_H
#define CORE_WATCH_HEAR_H

#include "core/watch.h"
#include "core/watch_clock.h"

struct watch_ear {
	const struct core *core;
	const struct watch_hooks *hooks;
	struct watch_memory memory;
	bool garbage; /* a line was no event: who writes it is not docker */
};

/* One line of the stream; arg is a struct watch_ear. */
void watch_hear(char *line, void *arg);

#endif
