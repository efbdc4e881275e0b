/* SPDX-License-Identifier: ISC */
/* The settings file: /etc/sandkeeper/sandkeeper.conf and its kin. */
#ifndef CONFIG_SETTINGS_FILE_H
#define CONFIG_SETTINGS_FILE_H

#include "config/settings.h"

/*
 * Read path, which must be there; or, where it is NULL, the first that is
 * there of $XDG_CONFIG_HOME/sandkeeper/sandkeeper.conf (not root) and
 * SYSCONFDIR/sandkeeper/sandkeeper.conf, none being no mistake.
 */
void settings_load_file(struct settings *, const char *path, struct mistakes *);

#endif
