/* SPDX-License-Identifier: ISC */
/* version, info, volume, context. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

static json_t *
version_document(void)
{
	const char *version = fake.old ? "20.10.24+dfsg1" : "28.2.2";

	return json_pack("{s:{s:s, s:s, s:s, s:s, s:s, s:s}, s:{s:s, s:s, "
			 "s:s, s:s, s:s}}",
	    "Client", "Version", version, "ApiVersion", "1.41",
	    "DefaultAPIVersion", fake.old ? "1.41" : "1.50", "Os", "linux",
	    "Arch", "amd64", "Context", "default", "Server", "Version",
	    "20.10.24+dfsg1", "ApiVersion", "1.41", "MinAPIVersion", "1.12",
	    "Os", "linux", "Arch", "amd64");
}

static int
print_document(json_t *doc, const char *format, const char *plain)
{
	char *error;

	if (format == NULL) {
		fputs(plain, fake.out);
		return 0;
	}
	if (strcmp(format, "json") == 0)
		format = "{{json .}}";
	if (template_run(format, doc, NULL, fake.out, &error) != TEMPLATE_OK) {
		fprintf(fake.err, "template parsing error: %s\n", error);
		return 64;
	}
	fputc('\n', fake.out);
	return 0;
}

int
verb_version(int argc, char *argv[])
{
	struct args a;

	if (args_parse(&a, "version", "[OPTIONS]", "f,format=", 1, argc,
		argv) != 0)
		return RC_USAGE;
	return print_document(version_document(), args_get(&a, "format"),
	    fake.old ?
		"Client:\n Version:           20.10.24+dfsg1\n"
		"Server:\n Engine:\n  Version:          20.10.24+dfsg1\n" :
		"Client:\n Version:           28.2.2\n"
		"Server:\n Engine:\n  Version:          20.10.24+dfsg1\n");
}

/* The client's half is known without a daemon. */
void
version_without_daemon(int argc, char *argv[])
{
	json_t *doc = version_document();
	FILE *lost = fake.err;
	struct args a;
	char *text;
	size_t len;

	if (args_parse(&a, "version", "[OPTIONS]", "f,format=", 1, argc,
		argv) != 0)
		return;
	json_object_set_new(doc, "Server", json_null());
	fake.err = open_memstream(&text, &len);
	if (print_document(doc, args_get(&a, "format"),
		"Client:\n Version:           28.2.2\n\n") != 0)
		fputc('\n', fake.out);
	fclose(fake.err);
	fake.err = lost;
}

int
verb_info(int argc, char *argv[])
{
	size_t containers, images;
	char now[40];
	struct args a;
	json_t *doc;

	if (args_parse(&a, "info", "[OPTIONS]", "f,format=", 1, argc, argv) !=
	    0)
		return RC_USAGE;
	state_names("containers", &containers);
	state_names("images", &images);
	doc = json_pack("{s:s, s:i, s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:i, "
			"s:I, s:s, s:s, s:[], s:{s:s}, s:n}",
	    "ID", "FAKE:DOCKER", "Containers", (int)containers, "Images",
	    (int)images, "Driver", "overlay2", "ServerVersion",
	    "20.10.24+dfsg1", "CgroupDriver", "cgroupfs", "CgroupVersion", "1",
	    "OSType", "linux", "Architecture", "x86_64", "NCPU", 2, "MemTotal",
	    (json_int_t)4 << 30, "Name", "fake", "DockerRootDir",
	    "/var/lib/docker", "SecurityOptions", "Swarm", "LocalNodeState",
	    "inactive", "Warnings");
	json_object_set_new(doc, "SystemTime",
	    json_string(time_text(now_ns(), now)));
	json_object_set_new(doc, "MemoryLimit", json_true());
	json_object_set_new(doc, "CpuCfsQuota", json_true());
	json_object_set_new(doc, "PidsLimit", json_true());
	return print_document(doc, args_get(&a, "format"),
	    "Client:\n Context:    default\n\nServer:\n"
	    " Server Version: 20.10.24+dfsg1\n");
}

static int
list_volumes(int argc, char *argv[])
{
	struct args a;
	size_t i, len;
	char **names;

	if (args_parse(&a, "volume ls", "[OPTIONS]",
		"f,filter= format= "
		"q,quiet",
		1, argc, argv) != 0)
		return RC_USAGE;
	names = state_names("volumes", &len);
	if (!args_has(&a, "quiet"))
		fputs("DRIVER    VOLUME NAME\n", fake.out);
	for (i = 0; i < len; i++)
		fprintf(fake.out, "%s%s\n",
		    args_has(&a, "quiet") ? "" : "local     ", names[i]);
	return 0;
}

int
verb_volume(int argc, char *argv[])
{
	const char *verb = argc > 1 ? argv[1] : "";
	char *rel;
	int n, rc = 0;

	if (strcmp(verb, "ls") == 0 || strcmp(verb, "list") == 0)
		return list_volumes(argc - 1, argv + 1);
	if (strcmp(verb, "rm") != 0 && strcmp(verb, "remove") != 0)
		return text_unknown("volume", verb);
	for (n = 2; n < argc; n++) {
		if (argv[n][0] == '-')
			continue;
		rel = xasprintf("volumes/%s", argv[n]);
		if (unlinkat(fake.dirfd, rel, 0) == 0) {
			fprintf(fake.out, "%s\n", argv[n]);
		} else {
			text_daemon("get %s: no such volume", argv[n]);
			rc = 1;
		}
	}
	return rc;
}

int
verb_context(int argc, char *argv[])
{
	const char *verb = argc > 1 ? argv[1] : "";
	const char *host = getenv("DOCKER_HOST"), *name;
	struct args a;
	json_t *doc;

	name = getenv("DOCKER_CONTEXT");
	if (host != NULL || name == NULL || *name == '\0')
		name = "default";
	if (host == NULL)
		host = "unix:///var/run/docker.sock";
	if (strcmp(verb, "show") == 0) {
		fprintf(fake.out, "%s\n", name);
		return 0;
	}
	if (args_parse(&a, "context", "[OPTIONS]", "f,format= q,quiet", 1, argc,
		argv) != 0)
		return RC_USAGE;
	if (strcmp(verb, "ls") == 0) {
		fprintf(fake.out, "%s\n", name);
		return 0;
	}
	if (strcmp(verb, "inspect") != 0)
		return text_unknown("context", verb);
	if (a.nrest > 1)
		name = a.rest[1];
	doc =
	    json_pack("{s:s, s:{}, s:{s:{s:s, s:b}}}", "Name", name, "Metadata",
		"Endpoints", "docker", "Host", host, "SkipTLSVerify", 0);
	return inspect_finish(json_pack("[o]", doc), args_get(&a, "format"));
}
