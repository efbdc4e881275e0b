/* SPDX-License-Identifier: ISC */
/* docker/about: version, info, networks. */
#include "client.h"
#include "docker/about.h"

static const struct {
	const char *text;
	bool podman;
	const char *client, *client_api, *server, *server_api;
} versions[] = {
	{ "{\"Client\":{\"Version\":\"28.2.2\",\"ApiVersion\":\"1.41\","
	  "\"DefaultAPIVersion\":\"1.50\"},\"Server\":{\"Version\":\"20.10."
	  "24\","
	  "\"ApiVersion\":\"1.41\"}}\n",
	    false, "28.2.2", "1.50", "20.10.24", "1.41" },
	{ "{\"Client\":{\"Version\":\"28.2.2\",\"DefaultAPIVersion\":\"1.50\"},"
	  "\"Server\":null}\n",
	    false, "28.2.2", "1.50", "", "" },
	{ "{\"Client\":{\"APIVersion\":\"4.3.1\",\"Version\":\"4.3.1\"}}\n",
	    true, "4.3.1", "4.3.1", "4.3.1", "4.3.1" },
	{ "", false, "", "", "", "" },
	{ "{\"Client\":", false, "", "", "", "" },
	{ "[]\n", false, "", "", "", "" },
	{ "{\"Client\":[1],\"Server\":{\"Version\":7}}\n", false, "", "", "",
	    "" },
};

START_TEST(version)
{
	struct docker_version got;
	struct strbuf text = { 0 };

	strbuf_adds(&text, versions[_i].text);
	parse_version(&text, versions[_i].podman, &got);
	ck_assert_str_eq(got.client, versions[_i].client);
	ck_assert_str_eq(got.client_api, versions[_i].client_api);
	ck_assert_str_eq(got.server, versions[_i].server);
	ck_assert_str_eq(got.server_api, versions[_i].server_api);
	strbuf_clear(&text);
}
END_TEST

static const struct {
	const char *text;
	int rc;
	bool rootless, memory, cpus, pids;
	int64_t now;
} infos[] = {
	{ "{\"SecurityOptions\":[\"name=seccomp,profile=default\"],"
	  "\"MemoryLimit\":true,\"CpuCfsQuota\":true,\"PidsLimit\":true,"
	  "\"SystemTime\":\"2026-11-30T20:27:25.938717893Z\"}\n",
	    0, false, true, true, true, 1796070445 },
	{ "{\"SecurityOptions\":[\"name=rootless\"],\"MemoryLimit\":false,"
	  "\"CpuCfsQuota\":false,\"PidsLimit\":false}\n",
	    0, true, false, false, false, TIME_UNKNOWN },
	/* podman: what its user may set */
	{ "{\"host\":{\"cgroupControllers\":[\"cpuset\",\"memory\",1],"
	  "\"security\":{\"rootless\":true}}}\n",
	    0, true, true, false, false, TIME_UNKNOWN },
	{ "{\"host\":{\"cgroupControllers\":[],"
	  "\"security\":{\"rootless\":true}}}\n",
	    0, true, false, false, false, TIME_UNKNOWN },
	{ "{\"host\":{\"cgroupControllers\":[\"cpu\",\"pids\"]}}\n", 0, false,
	    false, true, true, TIME_UNKNOWN },
	{ "{\"host\":{\"security\":{\"rootless\":true}}}\n", 0, true, true,
	    true, true, TIME_UNKNOWN },
	{ "{\"SystemTime\":\"now\",\"SecurityOptions\":[1,null]}\n", 0, false,
	    true, true, true, TIME_UNKNOWN },
	{ "", -1, false, false, false, false, 0 },
	{ "[]\n", -1, false, false, false, false, 0 },
	{ "ERROR: no\n", -1, false, false, false, false, 0 },
};

START_TEST(info)
{
	struct docker_info got;
	struct strbuf text = { 0 };
	struct error err = { 0 };
	int64_t now;

	strbuf_adds(&text, infos[_i].text);
	ck_assert_int_eq(parse_info(&text, &got, &now, &err), infos[_i].rc);
	strbuf_clear(&text);
	if (infos[_i].rc == -1) {
		ck_assert_int_eq(err.kind, ERROR_DOCKER);
		return;
	}
	ck_assert(got.rootless == infos[_i].rootless);
	ck_assert(got.limits_memory == infos[_i].memory);
	ck_assert(got.limits_cpus == infos[_i].cpus);
	ck_assert(got.limits_pids == infos[_i].pids);
	ck_assert_int_eq(now, infos[_i].now);
}
END_TEST

/* The words of docker 28 and of 20.10. */
static const struct {
	const char *out, *err;
	int code, rc;
	const char *missing;
} networks[] = {
	{ "\"a\"\n\"b\"\n", "", 0, 0, "" },
	{ "\"a\"\n", "Error response from daemon: network b not found\n", 1, 0,
	    "b" },
	{ "\n", "Error: No such network: a\nError: No such network: b\n", 1, 0,
	    "a,b" },
	{ "[]\n",
	    "Cannot connect to the Docker daemon at unix:///x. Is the docker "
	    "daemon running?\n",
	    1, -1, "" },
	{ "\"a\"\n\"b\"\n", "Error: No such network: c\n", 1, -1, "" },
};

START_TEST(missing)
{
	struct strvec names = { 0 }, got = { 0 };
	struct error err = { 0 };
	char *joined;

	strvec_add_all(&names, "a", "b", NULL);
	client_says(networks[_i].code, networks[_i].out, networks[_i].err);
	ck_assert_int_eq(docker_networks_missing(&client, &names, &got, &err),
	    networks[_i].rc);
	joined = strvec_join(&got, ",");
	ck_assert_str_eq(joined, networks[_i].missing);
	free(joined);
	strvec_clear(&names);
	strvec_clear(&got);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("docker-about");

	unit_add_each(suite, "what tells its version, and what does not",
	    version, ROWS(versions));
	unit_add_each(suite, "what the daemon tells of itself", info,
	    ROWS(infos));
	client_add(suite, "networks that are not there", missing,
	    ROWS(networks));
	return suite;
}

UNIT_MAIN(make_suite)
