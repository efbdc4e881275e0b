/* SPDX-License-Identifier: ISC */
/* docker/endpoint: which daemon does the client talk to? */
#include <stdlib.h>
#include <string.h>

#include "docker/endpoint.h"
#include "scratch.h"

#define META(name, host)                                                     \
	"{\"Name\":\"" name "\",\"Metadata\":{},\"Endpoints\":{\"docker\":{" \
	"\"Host\":\"" host "\",\"SkipTLSVerify\":false}}}"

/* Contexts "far", "near" and "usual"; a broken one and one without docker. */
static void
make_folder(void)
{
	scratch_make();
	scratch_mkdir("home");
	scratch_mkdir("home/.docker");
	scratch_mkdir("home/.docker/contexts");
	scratch_mkdir("home/.docker/contexts/meta");
	scratch_mkdir("home/.docker/contexts/meta/0a");
	scratch_mkdir("home/.docker/contexts/meta/1b");
	scratch_mkdir("home/.docker/contexts/meta/2c");
	scratch_mkdir("home/.docker/contexts/meta/3d");
	scratch_mkdir("home/.docker/contexts/meta/4e");
	scratch_mkdir("home/.docker/contexts/meta/5f");
	scratch_write("home/.docker/contexts/meta/0a/meta.json", "{broken");
	scratch_write("home/.docker/contexts/meta/1b/meta.json",
	    META("far", "tcp://far:2376"));
	scratch_write("home/.docker/contexts/meta/2c/meta.json",
	    META("near", "unix:///run/user/7/docker.sock"));
	scratch_write("home/.docker/contexts/meta/3d/meta.json",
	    META("usual", "unix:///var/run/docker.sock"));
	scratch_write("home/.docker/contexts/meta/4e/meta.json",
	    "{\"Name\":\"kube\",\"Endpoints\":{\"kubernetes\":{}}}");
	ck_assert_int_eq(setenv("HOME", scratch_path("home"), 1), 0);
	ck_assert_int_eq(unsetenv("DOCKER_HOST"), 0);
	ck_assert_int_eq(unsetenv("DOCKER_CONTEXT"), 0);
	ck_assert_int_eq(unsetenv("DOCKER_CONFIG"), 0);
}

static void
set(const char *name, const char *value)
{
	if (value != NULL)
		ck_assert_int_eq(setenv(name, value, 1), 0);
}

static const struct {
	const char *host, *option, *variable, *config;
	const char *endpoint; /* NULL: ERROR_DAEMON */
} rows[] = {
	{ NULL, NULL, NULL, NULL, "default" },
	/* DOCKER_HOST comes first */
	{ "tcp://h:1", "far", "far", "far", "tcp://h:1" },
	{ "tcp://h:1", "nope", NULL, NULL, "tcp://h:1" },
	{ "unix:///var/run/docker.sock", "far", NULL, NULL, "default" },
	{ "unix:///run/docker.sock", NULL, NULL, NULL, "default" },
	{ "unix:///run/docker.sock2", NULL, NULL, NULL,
	    "unix:///run/docker.sock2" },
	{ "unix:///run/user/7/docker.sock", NULL, NULL, NULL,
	    "unix:///run/user/7/docker.sock" },
	{ "", NULL, NULL, NULL, "default" },
	{ "", "far", NULL, NULL, "tcp://far:2376" },
	/* then the option, the variable, the file */
	{ NULL, "far", "near", "near", "tcp://far:2376" },
	{ NULL, "", "far", "near", "tcp://far:2376" },
	{ NULL, NULL, "far", "near", "tcp://far:2376" },
	{ NULL, NULL, "", "far", "tcp://far:2376" },
	{ NULL, NULL, NULL, "near", "unix:///run/user/7/docker.sock" },
	{ NULL, "default", "far", "far", "default" },
	{ NULL, NULL, "default", "far", "default" },
	{ NULL, NULL, NULL, "default", "default" },
	{ NULL, NULL, NULL, "", "default" },
	/* under another name it is the default all the same */
	{ NULL, "usual", NULL, NULL, "default" },
	{ NULL, NULL, NULL, "usual", "default" },
	/* not there */
	{ NULL, "nope", NULL, NULL, NULL },
	{ NULL, NULL, "nope", NULL, NULL },
	{ NULL, NULL, NULL, "nope", NULL },
	{ NULL, "Far", NULL, NULL, NULL },
	{ NULL, "fa", NULL, NULL, NULL },
	{ NULL, "kube", NULL, NULL, NULL },
	{ NULL, "../meta/1b", NULL, NULL, NULL },
};

static void
check(const char *option, const char *expected)
{
	struct error err = { 0 };
	char *endpoint = NULL;
	int rc = endpoint_resolve(option, &endpoint, &err);

	ck_assert_int_eq(rc, expected != NULL ? 0 : -1);
	if (expected != NULL)
		ck_assert_str_eq(endpoint, expected);
	else
		ck_assert_int_eq(err.kind, ERROR_DAEMON);
	free(endpoint);
}

START_TEST(resolves)
{
	char config[200];

	set("DOCKER_HOST", rows[_i].host);
	set("DOCKER_CONTEXT", rows[_i].variable);
	if (rows[_i].config != NULL) {
		(void)snprintf(config, sizeof(config),
		    "{\"auths\":{},\"currentContext\":\"%s\"}",
		    rows[_i].config);
		scratch_write("home/.docker/config.json", config);
	}
	check(rows[_i].option, rows[_i].endpoint);
}
END_TEST

static const char *const broken[] = { "", "{", "[]", "\"far\"",
	"{\"currentContext\":7}", "{\"currentContext\":null}",
	"{\"currentContext\":\"far\"" };

START_TEST(broken_config)
{
	scratch_write("home/.docker/config.json", broken[_i]);
	check(NULL, "default");
	check("far", "tcp://far:2376");
}
END_TEST

START_TEST(other_folder)
{
	set("DOCKER_CONFIG", scratch_path("home/.docker"));
	set("HOME", "/nonexistent");
	scratch_write("home/.docker/config.json",
	    "{\"currentContext\":\"far\"}");
	check(NULL, "tcp://far:2376");
	set("DOCKER_CONFIG", "/nonexistent");
	check(NULL, "default");
	check("far", NULL);
	ck_assert_int_eq(unsetenv("DOCKER_CONFIG"), 0);
	ck_assert_int_eq(unsetenv("HOME"), 0);
	check(NULL, "default");
	check("far", NULL);
}
END_TEST

/* docker follows them, and many keep their settings elsewhere. */
START_TEST(symbolic_links)
{
	scratch_write("elsewhere.json", "{\"currentContext\":\"far\"}");
	ck_assert_int_eq(symlink(scratch_path("elsewhere.json"),
			     scratch_path("home/.docker/config.json")),
	    0);
	check(NULL, "tcp://far:2376");
	ck_assert_int_eq(rename(scratch_path("home/.docker/contexts/meta/1b/"
					     "meta.json"),
			     scratch_path("meta.json")),
	    0);
	ck_assert_int_eq(symlink(scratch_path("meta.json"),
			     scratch_path("home/.docker/contexts/meta/1b/"
					  "meta.json")),
	    0);
	check(NULL, "tcp://far:2376");
}
END_TEST

/* Nobody writes: reading must not wait. */
START_TEST(fifo)
{
	ck_assert_int_eq(mkfifo(scratch_path("home/.docker/config.json"), 0600),
	    0);
	check(NULL, "default");
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("endpoint");

	unit_add_with(suite, "K3: the endpoint, in docker's own order",
	    resolves, make_folder, scratch_remove, ROWS(rows));
	unit_add_with(suite, "K3: a broken config.json names no context",
	    broken_config, make_folder, scratch_remove, ROWS(broken));
	unit_add_with(suite, "K3: DOCKER_CONFIG comes before HOME",
	    other_folder, make_folder, scratch_remove, 1);
	unit_add_with(suite, "K3: settings may be symbolic links",
	    symbolic_links, make_folder, scratch_remove, 1);
	unit_add_with(suite, "K3: a FIFO is no config.json", fifo, make_folder,
	    scratch_remove, 1);
	return suite;
}

UNIT_MAIN(make_suite)
