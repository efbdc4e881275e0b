/* SPDX-License-Identifier: ISC */
/*
 * Images: a file per image, named by the image; what it holds says how the
 * containers of that image behave.  registry/ has what `pull` may add to it.
 *
 *   run              "ok", "dies" (with exit, dies_after_ms, oom), or
 *                    "fails-start" (with exit as the code of run, error)
 *   dies_after_ms    ends by itself, with exit
 *   ready_after_ms   when exec of `sh -c` ends and probes succeed; -1: never
 *   probe_gives_up_ms, probe_exit   when a loop gives up, and how
 *   shell            false: exec of sh is 126
 *   exec             [{"when": TEXT, "out", "err", "rc", "delay_ms",
 *                    "now": true for before readiness}], first match
 *   exec_output, exec_exit   of every exec that no rule is for
 *   logs, logs_err   what logs prints
 *   volumes          a number of anonymous volumes, or a list of paths
 *   ports            ["5432/tcp"]
 *   entrypoint       [] for none
 *   stop             "ignore" for one that TERM does not end
 *   stop_ms, stop_exit, rm_ms, rm_error   how it ends, and goes
 *
 * A container takes these keys over; fake-set changes them there.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

/* A name with its tag, and without the default registry. */
char *
image_normal(const char *name)
{
	const char *last;

	if (strncmp(name, "docker.io/", 10) == 0)
		name += 10;
	if (strncmp(name, "library/", 8) == 0)
		name += 8;
	last = strrchr(name, '/');
	last = last == NULL ? name : last;
	if (strpbrk(last, ":@") != NULL)
		return xstrdup(name);
	return xasprintf("%s:latest", name);
}

static char *
file_of(const char *folder, const char *name)
{
	char *normal = image_normal(name), *code = state_encode(normal);
	char *rel = xasprintf("%s/%s", folder, code);

	free(code);
	free(normal);
	return rel;
}

json_t *
image_read(const char *name)
{
	char *rel = file_of("images", name);
	json_t *doc = state_read(rel);

	free(rel);
	return doc;
}

void
image_write(const char *folder, const char *name, const json_t *doc)
{
	char *rel = file_of(folder, name);

	state_write(rel, doc);
	free(rel);
}

/* An id that depends on the name alone. */
static json_t *
image_id(const char *name)
{
	uint64_t h = 0xcbf29ce484222325;

	for (; *name != '\0'; name++)
		h = (h ^ (unsigned char)*name) * 0x100000001b3;
	return json_sprintf("sha256:%016lx%016lx%016lx%016lx", (long)h,
	    (long)(h * 3), (long)(h * 5), (long)(h * 7));
}

/* What `image inspect` answers; spec is the image's file, or NULL. */
json_t *
image_document(const char *name, const json_t *spec)
{
	json_t *doc, *ports = json_object(), *volumes = json_object(), *port;
	int64_t i, n = jint(spec, "volumes", 0);
	size_t at;

	json_array_foreach (json_object_get(spec, "ports"), at, port)
		json_object_set_new(ports, json_string_value(port),
		    json_object());
	for (i = 0; i < n; i++)
		json_object_set_new(volumes,
		    i == 0 ? "/data" :
			     json_string_value(json_sprintf("/data%d", (int)i)),
		    json_object());
	doc = json_pack("{s:o, s:[s], s:[], s:s, s:{s:n, s:n, s:n, s:o, s:o, "
			"s:n}, s:s, s:s, s:i}",
	    "Id", image_id(name), "RepoTags", name, "RepoDigests", "Created",
	    "2026-01-01T00:00:00Z", "Config", "Env", "Cmd", "Entrypoint",
	    "ExposedPorts", ports, "Volumes", volumes, "Labels", "Architecture",
	    "amd64", "Os", "linux", "Size", 10000000);
	if (strchr(name, '@') != NULL)
		json_object_set_new(doc, "RepoTags", json_array());
	return doc;
}

static json_t *
find_by_id(const char *id)
{
	size_t i, len;
	char **names = state_names("images", &len), *name;
	json_t *doc;

	for (i = 0; i < len; i++) {
		name = state_decode(names[i]);
		doc = image_document(name, image_read(name));
		if (strcmp(jstr(doc, "Id"), id) == 0)
			return doc;
	}
	return NULL;
}

int
verb_image_inspect(int argc, char *argv[])
{
	json_t *found = json_array(), *spec, *doc;
	struct args a;
	char *normal;
	int i, rc = 0;

	if (args_parse(&a, "image inspect", "[OPTIONS] IMAGE [IMAGE...]",
		"f,format= platform= type=", 1, argc, argv) != 0)
		return RC_USAGE;
	if (a.nrest == 0)
		return text_too_few("image inspect",
		    "[OPTIONS] IMAGE [IMAGE...]", 1);
	for (i = 0; i < a.nrest; i++) {
		normal = image_normal(a.rest[i]);
		spec = image_read(a.rest[i]);
		doc = spec != NULL ? image_document(normal, spec) :
				     find_by_id(a.rest[i]);
		if (doc != NULL) {
			json_array_append_new(found, doc);
			continue;
		}
		if (fake.old)
			fprintf(fake.err, "Error: No such image: %s\n",
			    a.rest[i]);
		else
			text_daemon("no such image: %s: No such image: %s",
			    a.rest[i], normal);
		rc = 1;
	}
	i = inspect_finish(found, args_get(&a, "format"));
	return i != 0 ? i : rc;
}

/* What a pull that fails says, by the name of the trouble; NULL: unknown. */
const char *
pull_failure(const char *kind)
{
	static const char *const table[][2] = {
		{ "manifest",
		    "manifest for %s not found: manifest unknown: "
		    "manifest unknown" },
		{ "denied",
		    "pull access denied for %s, repository does not "
		    "exist or may require 'docker login': denied: requested "
		    "access to the resource is denied" },
		{ "refused",
		    "Get \"https://registry.example/v2/\": dial "
		    "tcp 127.0.0.1:443: connect: connection refused" },
		{ "dns",
		    "Get \"https://registry.example/v2/\": dial tcp: "
		    "lookup registry.example on 127.0.0.53:53: no such "
		    "host" },
		{ "timeout",
		    "Get \"https://registry.example/v2/\": "
		    "net/http: request canceled while waiting for connection "
		    "(Client.Timeout exceeded while awaiting headers)" },
		{ "ratelimit",
		    "toomanyrequests: You have reached your pull "
		    "rate limit. You may increase the limit by "
		    "authenticating and upgrading: "
		    "https://www.docker.com/increase-rate-limit" },
		{ "disk",
		    "write /var/lib/docker/tmp/GetImageBlob1: no space "
		    "left on device" },
	};
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(table[i][0], kind) == 0)
			return table[i][1];
	return NULL;
}

int
verb_pull(int argc, char *argv[])
{
	struct args a;
	char *normal, *full, *rel;
	json_t *spec;

	if (args_parse(&a, "pull", "[OPTIONS] NAME[:TAG|@DIGEST]",
		"a,all-tags disable-content-trust platform= q,quiet", 1, argc,
		argv) != 0)
		return RC_USAGE;
	if (a.nrest != 1)
		return text_too_few("pull", "[OPTIONS] NAME[:TAG|@DIGEST]", 1);
	normal = image_normal(a.rest[0]);
	full = xasprintf("docker.io/%s%s",
	    strchr(normal, '/') == NULL ? "library/" : "", normal);
	if (strcspn(normal, ".:") < strcspn(normal, "/") &&
	    strchr(normal, '/') != NULL)
		full = normal;
	rel = file_of("registry", normal);
	spec = state_read(rel);
	if (image_read(normal) == NULL || spec != NULL)
		image_write("images", normal,
		    spec != NULL ? spec : json_object());
	if (!args_has(&a, "quiet")) {
		if (strstr(a.rest[0], ":") == NULL)
			fputs("Using default tag: latest\n", fake.out);
		fprintf(fake.out, "Status: Downloaded newer image for %s\n",
		    normal);
	}
	fprintf(fake.out, "%s\n", full);
	return 0;
}

static int
list(int argc, char *argv[])
{
	size_t i, len;
	char **names = state_names("images", &len), *name, *error = NULL;
	struct args a;
	json_t *row;
	const char *format, *colon;

	if (args_parse(&a, "image ls", "[OPTIONS] [REPOSITORY[:TAG]]",
		"a,all f,filter= format= no-trunc q,quiet digests", 1, argc,
		argv) != 0)
		return RC_USAGE;
	format = args_get(&a, "format");
	if (format == NULL)
		format = args_has(&a, "quiet") ?
		    "{{.ID}}" :
		    "{{.Repository}}   {{.Tag}}   {{.ID}}";
	for (i = 0; i < len; i++) {
		name = state_decode(names[i]);
		colon = strrchr(name, ':');
		row = json_pack("{s:o, s:s%, s:s}", "ID", image_id(name),
		    "Repository", name, (size_t)(colon - name), "Tag",
		    colon + 1);
		if (template_run(format, row, NULL, fake.out, &error) !=
		    TEMPLATE_OK)
			return 1;
		fputc('\n', fake.out);
	}
	return 0;
}

static int
remove_images(int argc, char *argv[])
{
	int i, rc = 0;
	char *rel, *normal;

	for (i = 1; i < argc; i++) {
		if (argv[i][0] == '-')
			continue;
		normal = image_normal(argv[i]);
		rel = file_of("images", normal);
		if (unlinkat(fake.dirfd, rel, 0) == 0) {
			fprintf(fake.out, "Untagged: %s\n", normal);
		} else {
			text_daemon("No such image: %s", normal);
			rc = 1;
		}
	}
	return rc;
}

int
verb_image(int argc, char *argv[])
{
	const char *verb = argc > 1 ? argv[1] : "";

	if (strcmp(verb, "inspect") == 0)
		return verb_image_inspect(argc - 1, argv + 1);
	if (strcmp(verb, "pull") == 0)
		return verb_pull(argc - 1, argv + 1);
	if (strcmp(verb, "ls") == 0 || strcmp(verb, "list") == 0)
		return list(argc - 1, argv + 1);
	if (strcmp(verb, "rm") == 0 || strcmp(verb, "remove") == 0)
		return remove_images(argc - 1, argv + 1);
	return text_unknown("image", verb);
}
