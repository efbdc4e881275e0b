/* SPDX-License-Identifier: ISC */
/*
 * How a call of docker can go wrong: what real clients and daemons of two
 * versions were seen to say and do, and what none should.
 *
 * A kind without verbs is for each; "rare" ones, which differ from others in
 * their words alone, are tried where a verb fails throughout.
 */

#include "fault.h"

#define EMPTY "out=\\n\n"
#define SAYS(text) "rc=1\n" EMPTY "err=" text "\\n\n"
#define RUN_SAYS(rc, text) "rc=" rc "\nerr=docker: " text "\\n\n"
#define AFTER "then=normal\n"
#define DAEMON "Error response from daemon: "
#define PING "Get \\\"http://%2Fvar%2Frun%2Fdocker.sock/v1.41/x\\\": "

/* Both listings name the fields; the labels stand in the order of ours. */
#define OTHER_LABEL         \
	AFTER "filter=sed " \
	      "'s/\"roboco.sandbox\":\"1\"/\"roboco.sandbox\":\"2\"/g'\n"
#define NO_OWNER                                                   \
	AFTER "filter=sed 's/\"roboco.sandbox.owner\":\"[^\"]*\"/" \
	      "\"roboco.sandbox.owner\":\"\"/g; "                  \
	      "s/\"sandkeeper.owner\":\"[^\"]*\"/"                 \
	      "\"sandkeeper.owner\":\"\"/g'\n"
#define DATE(text)                                    \
	AFTER "filter=sed 's/\"created\":\"[^\"]*\"/" \
	      "\"created\":\"" text "\"/g'\n"

const struct kind kinds[] = {
	/* exit codes, silent and not */
	{ "exit-1-silent", "rc=1\nout=\nerr=\n", NULL, FAULT_GONE, 0 },
	{ "exit-1-something", SAYS("something went wrong"), NULL, 0, 0 },
	{ "exit-2", "rc=2\nerr=Error: no\\n\n", NULL, 0, 1 },
	{ "exit-125", "rc=125\nerr=Error: no\\n\n", NULL, 0, 0 },
	{ "exit-125-silent", "rc=125\n", NULL, 0, 1 },
	{ "exit-126", "rc=126\nerr=Error: no\\n\n", NULL, 0, 0 },
	{ "exit-126-silent", "rc=126\n", NULL, 0, 1 },
	{ "exit-127", "rc=127\nerr=Error: no\\n\n", NULL, 0, 0 },
	{ "exit-127-silent", "rc=127\n", NULL, 0, 1 },
	{ "exit-137", "rc=137\n", NULL, 0, 1 },
	{ "exit-255", "rc=255\n", NULL, 0, 1 },
	/* signals; and the same when the work was done */
	{ "kill", "signal=KILL\n", NULL, 0, 0 },
	{ "segv", "signal=SEGV\n", NULL, 0, 0 },
	{ "kill-after", AFTER "signal=KILL\n", NULL, 0, 0 },
	{ "segv-after", AFTER "signal=SEGV\n", NULL, 0, 1 },
	{ "kill-late", "late=300\nsignal=KILL\n", "run rm stop", FAULT_LATE,
	    0 },
	{ "exit-125-after",
	    AFTER "rc=125\nerr=docker: error during connect: "
		  "EOF\\n\n",
	    NULL, 0, 0 },
	{ "exit-1-after", AFTER "rc=1\nerr=" DAEMON "unexpected EOF\\n\n", NULL,
	    0, 0 },
	{ "exit-126-after", AFTER "rc=126\nerr=docker: no\\n\n", NULL, 0, 1 },
	{ "exit-127-after", AFTER "rc=127\nerr=docker: no\\n\n", NULL, 0, 1 },
	/* no end */
	{ "hang", "hang=1\n", NULL, FAULT_HANG, 1 },
	{ "hang-deaf", "hang=term\n", NULL, FAULT_HANG, 0 },
	{ "hang-after", AFTER "hang=term\n", NULL, FAULT_HANG, 0 },
	{ "hang-late", "late=1300\nhang=term\n", "run rm",
	    FAULT_HANG | FAULT_LATE, 0 },
	/* what is no answer */
	{ "empty", "rc=0\nout=\nerr=\n", NULL, 0, 0 },
	{ "newline", "rc=0\n" EMPTY, NULL, 0, 0 },
	{ "half-line", AFTER "filter=head -c 40\n", NULL, 0, 0 },
	{ "last-cut", AFTER "filter=head -c -3\n", NULL, 0, 0 },
	{ "garbage", "rc=0\nout=%\\x01\\xff\\xfe{]\\n\\t\\x80garbage\\n\n",
	    NULL, 0, 0 },
	{ "garbage-behind", AFTER "filter=cat; echo garbage\n", NULL, 0, 0 },
	{ "garbage-before", AFTER "filter=echo garbage; cat\n", NULL, 0, 0 },
	{ "nuls", "rc=0\nout=\\0\\0\\0\\n\\0\n", NULL, 0, 0 },
	{ "nul-behind", AFTER "filter=cat; printf '\\0'\n", NULL, 0, 1 },
	{ "twice", AFTER "filter=tee /dev/fd/9 9>&1\n", NULL, 0, 0 },
	{ "list", "rc=0\nout=[]\\n\n", NULL, 0, 0 },
	{ "null", "rc=0\nout=null\\n\n", NULL, 0, 1 },
	{ "object", "rc=0\nout={}\\n\n", NULL, 0, 0 },
	{ "blank-behind", AFTER "filter=cat; echo\n", NULL, 0, 1 },
	{ "100-MB", "rc=0\nbytes=100000000\n", NULL, 0, 1 },
	{ "100-MB-failed", "rc=1\nbytes=100000000\nerr=x\\n\n", NULL, 0, 1 },
	/* what is true in part */
	{ "first-row", AFTER "filter=head -n 1\n", "ps inspect", 0, 0 },
	{ "no-first-row", AFTER "filter=tail -n +2\n", "ps inspect", 0, 0 },
	{ "other-label", OTHER_LABEL, "ps inspect", 0, 0 },
	{ "no-owner", NO_OWNER, "ps inspect", 0, 0 },
	{ "date-zero", DATE("0001-01-01T00:00:00Z"), "ps inspect", FAULT_AGES,
	    0 },
	{ "date-zero-spaced", DATE("0001-01-01 00:00:00 +0000 UTC"),
	    "ps inspect", FAULT_AGES, 1 },
	{ "date-empty", DATE(""), "ps inspect", FAULT_AGES, 0 },
	{ "date-negative", DATE("-2026-11-30T15:00:00Z"), "ps inspect",
	    FAULT_AGES, 0 },
	{ "date-1969", DATE("1969-12-31T23:59:59Z"), "ps inspect", FAULT_AGES,
	    0 },
	{ "date-future", DATE("2199-01-01T00:00:00.5Z"), "ps inspect",
	    FAULT_AGES, 0 },
	{ "date-zone-name", DATE("2020-01-01 10:00:00 EST"), "ps inspect",
	    FAULT_AGES, 0 },
	{ "date-word", DATE("3 hours ago"), "ps inspect", FAULT_AGES, 1 },
	{ "date-number", DATE("1577869200"), "ps inspect", FAULT_AGES, 1 },
	{ "date-zone", DATE("2020-01-01 10:00:00 -0500 EST"), "ps inspect", 0,
	    0 },
	/* no failures */
	{ "warning",
	    AFTER "warn=WARNING: Error loading config file: /root/"
		  ".docker/config.json: no such file\\n\n",
	    "ps inspect image-inspect run rm stop unpause", FAULT_WARNS, 0 },
	{ "slow", AFTER "delay=200\n", NULL, FAULT_WARNS, 1 },
	{ "told-nothing", "rc=0\nout=\nerr=Error: No such container: X\\n\n",
	    "rm", 0, 0 },
	{ "told-done",
	    "rc=0\nout=\nfilter=for a; do case $a in -*) ;; *) echo \"$a\" ;; "
	    "esac; done\n",
	    "rm", FAULT_DONE, 0 },

	/* the words of both clients, by what they are about */
	{ "no-such-object", SAYS("Error: No such object: X"), NULL, 0, 1 },
	{ "no-such-container", SAYS(DAEMON "No such container: X"), NULL, 0,
	    0 },
	{ "no-such-container-old", SAYS("Error: No such container: X"), NULL, 0,
	    1 },
	{ "no-such-nameless", SAYS("Error: No such container: "), NULL, 0, 1 },
	{ "no-such-image",
	    SAYS(DAEMON "no such image: X: No such image: X:lat"
			"est"),
	    NULL, 0, 1 },
	{ "no-such-image-old", SAYS("Error: No such image: X"), NULL, 0, 1 },
	{ "empty-name", SAYS("invalid container name or ID: value is empty"),
	    NULL, 0, 1 },
	{ "flag",
	    "rc=125\nerr=unknown shorthand flag: 'x' in -x\\nSee 'docker "
	    "inspect --help'.\\n\n",
	    NULL, 0, 1 },
	{ "many-ids", SAYS(DAEMON "Multiple IDs found with provided prefix: 0"),
	    NULL, 0, 1 },
	{ "template",
	    SAYS("template parsing error: template: :1:2: executing "
		 "at <.Nope>: map has no entry for key \\\"Nope\\\""),
	    NULL, 0, 1 },
	{ "template-64",
	    "rc=64\nerr=template parsing error: template: :1: unclosed "
	    "action\\n\n",
	    NULL, 0, 1 },
	{ "type", SAYS("unknown type: \\\"bogus\\\": must be one of \\\"\\\""),
	    NULL, 0, 1 },
	{ "page", SAYS(DAEMON "page not found"), NULL, 0, 1 },
	{ "filter", SAYS(DAEMON "Invalid filter 'bogus'"), NULL, 0, 1 },
	{ "dead",
	    SAYS(DAEMON "container X: driver \\\"overlay2\\\" failed to "
			"remove root filesystem: unlinkat /x/diff/imm: "
			"operation not permitted"),
	    NULL, 0, 1 },
	{ "busy",
	    SAYS(DAEMON "unable to remove filesystem for X: device or "
			"resource busy"),
	    NULL, 0, 0 },
	{ "in-progress",
	    SAYS(DAEMON "removal of container X is already in "
			"progress"),
	    NULL, 0, 0 },
	{ "in-progress-gone",
	    AFTER SAYS(DAEMON "removal of container X is "
			      "already in progress"),
	    "rm", 0, 0 },
	{ "marked",
	    SAYS(DAEMON "container is marked for removal and cannot be "
			"started"),
	    NULL, 0, 1 },
	{ "no-logs",
	    SAYS(DAEMON "can not get logs from container which is "
			"dead or marked for removal"),
	    NULL, 0, 1 },
	{ "log-driver",
	    SAYS(DAEMON "configured logging driver does not "
			"support reading"),
	    NULL, 0, 1 },
	{ "running",
	    SAYS(DAEMON "You cannot remove a running container X. "
			"Stop the container before attempting "
			"removal or force remove"),
	    NULL, 0, 1 },
	{ "not-running", SAYS(DAEMON "Container X is not running"), NULL, 0,
	    0 },
	{ "paused",
	    SAYS(DAEMON "Container X is paused, unpause the container "
			"before exec"),
	    NULL, 0, 1 },
	{ "restarting",
	    SAYS(DAEMON "Container X is restarting, wait until the "
			"container is running"),
	    NULL, 0, 1 },
	{ "tty", SAYS("the input device is not a TTY"), NULL, 0, 1 },
	{ "oci",
	    "rc=126\nout=OCI runtime exec failed: exec failed: unable to "
	    "start container process: exec: \\\"sh\\\": executable file not "
	    "found in $PATH: unknown\\r\\n\n",
	    NULL, 0, 0 },
	{ "unexpected-eof", SAYS("unexpected EOF"), NULL, 0, 1 },
	/* run and pull */
	{ "conflict",
	    RUN_SAYS("125",
		DAEMON
		"Conflict. The container name \\\"/X\\\" is already in use by "
		"container \\\"0\\\". You have to remove (or rename) that "
		"container to be able to reuse that name."),
	    "run", 0, 1 },
	{ "no-network", AFTER RUN_SAYS("125", DAEMON "network x not found."),
	    "run", 0, 0 },
	{ "port-taken",
	    AFTER RUN_SAYS("125",
		DAEMON
		"driver failed programming external connectivity: Bind for "
		"127.0.0.1:1 failed: port is already allocated."),
	    "run", 0, 1 },
	{ "no-user", AFTER RUN_SAYS("125", DAEMON "unable to find user x"),
	    "run", 0, 1 },
	{ "no-command",
	    AFTER RUN_SAYS("127",
		DAEMON "failed to create task for container: exec: \\\"x\\\": "
		       "executable file not found in $PATH: unknown."),
	    "run", 0, 0 },
	{ "memory",
	    RUN_SAYS("125",
		DAEMON "Minimum memory limit allowed is "
		       "6MB."),
	    "run", 0, 1 },
	{ "run-no-image", RUN_SAYS("125", DAEMON "No such image: X"), "run", 0,
	    1 },
	{ "run-down",
	    RUN_SAYS("125",
		"Cannot connect to the Docker daemon at "
		"unix:///x. Is the docker daemon "
		"running?."),
	    "run", 0, 0 },
	{ "run-denied",
	    RUN_SAYS("126",
		"permission denied while trying to "
		"connect to the Docker daemon socket"),
	    "run", 0, 0 },
	{ "manifest", "pull-fails=manifest\n", "pull", 0, 0 },
	{ "pull-denied", "pull-fails=denied\n", "pull", 0, 1 },
	{ "pull-refused", "pull-fails=refused\n", "pull", 0, 1 },
	{ "pull-dns", "pull-fails=dns\n", "pull", 0, 1 },
	{ "pull-timeout", "pull-fails=timeout\n", "pull", 0, 1 },
	{ "pull-limit", "pull-fails=ratelimit\n", "pull", 0, 1 },
	{ "pull-disk", "pull-fails=disk\n", "pull", 0, 1 },
	/* the daemon as a whole */
	{ "down",
	    SAYS("Cannot connect to the Docker daemon at unix:///x. Is "
		 "the docker daemon running?"),
	    NULL, 0, 0 },
	{ "denied",
	    SAYS("permission denied while trying to connect to the "
		 "Docker daemon socket at unix:///x: " PING
		 "connect: permission denied"),
	    NULL, 0, 0 },
	{ "no-host",
	    SAYS("error during connect: " PING
		 "dial tcp: lookup x: no such host"),
	    NULL, 0, 1 },
	{ "eof", SAYS("error during connect: " PING "EOF"), NULL, 0, 0 },
	{ "signalled",
	    "rc=1\nout=[]\\n\nerr=error during connect: " PING "\\n\n", NULL, 0,
	    0 },
	{ "endpoint-new",
	    SAYS("Failed to initialize: unable to resolve docker "
		 "endpoint: invalid bind address format"),
	    NULL, 0, 1 },
	{ "endpoint-old",
	    SAYS("unable to resolve docker endpoint: invalid "
		 "bind address format"),
	    NULL, 0, 1 },
	{ "context-new",
	    SAYS("Failed to initialize: unable to resolve docker endpoint: "
		 "context \\\"no\\\": context not found: open /x: no such file "
		 "or directory"),
	    NULL, 0, 1 },
	{ "context-old",
	    SAYS("unable to resolve docker endpoint: context "
		 "\\\"no\\\" does not exist"),
	    NULL, 0, 1 },
	{ "tls",
	    SAYS("unable to resolve docker endpoint: open "
		 "/root/.docker/ca.pem: no such file or directory"),
	    NULL, 0, 1 },
	{ "too-new",
	    SAYS(DAEMON "client version 1.99 is too new. Maximum "
			"supported API version is 1.41"),
	    NULL, 0, 1 },
	{ "too-old",
	    SAYS(DAEMON "client version 1.10 is too old. Minimum "
			"supported API version is 1.24"),
	    NULL, 0, 1 },
	{ "malformed",
	    SAYS("error during connect: " PING
		 "net/http: malformed HTTP response \\\"x\\\""),
	    NULL, 0, 1 },
	{ "500",
	    SAYS("request returned 500 Internal Server Error for API "
		 "route and version http://x, check if the server "
		 "supports the requested API version"),
	    NULL, 0, 1 },
	{ "rubbish",
	    SAYS("invalid character '<' looking for beginning of "
		 "value"),
	    NULL, 0, 1 },
	/* podman's */
	{ "podman-gone",
	    "rc=125\nout=[]\\n\nerr=Error: inspecting object: no "
	    "such container X\\n\n",
	    NULL, 0, 1 },
	{ "podman-in-use",
	    "rc=125\nerr=Error: creating container storage: the container "
	    "name \\\"x\\\" is already in use by 0. You have to remove that "
	    "container to be able to reuse that name\\n\n",
	    "run", 0, 1 },
	{ NULL, NULL, NULL, 0, 0 },
};
