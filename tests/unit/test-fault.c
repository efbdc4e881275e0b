/* SPDX-License-Identifier: ISC */
/* docker/fault: from what a client said to a kind; unknown is unknown. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "docker/fault.h"
#include "process/interrupt.h"
#include "unit.h"

#define D "Error response from daemon: "

/* NEW is docker 28's client, OLD that of 20.10; the rest is said by both. */
static const struct {
	const char *text;
	enum error_kind kind;
} texts[] = {
	/* inspect */
	{ "Error: No such object: x\n", ERROR_GONE },
	{ D "No such container: x\n", ERROR_GONE },      /* NEW */
	{ "Error: No such container: x\n", ERROR_GONE }, /* OLD */
	{ "Error: No such container: \n", ERROR_GONE },  /* OLD */
	{ D "no such image: x: No such image: x:latest\n",
	    ERROR_IMAGE_MISSING },                            /* NEW */
	{ "Error: No such image: x\n", ERROR_IMAGE_MISSING }, /* OLD */
	{ "invalid container name or ID: value is empty\n", ERROR_DOCKER },
	{ "unknown shorthand flag: 'x' in -x\n", ERROR_DOCKER },
	{ D "Multiple IDs found with provided prefix: 0\n", ERROR_DOCKER },
	{ "template parsing error: template: :1:2: executing \"\" at <.Nope>: "
	  "map has no entry for key \"Nope\"\n",
	    ERROR_DOCKER },
	{ "template parsing error: template: :1: unclosed action\n",
	    ERROR_DOCKER },
	{ "unknown type: \"bogus\": must be one of \"container\"\n",
	    ERROR_DOCKER },                     /* NEW */
	{ D "page not found\n", ERROR_DOCKER }, /* NEW */
	{ D "container 0a1b: driver \"overlay2\" failed to remove root "
	    "filesystem: unlinkat /d/diff/imm: operation not permitted\n",
	    ERROR_BUSY },
	{ D "container 0a1b: unlinkat /d/merged: device or resource busy\n",
	    ERROR_BUSY },
	{ D "container is marked for removal and cannot be started\n",
	    ERROR_REMOVING },
	{ D "can not get logs from container which is dead or marked for "
	    "removal\n",
	    ERROR_REMOVING },
	/* rm */
	{ "container name cannot be empty\n", ERROR_DOCKER },
	{ D "You cannot remove a running container 0a1b. Stop the container "
	    "before attempting removal or force remove\n",
	    ERROR_DOCKER },
	{ D "removal of container x is already in progress\n", ERROR_REMOVING },
	/* the daemon cannot be reached */
	{ "Cannot connect to the Docker daemon at unix:///p. Is the docker "
	  "daemon running?\n",
	    ERROR_DAEMON },
	{ "permission denied while trying to connect to the Docker daemon "
	  "socket at unix:///p: Get \"http://%2Fp/v1.41/containers/x/json\": "
	  "dial unix /p: connect: permission denied\n",
	    ERROR_DAEMON_DENIED },
	{ "Got permission denied while trying to connect to the Docker daemon "
	  "socket at unix:///p: Get \"http://%2Fp/v1.24/containers/json\": "
	  "dial unix /p: connect: permission denied\n",
	    ERROR_DAEMON_DENIED },
	{ "error during connect: Get \"http://h:2375/\": dial tcp: lookup h: "
	  "no such host\n",
	    ERROR_DAEMON },
	{ "Failed to initialize: unable to resolve docker endpoint: invalid "
	  "bind address format\n",
	    ERROR_DAEMON }, /* NEW */
	{ "unable to resolve docker endpoint: invalid bind address format\n",
	    ERROR_DAEMON }, /* OLD */
	{ "Failed to initialize: unable to resolve docker endpoint: context "
	  "\"nope\": context not found: open meta.json: no such file\n",
	    ERROR_DAEMON }, /* NEW */
	{ "unable to resolve docker endpoint: context \"nope\" does not "
	  "exist\n",
	    ERROR_DAEMON }, /* OLD */
	{ "unable to resolve docker endpoint: open /root/.docker/ca.pem: no "
	  "such file or directory\n",
	    ERROR_DAEMON },
	{ D "client version 1.99 is too new. Maximum supported API version is "
	    "1.41\n",
	    ERROR_DAEMON },
	{ D "client version 1.10 is too old. Minimum supported API version is "
	    "1.12\n",
	    ERROR_DAEMON },
	{ "error during connect: Get \"http://%2Fp/v1.41/\": EOF\n",
	    ERROR_DAEMON },
	{ "error during connect: Get \"http://%2Fp/v1.41/\": net/http: "
	  "malformed HTTP response \"x\"\n",
	    ERROR_DAEMON },
	{ "request returned 500 Internal Server Error for API route and "
	  "version http://%2Fp/v1.41/containers/x/json\n",
	    ERROR_DAEMON },
	{ "invalid character '<' looking for beginning of value\n",
	    ERROR_DAEMON },
	{ "docker: Cannot connect to the Docker daemon at unix:///p. Is the "
	  "docker daemon running?.\nSee 'docker run --help'.\n",
	    ERROR_DAEMON },
	{ "docker: permission denied while trying to connect to the Docker "
	  "daemon socket at unix:///p\n\nRun 'docker run --help' for more "
	  "information\n",
	    ERROR_DAEMON_DENIED },
	{ "error during connect: Get \"http://%2Fp/v1.51/containers/x/json\": "
	  "\n",
	    ERROR_DAEMON }, /* NEW, interrupted */
	{ "unexpected EOF\n", ERROR_DOCKER },
	/* a warning before it changes nothing */
	{ "WARNING: Error loading config file: open /root/.docker/config.json: "
	  "permission denied\nError: No such object: x\n",
	    ERROR_GONE },
	/* logs */
	{ D "configured logging driver does not support reading\n",
	    ERROR_DOCKER },
	/* run */
	{ "docker: " D "Conflict. The container name \"/x\" is already in use "
	  "by container \"0a1b\". You have to remove (or rename) that "
	  "container to be able to reuse that name.\nSee 'docker run "
	  "--help'.\n",
	    ERROR_NAME_TAKEN },
	{ "docker: " D "network nope not found.\n", ERROR_NETWORK },
	{ "Error: No such network: nope\n", ERROR_NETWORK },
	{ "docker: " D "driver failed programming external connectivity on "
	  "endpoint x (0a1b): Bind for 127.0.0.1:80 failed: port is already "
	  "allocated.\n",
	    ERROR_DOCKER },
	{ "docker: " D "driver failed programming external connectivity on "
	  "endpoint x: Error starting userland proxy: listen tcp4 "
	  "127.0.0.1:80: bind: address already in use.\n",
	    ERROR_DOCKER },
	{ "docker: " D "unable to find user nope: no matching entries in "
	  "passwd file.\n",
	    ERROR_DOCKER },
	{ "docker: invalid reference format.\n", ERROR_DOCKER },
	{ "docker: Error: No such image: x.\n", ERROR_IMAGE_MISSING },
	{ "Unable to find image 'x:latest' locally\n", ERROR_IMAGE_MISSING },
	{ D "manifest for x:1 not found: manifest unknown: manifest unknown\n",
	    ERROR_IMAGE_PULL },
	{ D "pull access denied for x, repository does not exist or may "
	    "require 'docker login': denied\n",
	    ERROR_IMAGE_PULL },
	{ D "toomanyrequests: You have reached your pull rate limit.\n",
	    ERROR_IMAGE_PULL },
	{ "docker: poorly formatted environment: variable 'X Y' contains "
	  "whitespaces.\n",
	    ERROR_DOCKER },
	{ "docker: " D "Invalid container name (a), only "
	  "[a-zA-Z0-9][a-zA-Z0-9_.-] are allowed.\n",
	    ERROR_DOCKER },
	{ "Error: No public port '5432' published for x\n", ERROR_DOCKER },
	{ "", ERROR_DOCKER },
	/* exec */
	{ "OCI runtime exec failed: exec failed: unable to start container "
	  "process: exec: \"nope\": executable file not found in $PATH: "
	  "unknown\r\n",
	    ERROR_DOCKER },
	{ D "Container 0a1b is not running\n", ERROR_NOT_RUNNING },
	{ D "Container x is paused, unpause the container before exec\n",
	    ERROR_NOT_RUNNING },
	{ D "Container 0a1b is restarting, wait until the container is "
	    "running\n",
	    ERROR_NOT_RUNNING },
	{ "the input device is not a TTY\n", ERROR_DOCKER },
	/* podman */
	{ "Error: inspecting object: no such container x\n", ERROR_GONE },
	{ "Error: inspecting object: no such object: \"x\"\n", ERROR_GONE },
	{ "Error: inspecting object: x: image not known\n",
	    ERROR_IMAGE_MISSING },
	{ "Error: no container with name or ID \"x\" found: no such "
	  "container\n",
	    ERROR_GONE },
	{ "Error: creating container storage: the container name \"x\" is "
	  "already in use by 0a1b. You have to remove that container to be "
	  "able to reuse that name: that name is already in use\n",
	    ERROR_NAME_TAKEN },
	{ "Error: can only create exec sessions on running containers: "
	  "container state improper\n",
	    ERROR_NOT_RUNNING },
	{ "Cannot connect to Podman. Please verify your connection to the "
	  "Linux system using `podman system connection list`\n",
	    ERROR_DAEMON },
};

START_TEST(kinds)
{
	enum error_kind kind = fault_kind(texts[_i].text);

	ck_assert_msg(kind == texts[_i].kind, "%s is %d, not %d",
	    texts[_i].text, kind, texts[_i].kind);
}
END_TEST

static const struct {
	const char *text, *name;
	bool gone;
} proofs[] = {
	{ D "No such container: x\n", "x", true },
	{ "Error: No such container: x\n", "x", true },
	{ "Error: No such object: x\n", "x", true },
	{ "Error: no such object: \"x\"\n", "x", true },
	{ "Error: inspecting object: no such container x\n", "x", true },
	{ "Error: no container with name or ID \"x\" found: no such "
	  "container\n",
	    "x", true },
	{ D "no container with name or ID \"x\" found: no such container\n",
	    "x", true },
	{ "ERROR: NO SUCH CONTAINER: x\n", "x", true },
	{ "Error: No such container: x", "x", true },
	{ "Error: No such container: x\r\n", "x", true },
	{ "WARNING: config\nError: No such object: y\nError: No such object: "
	  "x\n",
	    "x", true },
	{ "Error: No such container: a.b_c-d\n", "a.b_c-d", true },
	/* another name */
	{ "Error: No such container: y\n", "x", false },
	{ "Error: No such container: xx\n", "x", false },
	{ "Error: No such container: x\n", "xx", false },
	{ "Error: No such container: x-1\n", "x", false },
	{ "Error: No such container: x\n", "x-1", false },
	{ "Error: No such container: a-x\n", "x", false },
	{ "Error: No such container: x.y\n", "x", false },
	{ "Error: No such container: x_y\n", "x", false },
	{ "Error: No such container: X\n", "x", false },
	{ "Error: No such container: dev-10\n", "dev-1", false },
	{ "Error: No such container: \n", "x", false },
	/* a name that is a word of the message */
	{ "Error: No such container: y\n", "such", false },
	{ "Error: No such container: y\n", "container", false },
	{ "Error: No such container: y\n", "Error", false },
	{ "Error: No such container: y\n", "No", false },
	{ "Error: No such object: y\n", "object", false },
	{ "Error: no container with name or ID \"y\" found: no such "
	  "container\n",
	    "container", false },
	{ "Error: no container with name or ID \"y\" found: no such "
	  "container\n",
	    "found", false },
	{ "Error: no container with name or ID \"y\" found: no such "
	  "container\n",
	    "such", false },
	{ "Error: no container with name or ID \"y\" found: no such "
	  "container\n",
	    "no", false },
	{ "Error: No such container: such\n", "such", true },
	{ "Error: No such container: container\n", "container", true },
	{ "Error: no container with name or ID \"found\" found: no such "
	  "container\n",
	    "found", true },
	/* another fault, though it names it */
	{ "Cannot connect to the Docker daemon at unix:///x.\n", "x", false },
	{ "Error: No such image: x\n", "x", false },
	{ "Error: No such network: x\n", "x", false },
	{ "Error: no such service: x\n", "x", false },
	{ "Error: No such volume: x\n", "x", false },
	{ D "Multiple IDs found with provided prefix: x\n", "x", false },
	{ D "page not found\n", "x", false },
	{ D "removal of container x is already in progress\n", "x", false },
	{ "error during connect: Get \"http://x\": \n", "x", false },
	{ "Error: No such container: y\nx\n", "x", false },
	{ "x\nError: No such container: y\n", "x", false },
	{ "x: No such container\n", "x", false },
	{ "", "x", false },
};

START_TEST(gone_is_proven)
{
	bool gone = fault_proves_gone(proofs[_i].text, proofs[_i].name);

	ck_assert_msg(gone == proofs[_i].gone, "'%s' for '%s'", proofs[_i].text,
	    proofs[_i].name);
}
END_TEST

static const struct {
	enum process_end end;
	int code, spawn_errno;
	const char *text;
	enum error_kind kind;
	const char *message;
} ends[] = {
	{ PROCESS_EXITED, 1, 0, "Error: No such object: x\n", ERROR_GONE,
	    "docker rm: exit code 1: Error: No such object: x" },
	{ PROCESS_EXITED, 125, 0, "", ERROR_DOCKER,
	    "docker rm: exit code 125" },
	{ PROCESS_EXITED, 1, 0, "first\nlast \033[1m\n\n", ERROR_DOCKER,
	    "docker rm: exit code 1: last \\033[1m" },
	{ PROCESS_EXITED, 125, 0,
	    "docker: network n not found.\nSee 'docker run --help'.\n",
	    ERROR_NETWORK,
	    "docker rm: exit code 125: docker: network n not found." },
	{ PROCESS_EXITED, 125, 0,
	    "docker: network n not found\n\nRun 'docker run --help' for more "
	    "information\n",
	    ERROR_NETWORK,
	    "docker rm: exit code 125: docker: network n not found" },
	{ PROCESS_SIGNALED, 9, 0, "Error: No such object: x\n", ERROR_DOCKER,
	    "docker rm: killed by signal 9" },
	{ PROCESS_TIMED_OUT, 0, 0, "Error: No such object: x\n", ERROR_TIMEOUT,
	    "docker rm: timed out after 1.5 s" },
	{ PROCESS_STOPPED, 0, 0, "Error: No such object: x\n", ERROR_RELEASED,
	    "docker rm: stopped" },
	{ PROCESS_NOT_STARTED, 0, 0, "", ERROR_RELEASED, "docker rm: stopped" },
	{ PROCESS_NOT_STARTED, 0, ENOENT, "", ERROR_DOCKER_MISSING,
	    "docker rm: cannot be started: No such file or directory" },
};

START_TEST(ends_are_told_apart)
{
	struct process_result result = { .end = ends[_i].end,
		.code = ends[_i].code,
		.spawn_errno = ends[_i].spawn_errno,
		.duration_ms = 1500 };
	struct error err;

	strbuf_adds(&result.err, ends[_i].text);
	ck_assert_int_eq(fault_error("rm", &result, &err), -1);
	ck_assert_int_eq(err.kind, ends[_i].kind);
	ck_assert_str_eq(err.msg, ends[_i].message);
	process_result_clear(&result);
}
END_TEST

START_TEST(interrupted)
{
	struct process_result result = { .end = PROCESS_STOPPED };
	struct error err;

	interrupt_install();
	(void)kill(getpid(), SIGHUP);
	ck_assert_int_eq(fault_error("rm", &result, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_INTERRUPTED);
	ck_assert_int_eq(err.sys, SIGHUP);
}
END_TEST

START_TEST(remedies)
{
	static const char *const said[] = { "Cannot connect to the Docker "
					    "daemon at x",
		"permission denied while trying to connect" };
	struct process_result result = { .end = PROCESS_EXITED, .code = 1 };
	struct error err;
	size_t i;

	for (i = 0; i < ROWS(said); i++) {
		strbuf_adds(&result.err, said[i]);
		(void)fault_error("rm", &result, &err);
		ck_assert_str_ne(err.hint, "");
		strbuf_clear(&result.err);
	}
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("fault");

	unit_add_each(suite, "every text of a client has its kind", kinds,
	    ROWS(texts));
	unit_add_each(suite, "T1: gone is proven by its own name alone",
	    gone_is_proven, ROWS(proofs));
	unit_add_each(suite, "T1: a signal or a deadline proves nothing",
	    ends_are_told_apart, ROWS(ends));
	unit_add(suite, "E7: a call that our signal ended says so",
	    interrupted);
	unit_add(suite, "a daemon out of reach has a remedy", remedies);
	return suite;
}

UNIT_MAIN(make_suite)
