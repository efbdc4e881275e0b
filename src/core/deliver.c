/* SPDX-License-Identifier: ISC */
/* The variables as a file inside the owner container. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "core/chronicle.h"
#include "core/deliver.h"
#include "core/handover.h"
#include "core/owner.h"

/* $1: the path.  The umask comes before the file. */
static const char script[] = "umask 077 && cat >\"$1.new\" && "
			     "chmod 0600 \"$1.new\" && mv -f \"$1.new\" "
			     "\"$1\"";

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
deliver_file(const struct core *core, const struct agent_entry *entry,
    const struct strvec *shown, const char *path, struct error *err)
{
	struct owner owner = owner_parse(entry->owner);
	struct docker_exec exec = { 0 };
	struct docker_exec_result result;
	struct strbuf text = { 0 };
	int rc = 0;

	if (owner.type != OWNER_CONTAINER)
		return error_set(err, ERROR_OWNER,
		    "--into %s: the owner is no container", path);
	if (*path != '/')
		return error_set(err, ERROR_VALUE,
		    "--into %s: the path must begin with '/'", path);
	fill(core, entry, shown, &text);
	exec.id = *entry->owner_id != '\0' ? entry->owner_id : owner.name;
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
