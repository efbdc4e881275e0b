/* SPDX-License-Identifier: ISC */
/* The variables as a file inside the owner container. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "core/chronicle.h"
#include "core/deliver.h"
#include "core/handover.h"

/*
 * $1: the path.  The umask comes before the file, and the file is a new one
 * (set -C), whatever somebody left there under its name.
 */
static const char script[] =
    "if [ -d \"$1\" ]; then echo \"$1 is a folder\" >&2; exit 1; fi\n"
    "umask 077 && rm -f \"$1.new\" && set -C && cat >\"$1.new\" &&\n"
    "mv -f \"$1.new\" \"$1\" && exit 0\n"
    "rm -f \"$1.new\"\n"
    "exit 1\n";

static void
fill(const struct core *core, const struct agent_entry *entry,
    const struct strvec *shown, struct strbuf *text)
{
	const struct service_entry *service;
	struct strvec lines = { 0 };
	size_t i;

	for (i = 0; i < shown->len; i++) {
		service = agent_entry_find(entry, shown->items[i]);
		if (service != NULL)
			handover_variables(engine_list_find(core->engines,
					       service->service),
			    service, &lines);
	}
	for (i = 0; i < lines.len; i++)
		strbuf_addf(text, "%s\n", lines.items[i]);
	strvec_clear(&lines);
}

static int
failed(const struct agent_entry *entry, const char *path,
    const struct docker_exec_result *result, struct error *err)
{
	struct strbuf masked = { 0 };
	char *line;

	if (result->end == DOCKER_EXEC_FAILED) {
		*err = result->error;
		return -1;
	}
	strbuf_adds(&masked, strbuf_str(&result->output));
	chronicle_mask(&masked, entry);
	line = text_last_line(strbuf_str(&masked), 200);
	(void)error_set(err, ERROR_OWNER, "--into %s: the owner refused it: %s",
	    path, *line != '\0' ? line : "no word why");
	(void)error_hint(err,
	    "it must run, have a shell, and be able to write there; "
	    "'sandkeeper env' prints the variables");
	free(line);
	strbuf_clear(&masked);
	return -1;
}

int
deliver_check(const char *path, struct error *err)
{
	char *visible;

	if (*path == '/' && !text_has_suffix(path, "/"))
		return 0;
	visible = text_visible(path, 80);
	(void)error_set(err, ERROR_VALUE, "--into '%s' is no file's path",
	    visible);
	free(visible);
	return error_hint(err, "it begins with '/', and names a file");
}

int
deliver_file(const struct core *core, const char *id,
    const struct agent_entry *entry, const struct strvec *shown,
    const char *path, struct error *err)
{
	struct docker_exec exec = { .id = id };
	struct docker_exec_result result;
	struct strbuf text = { 0 };
	int rc = 0;

	fill(core, entry, shown, &text);
	exec.input = strbuf_str(&text);
	exec.timeout_ms = core->settings->timeout_exec * 1000;
	strvec_add_all(&exec.command, "sh", "-c", script, "sh", path, NULL);
	docker_exec_many(core->docker, &exec, 1, &result);
	if (result.end != DOCKER_EXEC_EXITED || result.code != 0)
		rc = failed(entry, path, &result, err);
	docker_exec_result_clear(&result);
	strvec_clear(&exec.command);
	if (text.len > 0)
		explicit_bzero(text.data, text.len);
	strbuf_clear(&text);
	return rc;
}
