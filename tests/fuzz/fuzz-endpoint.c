/* SPDX-License-Identifier: ISC */
/*
 * Fuzz target: docker's own settings, which say where its daemon is.  Input:
 * config.json, a NUL, and a context's meta.json.
 */
#include "docker/endpoint.h"
#include "fuzz.h"

static char meta_folder[160], contexts_folder[160], context_folder[160];

static void
remove_folders(void)
{
	(void)rmdir(context_folder);
	(void)rmdir(meta_folder);
	(void)rmdir(contexts_folder);
	(void)rmdir(fuzz_folder);
}

static void
make_folder(char path[160], const char *name)
{
	(void)snprintf(path, 160, "%s/%s", fuzz_folder, name);
	must(mkdir(path, 0700) == 0);
}

/* The environment that is read is ours alone. */
static void
prepare(void)
{
	fuzz_make_folder();
	make_folder(contexts_folder, "contexts");
	make_folder(meta_folder, "contexts/meta");
	make_folder(context_folder, "contexts/meta/0123");
	must(atexit(remove_folders) == 0);
	must(setenv("DOCKER_CONFIG", fuzz_folder, 1) == 0);
	must(unsetenv("DOCKER_HOST") == 0);
	must(unsetenv("DOCKER_CONTEXT") == 0);
}

static void
resolve(const char *context)
{
	struct error err = { 0 };
	char *endpoint = NULL;

	if (endpoint_resolve(context, &endpoint, &err) == -1) {
		must_tell(&err);
		must(err.kind == ERROR_DAEMON);
		must(endpoint == NULL);
	} else {
		must(endpoint != NULL);
		free(endpoint);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char meta[] = "contexts/meta/0123/meta.json";
	struct input input = { data, size };
	char path[200], *config = input_string(&input);

	if (fuzz_folder[0] == '\0')
		prepare();
	(void)fuzz_file(meta, input.data, input.left);
	(void)snprintf(path, sizeof(path), "%s",
	    fuzz_file("config.json", (const uint8_t *)config, strlen(config)));
	resolve(NULL);
	resolve("remote");
	resolve("default");
	(void)unlink(path);
	(void)snprintf(path, sizeof(path), "%s/%s", fuzz_folder, meta);
	(void)unlink(path);
	free(config);
	return 0;
}
