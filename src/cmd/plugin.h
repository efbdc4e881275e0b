/* SPDX-License-Identifier: ISC */
/*
 * The docker client's plugin: called as docker-sandkeeper, by
 *
 *	docker-sandkeeper docker-cli-plugin-metadata
 *	docker-sandkeeper [docker's global options] sandkeeper ARG...
 *	docker-sandkeeper help sandkeeper [COMMAND]
 *
 * we do what "sandkeeper ARG..." does, at the daemon that docker's options
 * choose.  Without our name among the words it is a call like any other.
 */
#ifndef CMD_PLUGIN_H
#define CMD_PLUGIN_H

#include "cmd/app.h"

/* Does the client ask what we are?  Then that is printed. */
bool plugin_metadata(int argc, char *const argv[]);

/*
 * Take what the client says before our name, which *argv begins with then,
 * also where ERROR_USAGE says that an option cannot be followed.
 */
int plugin_begin(struct app *, int *argc, char ***argv, struct error *);

#endif
