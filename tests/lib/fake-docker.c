/* SPDX-License-Identifier: ISC */
/*
 * fake-docker: a stand-in for the docker client, for tests.  This file writes
 * the call down, finds the fault that was ordered for it, and runs the verb.
 *
 * Environment: FAKE_DOCKER_DIR (the state), FAKE_DOCKER_CLIENT=old,
 * FAKE_DOCKER_LOG_ENV=1, FAKE_DOCKER_STRICT="verb verb", FAKE_DOCKER_SEED=1,
 * FAKE_DOCKER_PAUSE=ms, FAKE_DOCKER_DOWN=kind: 1, permission, 500, eof or
 * hang, as is what a file "down" in the state directory says.
 */

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

struct fake fake;

static const struct verb {
	const char *name;
	int (*run)(int, char *[]);
	int needs_daemon;
} verbs[] = {
	{ "context", verb_context, 0 },
	{ "create", verb_create, 1 },
	{ "events", verb_events, 1 },
	{ "exec", verb_exec, 1 },
	{ "image", verb_image, 1 },
	{ "info", verb_info, 1 },
	{ "inspect", verb_inspect, 1 },
	{ "kill", verb_kill, 1 },
	{ "logs", verb_logs, 1 },
	{ "network", verb_network, 1 },
	{ "pause", verb_pause, 1 },
	{ "port", verb_port, 1 },
	{ "ps", verb_ps, 1 },
	{ "pull", verb_pull, 1 },
	{ "rename", verb_rename, 1 },
	{ "restart", verb_restart, 1 },
	{ "rm", verb_rm, 1 },
	{ "run", verb_run, 1 },
	{ "start", verb_start, 1 },
	{ "stop", verb_stop, 1 },
	{ "unpause", verb_unpause, 1 },
	{ "version", verb_version, 1 },
	{ "volume", verb_volume, 1 },
	{ "wait", verb_wait, 1 },
};

extern char **environ;

/* What a signal makes the client say, ready before it comes. */
static const char *signal_out = "";
static char *signal_err;
static volatile sig_atomic_t signal_rc;

static void
on_signal(int sig)
{
	ssize_t ignored = write(STDOUT_FILENO, signal_out, strlen(signal_out));

	if (signal_err != NULL)
		ignored += write(STDERR_FILENO, signal_err, strlen(signal_err));
	(void)ignored;
	_exit(signal_rc >= 0 ? signal_rc : 128 + sig);
}

/*
 * The 28 client does not die of TERM and INT: it exits with 128 and the
 * number, its inspects with 1 as for a missing one.  The old one dies.
 */
void
signals_as_client(const char *verb, int argc, char *argv[])
{
	int i, formatted = 0;

	signal_rc = -1;
	if (fake.old)
		return;
	for (i = 1; i < argc; i++)
		formatted |= strcmp(argv[i], "--format") == 0 ||
		    strncmp(argv[i], "--format=", 9) == 0 ||
		    strcmp(argv[i], "-f") == 0;
	if (strcmp(verb, "inspect") == 0 ||
	    (argc > 2 && strcmp(argv[2], "inspect") == 0)) {
		signal_rc = 1;
		signal_out = formatted ? "\n" : "[]\n";
		signal_err = xasprintf("error during connect: Get \"http://"
				       "%%2Fvar%%2Frun%%2Fdocker.sock/v1.41/"
				       "containers/%s/"
				       "json\": \n",
		    argv[argc - 1]);
	}
	signal(SIGTERM, on_signal);
	signal(SIGINT, on_signal);
}

/* An exec that is under way ends with 0, whatever ends it. */
void
signals_attached(void)
{
	signal_rc = 0;
}

static const struct verb *
find_verb(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(verbs[i].name, name) == 0)
			return &verbs[i];
	return NULL;
}

static void
violation(int argc, char *argv[])
{
	char *text = xstrdup("");
	int i;

	for (i = 1; i < argc; i++)
		text = xasprintf("%s%s%s", text, i > 1 ? " " : "", argv[i]);
	text = xasprintf("%s\n", text);
	state_append("violations", text, strlen(text));
}

static int
unknown_verb(int argc, char *argv[])
{
	if (argc > 1 &&
	    (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-v") == 0)) {
		fputs(fake.old ?
			"Docker version 20.10.24+dfsg1, build 297e128\n" :
			"Docker version 28.2.2, build e6534b4\n",
		    fake.out);
		return 0;
	}
	violation(argc, argv);
	if (fake.old)
		fprintf(fake.err,
		    "docker: '%s' is not a docker command.\n"
		    "See 'docker --help'\n",
		    argc > 1 ? argv[1] : "");
	else
		fprintf(fake.err,
		    "docker: unknown command: docker %s\n\n"
		    "Run 'docker --help' for more information\n",
		    argc > 1 ? argv[1] : "");
	return 1;
}

/* Whether the daemon is there: NULL, or how it is not. */
static const char *
down_kind(void)
{
	const char *kind = getenv("FAKE_DOCKER_DOWN");

	if (kind != NULL && *kind != '\0')
		return kind;
	return state_slurp("down", NULL);
}

static int
be_down(const char *kind, int argc, char *argv[])
{
	while (strncmp(kind, "hang", 4) == 0 && !state_gone())
		sleep_ms(50);
	return text_down(kind, argc, argv);
}

static void
random_pause(void)
{
	const char *most = getenv("FAKE_DOCKER_PAUSE");

	if (most != NULL && atoi(most) > 0)
		sleep_ms(arc4random_uniform((unsigned)atoi(most) + 1));
}

/* "container rm" is rm; "container inspect" knows containers alone. */
static int
perform_container(int argc, char *argv[])
{
	static char ps[] = "ps", type[] = "--type=container";
	char **words = xmalloc(((size_t)argc + 1) * sizeof(*words));
	int is_inspect = strcmp(argv[2], "inspect") == 0, i, n = 0;

	words[n++] = argv[0];
	words[n++] =
	    strcmp(argv[2], "ls") == 0 || strcmp(argv[2], "list") == 0 ?
	    ps :
	    argv[2];
	if (is_inspect)
		words[n++] = type;
	for (i = 3; i < argc; i++)
		words[n++] = argv[i];
	words[n] = NULL;
	return perform(n, words);
}

/* Runs a verb, as the daemon would, under the lock.  The exit code. */
int
perform(int argc, char *argv[])
{
	const struct verb *v;
	const char *kind;
	int rc;

	if (argc > 2 && strcmp(argv[1], "container") == 0)
		return perform_container(argc, argv);
	v = argc > 1 ? find_verb(argv[1]) : NULL;
	if (v == NULL)
		return unknown_verb(argc, argv);
	random_pause();
	if (v->needs_daemon && (kind = down_kind()) != NULL)
		return be_down(kind, argc, argv);
	state_lock();
	rc = v->run(argc - 1, argv + 1);
	state_unlock();
	return rc;
}

static int
perform_this(void)
{
	return perform(fake.argc, fake.argv);
}

static json_t *
environment(int with_values)
{
	json_t *list = with_values ? json_object() : json_array();
	char **e, *name;

	for (e = environ; *e != NULL; e++) {
		name = strndup(*e, strcspn(*e, "="));
		if (with_values)
			json_object_set_new(list, name,
			    jstring(strchr(*e, '=') != NULL ?
				    strchr(*e, '=') + 1 :
				    ""));
		else
			json_array_append_new(list, jstring(name));
		free(name);
	}
	return list;
}

/* One line for this call, written in one piece. */
static void
log_call(void)
{
	json_t *line, *args = json_array();
	const char *with_env = getenv("FAKE_DOCKER_LOG_ENV");
	char *text;
	int i;

	for (i = 1; i < fake.argc; i++)
		json_array_append_new(args, jstring(fake.argv[i]));
	line = json_pack("{s:i, s:o, s:o, s:i, s:I}", "n", (int)fake.n, "argv",
	    args, "env", environment(0), "pid", (int)getpid(), "ms",
	    (json_int_t)(now_ns() / 1000000));
	if (with_env != NULL && strcmp(with_env, "1") == 0)
		json_object_set_new(line, "envv", environment(1));
	text = json_dumps(line, JSON_COMPACT);
	text = xasprintf("%s\n", text);
	state_append("calls.log", text, strlen(text));
}

/* Counts and writes down the call; finds the fault that is meant for it. */
static struct fault *
begin_call(void)
{
	const char *verb = fake.argc > 1 ? fake.argv[1] : "";
	char *pair =
	    xasprintf("%s-%s", verb, fake.argc > 2 ? fake.argv[2] : "");
	char *key = xasprintf("verb-%s", verb);
	struct fault *f;
	long n, npair = 0;
	int two_words = strcmp(verb, "image") == 0 ||
	    strcmp(verb, "network") == 0 || strcmp(verb, "volume") == 0 ||
	    strcmp(verb, "container") == 0 || strcmp(verb, "context") == 0;

	state_lock();
	fake.n = state_count("call");
	n = state_count(key);
	if (two_words) {
		free(key);
		key = xasprintf("verb-%s", pair);
		npair = state_count(key);
	}
	log_call();
	f = fault_find(verb, n, two_words ? pair : verb, two_words ? npair : n);
	state_unlock();
	free(key);
	free(pair);
	return f;
}

static int
is_allowed(const char *allowed, const char *verb)
{
	char *list = xasprintf(" %s ", allowed);
	char *word = xasprintf(" %s ", verb);

	return strstr(list, word) != NULL;
}

/* The two modes in which only some verbs may come at all. */
static void
check_mode(int argc, char *argv[])
{
	const char *verb = argc > 1 ? argv[1] : "";
	const char *allowed = getenv("FAKE_DOCKER_STRICT");
	const char *seed = getenv("FAKE_DOCKER_SEED");
	int is_seed = seed != NULL && strcmp(seed, "1") == 0;

	if (is_seed && strcmp(verb, "inspect") == 0)
		call_end(1);
	if (is_seed && strcmp(verb, "rm") == 0)
		call_end(0);
	if (!is_seed && (allowed == NULL || is_allowed(allowed, verb)))
		return;
	violation(argc, argv);
	fputs("unexpected docker args\n", fake.err);
	call_end(RC_SEED_VIOLATION);
}

int
main(int argc, char *argv[])
{
	const char *client = getenv("FAKE_DOCKER_CLIENT");
	struct fault *f;
	int rc = 0;

	fake.argc = argc;
	fake.argv = argv;
	fake.old = client != NULL && strcmp(client, "old") == 0;
	fake.out = open_memstream(&fake.outbuf, &fake.outlen);
	fake.err = open_memstream(&fake.errbuf, &fake.errlen);
	if (fake.out == NULL || fake.err == NULL)
		die("out of memory");
	state_open();
	if (argc > 1 && strncmp(argv[1], "fake-", 5) == 0)
		call_end(helper_run(argc - 1, argv + 1));
	f = begin_call();
	check_mode(argc, argv);
	signals_as_client(argc > 1 ? argv[1] : "", argc, argv);
	fault_before(f, perform_this);
	if (fault_has_effect(f))
		rc = perform_this();
	fault_finish(f, rc);
}
