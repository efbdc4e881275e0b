/* SPDX-License-Identifier: ISC */
/* docker/args: the exact words of every call, and no secret among them. */
#include <stdlib.h>
#include <string.h>

#include "docker/args.h"
#include "unit.h"

static struct strvec argv, list;

static void
check_argv(const char *expected)
{
	char *joined = strvec_join(&argv, "|");

	ck_assert_str_eq(joined, expected);
	free(joined);
	strvec_clear(&argv);
	strvec_clear(&list);
}

START_TEST(inspect)
{
	strvec_add_all(&list, "a", "b", NULL);
	args_inspect(&argv, &list);
	check_argv("inspect|--type|container|--format|"
		   "{\"id\":\"{{.Id}}\",\"name\":{{json .Name}},"
		   "\"created\":{{json .Created}},"
		   "\"state\":{{json .State.Status}},"
		   "\"started\":{{json .State.StartedAt}},"
		   "\"finished\":{{json .State.FinishedAt}},"
		   "\"exit\":{{json .State.ExitCode}},"
		   "\"oom\":{{json .State.OOMKilled}},"
		   "\"failure\":{{json .State.Error}},"
		   "\"image\":{{json .Config.Image}},"
		   "\"labels\":{{json .Config.Labels}},"
		   "\"mode\":{{json .HostConfig.NetworkMode}},"
		   "\"networks\":{{json .NetworkSettings.Networks}},"
		   "\"ports\":{{json .NetworkSettings.Ports}}}|a|b");
}
END_TEST

#define FIELDS(state)                                      \
	"{\"id\":{{json .ID}},\"names\":{{json .Names}},"  \
	"\"state\":{{json " state "}},\"created\":{{json " \
	".CreatedAt}},\"labels\":{\"\":\"\""
#define LIST_FIELDS FIELDS(".State")

START_TEST(ps)
{
	struct strvec keys = { 0 };
	struct docker_filter filter = { NULL, NULL, NULL };

	args_list(&argv, &filter, false);
	check_argv("ps|-a|--no-trunc|--format|" LIST_FIELDS "}}");
	strvec_add_all(&list, "^a$", "^b\\.c$", NULL);
	strvec_add_all(&keys, "x.y", "z", NULL);
	filter = (struct docker_filter){ "x.y=1", &list, &keys };
	args_list(&argv, &filter, false);
	check_argv("ps|-a|--no-trunc|--filter=label=x.y=1|--filter=name=^a$|"
		   "--filter=name=^b\\.c$|--format|" LIST_FIELDS
		   ",\"x.y\":{{json (.Label \"x.y\")}}"
		   ",\"z\":{{json (.Label \"z\")}}}}");
	/* podman has no .Label, and its .State is a sentence */
	filter.names = NULL;
	args_list(&argv, &filter, true);
	check_argv("ps|-a|--no-trunc|--filter=label=x.y=1|--format|" FIELDS(
	    ".ListContainer.State") ",\"x.y\":{{json (index .Labels \"x.y\")}}"
				    ",\"z\":{{json (index .Labels \"z\")}}}}");
	strvec_clear(&keys);
}
END_TEST

START_TEST(rm)
{
	strvec_add_all(&list, "a", "b", NULL);
	args_remove(&argv, &list, true, false);
	check_argv("rm|-f|-v|a|b");
	strvec_add(&list, "a");
	args_remove(&argv, &list, false, false);
	check_argv("rm|-f|a");
	strvec_add(&list, "a");
	args_remove(&argv, &list, true, true);
	check_argv("rm|-f|-v|--ignore|-t|0|a");
	strvec_add(&list, "a");
	args_remove(&argv, &list, false, true);
	check_argv("rm|-f|--ignore|-t|0|a");
}
END_TEST

START_TEST(small_verbs)
{
	args_logs(&argv, "a", 100000);
	check_argv("logs|--tail|100000|a");
	strvec_add_all(&list, "i:1", "j", NULL);
	args_image_inspect(&argv, &list);
	check_argv("image|inspect|--format|{{.Id}}|i:1|j");
	args_pull(&argv, "i:1");
	check_argv("pull|i:1");
	strvec_add_all(&list, "a", "b", NULL);
	args_stop(&argv, &list, 7);
	check_argv("stop|-t|7|a|b");
	strvec_add_all(&list, "a", "b", NULL);
	args_unpause(&argv, &list);
	check_argv("unpause|a|b");
}
END_TEST

START_TEST(exec_words)
{
	struct docker_exec exec = { .id = "a" };

	strvec_add_all(&exec.command, "sh", "-c", "x y", NULL);
	args_exec(&argv, &exec);
	check_argv("exec|a|sh|-c|x y");
	exec.input = "";
	args_exec(&argv, &exec);
	check_argv("exec|-i|a|sh|-c|x y");
	strvec_clear(&exec.command);
}
END_TEST

START_TEST(run_least)
{
	struct docker_run run = { .name = "n",
		.image = "i",
		.network = "",
		.memory = NULL };

	args_run(&argv, &run);
	check_argv("run|-d|--pull|never|--name|n|--security-opt|"
		   "no-new-privileges|i");
	docker_run_clear(&run);
}
END_TEST

static void
fill_run(struct docker_run *run)
{
	*run = (struct docker_run){ .name = "n",
		.image = "i:1",
		.entrypoint = "sh",
		.user = "u",
		.network = "net",
		.publish = "127.0.0.1::5432",
		.memory = "512m",
		.cpus = "1.5",
		.pids_limit = "99",
		.shm_size = "128m" };
	strvec_add_all(&run->labels, "a=1", "b=c d", NULL);
	strvec_add(&run->tmpfs, "/d:size=1m");
	strvec_add_all(&run->environment, "E=1", "F=", NULL);
	strvec_add_all(&run->options, "--ulimit", "nofile=1", NULL);
	strvec_add_all(&run->command, "-c", "x", NULL);
	strvec_add_all(&run->secrets, "PW=s3cret=with=equals", "TOKEN=t0ken",
	    NULL);
}

START_TEST(run_most)
{
	struct docker_run run;

	fill_run(&run);
	args_run(&argv, &run);
	check_argv("run|-d|--pull|never|--name|n|--label|a=1|--label|b=c d|"
		   "--network|net|-p|127.0.0.1::5432|--memory|512m|"
		   "--cpus|1.5|--pids-limit|99|--shm-size|128m|"
		   "--security-opt|no-new-privileges|--tmpfs|/d:size=1m|"
		   "--user|u|--entrypoint|sh|-e|E=1|-e|F=|-e|PW|-e|TOKEN|"
		   "--ulimit|nofile=1|i:1|-c|x");
	docker_run_clear(&run);
}
END_TEST

START_TEST(no_secret)
{
	struct docker_run run;
	size_t i;

	fill_run(&run);
	args_run(&argv, &run);
	for (i = 0; i < argv.len; i++) {
		ck_assert_ptr_null(strstr(argv.items[i], "s3cret"));
		ck_assert_ptr_null(strstr(argv.items[i], "t0ken"));
		ck_assert_ptr_null(strstr(argv.items[i], "equals"));
		ck_assert_str_ne(argv.items[i], "PW=");
	}
	strvec_clear(&argv);
	docker_run_clear(&run);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("docker-args");

	unit_add(suite, "inspect looks at containers alone", inspect);
	unit_add(suite, "ps tells each label in a field of its own", ps);
	unit_add(suite, "T3: rm takes the anonymous volumes along", rm);
	unit_add(suite, "logs, image inspect, pull, stop, unpause",
	    small_verbs);
	unit_add(suite, "exec has -i exactly where there is input", exec_words);
	unit_add(suite, "run leaves out what is not set", run_least);
	unit_add(suite, "E9: run has every option in its place", run_most);
	unit_add(suite, "E8: the value of a secret is in no argument",
	    no_secret);
	return suite;
}

UNIT_MAIN(make_suite)
