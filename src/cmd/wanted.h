/* SPDX-License-Identifier: ISC */
/* What ensure and run have in common: the options that say what is wanted. */
#ifndef CMD_WANTED_H
#define CMD_WANTED_H

#include "cmd/app.h"
#include "cmd/args.h"
#include "core/ensure.h"

/* Ids from 768. */
enum {
	OPT_SERVICES = 768,
	OPT_ALSO,
	OPT_PROJECT,
	OPT_FEATURE,
	OPT_IMAGE,
	OPT_MEMORY,
	OPT_DATA_SIZE,
	OPT_NETWORK,
	OPT_REPLACE,
	OPT_FRESH,
	OPT_INIT,
	OPT_TTL,
	OPT_PUBLISH
};

/* clang-format off */
#define WANTED_OPTIONS							\
	{ OPT_SERVICES, "services", "A,B", "the services wanted" },	\
	{ OPT_ALSO, "also", "C", "provisioned too, and not printed" },	\
	{ OPT_PROJECT, "project", "P", "the services of a project" },	\
	{ OPT_FEATURE, "feature", "SVC:NAME",				\
	    "a feature of a service; may be repeated" },		\
	{ OPT_IMAGE, "image", "SVC=IMAGE", "another image for a service" }, \
	{ OPT_MEMORY, "memory", "SIZE", "memory limit of each container" }, \
	{ OPT_DATA_SIZE, "data-size", "SIZE", "size of the data's tmpfs" }, \
	{ OPT_NETWORK, "network", "N", "network, instead of the owner's" }, \
	{ OPT_INIT, "init", "SVC=PATH",					\
	    "load a file, or a folder's files; may be repeated" },	\
	{ OPT_TTL, "ttl", "D", "end the lease that long from now" },	\
	{ OPT_PUBLISH, "publish", "[=ADDR]",				\
	    "publish each port at a random one of ADDR (127.0.0.1)" }
/* clang-format on */

/*
 * Read them into the request (not its slug, nor its owner).  ERROR_USAGE where
 * nothing is wanted; ERROR_VALUE for a bad duration.  SANDKEEPER_FRESH asks
 * for --fresh.
 */
int wanted_read(const struct args *, struct ensure_request *, struct error *);

#endif
