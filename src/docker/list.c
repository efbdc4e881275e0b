/* SPDX-License-Identifier: ISC */
/* docker ps. */
#include "docker/args.h"
#include "docker/call.h"
#include "docker/fault.h"
#include "docker/parse.h"

int
docker_list(struct docker *docker, const struct docker_filter *filter,
    struct container_list *list, struct error *err)
{
	struct docker_call call;
	int rc;

	call_init(&call, docker, docker->timeouts.list);
	args_list(&call.argv, filter, docker->podman);
	call_make(docker, &call);
	rc = call_check(&call, err);
	/* what was cut may end with a whole row */
	if (rc == 0 && call.result.truncated)
		rc = fault_error("ps", &call.result, err);
	if (rc == 0)
		rc = parse_list(&call.result.out, list, err);
	call_clear(&call);
	return rc;
}
