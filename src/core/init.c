/* SPDX-License-Identifier: ISC */
/*
 * ensure: --init, the caller's own statements.  They go through the stdin of
 * the service's client inside the container, so that neither a remote daemon
 * nor SELinux matters.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/text.h"
#include "core/chronicle.h"
#include "core/ensure_work.h"

static const size_t file_max = (size_t)256 * 1024 * 1024;

/* Can it be read? */
static int
check_file(const char *path, bool *is_folder, struct error *err)
{
	struct stat st;

	if (stat(path, &st) == -1 || access(path, R_OK) == -1)
		return error_errno(err, ERROR_VALUE, "--init: cannot read '%s'",
		    path);
	*is_folder = S_ISDIR(st.st_mode);
	return 0;
}

static int
list_folder(const char *path, struct strvec *files, struct error *err)
{
	struct strvec names = { 0 };
	struct dirent *item;
	DIR *dir = opendir(path);
	bool is_folder = false;
	char *file;
	int rc = 0;
	size_t i;

	if (dir == NULL)
		return error_errno(err, ERROR_VALUE, "--init: cannot read '%s'",
		    path);
	while ((item = readdir(dir)) != NULL)
		if (item->d_name[0] != '.')
			strvec_add(&names, item->d_name);
	(void)closedir(dir);
	strvec_sort(&names);
	for (i = 0; rc == 0 && i < names.len; i++) {
		file = xasprintf("%s/%s", path, names.items[i]);
		rc = check_file(file, &is_folder, err);
		if (rc == 0 && !is_folder)
			strvec_add(files, file);
		free(file);
	}
	strvec_clear(&names);
	return rc;
}

/* A folder's files in the order of their names; a file by itself. */
static int
list_files(const char *path, struct strvec *files, struct error *err)
{
	bool is_folder = false;

	if (check_file(path, &is_folder, err) == -1)
		return -1;
	if (is_folder)
		return list_folder(path, files, err);
	strvec_add(files, path);
	return 0;
}

static int
read_file(const char *path, struct strbuf *text, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;

	if (fd == -1 || fd_read_all(fd, file_max, text) == -1)
		rc = error_errno(err, ERROR_VALUE, "--init: cannot read '%s'",
		    path);
	else if (strlen(strbuf_str(text)) != text->len)
		rc = error_set(err, ERROR_VALUE,
		    "--init: '%s' holds a NUL byte", path);
	fd_close(fd);
	return rc;
}

static const struct strvec *
init_client(const struct engine *engine)
{
	return engine->init_client.len > 0 ? &engine->init_client :
					     &engine->script_client;
}

static int
failed(const struct ensure_work *work, const struct ensure_service *service,
    const char *path, const struct docker_exec_result *result,
    struct error *err)
{
	struct strbuf masked = { 0 };
	const char *text;
	char *line;

	if (result->end == DOCKER_EXEC_FAILED) {
		*err = result->error;
		return error_about(err, NULL, service->engine->name);
	}
	/* what it printed before may be anything */
	text = strbuf_str(&result->output) + result->complaint;
	if (*text == '\0')
		text = strbuf_str(&result->output);
	strbuf_adds(&masked, text);
	chronicle_mask(&masked, &work->entry);
	line = text_telling_line(strbuf_str(&masked), 300);
	(void)error_set(err, ERROR_INIT, "--init: %s refused '%s': %s",
	    service->engine->name, path,
	    *line != '\0' ? line : "its client said nothing");
	(void)error_hint(err, "mend the statement and try again");
	free(line);
	strbuf_clear(&masked);
	return error_about(err, NULL, service->engine->name);
}

static int
load_file(const struct ensure_work *work, const struct ensure_service *service,
    const char *path, struct error *err)
{
	const struct service_entry *entry =
	    agent_entry_find(&work->entry, service->engine->name);
	struct docker_exec exec = { .id = service->id };
	struct docker_exec_result result;
	struct engine_values values;
	struct strbuf text = { 0 };
	char port[8];
	int rc;

	rc = read_file(path, &text, err);
	if (rc == 0) {
		ensure_values(entry, &values, port);
		exec.input = strbuf_str(&text);
		exec.timeout_ms = work->core->settings->timeout_init * 1000;
		engine_expand_all(init_client(service->engine), &values,
		    &exec.command);
		log_verbose("%s: loading %s into %s", work->request->slug, path,
		    service->engine->name);
		docker_exec_many(work->core->docker, &exec, 1, &result);
		if (result.end != DOCKER_EXEC_EXITED || result.code != 0)
			rc = failed(work, service, path, &result, err);
		docker_exec_result_clear(&result);
		strvec_clear(&exec.command);
	}
	strbuf_clear(&text);
	return rc;
}

static int
load_all(const struct ensure_work *work, const struct ensure_service *service,
    const struct strvec *files, struct error *err)
{
	size_t i;

	for (i = 0; i < files->len; i++)
		if (ensure_go_on(work, err) == -1 ||
		    load_file(work, service, files->items[i], err) == -1)
			return -1;
	return 0;
}

/* One --init of a service; with load, else it is only looked at. */
static int
take_one(const struct ensure_work *work, const struct ensure_service *service,
    const char *path, bool load, struct error *err)
{
	struct strvec files = { 0 };
	int rc;

	if (init_client(service->engine)->len == 0) {
		(void)error_set(err, ERROR_VALUE,
		    "--init: the engine '%s' names no init-client",
		    service->engine->name);
		return error_hint(err,
		    "set it in that engine: see sandkeeper-engines(5)");
	}
	rc = list_files(path, &files, err);
	if (rc == 0 && load)
		rc = load_all(work, service, &files, err);
	else if (rc == 0 && files.len == 0)
		log_warn("%s: --init: '%s' holds no file", work->request->slug,
		    path);
	strvec_clear(&files);
	return rc;
}

static const struct ensure_service *
find_service(const struct ensure_work *work, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < work->service_count; i++)
		if (strlen(work->services[i].engine->name) == len &&
		    memcmp(work->services[i].engine->name, name, len) == 0)
			return &work->services[i];
	return NULL;
}

static int
take_all(const struct ensure_work *work, bool load, struct error *err)
{
	const struct ensure_service *service;
	const char *text, *equals;
	size_t i;

	for (i = 0; i < work->request->inits.len; i++) {
		text = work->request->inits.items[i];
		equals = strchr(text, '=');
		service = find_service(work, text, (size_t)(equals - text));
		/* what is kept was loaded when it was made */
		if (service != NULL && service->make &&
		    take_one(work, service, equals + 1, load, err) == -1)
			return -1;
	}
	return 0;
}

int
ensure_check_inits(const struct ensure_work *work, struct error *err)
{
	return take_all(work, false, err);
}

int
ensure_load_inits(struct ensure_work *work, struct error *err)
{
	if (work->request->inits.len > 0)
		progress_begin("%s: loading what --init names",
		    work->request->slug);
	return take_all(work, true, err);
}
