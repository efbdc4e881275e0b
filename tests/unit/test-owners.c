/* SPDX-License-Identifier: ISC */
/* core/owner and core/process_owner: listing owners, judging processes. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/fd.h"
#include "client.h"
#include "core/process_owner.h"

static char container_prefix[] = "roboco-agent-";
static char sandbox_prefix[] = "roboco-sandbox-";
static char label[] = "roboco.sandbox";
static struct settings settings = { .container_prefix = container_prefix,
	.sandbox_prefix = sandbox_prefix,
	.label = label };
static struct core core = { .settings = &settings, .docker = &client };

/* The name filters of the one call that lists these names. */
static void
check_filters(const struct strvec *names, const char *expected)
{
	struct container_list list = { 0 };
	struct strvec words = { 0 }, filters = { 0 };
	struct error err;
	char *joined;
	size_t i;

	scheme_init(&core.scheme, &settings);
	client_says(0, "", "");
	scratch_write("argv", "");
	ck_assert_int_eq(owner_list(&core, names, &list, &err), 0);
	strvec_split(&words, scratch_text("argv"), ' ');
	for (i = 0; i < words.len; i++)
		if (strncmp(words.items[i], "--filter=", 9) == 0)
			strvec_add(&filters, words.items[i] + 9);
	joined = strvec_join(&filters, " ");
	ck_assert_str_eq(joined, expected);
	free(joined);
	strvec_clear(&filters);
	strvec_clear(&words);
	container_list_clear(&list);
	scheme_clear(&core.scheme);
}

START_TEST(few_owners)
{
	struct strvec names = { 0 };

	strvec_add_all(&names, "roboco-agent-a", "web.1", NULL);
	/* names matched whole, their dots no wild cards */
	check_filters(&names, "name=^roboco-agent-a$ name=^web\\.1$");
	strvec_clear(&names);
}
END_TEST

START_TEST(many_owners)
{
	struct strvec names = { 0 };
	int i;

	for (i = 0; i < 20; i++)
		strvec_addf(&names, "roboco-agent-a%d", i);
	check_filters(&names, "name=^roboco-agent-");
	strvec_add(&names, "web");
	check_filters(&names, "name=^roboco-agent- name=^web$");
	for (i = 0; i < 20; i++)
		strvec_addf(&names, "web-%d", i);
	check_filters(&names, "");
	strvec_clear(&names);
}
END_TEST

/* A process that sleeps until it is killed. */
static pid_t
start_process(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			(void)pause();
	ck_assert_int_ne(pid, -1);
	return pid;
}

static char *
describe(pid_t pid)
{
	struct error err = { 0 };
	char *text = NULL;

	ck_assert_msg(process_owner_describe(pid, &text, &err) == 0, "%s",
	    err.msg);
	ck_assert_int_eq(owner_parse(text).type, OWNER_PROCESS);
	return text;
}

START_TEST(alive_then_dead)
{
	pid_t pid = start_process();
	char *text = describe(pid);
	struct owner_view view = process_owner_judge(text);
	struct error err;
	char *none = NULL;

	ck_assert_int_eq(view.state, OWNER_ALIVE);
	(void)kill(pid, SIGKILL);
	/* a zombie has ended, too: wait until it is one, and leave it */
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, NULL, WEXITED | WNOWAIT), 0);
	view = process_owner_judge(text);
	ck_assert_int_eq(view.state, OWNER_STOPPED);
	ck_assert_int_eq(view.since, 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	view = process_owner_judge(text);
	ck_assert_int_eq(view.state, OWNER_STOPPED);
	ck_assert_int_eq(view.since, 0);
	ck_assert_int_eq(process_owner_describe(pid, &none, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_OWNER);
	free(text);
}
END_TEST

static void *
go_on(void *arg)
{
	for (;;)
		(void)pause();
	return arg;
}

/* A process whose first thread ends, and whose second one goes on. */
static pid_t
start_headless(void)
{
	pid_t pid = fork();
	pthread_t thread;

	if (pid == 0) {
		if (pthread_create(&thread, NULL, go_on, NULL) == 0)
			pthread_exit(NULL);
		_exit(1);
	}
	ck_assert_int_ne(pid, -1);
	return pid;
}

/* Until the kernel calls it a zombie; false after ten seconds. */
static bool
wait_for_zombie(pid_t pid)
{
	const struct timespec moment = { 0, 2000000 };
	struct strbuf stat = { 0 };
	bool is_zombie = false;
	char path[64];
	int tries;

	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	for (tries = 0; tries < 5000 && !is_zombie; tries++) {
		(void)nanosleep(&moment, NULL);
		strbuf_clear(&stat);
		if (fd_read_file(AT_FDCWD, path, 4096, &stat) == 0)
			is_zombie = strstr(strbuf_str(&stat), ") Z ") != NULL;
	}
	strbuf_clear(&stat);
	return is_zombie;
}

START_TEST(first_thread_ends)
{
	pid_t pid = start_headless();
	char *text = describe(pid), *again;

	ck_assert(wait_for_zombie(pid));
	ck_assert_int_eq(process_owner_judge(text).state, OWNER_ALIVE);
	again = describe(pid);
	ck_assert_str_eq(again, text);
	(void)kill(pid, SIGKILL);
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, NULL, WEXITED | WNOWAIT), 0);
	ck_assert_int_eq(process_owner_judge(text).state, OWNER_STOPPED);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	free(again);
	free(text);
}
END_TEST

/* Which part of our own description is changed, and to what. */
static const struct {
	size_t part;
	const char *value;
	enum owner_state state;
} changes[] = {
	{ 0, "pid", OWNER_ALIVE },
	{ 1, "0123456789abcdef0123456789abcdef", OWNER_UNKNOWN },
	{ 3, "1", OWNER_UNKNOWN },
	{ 3, "", OWNER_UNKNOWN },
	{ 4, "", OWNER_UNKNOWN },
	{ 4, "-1", OWNER_UNKNOWN },
	{ 4, "self", OWNER_UNKNOWN },
	{ 4, "../1", OWNER_UNKNOWN },
	{ 4, "99999999", OWNER_STOPPED },
	{ 5, "1", OWNER_STOPPED },
	{ 5, "", OWNER_UNKNOWN },
	{ 5, "soon", OWNER_UNKNOWN },
};

START_TEST(another_than_this)
{
	char *text = describe(getpid()), *rest = text, *parts[6];
	struct strbuf changed = { 0 };
	size_t i;

	for (i = 0; i < ROWS(parts); i++) {
		parts[i] = strsep(&rest, ":");
		ck_assert_ptr_nonnull(parts[i]);
		strbuf_addf(&changed, "%s%s", i > 0 ? ":" : "",
		    i == changes[_i].part ? changes[_i].value : parts[i]);
	}
	ck_assert_ptr_null(rest);
	ck_assert_msg(process_owner_judge(strbuf_str(&changed)).state ==
		changes[_i].state,
	    "%s", strbuf_str(&changed));
	strbuf_clear(&changed);
	free(text);
}
END_TEST

/* After a boot nothing of before is left, if it is this machine. */
START_TEST(another_boot)
{
	char *text = describe(getpid()), *rest = text;
	struct strbuf changed = { 0 };
	const char *machine;

	(void)strsep(&rest, ":");
	machine = strsep(&rest, ":");
	(void)strsep(&rest, ":");
	strbuf_addf(&changed, "pid:%s:another:%s", machine, rest);
	ck_assert_int_eq(process_owner_judge(strbuf_str(&changed)).state,
	    *machine != '\0' ? OWNER_STOPPED : OWNER_UNKNOWN);
	strbuf_clear(&changed);
	free(text);
}
END_TEST

static const char *const strange[] = { "", "pid", "pid:", "pid:1",
	"pid:::::", "pid:m:b:n:1:2:3", "pid:m:b:n:1", "container:ab" };

START_TEST(strange_texts)
{
	ck_assert_int_eq(process_owner_judge(strange[_i]).state, OWNER_UNKNOWN);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("owners");

	client_add(suite, "S3: few owners are asked for by their whole names",
	    few_owners, 1);
	client_add(suite, "S3: many are asked for by their prefix, or not",
	    many_owners, 1);
	unit_add(suite, "O2: a process lives, or it has ended",
	    alive_then_dead);
	unit_add(suite, "O2: it lives without its first thread, too",
	    first_thread_ends);
	unit_add_each(suite, "O2: the same machine and namespace may judge",
	    another_than_this, ROWS(changes));
	unit_add(suite, "O2: no process outlives a boot", another_boot);
	unit_add_each(suite, "O2: what is no process's text is unknown",
	    strange_texts, ROWS(strange));
	return suite;
}

UNIT_MAIN(make_suite)
