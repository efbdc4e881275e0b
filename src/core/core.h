/* SPDX-License-Identifier: ISC */
/*
 * What every act on sandboxes needs: the settings, the engines, the daemon,
 * the state.  cmd/ prepares one; core borrows all of it.
 */
#ifndef CORE_CORE_H
#define CORE_CORE_H

#include "config/engine.h"
#include "config/settings.h"
#include "core/scheme.h"
#include "docker/docker.h"
#include "store/store.h"

struct core {
	const struct settings *settings;
	const struct engine_list *engines;
	struct docker *docker;
	struct store *store;
	struct scheme scheme;
	const char *log_dir;
};

#endif
