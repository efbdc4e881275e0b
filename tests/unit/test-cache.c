/* SPDX-License-Identifier: ISC */
/* store/cache: entries and release marks in the state directory. */
#include <dirent.h>
#include <stdlib.h>
#include <sys/time.h>

#include "base/alloc.h"
#include "scratch.h"
#include "store/store.h"

#define GOOD "sandkeeper 1\nagent=a\nowner=none\nend\n"

static struct store store;

static void
open_store(void)
{
	struct error err;

	scratch_make();
	ck_assert_int_eq(store_open(&store, scratch_path("state"), "default",
			     STORE_CHANGE, &err),
	    0);
}

static void
close_store(void)
{
	store_close(&store);
	scratch_remove();
}

static void
write_entry(const char *agent, const char *password)
{
	struct agent_entry entry = { 0 };
	struct error err;

	xstr_set(&entry.agent, agent);
	xstr_set(&entry.owner, "none");
	xstr_set(&agent_entry_add(&entry, "redis")->password, password);
	ck_assert_int_eq(store_write(&store, &entry, &err), 0);
	agent_entry_clear(&entry);
}

/* Read agent "a"; returns what store_read did. */
static int
read_entry(bool lock_held, bool *found, struct error *err)
{
	struct agent_entry entry;
	int rc = store_read(&store, "a", lock_held, &entry, found, err);

	agent_entry_clear(&entry);
	return rc;
}

/* The names in agents/ that begin with a dot. */
static size_t
count_hidden(const char *part)
{
	DIR *dir = opendir(scratch_path("state/agents"));
	struct dirent *item;
	size_t count = 0;

	while ((item = readdir(dir)) != NULL)
		if (item->d_name[0] == '.' && strstr(item->d_name, part))
			count++;
	(void)closedir(dir);
	return count;
}

START_TEST(written_and_read)
{
	struct agent_entry entry;
	struct strvec slugs = { 0 };
	struct error err;
	struct stat st;
	bool found;

	(void)umask(0);
	write_entry("b", "two");
	write_entry("a", "one");
	write_entry("a", "three");
	ck_assert_int_eq(stat(scratch_path("state/agents/a"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	ck_assert(store_has(&store, "a"));
	ck_assert(!store_has(&store, "c"));
	ck_assert_int_eq(store_read(&store, "a", false, &entry, &found, &err),
	    0);
	ck_assert(found);
	ck_assert_str_eq(entry.services[0].password, "three");
	agent_entry_clear(&entry);
	scratch_write("state/agents/.hidden", "");
	ck_assert_int_eq(store_list(&store, &slugs, &err), 0);
	ck_assert_uint_eq(slugs.len, 2);
	ck_assert_str_eq(slugs.items[0], "a");
	ck_assert_str_eq(slugs.items[1], "b");
	strvec_clear(&slugs);
	ck_assert_int_eq(store_remove(&store, "a", &err), 0);
	ck_assert_int_eq(store_remove(&store, "a", &err), 0);
	ck_assert(!store_has(&store, "a"));
	ck_assert_int_eq(read_entry(true, &found, &err), 0);
	ck_assert(!found);
}
END_TEST

static const char *const damaged[] = {
	"",
	"sandkeeper 1\nagent=a\nowner=none\n",
	"sandkeeper 1\nagent=a\nowner=none\nnonsense\nend\n",
	"sandkeeper 1\nagent=b\nowner=none\nend\n",
	"\0\0\0\0",
};

START_TEST(damaged_entry)
{
	struct error err;
	bool found = true;

	scratch_write("state/agents/a", damaged[_i]);
	ck_assert_int_eq(read_entry(false, &found, &err), 0);
	ck_assert(!found);
	ck_assert_str_eq(scratch_text("state/agents/a"), damaged[_i]);
	ck_assert_uint_eq(count_hidden("corrupt"), 0);
	found = true;
	ck_assert_int_eq(read_entry(true, &found, &err), 0);
	ck_assert(!found);
	ck_assert(!store_has(&store, "a"));
	ck_assert_uint_eq(count_hidden(".a.corrupt.2"), 1);
}
END_TEST

/* A slug may hold the tag: what is another agent's is not touched. */
START_TEST(whose_is_damaged)
{
	static const char *const others[] = {
		"state/agents/.a.corrupt.x.release",
		"state/agents/.a.corrupt.x.tmp.01234567",
		"state/agents/.a.corrupt.x.corrupt.20261130T150045Z",
		"state/agents/.ab.corrupt.20261130T150045Z",
		"state/agents/.a.corrupt.20261130T150045Zx",
		"state/agents/.corrupt.20261130T150045Z",
	};
	struct strvec slugs = { 0 };
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		scratch_write(others[i], "x");
	ck_assert(!store_has_damaged(&store, "a"));
	scratch_write("state/agents/.a.corrupt.20261130T150045Z", "x");
	scratch_write("state/agents/.a.corrupt.20261130T150046Z", "x");
	ck_assert(store_has_damaged(&store, "a"));
	ck_assert(store_has_damaged(&store, "a.corrupt.x"));
	store_list_damaged(&store, &slugs);
	ck_assert_uint_eq(slugs.len, 3);
	strvec_clear(&slugs);
	store_forget_damaged(&store, "a");
	ck_assert(!store_has_damaged(&store, "a"));
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		ck_assert_msg(scratch_has(others[i]), "%s", others[i]);
}
END_TEST

START_TEST(too_large)
{
	char *text = malloc(1100000);
	struct error err;
	bool found;

	memset(text, 'x', 1100000);
	scratch_write_bytes("state/agents/a", text, 1100000);
	free(text);
	ck_assert_int_eq(read_entry(true, &found, &err), 0);
	ck_assert(!found);
	ck_assert_uint_eq(count_hidden(".a.corrupt.2"), 1);
}
END_TEST

START_TEST(agent_from_the_name)
{
	struct agent_entry entry;
	struct error err;
	bool found;

	scratch_write("state/agents/a", "sandkeeper 1\nowner=none\nend\n");
	ck_assert_int_eq(store_read(&store, "a", true, &entry, &found, &err),
	    0);
	ck_assert(found);
	ck_assert_str_eq(entry.agent, "a");
	agent_entry_clear(&entry);
}
END_TEST

START_TEST(newer_version)
{
	static const char text[] = "sandkeeper 2\nanything\n";
	struct error err;
	bool found;

	scratch_write("state/agents/a", text);
	ck_assert_int_eq(read_entry(true, &found, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_NEWER);
	ck_assert_str_eq(err.agent, "a");
	ck_assert(!found);
	ck_assert_str_eq(scratch_text("state/agents/a"), text);
}
END_TEST

static void
check_unsafe(void)
{
	struct error err;
	bool found;

	ck_assert(store_has(&store, "a"));
	ck_assert_int_eq(read_entry(true, &found, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_UNSAFE);
	ck_assert_str_eq(err.agent, "a");
	ck_assert(store_has(&store, "a"));
	ck_assert_uint_eq(count_hidden("corrupt"), 0);
	ck_assert_int_eq(remove(scratch_path("state/agents/a")), 0);
}

START_TEST(no_regular_file)
{
	scratch_write("elsewhere", GOOD);
	ck_assert_int_eq(symlink(scratch_path("elsewhere"),
			     scratch_path("state/agents/a")),
	    0);
	check_unsafe();
	ck_assert_int_eq(symlink("nowhere", scratch_path("state/agents/a")), 0);
	check_unsafe();
	ck_assert_int_eq(mkfifo(scratch_path("state/agents/a"), 0600), 0);
	check_unsafe();
	scratch_mkdir("state/agents/a");
	check_unsafe();
	ck_assert_str_eq(scratch_text("elsewhere"), GOOD);
}
END_TEST

START_TEST(marks)
{
	struct strvec slugs = { 0 };
	struct error err;

	ck_assert(!store_is_marked(&store, "a"));
	ck_assert_int_eq(store_mark(&store, "a", &err), 0);
	ck_assert_int_eq(store_mark(&store, "a", &err), 0);
	ck_assert(store_is_marked(&store, "a"));
	ck_assert(!store_is_marked(&store, "b"));
	/* a mark is no entry */
	ck_assert(!store_has(&store, "a"));
	ck_assert_int_eq(store_list(&store, &slugs, &err), 0);
	ck_assert_uint_eq(slugs.len, 0);
	ck_assert_int_eq(store_unmark(&store, "a", &err), 0);
	ck_assert_int_eq(store_unmark(&store, "a", &err), 0);
	ck_assert(!store_is_marked(&store, "a"));
}
END_TEST

START_TEST(failed_write)
{
	struct agent_entry entry = { 0 };
	struct error err;

	xstr_set(&entry.agent, "a");
	xstr_set(&entry.owner, "none");
	scratch_mkdir("state/agents/a");
	ck_assert_int_eq(store_write(&store, &entry, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_STATE_WRITE);
	ck_assert_uint_eq(count_hidden("tmp"), 0);
	agent_entry_clear(&entry);
}
END_TEST

static void
make_old(const char *name, int64_t age)
{
	struct timeval times[2] = { { 0, 0 }, { 0, 0 } };

	scratch_write(name, "x");
	times[0].tv_sec = times[1].tv_sec = (time_t)(clock_now() - age);
	ck_assert_int_eq(utimes(scratch_path(name), times), 0);
}

/* Names, ages in seconds, and whether store_tidy() leaves them. */
static const struct {
	const char *name;
	int64_t age;
	bool stays;
} leftovers[] = {
	{ "state/agents/.a.tmp.0123abcd", 4000, false },
	{ "state/agents/.a.tmp.0123abcd", 0, false },
	{ "state/.keeper.tmp.0123abcd", 4000, false },
	{ "state/.keeper.tmp.0123abcd", 3000, true },
	{ "state/agents/.a.tmp.0123abc", 4000, true },
	{ "state/agents/.a.tmp.0123ABCD", 4000, true },
	{ "state/agents/a.tmp.0123abcd", 4000, true },
	{ "state/agents/.a.corrupt.20261130T150045Z", 99999, true },
	{ "state/agents/.a.release", 4000, true },
	{ "state/agents/.none.release", 4000, false },
	{ "state/agents/.none.release", 0, false },
	{ "state/locks/a", 0, false },
	{ "state/agents/none.release", 4000, true },
	{ "state/agents/b", 4000, true },
};

START_TEST(tidies)
{
	write_entry("a", "one");
	make_old(leftovers[_i].name, leftovers[_i].age);
	store_tidy(&store);
	ck_assert(scratch_has(leftovers[_i].name) == leftovers[_i].stays);
	ck_assert(store_has(&store, "a"));
}
END_TEST

static void
add(Suite *suite, const char *sentence, const TTest *test, size_t count)
{
	unit_add_with(suite, sentence, test, open_store, close_store, count);
}

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("cache");

	add(suite, "entries are written, read, listed, removed",
	    written_and_read, 1);
	add(suite, "a damaged entry is set aside, with the lock alone",
	    damaged_entry, ROWS(damaged));
	add(suite, "what is set aside is told and forgotten by its whole name",
	    whose_is_damaged, 1);
	add(suite, "a file that is too large is no entry", too_large, 1);
	add(suite, "an entry without an agent's name is its file's",
	    agent_from_the_name, 1);
	add(suite, "a newer version is refused, and left", newer_version, 1);
	add(suite, "unsafe: what is no regular file, and left", no_regular_file,
	    1);
	add(suite, "L2: a release mark is there until it is removed", marks, 1);
	add(suite, "a write that fails leaves no temporary file", failed_write,
	    1);
	add(suite, "what dead writers left goes", tidies, ROWS(leftovers));
	return suite;
}

UNIT_MAIN(make_suite)
