/* SPDX-License-Identifier: ISC */
/* docker logs. */
#include <string.h>

#include "docker/args.h"
#include "docker/call.h"
#include "docker/fault.h"

int
docker_logs_to(struct docker *docker, const char *id, long tail, int64_t limit,
    int fd, enum docker_logs_end *end, struct error *err)
{
	struct docker_call call;
	int rc = 0;

	call_init(&call, docker, docker->timeouts.logs);
	call.output_fd = fd;
	call.output_limit = limit;
	args_logs(&call.argv, id, tail);
	call_make(docker, &call);
	if (call.result.spawn_errno != 0 &&
	    call.result.end != PROCESS_NOT_STARTED)
		rc = error_set(err, ERROR_STATE_WRITE,
		    "cannot write the log: %s",
		    strerror(call.result.spawn_errno));
	else if (call.result.end == PROCESS_LIMITED ||
	    (call_succeeded(&call) && call.result.truncated))
		*end = DOCKER_LOGS_CUT;
	else if (call_succeeded(&call))
		*end = DOCKER_LOGS_WHOLE;
	else
		rc = fault_error("logs", &call.result, err);
	call_clear(&call);
	return rc;
}

/* The last bytes of a stream; a NUL would end the text for its readers. */
static void
add_end(struct strbuf *out, const struct strbuf *stream, size_t max)
{
	size_t len = stream->len < max ? stream->len : max, i = out->len;

	strbuf_add(out, strbuf_str(stream) + stream->len - len, len);
	for (; i < out->len; i++)
		if (out->data[i] == '\0')
			out->data[i] = ' ';
}

int
docker_logs(struct docker *docker, const char *id, long tail, size_t max,
    struct strbuf *out, struct error *err)
{
	struct docker_call call;
	int rc;

	call_init(&call, docker, docker->timeouts.logs);
	args_logs(&call.argv, id, tail);
	call_make(docker, &call);
	rc = call_check(&call, err);
	if (rc == 0) {
		add_end(out, &call.result.out, max);
		add_end(out, &call.result.err, max);
	}
	call_clear(&call);
	return rc;
}
