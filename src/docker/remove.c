/* SPDX-License-Identifier: ISC */
/* docker rm, docker stop, docker unpause. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "docker/args.h"
#include "docker/call.h"
#include "docker/fault.h"

/* Is it a line of its own there? */
static bool
has_line(const struct strbuf *text, const char *line)
{
	size_t len = strlen(line);
	const char *at = strbuf_str(text), *hit;

	while ((hit = strstr(at, line)) != NULL) {
		if ((hit == strbuf_str(text) || hit[-1] == '\n') &&
		    (hit[len] == '\n' || hit[len] == '\0'))
			return true;
		at = hit + len;
	}
	return false;
}

/*
 * A client names each that it removed on stdout, and each that was not there
 * on stderr.  Of a container that was seen, exit code 0 alone proves nothing;
 * a name is given where nobody knows whether there is one.
 */
static int
check_removed(const struct docker_call *call, const struct strvec *ids,
    struct error *err)
{
	const struct process_result *result = &call->result;
	size_t i;

	if (call_check(call, err) == -1)
		return -1;
	for (i = 0; i < ids->len; i++)
		if (docker_id_is_full(ids->items[i]) &&
		    !has_line(&result->out, ids->items[i]) &&
		    !fault_proves_gone(strbuf_str(&result->err), ids->items[i]))
			return error_set(err, ERROR_DOCKER,
			    "docker rm: exit code 0, and not a word of "
			    "container %.12s",
			    ids->items[i]);
	return 0;
}

int
docker_remove(struct docker *docker, const struct strvec *ids, bool volumes,
    struct error *err)
{
	struct docker_call call;
	int rc;

	call_init(&call, docker, docker->timeouts.remove);
	args_remove(&call.argv, ids, volumes, docker->podman);
	call_make(docker, &call);
	rc = check_removed(&call, ids, err);
	call_clear(&call);
	return rc;
}

void
docker_remove_many(struct docker *docker, const struct strvec *groups,
    size_t count, size_t parallel, struct error *errors,
    struct docker_look *look)
{
	struct docker_call *calls = xcalloc(count + 1, sizeof(*calls));
	size_t i;

	for (i = 0; i < count; i++) {
		call_init(&calls[i], docker, docker->timeouts.remove);
		args_remove(&calls[i].argv, &groups[i], true, docker->podman);
	}
	if (look != NULL)
		call_inspect(&calls[count], docker, &look->names);
	call_make_many(docker, calls, count + (look != NULL ? 1 : 0), parallel);
	for (i = 0; i < count; i++) {
		error_clear(&errors[i]);
		(void)check_removed(&calls[i], &groups[i], &errors[i]);
		call_clear(&calls[i]);
	}
	if (look != NULL) {
		error_clear(&look->error);
		(void)call_inspected(&calls[count], docker, &look->names,
		    &look->found, &look->error);
		look->answered_ms = calls[count].result.ended_ms;
		call_clear(&calls[count]);
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

/* A client names each, as rm does. */
static int
check_unpaused(const struct docker_call *call, const struct strvec *ids,
    struct error *err)
{
	size_t i;

	if (call_check(call, err) == -1)
		return -1;
	for (i = 0; i < ids->len; i++)
		if (!has_line(&call->result.out, ids->items[i]))
			return error_set(err, ERROR_DOCKER,
			    "docker unpause: exit code 0, and not a word of "
			    "container %.12s",
			    ids->items[i]);
	return 0;
}

int
docker_unpause(struct docker *docker, const struct strvec *ids,
    struct error *err)
{
	struct docker_call call;
	int rc;

	call_init(&call, docker, docker->timeouts.run);
	args_unpause(&call.argv, ids);
	call_make(docker, &call);
	rc = check_unpaused(&call, ids, err);
	call_clear(&call);
	return rc;
}
