/* SPDX-License-Identifier: ISC */
/* docker/: what is made of a client's exit code and output, verb by verb. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "client.h"

#define HEX16 "0123456789abcdef"
#define ID(last) HEX16 HEX16 HEX16 "0123456789abcde" last
#define DOC(name, last)                              \
	"{\"id\":\"" ID(last) "\",\"name\":\"/" name \
			      "\",\"state\":\"exited\"}\n"
#define NONE(name) "Error: No such container: " name "\n"
#define DOWN                                                               \
	"Cannot connect to the Docker daemon at unix:///p. Is the docker " \
	"daemon running?\n"
#define UNKNOWN 99

static const struct {
	const char *names; /* with commas */
	int code;
	const char *out, *err;
	int found; /* UNKNOWN: the call fails */
	enum error_kind kind;
} looks[] = {
	{ "aa", 0, DOC("aa", "1"), "", 1, ERROR_NONE },
	{ "aa", 0, DOC("aa", "1"), "WARNING: x\n", 1, ERROR_NONE },
	{ ID("1"), 0, DOC("aa", "1"), "", 1, ERROR_NONE },
	{ "aa", 1, "\n", NONE("aa"), 0, ERROR_NONE },
	{ "aa", 1, "[]\n", NONE("aa"), 0, ERROR_NONE },
	{ "aa", 1, "", NONE("aa"), 0, ERROR_NONE },
	{ "aa", 1, "\n", "", 0, ERROR_NONE }, /* the seed's fake */
	{ "aa", 1, "[]\n", "", 0, ERROR_NONE },
	{ "aa,bb,cc", 1, DOC("aa", "1") DOC("cc", "3"), NONE("bb"), 2,
	    ERROR_NONE },
	{ "aa,bb", 1, "\n", NONE("aa") NONE("bb"), 0, ERROR_NONE },
	/* another container, by a prefix of its id */
	{ "0123", 0, DOC("aa", "1"), "", 0, ERROR_NONE },
	/* unknown */
	{ "aa", 1, "\n", NONE("bb"), UNKNOWN, ERROR_GONE },
	{ "aa,bb", 1, "\n", NONE("aa"), UNKNOWN, ERROR_GONE },
	{ "aa", 1, "\n", DOWN, UNKNOWN, ERROR_DAEMON },
	{ "aa", 1, "[]\n", DOWN, UNKNOWN, ERROR_DAEMON },
	{ "aa,bb", 1, DOC("aa", "1"), DOWN, UNKNOWN, ERROR_DAEMON },
	{ "aa", 1, "[]\n", "error during connect: Get \"x\": \n", UNKNOWN,
	    ERROR_DAEMON },
	{ "aa", 1, "\n", "permission denied while trying to connect\n", UNKNOWN,
	    ERROR_DAEMON_DENIED },
	{ "aa", 1, "\n", "something new\n", UNKNOWN, ERROR_DOCKER },
	{ "aa", 2, "\n", NONE("aa"), UNKNOWN, ERROR_GONE },
	{ "aa", 125, "", "", UNKNOWN, ERROR_DOCKER },
	{ "aa", 0, "", "", UNKNOWN, ERROR_DOCKER },
	{ "aa", 0, "\n", "", UNKNOWN, ERROR_DOCKER },
	{ "aa,bb", 0, DOC("aa", "1"), "", UNKNOWN, ERROR_DOCKER },
	{ "aa", 0, DOC("aa", "1") DOC("bb", "2"), "", UNKNOWN, ERROR_DOCKER },
	{ "aa", 0, "garbage\n", "", UNKNOWN, ERROR_DOCKER },
	{ "aa", 1, "garbage\n", NONE("aa"), UNKNOWN, ERROR_DOCKER },
	{ "aa", 0, "{\"id\":\"0123", "", UNKNOWN, ERROR_DOCKER },
};

START_TEST(inspect)
{
	struct container_list found = { 0 };
	struct strvec names = { 0 };
	struct error err = { 0 };
	int rc;

	strvec_split(&names, looks[_i].names, ',');
	client_says(looks[_i].code, looks[_i].out, looks[_i].err);
	rc = docker_inspect(&client, &names, &found, &err);
	ck_assert_msg(rc == (looks[_i].found == UNKNOWN ? -1 : 0), "row %d: %s",
	    _i, err.msg);
	ck_assert_uint_eq(found.len,
	    looks[_i].found == UNKNOWN ? 0 : (size_t)looks[_i].found);
	ck_assert_int_eq(err.kind, looks[_i].kind);
	ck_assert_uint_eq(client.calls, 1);
	container_list_clear(&found);
	strvec_clear(&names);
}
END_TEST

static const struct {
	int code;
	const char *err;
	int rc;
} podman_looks[] = {
	{ 125, "Error: inspecting object: no such container aa\n", 0 },
	{ 125, "Error: inspecting object: no such object: \"aa\"\n", 0 },
	{ 125, "Error: something else\n", -1 },
	{ 125, "", -1 }, /* 125 is every failure's code */
	{ 1, "Error: no such container aa\n", -1 },
};

START_TEST(podman_inspect)
{
	struct container_list found = { 0 };
	struct strvec names = { 0 };
	struct error err;

	docker_close(&client);
	client_open("podman");
	ck_assert(client.podman);
	strvec_add(&names, "aa");
	client_says(podman_looks[_i].code, "\n", podman_looks[_i].err);
	ck_assert_int_eq(docker_inspect(&client, &names, &found, &err),
	    podman_looks[_i].rc);
	strvec_clear(&names);
}
END_TEST

START_TEST(podman_default_network)
{
	struct container_list found = { 0 };
	struct strvec names = { 0 };
	struct error err = { 0 };

	docker_close(&client);
	client_open("podman");
	strvec_add(&names, "a");
	client_says(0,
	    "{\"id\":\"" ID("1") "\",\"name\":\"a\",\"state\":\"running\","
				 "\"networks\":{\"podman\":{\"IPAddress\":"
				 "\"10.88.0.2\"},\"ci\":{}}}\n",
	    "");
	ck_assert_msg(docker_inspect(&client, &names, &found, &err) == 0, "%s",
	    err.msg);
	ck_assert_str_eq(container_address(&found.items[0], "bridge"),
	    "10.88.0.2");
	ck_assert_ptr_null(container_address(&found.items[0], "podman"));
	ck_assert_ptr_nonnull(container_address(&found.items[0], "ci"));
	container_list_clear(&found);
	strvec_clear(&names);
}
END_TEST

#define ROW(name, last)                                                   \
	"{\"id\":\"" ID(last) "\",\"names\":\"" name                      \
			      "\",\"state\":\"exited\",\"created\":\"\"," \
			      "\"labels\":{}}\n"

static const struct {
	int code;
	const char *out, *err;
	int rc;
	enum error_kind kind;
} lists[] = {
	{ 0, "", "", 0, ERROR_NONE },
	{ 0, ROW("a", "1"), "WARNING: x\n", 0, ERROR_NONE },
	{ 1, "", "", -1, ERROR_DOCKER },
	{ 1, ROW("a", "1"), "", -1, ERROR_DOCKER },
	{ 1, "", DOWN, -1, ERROR_DAEMON },
	{ 0, ROW("a", "1") "\n", "", -1, ERROR_DOCKER },
	{ 0, ROW("a", "1") "{\"id\":", "", -1, ERROR_DOCKER },
};

START_TEST(list)
{
	struct docker_filter filter = { 0 };
	struct container_list found = { 0 };
	struct error err = { 0 };

	client_says(lists[_i].code, lists[_i].out, lists[_i].err);
	ck_assert_int_eq(docker_list(&client, &filter, &found, &err),
	    lists[_i].rc);
	ck_assert_int_eq(err.kind, lists[_i].kind);
	ck_assert_uint_eq(found.len,
	    lists[_i].rc == 0 && *lists[_i].out != '\0' ? 1 : 0);
	container_list_clear(&found);
}
END_TEST

static const struct {
	int code;
	const char *out, *err;
	bool id;
	enum error_kind kind;
} starts[] = {
	{ 0, ID("1") "\n", "", true, ERROR_NONE },
	{ 0, ID("1") "\n", "WARNING: x\n", true, ERROR_NONE },
	{ 0, "", "", false, ERROR_DOCKER },
	{ 0, "nonsense\n", "", false, ERROR_DOCKER },
	/* made, and not started: the id is told all the same */
	{ 125, ID("1") "\n", "docker: Error: network n not found.\n", true,
	    ERROR_NETWORK },
	{ 127, ID("1") "\n", "docker: Error: \"x\": executable file not\n",
	    true, ERROR_DOCKER },
	{ 125, "",
	    "docker: Error: Conflict. The container name \"/n\" is "
	    "already in use by container \"0a\".\n",
	    false, ERROR_NAME_TAKEN },
	{ 126, "", "docker: permission denied while trying to connect\n", false,
	    ERROR_DAEMON_DENIED },
	{ 125, "", "docker: " DOWN, false, ERROR_DAEMON },
	{ 125, "", "docker: Error: No such image: i.\n", false,
	    ERROR_IMAGE_MISSING },
};

START_TEST(run_starts)
{
	struct docker_run run = { .name = "n", .image = "i" };
	struct docker_started started;

	client_says(starts[_i].code, starts[_i].out, starts[_i].err);
	docker_run_many(&client, &run, 1, &started);
	ck_assert_str_eq(started.id, starts[_i].id ? ID("1") : "");
	ck_assert_int_eq(started.error.kind, starts[_i].kind);
	ck_assert(!started.uncertain);
}
END_TEST

START_TEST(run_that_hangs)
{
	struct docker_run run = { .name = "n", .image = "i" };
	struct docker_started started;

	client_says(0, "", "");
	scratch_write("hook", "cat out; exec sleep 50\n");
	scratch_write("out", ID("1") "\n");
	client.timeouts.run = 500;
	docker_run_many(&client, &run, 1, &started);
	/* killed: it may have been made, and may still appear */
	ck_assert(started.uncertain);
	ck_assert_int_eq(started.error.kind, ERROR_TIMEOUT);
}
END_TEST

static const struct {
	int code;
	const char *out, *err;
	enum docker_exec_end end;
} execs[] = {
	{ 0, "x", "", DOCKER_EXEC_EXITED },
	{ 0, "", "Error: of the command's own\n", DOCKER_EXEC_EXITED },
	{ 1, "", "no such table\n", DOCKER_EXEC_EXITED },
	{ 75, "", "", DOCKER_EXEC_EXITED },
	{ 126, "OCI runtime exec failed: ...\r\n", "", DOCKER_EXEC_NO_PROGRAM },
	{ 127, "", "", DOCKER_EXEC_NO_PROGRAM }, /* podman */
	{ 137, "", "", DOCKER_EXEC_NOT_RUNNING },
	{ 1, "", NONE("aa"), DOCKER_EXEC_NOT_RUNNING },
	{ 1, "", "WARNING: Error loading config file: x\n" NONE("aa"),
	    DOCKER_EXEC_NOT_RUNNING },
	{ 1, "", "WARNING: x\n", DOCKER_EXEC_EXITED },
	{ 1, "", "WARNING: x", DOCKER_EXEC_EXITED },
	{ 1, "", "Error response from daemon: Container 0a is not running\n",
	    DOCKER_EXEC_NOT_RUNNING },
	{ 1, "",
	    "Error response from daemon: Container aa is paused, "
	    "unpause the container before exec\n",
	    DOCKER_EXEC_NOT_RUNNING },
	{ 1, "", "Error response from daemon: something new\n",
	    DOCKER_EXEC_FAILED },
	{ 1, "", DOWN, DOCKER_EXEC_FAILED },
	{ 1, "", "error during connect: EOF\n", DOCKER_EXEC_FAILED },
	{ 1, "", "permission denied while trying to connect\n",
	    DOCKER_EXEC_FAILED },
};

START_TEST(exec_ends)
{
	struct docker_exec exec = { .id = "aa", .timeout_ms = 30000 };
	struct docker_exec_result result;

	client_says(execs[_i].code, execs[_i].out, execs[_i].err);
	docker_exec_many(&client, &exec, 1, &result);
	ck_assert_msg(result.end == execs[_i].end, "row %d: %d", _i,
	    result.end);
	ck_assert(text_has_prefix(strbuf_str(&result.output), execs[_i].out));
	if (result.end == DOCKER_EXEC_FAILED)
		ck_assert_int_ne(result.error.kind, ERROR_NONE);
	docker_exec_result_clear(&result);
}
END_TEST

#define NO_IMAGE(name) "Error: No such image: " name "\n"
#define NEW_NO_IMAGE(name)                                              \
	"Error response from daemon: no such image: " name ": No such " \
	"image: " name ":latest\n"

static const struct {
	const char *images;
	int code;
	const char *err;
	const char *missing; /* NULL: the call fails */
} image_looks[] = {
	{ "a:1,b", 0, "", "" },
	{ "a:1,b", 1, NO_IMAGE("a:1"), "a:1" },
	{ "a:1,b", 1, NO_IMAGE("a:1") NO_IMAGE("b"), "a:1,b" },
	{ "b", 1, NEW_NO_IMAGE("b"), "b" },
	{ "pg:1,pg:1-alpine", 1, NO_IMAGE("pg:1-alpine"), "pg:1-alpine" },
	{ "pg:1-alpine,pg:1", 1, NO_IMAGE("pg:1"), "pg:1" },
	{ "pg,hub/pg", 1, NO_IMAGE("hub/pg"), "hub/pg" },
	{ "a", 125, "Error: inspecting object: a: image not known\n", "a" },
	{ "a", 1, NO_IMAGE("b"), NULL },
	{ "a", 1, DOWN, NULL },
	{ "a", 1, "", NULL },
};

START_TEST(images_missing)
{
	struct strvec images = { 0 }, missing = { 0 };
	struct error err;
	char *joined;
	int rc;

	strvec_split(&images, image_looks[_i].images, ',');
	client_says(image_looks[_i].code, "", image_looks[_i].err);
	rc = docker_images_missing(&client, &images, &missing, &err);
	ck_assert_int_eq(rc, image_looks[_i].missing == NULL ? -1 : 0);
	joined = strvec_join(&missing, ",");
	ck_assert_str_eq(joined,
	    image_looks[_i].missing == NULL ? "" : image_looks[_i].missing);
	free(joined);
	strvec_clear(&images);
	strvec_clear(&missing);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("docker-calls");

	client_add(suite, "T1: each name is found, proven gone, or unknown",
	    inspect, ROWS(looks));
	client_add(suite, "T1: podman's inspect, by its own exit code",
	    podman_inspect, ROWS(podman_looks));
	client_add(suite, "E10: podman's default network is bridge",
	    podman_default_network, 1);
	client_add(suite, "S2: a listing is whole or none", list, ROWS(lists));
	client_add(suite, "E7: a failed start tells the id that it made",
	    run_starts, ROWS(starts));
	client_add(suite, "E7: a killed start may still appear", run_that_hangs,
	    1);
	client_add(suite, "docker's failure is not the command's own",
	    exec_ends, ROWS(execs));
	client_add(suite, "E5: which images are not there, by whole names",
	    images_missing, ROWS(image_looks));
	return suite;
}

UNIT_MAIN(make_suite)
