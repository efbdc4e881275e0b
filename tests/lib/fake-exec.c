/* SPDX-License-Identifier: ISC */
/* exec, logs, wait, port: what is asked of one container. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

static const char exec_usage[] = "[OPTIONS] CONTAINER COMMAND [ARG...]";

enum { KILLED_MEANWHILE = 137, POLL_MS = 5 };

/* Why nothing can be run in it, or 0. */
static int
not_for_exec(const json_t *c, const char *ref)
{
	const char *status = jstr(c, "State.Status");

	if (strcmp(status, "paused") == 0)
		text_daemon("Container %s is paused, unpause the container "
			    "before exec",
		    ref);
	else if (strcmp(status, "restarting") == 0)
		text_daemon("Container %s is restarting, wait until the "
			    "container is running",
		    ref);
	else if (!container_is_running(c))
		text_daemon("Container %s is not running", jstr(c, "Id"));
	else
		return 0;
	return 1;
}

static void
keep_stdin(void)
{
	char buf[4096], *rel = xasprintf("stdin.%ld", fake.n);
	ssize_t r;

	state_write_bytes(rel, "", 0);
	while ((r = read(STDIN_FILENO, buf, sizeof(buf))) > 0)
		state_append(rel, buf, (size_t)r);
	free(rel);
}

static char *
join(char **argv)
{
	char *text = xstrdup(""), *longer;

	for (; *argv != NULL; argv++) {
		longer =
		    xasprintf("%s%s%s", text, *text != '\0' ? " " : "", *argv);
		free(text);
		text = longer;
	}
	return text;
}

/* When the service in it answers; INT64_MAX for never. */
static int64_t
ready_at(const json_t *c)
{
	int64_t ms = jint(c, "Fake.ready_after_ms", 0);
	int64_t started = time_parse(jstr(c, "State.StartedAt"));

	if (ms < 0)
		return INT64_MAX;
	return started == INT64_MIN ? 0 : started + ms * 1000000;
}

/*
 * What our own loops do inside a container: they end when the service is
 * ready, or when they have waited long enough, or with the container.
 */
static int
wait_ready(const char *id)
{
	int64_t begun = now_ns(), limit;
	json_t *c;

	for (;;) {
		c = container_find(id, NULL);
		if (c == NULL || !container_is_running(c))
			return KILLED_MEANWHILE;
		if (ready_at(c) <= now_ns())
			return 0;
		limit = jint(c, "Fake.probe_gives_up_ms", -1);
		if (limit >= 0 && now_ns() - begun >= limit * 1000000)
			return (int)jint(c, "Fake.probe_exit", 1);
		json_decref(c);
		state_unlock();
		sleep_ms(POLL_MS);
		if (state_gone())
			exit(1);
		state_lock();
	}
}

/* The image's rule for this command, NULL for none. */
static json_t *
find_rule(const json_t *c, const char *command)
{
	json_t *rule;
	size_t i;

	json_array_foreach (jget(c, "Fake.exec"), i, rule)
		if (strstr(command, jstr(rule, "when")) != NULL)
			return rule;
	return NULL;
}

static int
obey_rule(const json_t *rule)
{
	int64_t delay = jint(rule, "delay_ms", 0);

	if (delay > 0) {
		state_unlock();
		sleep_ms(delay);
		state_lock();
	}
	fputs(jstr(rule, "out"), fake.out);
	fputs(jstr(rule, "err"), fake.err);
	return (int)jint(rule, "rc", 0);
}

static int
run_command(const json_t *c, char *argv[])
{
	int is_shell =
	    strcmp(argv[0], "sh") == 0 || strcmp(argv[0], "/bin/sh") == 0;
	json_t *rule = find_rule(c, join(argv));
	int rc;

	if (is_shell && json_is_false(jget(c, "Fake.shell"))) {
		fprintf(fake.out,
		    "OCI runtime exec failed: exec failed: "
		    "unable to start container process: exec: \"%s\": "
		    "executable file not found in $PATH: unknown\r\n",
		    argv[0]);
		return 126;
	}
	if (rule != NULL && jtrue(rule, "now"))
		return obey_rule(rule);
	signals_attached();
	if (is_shell)
		rc = wait_ready(jstr(c, "Id"));
	else
		rc = ready_at(c) <= now_ns() ? 0 : 1;
	if (rc != 0)
		return rc;
	if (rule != NULL)
		return obey_rule(rule);
	fputs(jstr(c, "Fake.exec_output"), fake.out);
	return (int)jint(c, "Fake.exec_exit", 0);
}

int
verb_exec(int argc, char *argv[])
{
	struct args a;
	enum find how;
	json_t *c;

	if (args_parse(&a, "exec", exec_usage,
		"d,detach detach-keys= e,env= "
		"env-file= i,interactive privileged t,tty u,user= w,workdir=",
		0, argc, argv) != 0)
		return RC_USAGE;
	if (a.nrest < 2)
		return text_too_few("exec", exec_usage, 2);
	if (args_has(&a, "tty") && args_has(&a, "interactive") &&
	    !isatty(STDIN_FILENO)) {
		fputs("the input device is not a TTY\n", fake.err);
		return 1;
	}
	c = container_find(a.rest[0], &how);
	if (c == NULL)
		return text_find_failed(how, a.rest[0]);
	if (not_for_exec(c, a.rest[0]))
		return 1;
	if (args_has(&a, "interactive")) {
		state_unlock();
		keep_stdin();
		state_lock();
	}
	if (args_has(&a, "detach"))
		return 0;
	return run_command(c, a.rest + 1);
}

/* The last lines of a text; a number that is none means all of it. */
static const char *
tail(const char *text, const char *lines)
{
	const char *p = text + strlen(text);
	long n = lines == NULL ||
		strspn(lines, "0123456789") != strlen(lines) || *lines == '\0' ?
	    -1 :
	    atol(lines);

	if (n < 0)
		return text;
	if (n == 0)
		return p;
	if (p > text && p[-1] == '\n')
		p--;
	while (p > text)
		if (*--p == '\n' && --n == 0)
			return p + 1;
	return text;
}

static void
print_log(const char *text, const char *stamp)
{
	size_t len;

	for (; *text != '\0'; text += len) {
		len = strcspn(text, "\n");
		len += text[len] == '\n';
		if (stamp != NULL)
			fprintf(fake.out, "%s ", stamp);
		fwrite(text, 1, len, fake.out);
	}
}

static void
follow(const char *id)
{
	json_t *c;

	while ((c = container_find(id, NULL)) != NULL &&
	    container_is_running(c)) {
		json_decref(c);
		state_unlock();
		sleep_ms(20);
		if (state_gone())
			exit(0);
		state_lock();
	}
}

int
verb_logs(int argc, char *argv[])
{
	const char *usage = "[OPTIONS] CONTAINER", *status;
	struct args a;
	enum find how;
	json_t *c;

	if (args_parse(&a, "logs", usage,
		"details f,follow since= n,tail= "
		"t,timestamps until=",
		1, argc, argv) != 0)
		return RC_USAGE;
	if (a.nrest != 1)
		return text_too_few("logs", usage, 1);
	c = container_find(a.rest[0], &how);
	if (c == NULL)
		return text_find_failed(how, a.rest[0]);
	status = jstr(c, "State.Status");
	if (strcmp(status, "dead") == 0 || strcmp(status, "removing") == 0) {
		text_daemon("can not get logs from container which is dead or "
			    "marked for removal");
		return 1;
	}
	if (strcmp(status, "created") == 0)
		return 0;
	print_log(tail(jstr(c, "Fake.logs"), args_get(&a, "tail")),
	    args_has(&a, "timestamps") ? jstr(c, "State.StartedAt") : NULL);
	fputs(tail(jstr(c, "Fake.logs_err"), args_get(&a, "tail")), fake.err);
	if (args_has(&a, "follow"))
		follow(jstr(c, "Id"));
	return 0;
}

int
verb_wait(int argc, char *argv[])
{
	enum find how;
	json_t *c, *end;
	int i, rc = 0;

	if (argc < 2)
		return text_too_few("wait", "CONTAINER [CONTAINER...]", 1);
	for (i = 1; i < argc; i++) {
		c = container_find(argv[i], &how);
		if (c == NULL) {
			rc = text_find_failed(how, argv[i]);
			continue;
		}
		follow(jstr(c, "Id"));
		end = container_find(jstr(c, "Id"), NULL);
		fprintf(fake.out, "%d\n",
		    end == NULL ? KILLED_MEANWHILE :
				  (int)jint(end, "State.ExitCode", 0));
	}
	return rc;
}

static void
print_ports(const char *port, json_t *list, int with_port)
{
	json_t *b;
	size_t i;

	json_array_foreach (list, i, b) {
		if (with_port)
			fprintf(fake.out, "%s -> ", port);
		fprintf(fake.out,
		    strchr(jstr(b, "HostIp"), ':') != NULL ? "[%s]:%s\n" :
							     "%s:%s\n",
		    jstr(b, "HostIp"), jstr(b, "HostPort"));
	}
}

int
verb_port(int argc, char *argv[])
{
	json_t *c, *list, *ports;
	const char *key;
	char *wanted;
	enum find how;

	if (argc < 2 || argc > 3)
		return text_too_few("port", "CONTAINER [PRIVATE_PORT[/PROTO]]",
		    1);
	c = container_find(argv[1], &how);
	if (c == NULL)
		return text_find_failed(how, argv[1]);
	ports = jget(c, "NetworkSettings.Ports");
	if (argc == 2) {
		json_object_foreach (ports, key, list)
			print_ports(key, list, 1);
		return 0;
	}
	wanted = strchr(argv[2], '/') != NULL ? xstrdup(argv[2]) :
						xasprintf("%s/tcp", argv[2]);
	list = json_object_get(ports, wanted);
	if (json_array_size(list) == 0) {
		fprintf(fake.err,
		    "Error: No public port '%s' published for "
		    "%s\n",
		    fake.old ? wanted : argv[2], argv[1]);
		return 1;
	}
	print_ports(wanted, list, 0);
	return 0;
}
