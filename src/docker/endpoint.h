/* SPDX-License-Identifier: ISC */
/*
 * Which daemon does the client talk to?  The same answer as docker's own:
 * DOCKER_HOST, else the given context or DOCKER_CONTEXT, else currentContext
 * of config.json in DOCKER_CONFIG or ~/.docker, else the default.  Needs no
 * daemon and no settings file.
 */
#ifndef DOCKER_ENDPOINT_H
#define DOCKER_ENDPOINT_H

#include <stdbool.h>

#include "base/error.h"

/*
 * The endpoint's address, such as "unix:///run/user/1000/docker.sock"; the
 * caller frees it.  The default endpoint is "default", under whatever name it
 * was reached.  A context that is not there is ERROR_DAEMON.
 */
int endpoint_resolve(const char *context, char **endpoint, struct error *);

/*
 * The context that is in force; the caller frees it.  NULL: DOCKER_HOST is.
 * Whoever stays names it to its children, for currentContext may change.
 */
char *endpoint_context(const char *context);

#endif
