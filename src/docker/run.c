/* SPDX-License-Identifier: ISC */
/* docker run -d. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "docker/args.h"
#include "docker/call.h"
#include "docker/parse.h"

void
docker_run_clear(struct docker_run *run)
{
	strvec_clear(&run->labels);
	strvec_clear(&run->tmpfs);
	strvec_clear(&run->environment);
	strvec_clear(&run->options);
	strvec_clear(&run->command);
	strvec_clear(&run->secrets);
	memset(run, 0, sizeof(*run));
}

/* The id is printed before the start: it is there for a failed start too. */
static void
read_started(const struct docker_call *call, struct docker_started *started)
{
	memset(started, 0, sizeof(*started));
	started->uncertain = call->result.end != PROCESS_EXITED;
	(void)parse_id(strbuf_str(&call->result.out), started->id);
	if (call_check(call, &started->error) == -1)
		return;
	if (started->id[0] == '\0')
		(void)error_set(&started->error, ERROR_DOCKER,
		    "docker run: exit code 0 and no container id");
}

void
docker_run_many(struct docker *docker, const struct docker_run *runs,
    size_t count, struct docker_started *started)
{
	struct docker_call *calls = xcalloc(count, sizeof(*calls));
	size_t i;

	for (i = 0; i < count; i++) {
		call_init(&calls[i], docker, docker->timeouts.run);
		args_run(&calls[i].argv, &runs[i]);
		strvec_append(&calls[i].secrets, &runs[i].secrets);
	}
	call_make_many(docker, calls, count, count);
	for (i = 0; i < count; i++) {
		read_started(&calls[i], &started[i]);
		call_clear(&calls[i]);
	}
	free(calls);
}
