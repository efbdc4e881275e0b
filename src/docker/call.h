/* SPDX-License-Identifier: ISC */
/*
 * One docker call from argument vector to result.  Only docker/ includes this.
 */
#ifndef DOCKER_CALL_H
#define DOCKER_CALL_H

#include "docker/docker.h"

struct docker_call {
	struct strvec argv;    /* argv[0] is set by call_init */
	struct strvec secrets; /* NAME=VALUE for this child alone */
	const char *input;
	int64_t timeout_ms;
	int output_fd; /* -1: captured */
	int64_t output_limit;
	struct process_result result;
};

void call_init(struct docker_call *, const struct docker *, int64_t timeout_ms);
void call_clear(struct docker_call *);

/* Make the calls, at most parallel at a time. */
void call_make_many(struct docker *, struct docker_call *, size_t count,
    size_t parallel);
void call_make(struct docker *, struct docker_call *);

/* The call of docker_inspect in two halves: asked and read. */
void call_inspect(struct docker_call *, const struct docker *,
    const struct strvec *names);
int call_inspected(const struct docker_call *, const struct docker *,
    const struct strvec *names, struct container_list *found, struct error *);

/* Did it exit with 0? */
bool call_succeeded(const struct docker_call *);
/* 0 if it did; else -1 and the error by the table of faults. */
int call_check(const struct docker_call *, struct error *);
/* Make it, check it, and clear it. */
int call_finish(struct docker *, struct docker_call *, struct error *);

#endif
