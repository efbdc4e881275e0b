/* SPDX-License-Identifier: ISC */
/*
 * The verbs fake-*, with which a test sets its scene and looks at what came
 * of it.  They are not written down as calls, and no fault touches them.
 *
 *   fake-init                      empty, but for the three networks
 *   fake-image NAME [JSON]         an image; the keys are in fake-image.c
 *   fake-remote NAME [JSON]        one that pull finds
 *   fake-network NAME              prints its id
 *   fake-container NAME [--state S] [--label K=V] [--created T]
 *       [--started T] [--finished T] [--network N] [--mode M] [--image I]
 *       [--id HEX] [--env K=V] [--exit N] [--logs TEXT] [--volumes N]
 *       [--set FIELD=VALUE]        prints its id
 *   fake-set NAME FIELD=VALUE...   status, exit, error, oom, created,
 *       started, finished, image, restarts, mode, name, ip, label.KEY, a
 *       path such as State.Pid, or a key of an image
 *   fake-unset NAME label.KEY|PATH
 *   fake-inspect NAME [label.KEY|PATH]
 *   fake-list [-q]                 NAME STATE, or names alone
 *   fake-fault NAME [LINE...]      a file in faults/; without lines it goes
 *   fake-event LINE                for events to print
 *   fake-calls [VERB]              what was called, quoted for sh
 *   fake-verbs                     the same, first words alone
 *   fake-count [VERB]              how many calls
 *   fake-reset-calls               forgets them, and counts anew
 *   fake-do VERB ARG...            does it without writing it down
 *   fake-notify SOCKET             prints what a service manager is told
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

int
scene_complain(const char *what)
{
	fprintf(fake.err, "fake-docker: %s\n", what);
	return 2;
}

static void
empty_folder(const char *folder)
{
	size_t i, len;
	char **names = state_names(folder, &len), *rel;

	for (i = 0; i < len; i++) {
		rel = xasprintf("%s/%s", folder, names[i]);
		unlinkat(fake.dirfd, rel, 0);
		free(rel);
	}
}

static int
init(int argc, char *argv[])
{
	static const char *const folders[] = { "containers", "names", "images",
		"registry", "networks", "volumes", "faults", "counts" };
	size_t i, len;
	char **names;

	(void)argc;
	(void)argv;
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		empty_folder(folders[i]);
	names = state_names(".", &len);
	for (i = 0; i < len; i++)
		if (strcmp(names[i], "lock") != 0)
			unlinkat(fake.dirfd, names[i], 0);
	network_make("bridge");
	network_make("host");
	network_make("none");
	return 0;
}

/* Keys may be written with dashes. */
char *
scene_underscored(const char *name)
{
	char *s = xstrdup(name), *p;

	for (p = s; *p != '\0'; p++)
		if (*p == '-')
			*p = '_';
	return s;
}

/* fake-image and fake-remote: NAME [JSON] */
static int
put_image(const char *folder, int argc, char *argv[])
{
	json_t *given, *spec = json_object(), *v;
	const char *key;

	if (argc < 2)
		return scene_complain("usage: fake-image NAME [JSON]");
	given = json_loads(argc > 2 ? argv[2] : "{}", 0, NULL);
	if (given == NULL)
		return scene_complain("the image's JSON cannot be parsed");
	json_object_foreach (given, key, v)
		json_object_set(spec, scene_underscored(key), v);
	image_write(folder, argv[1], spec);
	return 0;
}

static int
image(int argc, char *argv[])
{
	return put_image("images", argc, argv);
}

static int
remote(int argc, char *argv[])
{
	return put_image("registry", argc, argv);
}

static int
network(int argc, char *argv[])
{
	if (argc != 2)
		return scene_complain("usage: fake-network NAME");
	fprintf(fake.out, "%s\n", jstr(network_make(argv[1]), "Id"));
	return 0;
}

/* fake-fault NAME [LINE...]: one line for each; none takes it away. */
static int
fault(int argc, char *argv[])
{
	char *rel, *text = xstrdup("");
	int i;

	if (argc < 2)
		return scene_complain("usage: fake-fault NAME [key=value...]");
	rel = xasprintf("faults/%s", argv[1]);
	for (i = 2; i < argc; i++)
		text = xasprintf("%s%s\n", text, argv[i]);
	if (argc > 2)
		state_write_bytes(rel, text, strlen(text));
	else
		unlinkat(fake.dirfd, rel, 0);
	return 0;
}

/* fake-event LINE: what `events` is to print next. */
static int
event(int argc, char *argv[])
{
	char *line;

	if (argc != 2)
		return scene_complain("usage: fake-event LINE");
	line = xasprintf("%s\n", argv[1]);
	state_append("events", line, strlen(line));
	return 0;
}

static int
reset_calls(int argc, char *argv[])
{
	size_t i, len;
	char **names = state_names("counts", &len), *rel;

	(void)argc;
	(void)argv;
	for (i = 0; i < len; i++) {
		if (strcmp(names[i], "call") != 0 &&
		    strncmp(names[i], "verb-", 5) != 0)
			continue;
		rel = xasprintf("counts/%s", names[i]);
		unlinkat(fake.dirfd, rel, 0);
	}
	unlinkat(fake.dirfd, "calls.log", 0);
	return 0;
}

/* fake-do VERB ARG...: as the verb, but not written down. */
static int
do_verb(int argc, char *argv[])
{
	int rc;

	fake.argc = argc;
	fake.argv = argv;
	state_unlock();
	rc = perform(argc, argv);
	state_lock();
	return rc;
}

int
helper_run(int argc, char *argv[])
{
	static const struct {
		const char *name;
		int (*run)(int, char *[]);
	} helpers[] = {
		{ "fake-init", init },
		{ "fake-image", image },
		{ "fake-remote", remote },
		{ "fake-network", network },
		{ "fake-container", scene_container },
		{ "fake-set", scene_set },
		{ "fake-unset", scene_unset },
		{ "fake-inspect", look_inspect },
		{ "fake-list", look_list },
		{ "fake-fault", fault },
		{ "fake-event", event },
		{ "fake-calls", look_calls },
		{ "fake-verbs", look_calls },
		{ "fake-count", look_count },
		{ "fake-reset-calls", reset_calls },
		{ "fake-do", do_verb },
		{ "fake-notify", helper_notify },
	};
	size_t i;
	int rc;

	for (i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++) {
		if (strcmp(helpers[i].name, argv[0]) != 0)
			continue;
		state_lock();
		rc = helpers[i].run(argc, argv);
		state_unlock();
		return rc;
	}
	return scene_complain("unknown helper");
}
