/* SPDX-License-Identifier: ISC */
/* docker/: the client itself: where it is, what it is given, its logs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"

static const struct docker_timeouts timeouts = { 1, 1, 1, 1, 1, 1, 1 };

START_TEST(cannot_run)
{
	struct docker docker;
	struct error err;

	ck_assert_int_eq(docker_open(&docker, "sk-no-docker", NULL, &timeouts,
			     &err),
	    -1);
	ck_assert_int_eq(err.kind, ERROR_DOCKER_MISSING);
	ck_assert_ptr_nonnull(strstr(err.msg, "sk-no-docker"));
	ck_assert_str_ne(err.hint, "");
	scratch_write("plain", "");
	ck_assert_int_eq(docker_open(&docker, scratch_path("plain"), NULL,
			     &timeouts, &err),
	    -1);
	ck_assert_int_eq(err.kind, ERROR_DOCKER_MISSING);
}
END_TEST

static bool
has_line(const char *text, const char *line)
{
	size_t len = strlen(line);
	const char *hit;

	for (hit = text; (hit = strstr(hit, line)) != NULL; hit++)
		if ((hit == text || hit[-1] == '\n') && hit[len] == '\n')
			return true;
	return false;
}

static void
reopen(const char *context)
{
	struct error err;
	char *path = strdup(client.path);

	docker_close(&client);
	ck_assert_int_eq(docker_open(&client, path, context, &timeouts, &err),
	    0);
	client.timeouts.remove = 30000;
	free(path);
}

static const char *
environment_of_a_call(void)
{
	struct strvec ids = { 0 };
	struct error err;

	strvec_add(&ids, "aa");
	client_says(0, "", "");
	ck_assert_int_eq(docker_remove(&client, &ids, true, &err), 0);
	strvec_clear(&ids);
	return scratch_text("env");
}

START_TEST(environment)
{
	const char *env;

	(void)setenv("LC_ALL", "de_DE.UTF-8", 1);
	(void)setenv("TZ", "America/New_York", 1);
	(void)setenv("DOCKER_HOST", "unix:///p", 1);
	(void)setenv("DOCKER_CONTEXT", "theirs", 1);
	reopen(NULL);
	env = environment_of_a_call();
	ck_assert(has_line(env, "LC_ALL=C"));
	ck_assert(has_line(env, "TZ=UTC"));
	ck_assert(has_line(env, "DOCKER_HOST=unix:///p"));
	ck_assert(has_line(env, "DOCKER_CONTEXT=theirs"));
	reopen("ours");
	env = environment_of_a_call();
	ck_assert(has_line(env, "DOCKER_CONTEXT=ours"));
	ck_assert(!has_line(env, "DOCKER_CONTEXT=theirs"));
	(void)unsetenv("DOCKER_CONTEXT");
	reopen(NULL);
	ck_assert_ptr_null(strstr(environment_of_a_call(), "DOCKER_CONTEXT"));
}
END_TEST

START_TEST(secrets)
{
	struct docker_run run = { .name = "n", .image = "i" };
	struct docker_started started;

	strvec_add(&run.secrets, "SK_SECRET=s3cret");
	client_says(0, "", "");
	docker_run_many(&client, &run, 1, &started);
	ck_assert(has_line(scratch_text("env"), "SK_SECRET=s3cret"));
	ck_assert_ptr_nonnull(strstr(scratch_text("argv"), "-e SK_SECRET"));
	ck_assert_ptr_null(strstr(scratch_text("argv"), "s3cret"));
	/* for that child alone */
	ck_assert_ptr_null(strstr(environment_of_a_call(), "s3cret"));
	ck_assert_ptr_null(getenv("SK_SECRET"));
	docker_run_clear(&run);
}
END_TEST

START_TEST(hangs)
{
	struct strvec ids = { 0 };
	struct error err;

	client_says(0, "", "");
	scratch_write("hook", "trap '' TERM; echo aa; sleep 50; exit 0\n");
	client.timeouts.remove = 300;
	strvec_add(&ids, "aa");
	ck_assert_int_eq(docker_remove(&client, &ids, true, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_TIMEOUT);
	ck_assert_ptr_nonnull(strstr(err.msg, "docker rm"));
	strvec_clear(&ids);
}
END_TEST

START_TEST(many_removals)
{
	struct strvec groups[3] = { { 0 }, { 0 }, { 0 } };
	struct error errors[3];
	size_t i;

	client_says(0, "", "");
	scratch_write("hook",
	    "case $* in *bb*) echo 'removal of container bb is already in "
	    "progress' >&2; exit 1 ;; esac\n");
	strvec_add_all(&groups[0], "aa", "ab", NULL);
	strvec_add(&groups[1], "bb");
	strvec_add(&groups[2], "cc");
	docker_remove_many(&client, groups, 3, 2, errors, NULL);
	ck_assert_int_eq(errors[0].kind, ERROR_NONE);
	ck_assert_int_eq(errors[1].kind, ERROR_REMOVING);
	ck_assert_int_eq(errors[2].kind, ERROR_NONE);
	ck_assert_uint_eq(client.calls, 3);
	ck_assert(has_line(scratch_text("argv"), "rm -f -v aa ab"));
	for (i = 0; i < 3; i++)
		strvec_clear(&groups[i]);
}
END_TEST

static const struct {
	int code;
	const char *out, *err;
	int64_t limit;
	int rc;
	enum docker_logs_end end;
	enum error_kind kind;
	off_t size;
} dumps[] = {
	{ 0, "out\n", "err\n", 100, 0, DOCKER_LOGS_WHOLE, ERROR_NONE, 8 },
	{ 0, "out\n", "err\n", 8, 0, DOCKER_LOGS_WHOLE, ERROR_NONE, 8 },
	{ 0, "out\n", "err\n", 5, 0, DOCKER_LOGS_CUT, ERROR_NONE, 5 },
	{ 0, "", "", 100, 0, DOCKER_LOGS_WHOLE, ERROR_NONE, 0 },
	{ 1, "", "Error: No such container: aa\n", 100, -1, 0, ERROR_GONE, 29 },
};

START_TEST(dump)
{
	enum docker_logs_end end = DOCKER_LOGS_WHOLE;
	int fd = open(scratch_path("log"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct error err = { 0 };
	struct stat st;

	client_says(dumps[_i].code, dumps[_i].out, dumps[_i].err);
	ck_assert_int_eq(docker_logs_to(&client, "aa", 10, dumps[_i].limit, fd,
			     &end, &err),
	    dumps[_i].rc);
	ck_assert_int_eq(err.kind, dumps[_i].kind);
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_int_eq(st.st_size, dumps[_i].size);
	ck_assert_int_eq(end, dumps[_i].end);
	ck_assert(has_line(scratch_text("argv"), "logs --tail 10 aa"));
	(void)close(fd);
}
END_TEST

START_TEST(dump_to_a_full_disk)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	enum docker_logs_end end;
	struct error err;

	client_says(0, "text\n", "");
	ck_assert_int_eq(docker_logs_to(&client, "aa", 10, 100, fd, &end, &err),
	    -1);
	ck_assert_int_eq(err.kind, ERROR_STATE_WRITE);
	(void)close(fd);
}
END_TEST

START_TEST(last_lines)
{
	static const char out[] = "first\nsecond\0third\n";
	struct strbuf sb = { 0 };
	struct error err;

	client_says(0, "", "err\n");
	scratch_write_bytes("out", out, sizeof(out) - 1);
	ck_assert_int_eq(docker_logs(&client, "aa", 20, 100, &sb, &err), 0);
	ck_assert_str_eq(strbuf_str(&sb), "first\nsecond third\nerr\n");
	strbuf_reset(&sb);
	/* the end is what tells */
	ck_assert_int_eq(docker_logs(&client, "aa", 20, 6, &sb, &err), 0);
	ck_assert_str_eq(strbuf_str(&sb), "third\nerr\n");
	strbuf_clear(&sb);
}
END_TEST

static const struct {
	const char *err;
	enum error_kind kind;
} pulls[] = {
	{ "Error response from daemon: manifest unknown\n", ERROR_IMAGE_PULL },
	{ "Error response from daemon: Get \"https://r/v2/\": dial tcp: "
	  "lookup r: no such host\n",
	    ERROR_IMAGE_PULL },
	{ "Error: short-name \"i\" did not resolve to an alias\n",
	    ERROR_IMAGE_PULL },
	{ "", ERROR_IMAGE_PULL },
	{ "Cannot connect to the Docker daemon at unix:///p.\n", ERROR_DAEMON },
	{ "permission denied while trying to connect\n", ERROR_DAEMON_DENIED },
};

START_TEST(pull_errors)
{
	struct strvec images = { 0 };
	struct error err;

	strvec_add(&images, "i:1");
	client_says(1, "", pulls[_i].err);
	ck_assert_int_eq(docker_pull(&client, &images, &err), -1);
	ck_assert_int_eq(err.kind, pulls[_i].kind);
	ck_assert_ptr_nonnull(strstr(err.msg, "i:1"));
	ck_assert_str_ne(err.hint, "");
	strvec_clear(&images);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("docker");

	client_add(suite, "a client that cannot be run", cannot_run, 1);
	client_add(suite, "K3: zone, language and context of the client",
	    environment, 1);
	client_add(suite, "E8: a secret is in one child's environment alone",
	    secrets, 1);
	client_add(suite, "T1: a client that hangs is a timeout, not success",
	    hangs, 1);
	client_add(suite, "S7: one call that fails keeps no other",
	    many_removals, 1);
	client_add(suite, "R2: a log is dumped, cut at its limit", dump,
	    ROWS(dumps));
	client_add(suite, "R2: a dump that cannot be written is told",
	    dump_to_a_full_disk, 1);
	client_add(suite, "E6: the last lines of a log, NUL bytes or not",
	    last_lines, 1);
	client_add(suite, "E5: what a refused pull is", pull_errors,
	    ROWS(pulls));
	return suite;
}

UNIT_MAIN(make_suite)
