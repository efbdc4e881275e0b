/* SPDX-License-Identifier: ISC */
/*
 * The client's own words: of 28.2.2, or with FAKE_DOCKER_CLIENT=old those of
 * 20.10.24, as a 20.10 daemon makes them say.
 */

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

static void daemon_words(const char *, va_list)
    __attribute__((format(printf, 1, 0)));

static void
daemon_words(const char *fmt, va_list ap)
{
	fputs("Error response from daemon: ", fake.err);
	vfprintf(fake.err, fmt, ap);
	fputc('\n', fake.err);
}

void
text_daemon(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	daemon_words(fmt, ap);
	va_end(ap);
}

/* Returns the exit code, as all below do. */
int
text_no_container(const char *ref)
{
	fprintf(fake.err, "%s: No such container: %s\n",
	    fake.old ? "Error" : "Error response from daemon", ref);
	return 1;
}

int
text_find_failed(enum find how, const char *ref)
{
	/* What is not a name changes the path of the request. */
	if (strchr(ref + (*ref == '/'), '/') != NULL) {
		text_daemon("page not found");
		state_append("violations", "path in a name\n", 15);
		return 1;
	}
	if (how != FIND_MANY)
		return text_no_container(ref);
	text_daemon("Multiple IDs found with provided prefix: %s", ref);
	return 1;
}

int
text_usage_error(const char *verb, const char *usage, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(fake.err, fmt, ap);
	va_end(ap);
	if (fake.old)
		fprintf(fake.err, "\nSee 'docker %s --help'.\n", verb);
	else
		fprintf(fake.err,
		    "\n\nUsage:  docker %s %s\n\n"
		    "Run 'docker %s --help' for more information\n",
		    verb, usage, verb);
	return RC_USAGE;
}

int
text_too_few(const char *verb, const char *usage, int least)
{
	const char *s = least == 1 ? "" : "s";

	if (fake.old)
		fprintf(fake.err,
		    "\"docker %s\" requires at least %d "
		    "argument%s.\nSee 'docker %s --help'.\n\nUsage:  docker "
		    "%s %s\n",
		    verb, least, s, verb, verb, usage);
	else
		fprintf(fake.err,
		    "docker: 'docker %s' requires at least %d "
		    "argument%s\n\nUsage:  docker %s %s\n\n"
		    "See 'docker %s --help' for more information\n",
		    verb, least, s, verb, usage, verb);
	return 1;
}

/* How `run` reports what the daemon said; create says it without "docker:". */
int
text_run_error(int rc, const char *fmt, ...)
{
	const char *verb = fake.argc > 1 ? fake.argv[1] : "run";
	va_list ap;

	va_start(ap, fmt);
	if (strcmp(verb, "create") == 0) {
		daemon_words(fmt, ap);
		va_end(ap);
		return 1;
	}
	fputs("docker: ", fake.err);
	fputs("Error response from daemon: ", fake.err);
	vfprintf(fake.err, fmt, ap);
	va_end(ap);
	if (fake.old)
		fputs(".\nSee 'docker run --help'.\n", fake.err);
	else
		fputs("\n\nRun 'docker run --help' for more information\n",
		    fake.err);
	return rc;
}

/* The old client advises to read its help only where nothing was made yet. */
int
text_start_error(int rc, const char *reason)
{
	if (!fake.old)
		return text_run_error(rc, "%s", reason);
	fprintf(fake.err, "docker: Error response from daemon: %s.\n", reason);
	return rc;
}

/* A second word that the first does not know. */
int
text_unknown(const char *group, const char *verb)
{
	fprintf(fake.err,
	    "docker: unknown command: docker %s %s\n\n"
	    "Usage:  docker %s\n\nRun 'docker %s --help' for more "
	    "information\n",
	    group, verb, group, group);
	return 1;
}

static const char *
host(void)
{
	const char *s = getenv("DOCKER_HOST");

	return s != NULL && *s != '\0' ? s : "unix:///var/run/docker.sock";
}

static char *
down_words(const char *kind)
{
	if (strncmp(kind, "permission", 10) == 0)
		return xasprintf(
		    "permission denied while trying to connect "
		    "to the Docker daemon socket at %s: Get "
		    "\"http://%%2Fvar%%2Frun%%2Fdocker.sock/v1.50/containers"
		    "/json\": dial unix /var/run/docker.sock: connect: "
		    "permission denied",
		    host());
	if (strncmp(kind, "500", 3) == 0)
		return xasprintf(
		    "request returned 500 Internal Server Error "
		    "for API route and version http://%%2Fvar%%2Frun%%2F"
		    "docker.sock/v1.50/containers/json, check if the server "
		    "supports the requested API version");
	if (strncmp(kind, "eof", 3) == 0)
		return xasprintf("error during connect: Get \"http://%%2Fvar"
				 "%%2Frun%%2Fdocker.sock/v1.50/containers/"
				 "json\": EOF");
	return xasprintf("Cannot connect to the Docker daemon at %s. Is the "
			 "docker daemon running?",
	    host());
}

static int
is_inspect(int argc, char *argv[])
{
	return strcmp(argv[1], "inspect") == 0 ||
	    (argc > 2 && strcmp(argv[2], "inspect") == 0);
}

static int
is_group(const char *verb)
{
	return strcmp(verb, "image") == 0 || strcmp(verb, "network") == 0 ||
	    strcmp(verb, "container") == 0;
}

/* Whether a word is an option that has its value in the next one. */
static int
takes_next(const char *word)
{
	static const char *const list = " --format --type -t --time --timeout "
					"-s --signal --filter ";
	char *padded = xasprintf(" %s ", word);
	int yes = strstr(list, padded) != NULL;

	free(padded);
	return yes || strcmp(word, "-f") == 0;
}

/* The verbs that ask for each argument apart, and complain as often. */
static int
complaints(int argc, char *argv[])
{
	static const char *const each = " inspect rm stop start kill pause "
					"unpause restart wait ";
	int i = is_group(argv[1]) ? 2 : 1, n = 0, is_rm;
	char *verb = xasprintf(" %s ", i < argc ? argv[i] : "");

	is_rm = strcmp(verb, " rm ") == 0;
	if (strstr(each, verb) == NULL)
		return 1;
	for (i++; i < argc; i++)
		if (*argv[i] != '-')
			n++;
		else if (takes_next(argv[i]) && !is_rm)
			i++;
	free(verb);
	return n > 0 ? n : 1;
}

/* What is on stdout all the same. */
static void
down_output(int argc, char *argv[])
{
	int i, formatted = 0;

	for (i = 2; i < argc; i++)
		formatted |= strncmp(argv[i], "--format", 8) == 0 ||
		    strcmp(argv[i], "-f") == 0;
	if (is_inspect(argc, argv))
		fputs(formatted ? "\n" : "[]\n", fake.out);
	else if (strcmp(argv[1], "version") == 0)
		version_without_daemon(argc - 1, argv + 1);
	else if (strcmp(argv[1], "info") == 0 && formatted)
		fputs("\n", fake.out);
	else if (strcmp(argv[1], "pull") == 0 && argc > 2 &&
	    strchr(argv[argc - 1], ':') == NULL && strcmp(argv[2], "-q") != 0)
		fputs("Using default tag: latest\n", fake.out);
}

/* What follows the complaints. */
static void
down_epilogue(int argc, char *argv[])
{
	const char *comma = "";
	int i;

	if (strcmp(argv[1], "start") == 0) {
		fputs("Error: failed to start containers: ", fake.err);
		for (i = 2; i < argc; i++, comma = ", ")
			fprintf(fake.err, "%s%s", comma, argv[i]);
		fputc('\n', fake.err);
	} else if (strcmp(argv[1], "rename") == 0) {
		fprintf(fake.err,
		    "Error: failed to rename container named "
		    "%s\n",
		    argv[2]);
	} else if (strcmp(argv[1], "network") == 0 && !fake.old &&
	    strcmp(argv[2], "rm") == 0) {
		fputs("exit status 1\n", fake.err);
	}
}

/* What every verb says when the daemon cannot be asked.  The exit code. */
int
text_down(const char *kind, int argc, char *argv[])
{
	char *words = down_words(kind);
	int i, n;

	if (strcmp(argv[1], "run") == 0) {
		fprintf(fake.err, "docker: %s%s", words,
		    fake.old ?
			".\nSee 'docker run --help'.\n" :
			"\n\nRun 'docker run --help' for more information\n");
		return strncmp(kind, "permission", 10) == 0 ? 126 : RC_USAGE;
	}
	down_output(argc, argv);
	n = complaints(argc, argv);
	for (i = 0; i < n; i++)
		fprintf(fake.err, "%s\n", words);
	if (argc > 2)
		down_epilogue(argc, argv);
	free(words);
	return 1;
}
