/* SPDX-License-Identifier: ISC */
/* docker inspect. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "docker/args.h"
#include "docker/call.h"
#include "docker/fault.h"
#include "docker/parse.h"

/* The exit code with which a client says that something was not found. */
static int
not_found_code(const struct docker *docker)
{
	return docker->podman ? 125 : 1;
}

/* Is each name either among the found or proven gone? */
static bool
all_accounted_for(const struct strvec *names,
    const struct process_result *result, const struct container_list *found)
{
	const char *text = strbuf_str(&result->err);
	/* no client is silent; a silent one was told to be, and exits with 1 */
	bool silent = result->err.len == 0 && result->code == 1;
	size_t i;

	for (i = 0; i < names->len; i++) {
		if (container_list_find(found, names->items[i]) != NULL)
			continue;
		if (!silent && !fault_proves_gone(text, names->items[i]))
			return false;
	}
	return true;
}

/*
 * A container that was not asked for was found by a prefix of its id; one that
 * was asked for by name and by id is found once.
 */
static void
keep_asked(const struct strvec *names, struct container_list *answer,
    struct container_list *found)
{
	size_t i;

	for (i = 0; i < answer->len; i++) {
		struct container *c = &answer->items[i];

		if ((strvec_has(names, c->id) || strvec_has(names, c->name)) &&
		    container_list_find(found, c->id) == NULL) {
			*container_list_add(found) = *c;
			memset(c, 0, sizeof(*c));
		}
	}
}

static int
read_answer(const struct docker *docker, const struct docker_call *call,
    const struct strvec *names, struct container_list *answer,
    struct error *err)
{
	const struct process_result *result = &call->result;

	if (result->end != PROCESS_EXITED || result->truncated ||
	    (result->code != 0 && result->code != not_found_code(docker)))
		return fault_error("inspect", result, err);
	if (result->code != 0 && result->out.len == strlen("[]\n") &&
	    memcmp(result->out.data, "[]\n", result->out.len) == 0)
		return all_accounted_for(names, result, answer) ?
		    0 :
		    fault_error("inspect", result, err);
	if (parse_inspect(&result->out, answer, err) == -1)
		return error_wrap(err, "docker inspect");
	if (result->code == 0 && answer->len != names->len)
		return error_set(err, ERROR_DOCKER,
		    "docker inspect: "
		    "%zu answers to %zu questions",
		    answer->len, names->len);
	if (result->code != 0 && !all_accounted_for(names, result, answer))
		return fault_error("inspect", result, err);
	return 0;
}

/* podman's default network is asked for as "bridge", and told as "podman". */
static void
name_as_docker(struct container_list *list)
{
	struct container_network *network;
	size_t i, j;

	for (i = 0; i < list->len; i++) {
		for (j = 0; j < list->items[i].network_count; j++) {
			network = &list->items[i].networks[j];
			if (strcmp(network->name, "podman") == 0)
				xstr_set(&network->name, "bridge");
		}
	}
}

void
call_inspect(struct docker_call *call, const struct docker *docker,
    const struct strvec *names)
{
	call_init(call, docker, docker->timeouts.inspect);
	args_inspect(&call->argv, names);
}

int
call_inspected(const struct docker_call *call, const struct docker *docker,
    const struct strvec *names, struct container_list *found, struct error *err)
{
	struct container_list answer = { 0 };
	int rc = read_answer(docker, call, names, &answer, err);

	if (rc == 0 && docker->podman)
		name_as_docker(&answer);
	if (rc == 0)
		keep_asked(names, &answer, found);
	container_list_clear(&answer);
	return rc;
}

int
docker_inspect(struct docker *docker, const struct strvec *names,
    struct container_list *found, struct error *err)
{
	struct docker_call call;
	int rc;

	call_inspect(&call, docker, names);
	call_make(docker, &call);
	rc = call_inspected(&call, docker, names, found, err);
	call_clear(&call);
	return rc;
}

void
docker_look_make(struct docker *docker, struct docker_look *look)
{
	container_list_clear(&look->found);
	error_clear(&look->error);
	(void)docker_inspect(docker, &look->names, &look->found, &look->error);
	look->answered_ms = clock_monotonic_ms();
}

void
docker_look_clear(struct docker_look *look)
{
	strvec_clear(&look->names);
	container_list_clear(&look->found);
	error_clear(&look->error);
}
