/* SPDX-License-Identifier: ISC */
/* docker rm, docker stop, docker unpause. */
#include <stdlib.h>

#include "base/alloc.h"
#include "docker/args.h"
#include "docker/call.h"

int
docker_remove(struct docker *docker, const struct strvec *ids, bool volumes,
    struct error *err)
{
	struct docker_call call;

	call_init(&call, docker, docker->timeouts.remove);
	args_remove(&call.argv, ids, volumes, docker->podman);
	return call_finish(docker, &call, err);
}

void
docker_remove_many(struct docker *docker, const struct strvec *groups,
    size_t count, size_t parallel, struct error *errors)
{
	struct docker_call *calls = xcalloc(count, sizeof(*calls));
	size_t i;

	for (i = 0; i < count; i++) {
		call_init(&calls[i], docker, docker->timeouts.remove);
		args_remove(&calls[i].argv, &groups[i], true, docker->podman);
	}
	call_make_many(docker, calls, count, parallel);
	for (i = 0; i < count; i++) {
		error_clear(&errors[i]);
		(void)call_check(&calls[i], &errors[i]);
		call_clear(&calls[i]);
	}
	free(calls);
}

int
docker_stop(struct docker *docker, const struct strvec *ids, int64_t seconds,
    struct error *err)
{
	struct docker_call call;

	call_init(&call, docker, docker->timeouts.remove + seconds * 1000);
	args_stop(&call.argv, ids, seconds);
	return call_finish(docker, &call, err);
}

int
docker_unpause(struct docker *docker, const struct strvec *ids,
    struct error *err)
{
	struct docker_call call;

	call_init(&call, docker, docker->timeouts.run);
	args_unpause(&call.argv, ids);
	return call_finish(docker, &call, err);
}
