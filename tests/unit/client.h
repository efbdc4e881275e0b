/* SPDX-License-Identifier: ISC */
/*
 * A docker client that says what it is told to say, once for every call: what
 * is made of exit code and output is tested with it.  It notes its arguments
 * in the file "argv" and its environment in "env".
 */
#ifndef CLIENT_H
#define CLIENT_H

#include "docker/docker.h"
#include "process/interrupt.h"
#include "scratch.h"

static struct docker client;

static inline void
client_open(const char *name)
{
	static const struct docker_timeouts timeouts = { 30000, 30000, 30000,
		30000, 30000, 30000, 30000 };
	struct error err = { 0 };
	char script[800];

	(void)snprintf(script, sizeof(script),
	    "#!/bin/sh\ncd %s\nprintf '%%s\\n' \"$*\" >>argv\nenv >env\n"
	    "[ ! -e hook ] || . ./hook\ncat out\ncat err >&2\n"
	    "read -r code <code\nexit \"$code\"\n",
	    scratch);
	scratch_write(name, script);
	ck_assert_int_eq(chmod(scratch_path(name), 0700), 0);
	ck_assert_msg(docker_open(&client, scratch_path(name), NULL, &timeouts,
			  &err) == 0,
	    "%s", err.msg);
}

static inline void
client_make(void)
{
	/* with it a child's end is seen at once */
	interrupt_install();
	scratch_make();
	client_open("docker");
}

static inline void
client_remove(void)
{
	docker_close(&client);
	scratch_remove();
}

static inline void
client_says(int code, const char *out, const char *err)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "%d\n", code);
	scratch_write("code", text);
	scratch_write("out", out);
	scratch_write("err", err);
}

static inline void
client_add(Suite *suite, const char *sentence, const TTest *test, size_t count)
{
	unit_add_with(suite, sentence, test, client_make, client_remove, count);
}

#endif
