/* SPDX-License-Identifier: ISC */
/*
 * ensure: waiting until a client could log in (rule E6).  One docker call a
 * service: the loop and its limit of time run inside the container, whose
 * shell sleeps between two probes.  An image without a shell is polled.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/progress.h"
#include "base/text.h"
#include "core/chronicle.h"
#include "core/ensure_work.h"
#include "process/interrupt.h"

/* $1 seconds, $2 what the output must hold, then the probe. */
static const char loop[] =
    "end=$(($(date +%s) + $1)) want=$2\n"
    "shift 2\n"
    "while :; do\n"
    "	if out=$(\"$@\" 2>&1); then\n"
    "		case $out in *\"$want\"*) exit 0 ;; esac\n"
    "	fi\n"
    "	if [ \"$(date +%s)\" -ge \"$end\" ]; then\n"
    "		printf '%s\\n' \"$out\"\n"
    "		exit 75\n"
    "	fi\n"
    "	sleep 0.05 2>/dev/null || sleep 1\n"
    "done\n";

static const int64_t poll_ms = 80;

static void
probe_words(const struct ensure_work *work,
    const struct ensure_service *service, struct strvec *words)
{
	const struct service_entry *entry =
	    agent_entry_find(&work->entry, service->engine->name);
	struct engine_values values;
	char port[8];

	ensure_values(entry, &values, port);
	engine_expand_all(&service->engine->ready, &values, words);
}

static void
loop_exec(const struct ensure_work *work, const struct ensure_service *service,
    struct docker_exec *exec)
{
	int64_t seconds = engine_ready_timeout(service->engine);

	memset(exec, 0, sizeof(*exec));
	exec->id = service->id;
	/* the limit inside comes first; this one is for a daemon that hangs */
	exec->timeout_ms = (seconds + 5) * 1000;
	strvec_add_all(&exec->command, "sh", "-c", loop, "sh", NULL);
	strvec_addf(&exec->command, "%lld", (long long)seconds);
	strvec_add(&exec->command, service->engine->ready_expect);
	probe_words(work, service, &exec->command);
}

/* Why did it die?  Two more calls, for the message. */
static int
died(const struct ensure_work *work, const struct ensure_service *service,
    struct error *err)
{
	struct container_list found = { 0 };
	struct strvec ids = { 0 };
	const struct container *c;
	struct error ignored;
	char *lines, *shown;

	strvec_add(&ids, service->id);
	(void)docker_inspect(work->core->docker, &ids, &found, &ignored);
	c = container_list_find(&found, service->id);
	lines = chronicle_last_lines(work->core, service->id, &work->entry);
	shown = text_visible(lines != NULL ? lines : "", 300);
	if (c == NULL)
		(void)error_set(err, ERROR_DIED,
		    "%s was removed while it was waited for",
		    service->container);
	else
		(void)error_set(err, ERROR_DIED,
		    "%s died while it was waited for: "
		    "exit code %d%s%s%s",
		    service->container, c->exit_code,
		    c->oom_killed ? ", out of memory" : "",
		    *shown != '\0' ? "; its last lines: " : "", shown);
	if (c == NULL)
		(void)error_hint(err,
		    "somebody else ended it: 'docker events --since 10m' "
		    "tells more; then ask again");
	else if (c->oom_killed)
		(void)error_hint(err, "raise --memory");
	else if (c->exit_code == 128 + SIGKILL)
		/* podman does not always learn the reason */
		(void)error_hint(err,
		    "it may have been out of memory: raise --memory, or try "
		    "'docker run --rm %s' by hand",
		    service->image);
	else
		(void)error_hint(err, "try 'docker run --rm %s' by hand",
		    service->image);
	free(shown);
	free(lines);
	strvec_clear(&ids);
	container_list_clear(&found);
	return error_about(err, NULL, service->engine->name);
}

static int
not_ready(const struct ensure_work *work, const struct ensure_service *service,
    const struct strbuf *output, struct error *err)
{
	struct strbuf masked = { 0 };
	char *line;

	strbuf_adds(&masked, strbuf_str(output));
	chronicle_mask(&masked, &work->entry);
	line = text_last_line(strbuf_str(&masked), 200);
	(void)error_set(err, ERROR_NOT_READY,
	    "%s was not ready after %lld s"
	    "%s%s",
	    service->container,
	    (long long)engine_ready_timeout(service->engine),
	    *line != '\0' ? ": " : "", line);
	(void)error_hint(err,
	    "raise ready-timeout of the engine, or look at "
	    "its probe");
	free(line);
	strbuf_clear(&masked);
	return error_about(err, NULL, service->engine->name);
}

/* No shell inside: probe from here, a call each time. */
static int
poll_ready(const struct ensure_work *work, const struct ensure_service *service,
    struct error *err)
{
	struct deadline end =
	    deadline_in_ms(engine_ready_timeout(service->engine) * 1000);
	struct docker_exec exec = { .id = service->id };
	struct docker_exec_result result;
	bool ready = false;
	int rc = 0;

	exec.timeout_ms = work->core->settings->timeout_exec * 1000;
	probe_words(work, service, &exec.command);
	while (rc == 0 && !ready) {
		docker_exec_many(work->core->docker, &exec, 1, &result);
		ready = result.end == DOCKER_EXEC_EXITED && result.code == 0 &&
		    strstr(strbuf_str(&result.output),
			service->engine->ready_expect) != NULL;
		if (ready)
			rc = 0;
		else if (result.end == DOCKER_EXEC_NOT_RUNNING)
			rc = died(work, service, err);
		else if (result.end == DOCKER_EXEC_FAILED) {
			*err = result.error;
			rc = -1;
		} else if (deadline_left_ms(end) == 0)
			rc = not_ready(work, service, &result.output, err);
		else
			rc = interrupt_sleep_ms(poll_ms, err);
		if (rc == 0 && !ready)
			rc = ensure_go_on(work, err);
		docker_exec_result_clear(&result);
	}
	strvec_clear(&exec.command);
	return rc;
}

enum readiness { WAITING, READY, NO_SHELL };

/* What one call's end means; -1 for a failure of the whole. */
static int
judge_result(const struct ensure_work *work,
    const struct ensure_service *service,
    const struct docker_exec_result *result, enum readiness *readiness,
    struct error *err)
{
	switch (result->end) {
	case DOCKER_EXEC_EXITED:
		if (result->code != 0)
			return not_ready(work, service, &result->output, err);
		*readiness = READY;
		return 0;
	case DOCKER_EXEC_NO_PROGRAM:
		*readiness = NO_SHELL;
		return 0;
	case DOCKER_EXEC_NOT_RUNNING:
		return died(work, service, err);
	case DOCKER_EXEC_FAILED:
		/* stopped because another one had ended: it waits on */
		if (result->error.kind == ERROR_RELEASED)
			return ensure_go_on(work, err);
		break;
	}
	*err = result->error;
	return error_about(err, NULL, service->engine->name);
}

/* One round: a loop in each container that is still waited for. */
static int
wait_round(const struct ensure_work *work, enum readiness *readiness,
    struct error *err)
{
	size_t count = work->service_count, n = 0, i;
	struct docker_exec *execs = xcalloc(count, sizeof(*execs));
	struct docker_exec_result *results = xcalloc(count, sizeof(*results));
	struct error failure;
	int rc = 0;

	for (i = 0; i < count; i++)
		if (work->services[i].make && readiness[i] == WAITING)
			loop_exec(work, &work->services[i], &execs[n++]);
	docker_exec_many(work->core->docker, execs, n, results);
	for (i = 0, n = 0; i < count; i++) {
		if (!work->services[i].make || readiness[i] != WAITING)
			continue;
		if (judge_result(work, &work->services[i], &results[n],
			&readiness[i], &failure) == -1 &&
		    rc == 0) {
			*err = failure;
			rc = -1;
		}
		docker_exec_result_clear(&results[n]);
		strvec_clear(&execs[n++].command);
	}
	free(results);
	free(execs);
	return rc;
}

static bool
any(const struct ensure_work *work, const enum readiness *readiness,
    enum readiness which)
{
	size_t i;

	for (i = 0; i < work->service_count; i++)
		if (work->services[i].make && readiness[i] == which)
			return true;
	return false;
}

static void
show_progress(const struct ensure_work *work)
{
	struct strvec names = { 0 };
	char *list;
	size_t i;

	for (i = 0; i < work->service_count; i++)
		if (work->services[i].make)
			strvec_add(&names, work->services[i].engine->name);
	list = strvec_join(&names, ", ");
	progress_begin("%s: waiting for %s", work->request->slug, list);
	free(list);
	strvec_clear(&names);
}

int
ensure_wait_ready(struct ensure_work *work, struct error *err)
{
	enum readiness *readiness =
	    xcalloc(work->service_count, sizeof(*readiness));
	size_t i;
	int rc = 0;

	show_progress(work);
	while (rc == 0 && any(work, readiness, WAITING))
		rc = wait_round(work, readiness, err);
	for (i = 0; rc == 0 && i < work->service_count; i++)
		if (work->services[i].make && readiness[i] == NO_SHELL)
			rc = poll_ready(work, &work->services[i], err);
	progress_end();
	free(readiness);
	return rc;
}
