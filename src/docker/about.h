/* SPDX-License-Identifier: ISC */
/*
 * What client and daemon tell about themselves, for doctor: "docker version",
 * "docker info", and which networks are not there.
 */
#ifndef DOCKER_ABOUT_H
#define DOCKER_ABOUT_H

#include "docker/docker.h"

#define VERSION_TEXT 48

struct docker_version {
	char client[VERSION_TEXT]; /* "28.2.2"; each may be empty */
	char client_api[VERSION_TEXT];
	char server[VERSION_TEXT];
	char server_api[VERSION_TEXT];
};
/*
 * -1 where the daemon did not answer; the client's half is filled in then,
 * too, if the client told it.
 */
int docker_version(struct docker *, struct docker_version *, struct error *);

struct docker_info {
	bool rootless;
	/* does it enforce them?  True where it does not say. */
	bool limits_memory, limits_cpus, limits_pids;
	/* its clock and ours: the seconds that it is ahead; 0 where it does not
	 * tell, or within how long the call took */
	int64_t ahead;
};
int docker_info(struct docker *, struct docker_info *, struct error *);

/* Which of the networks are not there?  One call. */
int docker_networks_missing(struct docker *, const struct strvec *names,
    struct strvec *missing, struct error *);

/* Pure: what was printed, read. */
void parse_version(const struct strbuf *, bool podman, struct docker_version *);
/* *now is the daemon's clock, or TIME_UNKNOWN. */
int parse_info(const struct strbuf *, struct docker_info *, int64_t *now,
    struct error *);

#endif
