/* SPDX-License-Identifier: ISC */
/*
 * The argument vectors of the docker calls that we make: pure functions.  Each
 * adds the verb and what follows it; the verb is always argv[1], because the
 * daemon is chosen by environment.  No secret is ever among them: a secret
 * variable is passed as "-e NAME", its value in the child's environment.
 */
#ifndef DOCKER_ARGS_H
#define DOCKER_ARGS_H

#include "base/strvec.h"
#include "docker/docker.h"

void args_inspect(struct strvec *, const struct strvec *names);
void args_list(struct strvec *, const struct docker_filter *, bool podman);
void args_remove(struct strvec *, const struct strvec *ids, bool volumes,
    bool podman);
void args_logs(struct strvec *, const char *id, long tail);
void args_image_inspect(struct strvec *, const struct strvec *images);
void args_pull(struct strvec *, const char *image);
void args_run(struct strvec *, const struct docker_run *);
void args_exec(struct strvec *, const struct docker_exec *);
void args_stop(struct strvec *, const struct strvec *ids, int64_t seconds);
void args_events(struct strvec *, bool podman);
void args_version(struct strvec *);
void args_info(struct strvec *);
void args_network_inspect(struct strvec *, const struct strvec *names);
void args_unpause(struct strvec *, const struct strvec *ids);

#endif
