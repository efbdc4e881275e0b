/* SPDX-License-Identifier: ISC */
/* One docker call. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "docker/call.h"
#include "docker/fault.h"

/* 2,000 containers' inspect documents are 3 MB; more is no sane answer. */
static const size_t most_output = (size_t)64 * 1024 * 1024;

void
call_init(struct docker_call *call, const struct docker *docker,
    int64_t timeout_ms)
{
	memset(call, 0, sizeof(*call));
	strvec_add(&call->argv, docker->path);
	call->timeout_ms = timeout_ms;
	call->output_fd = -1;
}

void
call_clear(struct docker_call *call)
{
	strvec_clear(&call->argv);
	strvec_clear(&call->secrets);
	process_result_clear(&call->result);
}

/* Does it look, and nothing else?  So much was measured of the quick ones. */
static bool
is_look(const struct docker_call *call)
{
	const char *verb = call->argv.len > 1 ? call->argv.items[1] : "";

	return strcmp(verb, "inspect") == 0 || strcmp(verb, "ps") == 0;
}

/* The common environment and this call's secrets; borrows the strings. */
static char **
join_environment(const struct docker *docker, const struct docker_call *call)
{
	const struct strvec none = { 0 };
	const struct strvec *const parts[] = { &docker->environment,
		is_look(call) ? &docker->quick : &none, &call->secrets };
	size_t count = 1, i, part;
	char **envp, **next;

	for (part = 0; part < sizeof(parts) / sizeof(parts[0]); part++)
		count += parts[part]->len;
	envp = next = xcalloc(count, sizeof(*envp));
	for (part = 0; part < sizeof(parts) / sizeof(parts[0]); part++)
		for (i = 0; i < parts[part]->len; i++)
			*next++ = parts[part]->items[i];
	return envp;
}

static void
fill_spec(struct process_spec *spec, const struct docker *docker,
    const struct docker_call *call, char **envp)
{
	spec->path = docker->path;
	spec->argv = call->argv.items;
	spec->envp = envp;
	spec->input = call->input;
	spec->input_len = call->input != NULL ? strlen(call->input) : 0;
	spec->timeout_ms = call->timeout_ms;
	spec->max_output = most_output;
	spec->output_fd = call->output_fd;
	spec->output_limit = call->output_limit;
}

static void
log_call(const struct docker_call *call)
{
	char *words;

	if (!log_shows(LOG_LEVEL_DEBUG))
		return;
	words = strvec_join(&call->argv, " ");
	log_debug("%s: exit code %d%s, %lld ms", words, call->result.code,
	    call->result.end == PROCESS_EXITED ? "" : " (did not exit)",
	    (long long)call->result.duration_ms);
	free(words);
}

void
call_make_many(struct docker *docker, struct docker_call *calls, size_t count,
    size_t parallel)
{
	struct process_spec *specs = xcalloc(count, sizeof(*specs));
	struct process_result *results = xcalloc(count, sizeof(*results));
	char ***envs = xcalloc(count, sizeof(*envs));
	size_t i;

	for (i = 0; i < count; i++) {
		envs[i] = join_environment(docker, &calls[i]);
		fill_spec(&specs[i], docker, &calls[i], envs[i]);
	}
	process_run_many(specs, count, parallel, &docker->control, results);
	docker->calls += count;
	for (i = 0; i < count; i++) {
		calls[i].result = results[i];
		log_call(&calls[i]);
		free(envs[i]);
	}
	free(envs);
	free(results);
	free(specs);
}

void
call_make(struct docker *docker, struct docker_call *call)
{
	call_make_many(docker, call, 1, 1);
}

bool
call_succeeded(const struct docker_call *call)
{
	return call->result.end == PROCESS_EXITED && call->result.code == 0;
}

int
call_check(const struct docker_call *call, struct error *err)
{
	if (call_succeeded(call))
		return 0;
	return fault_error(call->argv.items[1], &call->result, err);
}

int
call_finish(struct docker *docker, struct docker_call *call, struct error *err)
{
	int rc;

	call_make(docker, call);
	rc = call_check(call, err);
	call_clear(call);
	return rc;
}
