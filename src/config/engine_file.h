/* SPDX-License-Identifier: ISC */
/* Engine sections in files: engines.d/NAME.conf and the settings file. */
#ifndef CONFIG_ENGINE_FILE_H
#define CONFIG_ENGINE_FILE_H

#include <confuse.h>

#include "config/confile.h"
#include "config/engine.h"

/* The options of an "engine" section; static. */
cfg_opt_t *engine_file_options(void);

/* Copy the "engine" sections of a parsed file into the list. */
void engine_file_take(struct confile *, cfg_t *, struct engine_list *);

#endif
