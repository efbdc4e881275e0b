/* SPDX-License-Identifier: ISC */
/*
 * Fuzz target: every verb of docker/ with a child that ended in any way and
 * said anything.  process/ is replaced by this file: what the input says is
 * what became of the child.
 *
 * Input: a byte for the verb, one for how it ended (its high bits: output was
 * cut, the client is podman), one for its exit code, then stdout, a NUL, and
 * stderr.
 */
#include <errno.h>

#include "docker/docker.h"
#include "docker/fault.h"
#include "docker/parse.h"
#include "fuzz.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define NAME "roboco-sandbox-pg-be-dev-1"
#define IMAGE "postgres:16-alpine"

enum { HOW_CUT = 128, HOW_PODMAN = 64 };

static struct process_result answer;
static bool podman;

static void
copy(struct strbuf *to, const struct strbuf *from)
{
	strbuf_add(to, strbuf_str(from), from->len);
}

void
process_run_many(const struct process_spec *specs, size_t count,
    size_t parallel, const struct process_control *control,
    struct process_result *results)
{
	size_t i;

	(void)parallel;
	(void)control;
	for (i = 0; i < count; i++) {
		must(specs[i].argv[1] != NULL);
		results[i] = answer;
		memset(&results[i].out, 0, sizeof(results[i].out));
		memset(&results[i].err, 0, sizeof(results[i].err));
		copy(&results[i].out, &answer.out);
		copy(&results[i].err, &answer.err);
	}
}

void
process_run(const struct process_spec *spec,
    const struct process_control *control, struct process_result *result)
{
	process_run_many(spec, 1, 1, control, result);
}

void
process_result_clear(struct process_result *result)
{
	strbuf_clear(&result->out);
	strbuf_clear(&result->err);
}

static bool
succeeded(void)
{
	return answer.end == PROCESS_EXITED && answer.code == 0;
}

/* A failure is told; success needs exit code 0. */
static void
must_agree(int rc, const struct error *err)
{
	if (rc == -1)
		must_tell(err);
	else
		must(succeeded());
}

static bool
says(const struct strbuf *text, const char *words)
{
	return strcasestr(strbuf_str(text), words) != NULL;
}

/* Rule T1: gone has to be proven. */
static void
must_be_proven(const struct container_list *found, const char *name)
{
	if (container_list_find(found, name) != NULL)
		return;
	must(answer.end == PROCESS_EXITED && !answer.truncated);
	/* or it was found by a prefix of its id, which is not it */
	if (answer.code == 0)
		return;
	must(answer.code == (podman ? 125 : 1));
	must(answer.err.len == 0 || says(&answer.err, name));
	must(answer.err.len == 0 || says(&answer.err, "no such ") ||
	    says(&answer.err, "no container with name or id"));
}

static void
inspect(struct docker *docker)
{
	struct container_list found = { 0 };
	struct strvec names = { 0 };
	struct error err = { 0 };
	size_t i;

	strvec_add_all(&names, NAME, ID, NULL);
	if (docker_inspect(docker, &names, &found, &err) == -1) {
		must_tell(&err);
		must(found.len == 0);
	} else {
		for (i = 0; i < names.len; i++)
			must_be_proven(&found, names.items[i]);
		for (i = 0; i < found.len; i++)
			must(strvec_has(&names, found.items[i].id) ||
			    strvec_has(&names, found.items[i].name));
	}
	container_list_clear(&found);
	strvec_clear(&names);
}

/* Rule S2: nothing is known of a listing that is not whole. */
static void
list(struct docker *docker)
{
	struct docker_filter filter = { "roboco.sandbox=1", NULL, NULL };
	struct container_list rows = { 0 };
	struct error err = { 0 };
	int rc = docker_list(docker, &filter, &rows, &err);

	must_agree(rc, &err);
	must(rc == 0 || rows.len == 0);
	must(rc == -1 || !answer.truncated);
	container_list_clear(&rows);
}

static void
removal(struct docker *docker)
{
	struct strvec ids = { 0 };
	struct error err = { 0 }, errors[2];
	size_t i;

	strvec_add(&ids, ID);
	must_agree(docker_remove(docker, &ids, true, &err), &err);
	docker_remove_many(docker, &ids, 1, 1, errors, NULL);
	for (i = 0; i < 1; i++)
		must_agree(errors[i].kind == ERROR_NONE ? 0 : -1, &errors[i]);
	must_agree(docker_stop(docker, &ids, 5, &err), &err);
	must_agree(docker_unpause(docker, &ids, &err), &err);
	strvec_clear(&ids);
}

static void
logs(struct docker *docker)
{
	struct strbuf text = { 0 };
	struct error err = { 0 };

	must_agree(docker_logs(docker, ID, 20, 300, &text, &err), &err);
	must(text.len <= 600);
	must(text.len == 0 || strlen(text.data) == text.len);
	strbuf_clear(&text);
}

static void
images(struct docker *docker)
{
	struct strvec asked = { 0 }, missing = { 0 };
	struct error err = { 0 };
	int rc;

	strvec_add_all(&asked, IMAGE, "redis:8", NULL);
	rc = docker_images_missing(docker, &asked, &missing, &err);
	if (rc == -1)
		must_tell(&err);
	else
		must(succeeded() == (missing.len == 0));
	if (strvec_has(&missing, IMAGE))
		must(strstr(strbuf_str(&answer.err), IMAGE) != NULL);
	strvec_clear(&missing);
	must_agree(docker_pull(docker, &asked, &err), &err);
	strvec_clear(&asked);
}

static void
run(struct docker *docker)
{
	struct docker_run how = { .name = NAME, .image = IMAGE };
	struct docker_started started;

	docker_run_many(docker, &how, 1, &started);
	must(started.id[0] == '\0' || docker_id_is_full(started.id));
	must_agree(started.error.kind == ERROR_NONE ? 0 : -1, &started.error);
	must(started.error.kind != ERROR_NONE || started.id[0] != '\0');
	must(started.uncertain == (answer.end != PROCESS_EXITED));
	docker_run_clear(&how);
}

static void
exec(struct docker *docker)
{
	struct docker_exec how = { .id = ID, .timeout_ms = 1000 };
	struct docker_exec_result result;

	docker_exec_many(docker, &how, 1, &result);
	if (result.end == DOCKER_EXEC_FAILED)
		must_tell(&result.error);
	else
		must(answer.end == PROCESS_EXITED);
	if (result.end == DOCKER_EXEC_EXITED)
		must(result.code == answer.code);
	must(!succeeded() || result.end == DOCKER_EXEC_EXITED);
	docker_exec_result_clear(&result);
}

/* Is the name there as a whole, and not as the beginning of a longer one? */
static bool
stands_alone(const char *text, const char *name)
{
	static const char inside[] = "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
	size_t len = strlen(name);

	while ((text = strstr(text, name)) != NULL) {
		text += len;
		if (*text == '\0' || strchr(inside, *text) == NULL)
			return true;
	}
	return false;
}

static void
proofs(void)
{
	static const char *const names[] = { NAME, NAME "0", ID,
		"roboco-sandbox-pg-be-dev-", "x" };
	const char *text = strbuf_str(&answer.err);
	size_t i;

	must(fault_kind(text) < ERROR_KIND_COUNT);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (fault_proves_gone(text, names[i]))
			must(stands_alone(text, names[i]));
}

static void
read_answer(struct input *input)
{
	static const enum process_end ends[] = { PROCESS_EXITED, PROCESS_EXITED,
		PROCESS_EXITED, PROCESS_SIGNALED, PROCESS_TIMED_OUT,
		PROCESS_STOPPED, PROCESS_LIMITED, PROCESS_NOT_STARTED };
	uint8_t how = input_byte(input);
	char *out;

	memset(&answer, 0, sizeof(answer));
	answer.end = ends[how % 8];
	answer.truncated = (how & HOW_CUT) != 0;
	podman = (how & HOW_PODMAN) != 0;
	answer.code = input_byte(input);
	if (answer.end == PROCESS_NOT_STARTED && answer.code > 0)
		answer.spawn_errno = ENOENT;
	out = input_string(input);
	strbuf_adds(&answer.out, out);
	strbuf_add(&answer.err, input->data, input->left);
	free(out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const verbs[])(struct docker *) = { inspect, list,
		removal, logs, images, run, exec };
	char path[] = "/usr/bin/docker";
	struct docker docker = { .path = path };
	struct input input = { data, size };
	uint8_t verb = input_byte(&input);

	read_answer(&input);
	docker.podman = podman;
	verbs[verb % (sizeof(verbs) / sizeof(verbs[0]))](&docker);
	proofs();
	process_result_clear(&answer);
	return 0;
}
