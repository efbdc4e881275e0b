/* SPDX-License-Identifier: ISC */
/* docker exec. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "docker/args.h"
#include "docker/call.h"
#include "docker/fault.h"

/* Is it the client that speaks, and not the command inside? */
static bool
is_the_clients(const char *text)
{
	static const char *const beginnings[] = {
		"Error",
		"Cannot connect to ",
		"error during connect",
		"permission denied while trying to connect",
		"Got permission denied while trying to connect",
		"Failed to initialize",
		"unable to resolve docker endpoint",
		"request returned ",
	};
	size_t i;

	/* of its own settings, on every call */
	while (text_has_prefix(text, "WARNING: ")) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	for (i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (text_has_prefix(text, beginnings[i]))
			return true;
	return false;
}

/*
 * Exit code 1 is the command's own unless the client's words are on stderr;
 * 137 is also what a client says whose container was killed meanwhile.
 */
static enum docker_exec_end
classify(const struct docker_call *call, struct error *err)
{
	const struct process_result *result = &call->result;
	const char *text = strbuf_str(&result->err);
	enum error_kind kind = fault_kind(text);

	if (result->end != PROCESS_EXITED) {
		(void)fault_error("exec", result, err);
		return DOCKER_EXEC_FAILED;
	}
	if (result->code == 126 || result->code == 127)
		return DOCKER_EXEC_NO_PROGRAM;
	if (result->code == 137)
		return DOCKER_EXEC_NOT_RUNNING;
	if (result->code == 0 || !is_the_clients(text))
		return DOCKER_EXEC_EXITED;
	if (kind == ERROR_NOT_RUNNING || kind == ERROR_GONE ||
	    kind == ERROR_REMOVING)
		return DOCKER_EXEC_NOT_RUNNING;
	(void)fault_error("exec", result, err);
	return DOCKER_EXEC_FAILED;
}

static void
read_result(const struct docker_call *call, struct docker_exec_result *result)
{
	memset(result, 0, sizeof(*result));
	result->end = classify(call, &result->error);
	result->code = call->result.code;
	strbuf_adds(&result->output, strbuf_str(&call->result.out));
	result->complaint = result->output.len;
	strbuf_adds(&result->output, strbuf_str(&call->result.err));
}

void
docker_exec_many(struct docker *docker, const struct docker_exec *execs,
    size_t count, struct docker_exec_result *results)
{
	struct docker_call *calls = xcalloc(count, sizeof(*calls));
	size_t i;

	docker->control.stop_on_failure = true;
	for (i = 0; i < count; i++) {
		call_init(&calls[i], docker, execs[i].timeout_ms);
		calls[i].input = execs[i].input;
		args_exec(&calls[i].argv, &execs[i]);
	}
	call_make_many(docker, calls, count, count);
	docker->control.stop_on_failure = false;
	for (i = 0; i < count; i++) {
		read_result(&calls[i], &results[i]);
		call_clear(&calls[i]);
	}
	free(calls);
}

void
docker_exec_result_clear(struct docker_exec_result *result)
{
	strbuf_clear(&result->output);
	memset(result, 0, sizeof(*result));
}
