/* SPDX-License-Identifier: ISC */
/* Which daemon does the client talk to? */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/json.h"
#include "docker/endpoint.h"

static const size_t config_max = (size_t)1024 * 1024;

static json_t *
read_document(const char *path)
{
	/* docker follows symbolic links, so we have to */
	char *real = realpath(path, NULL);
	struct strbuf text = { 0 };
	json_t *doc = NULL;

	if (real != NULL &&
	    fd_read_file(AT_FDCWD, real, config_max, &text) == 0)
		doc = json_read(strbuf_str(&text), text.len);
	strbuf_clear(&text);
	free(real);
	return doc;
}

/* The folder of docker's own settings; NULL where nothing says. */
static char *
config_folder(void)
{
	const char *folder = getenv("DOCKER_CONFIG");
	const char *home = getenv("HOME");

	if (folder != NULL && *folder != '\0')
		return xstrdup(folder);
	if (home != NULL && *home != '\0')
		return xasprintf("%s/.docker", home);
	return NULL;
}

static char *
current_context(const char *folder)
{
	char *path = xasprintf("%s/config.json", folder);
	json_t *doc = read_document(path);
	const char *name = json_text(doc, "currentContext");
	char *context = name != NULL ? xstrdup(name) : NULL;

	json_decref(doc);
	free(path);
	return context;
}

/* The address in one context's file, if it is the one of that name. */
static char *
address_in(const char *path, const char *name)
{
	json_t *doc = read_document(path);
	const char *its_name = json_text(doc, "Name");
	const char *host =
	    json_text(json_object_get(json_object_get(doc, "Endpoints"),
			  "docker"),
		"Host");
	char *address = NULL;

	if (its_name != NULL && strcmp(its_name, name) == 0 && host != NULL)
		address = xstrdup(host);
	json_decref(doc);
	return address;
}

/* docker names the files by a hash; reading all needs none. */
static char *
context_address(const char *folder, const char *name)
{
	char *path = xasprintf("%s/contexts/meta", folder);
	DIR *dir = opendir(path);
	struct dirent *entry;
	char *file, *address = NULL;

	while (dir != NULL && address == NULL &&
	    (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		file = xasprintf("%s/%s/meta.json", path, entry->d_name);
		address = address_in(file, name);
		free(file);
	}
	if (dir != NULL)
		(void)closedir(dir);
	free(path);
	return address;
}

static char *
canonical(char *address)
{
	static const char *const defaults[] = { "unix:///var/run/docker.sock",
		"unix:///run/docker.sock" };
	size_t i;

	for (i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		if (strcmp(address, defaults[i]) == 0)
			xstr_set(&address, "default");
	return address;
}

char *
endpoint_context(const char *context)
{
	const char *host = getenv("DOCKER_HOST");
	char *folder, *name = NULL;

	if (host != NULL && *host != '\0')
		return NULL;
	if (context == NULL || *context == '\0')
		context = getenv("DOCKER_CONTEXT");
	if (context != NULL && *context != '\0')
		return xstrdup(context);
	folder = config_folder();
	if (folder != NULL)
		name = current_context(folder);
	free(folder);
	if (name != NULL && *name != '\0')
		return name;
	free(name);
	return xstrdup("default");
}

int
endpoint_resolve(const char *context, char **endpoint, struct error *err)
{
	char *name = endpoint_context(context), *folder, *address = NULL;

	if (name == NULL) {
		*endpoint = canonical(xstrdup(getenv("DOCKER_HOST")));
		return 0;
	}
	folder = config_folder();
	if (strcmp(name, "default") == 0)
		address = xstrdup("default");
	else if (folder != NULL)
		address = context_address(folder, name);
	if (address == NULL) {
		(void)error_set(err, ERROR_DAEMON,
		    "there is no docker context '%s'", name);
		(void)error_hint(err, "'docker context ls' lists them");
	}
	free(name);
	free(folder);
	if (address == NULL)
		return -1;
	*endpoint = canonical(address);
	return 0;
}
