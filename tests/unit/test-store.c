/* SPDX-License-Identifier: ISC */
/* store/store: opening the state directory, and the keeper's id. */
#include <sys/wait.h>

#include "base/text.h"
#include "scratch.h"
#include "store/store.h"

static const char hex[] = "0123456789abcdef";

static int
open_at(struct store *store, const char *name, const char *endpoint,
    enum store_mode mode, struct error *err)
{
	memset(err, 0, sizeof(*err));
	return store_open(store, scratch_path(name), endpoint, mode, err);
}

static void
check_mode(const char *name, mode_t mode)
{
	struct stat st;

	ck_assert_int_eq(stat(scratch_path(name), &st), 0);
	ck_assert_msg((st.st_mode & 07777) == mode, "%s: %04o", name,
	    st.st_mode & 07777);
}

START_TEST(makes_what_is_missing)
{
	struct store store;
	struct error err;

	(void)umask(0);
	ck_assert_int_eq(open_at(&store, "one/two/state", "default",
			     STORE_CHANGE, &err),
	    0);
	check_mode("one/two/state", 0700);
	check_mode("one/two/state/agents", 0700);
	check_mode("one/two/state/locks", 0700);
	check_mode("one/two/state/keeper", 0600);
	ck_assert_uint_eq(strlen(store.keeper), 32);
	ck_assert(text_only(store.keeper, hex));
	ck_assert_int_eq(fcntl(store.agents, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	store_close(&store);
	ck_assert_int_eq(store.root, -1);
}
END_TEST

START_TEST(look_makes_nothing)
{
	struct strvec slugs = { 0 };
	struct agent_entry entry;
	struct store store;
	struct error err;
	bool found = true;

	ck_assert_int_eq(open_at(&store, "state", "default", STORE_LOOK, &err),
	    0);
	ck_assert_int_eq(store.root, -1);
	ck_assert_str_eq(store.keeper, "");
	ck_assert(!store_has(&store, "a"));
	ck_assert(!store_is_marked(&store, "a"));
	ck_assert_int_eq(store_list(&store, &slugs, &err), 0);
	ck_assert_uint_eq(slugs.len, 0);
	ck_assert_int_eq(store_read(&store, "a", false, &entry, &found, &err),
	    0);
	ck_assert(!found);
	store_close(&store);
	ck_assert(!scratch_has("state"));
	/* an empty one is looked at, and left as it is */
	scratch_mkdir("state");
	ck_assert_int_eq(open_at(&store, "state", "tcp://h", STORE_LOOK, &err),
	    0);
	ck_assert_int_eq(store.agents, -1);
	store_close(&store);
	ck_assert_int_eq(rmdir(scratch_path("state")), 0);
}
END_TEST

START_TEST(keeper_stays)
{
	struct store one, two;
	struct error err;

	ck_assert_int_eq(open_at(&one, "state", "default", STORE_CHANGE, &err),
	    0);
	ck_assert_int_eq(open_at(&two, "state", "default", STORE_LOOK, &err),
	    0);
	ck_assert_str_eq(one.keeper, two.keeper);
	store_close(&two);
	/* of a state directory, not of a daemon */
	ck_assert_int_eq(open_at(&two, "state", "tcp://h:1", STORE_CHANGE,
			     &err),
	    0);
	ck_assert_str_eq(one.keeper, two.keeper);
	store_close(&two);
	ck_assert_int_eq(open_at(&two, "other", "default", STORE_CHANGE, &err),
	    0);
	ck_assert_str_ne(one.keeper, two.keeper);
	store_close(&two);
	store_close(&one);
}
END_TEST

enum { CROWD = 8 };

/* Wait for the start, open it, tell the id. */
static void
open_in_crowd(const int start[2], int answer)
{
	struct store store;
	struct error err;
	char byte;

	(void)close(start[1]);
	(void)!read(start[0], &byte, 1);
	if (open_at(&store, "state", "default", STORE_CHANGE, &err) == -1)
		_exit(1);
	_exit(write(answer, store.keeper, 32) == 32 ? 0 : 1);
}

START_TEST(keeper_made_once)
{
	char keepers[CROWD][32];
	int start[2], answers[2], i;

	ck_assert_int_eq(pipe(start), 0);
	ck_assert_int_eq(pipe(answers), 0);
	for (i = 0; i < CROWD; i++)
		if (fork() == 0)
			open_in_crowd(start, answers[1]);
	(void)close(start[1]);
	(void)close(answers[1]);
	for (i = 0; i < CROWD; i++)
		ck_assert_int_eq(read(answers[0], keepers[i], 32), 32);
	for (i = 1; i < CROWD; i++)
		ck_assert_int_eq(memcmp(keepers[0], keepers[i], 32), 0);
	while (wait(NULL) != -1)
		continue;
	ck_assert_int_eq(memcmp(scratch_text("state/keeper"), keepers[0], 32),
	    0);
}
END_TEST

/* more than is ever read of it */
#define TOO_LONG                                                          \
	"0123456789abcdef0123456789abcdef\nand much more than that, far " \
	"beyond any id\n"

static const char *const bad_keepers[] = { "", "\n", "0123456789abcdef\n",
	"0123456789ABCDEF0123456789ABCDEF\n",
	"0123456789abcdef0123456789abcdef0\n",
	"0123456789abcdef0123456789abcdex\n", TOO_LONG };

START_TEST(damaged_keeper)
{
	struct store store;
	struct error err;

	scratch_mkdir("state");
	scratch_write("state/keeper", bad_keepers[_i]);
	ck_assert_int_eq(open_at(&store, "state", "default", STORE_CHANGE,
			     &err),
	    -1);
	ck_assert_int_eq(err.kind, ERROR_UNSAFE);
	ck_assert_str_eq(scratch_text("state/keeper"), bad_keepers[_i]);
	ck_assert_int_eq(open_at(&store, "state", "default", STORE_LOOK, &err),
	    -1);
	ck_assert_int_eq(err.kind, ERROR_UNSAFE);
}
END_TEST

#define FAR "tcp://h:1"
#define FAR_FOLDER "state/daemons/tcp%3A%2F%2Fh%3A1"

/* Every directory that is opened, and the endpoint that leads there. */
static const struct {
	const char *place, *endpoint;
} places[] = {
	{ "state", "default" },
	{ "state/agents", "default" },
	{ "state/locks", "default" },
	{ "state", FAR },
	{ "state/daemons", FAR },
	{ FAR_FOLDER, FAR },
	{ FAR_FOLDER "/agents", FAR },
	{ FAR_FOLDER "/locks", FAR },
};

static void
make_tree(const char *endpoint)
{
	struct store store;
	struct error err;

	ck_assert_int_eq(open_at(&store, "state", endpoint, STORE_CHANGE, &err),
	    0);
	store_close(&store);
}

static void
check_unsafe(const char *endpoint)
{
	static const enum store_mode both[] = { STORE_CHANGE, STORE_LOOK };
	struct store store;
	struct error err;
	size_t i;

	for (i = 0; i < ROWS(both); i++) {
		ck_assert_int_eq(open_at(&store, "state", endpoint, both[i],
				     &err),
		    -1);
		ck_assert_int_eq(err.kind, ERROR_UNSAFE);
		ck_assert_ptr_nonnull(strstr(err.msg, "state"));
		ck_assert_int_eq(store.root, -1);
	}
}

START_TEST(writable_by_others)
{
	const char *endpoint = places[_i].endpoint;
	struct stat st;

	make_tree(endpoint);
	ck_assert_int_eq(chmod(scratch_path(places[_i].place), 0720), 0);
	check_unsafe(endpoint);
	ck_assert_int_eq(chmod(scratch_path(places[_i].place), 0702), 0);
	check_unsafe(endpoint);
	/* nothing touched */
	ck_assert_int_eq(stat(scratch_path(places[_i].place), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0702);
	/* readable by others is no harm */
	ck_assert_int_eq(chmod(scratch_path(places[_i].place), 0755), 0);
	make_tree(endpoint);
}
END_TEST

START_TEST(symbolic_link)
{
	make_tree(places[_i].endpoint);
	ck_assert_int_eq(rename(scratch_path(places[_i].place),
			     scratch_path("elsewhere")),
	    0);
	ck_assert_int_eq(symlink(scratch_path("elsewhere"),
			     scratch_path(places[_i].place)),
	    0);
	check_unsafe(places[_i].endpoint);
}
END_TEST

START_TEST(no_directory)
{
	make_tree(places[_i].endpoint);
	ck_assert_int_eq(rename(scratch_path(places[_i].place),
			     scratch_path("elsewhere")),
	    0);
	scratch_write(places[_i].place, "text");
	check_unsafe(places[_i].endpoint);
	ck_assert_str_eq(scratch_text(places[_i].place), "text");
	ck_assert_int_eq(unlink(scratch_path(places[_i].place)), 0);
	ck_assert_int_eq(mkfifo(scratch_path(places[_i].place), 0700), 0);
	check_unsafe(places[_i].endpoint);
}
END_TEST

START_TEST(another_owner)
{
	struct store store;
	struct error err;

	if (geteuid() != 0) {
		/* the only one at hand that is another's */
		ck_assert_int_eq(store_open(&store, "/", "default", STORE_LOOK,
				     &err),
		    -1);
		ck_assert_int_eq(err.kind, ERROR_UNSAFE);
		return;
	}
	make_tree(places[_i].endpoint);
	ck_assert_int_eq(chown(scratch_path(places[_i].place), 4711, 0), 0);
	check_unsafe(places[_i].endpoint);
}
END_TEST

START_TEST(cannot_be_made)
{
	struct store store;
	struct error err;

	scratch_write("file", "");
	ck_assert_int_eq(open_at(&store, "file/state", "default", STORE_CHANGE,
			     &err),
	    -1);
	ck_assert_int_eq(err.kind, ERROR_STATE_CREATE);
	ck_assert_int_eq(store_open(&store, "/proc/none/state", "default",
			     STORE_CHANGE, &err),
	    -1);
	ck_assert_int_eq(err.kind, ERROR_STATE_CREATE);
	ck_assert_str_ne(err.hint, "");
}
END_TEST

/* Each in a folder of its own, none outside daemons/. */
static const char *const endpoints[] = { "default", FAR, "tcp://h:10",
	"tcp://H:1", "unix:///run/user/7/docker.sock", "..", ".", "../agents",
	"a/b", "%2E", "ssh://user@h" };

START_TEST(endpoints_apart)
{
	struct strvec slugs = { 0 };
	struct agent_entry entry = { 0 };
	struct store stores[ROWS(endpoints)];
	struct error err;
	char agent[8], owner[] = "none";
	size_t i;

	entry.agent = agent;
	entry.owner = owner;
	for (i = 0; i < ROWS(endpoints); i++) {
		ck_assert_int_eq(open_at(&stores[i], "state", endpoints[i],
				     STORE_CHANGE, &err),
		    0);
		(void)snprintf(agent, sizeof(agent), "a%zu", i);
		ck_assert_int_eq(store_write(&stores[i], &entry, &err), 0);
	}
	for (i = 0; i < ROWS(endpoints); i++) {
		(void)snprintf(agent, sizeof(agent), "a%zu", i);
		ck_assert_int_eq(store_list(&stores[i], &slugs, &err), 0);
		ck_assert_uint_eq(slugs.len, 1);
		ck_assert_str_eq(slugs.items[0], agent);
		strvec_clear(&slugs);
		store_close(&stores[i]);
	}
	ck_assert(!scratch_has("agents"));
	ck_assert(scratch_has(FAR_FOLDER "/agents/a1"));
}
END_TEST

/* What lies at the path below the state: d a folder, f a file, l a link. */
static const struct {
	const char *path;
	char what;
	bool may;
} elsewhere[] = {
	{ "daemons/b", 'd', false }, /* without agents/ */
	{ "daemons/b/agents", 'd', false },
	{ "daemons/.b", 'f', false }, /* a temporary file */
	{ "daemons/b", 'f', true },
	{ "daemons/b", 'l', true },
	{ "daemons/b/agents", 'f', true },
	{ "daemons/b/agents", 'l', true },
	{ "daemons/b/agents/a", 'd', true },
	{ "daemons/b/agents/a", 'l', true },
	{ "daemons/b/agents/a", 'f', true }, /* of zero bytes: no entry */
	{ "daemons", 'f', true },
	{ "daemons", 'l', true },
};

START_TEST(not_told_elsewhere)
{
	struct store store;
	struct error err;
	char path[64], *slash;

	ck_assert_int_eq(open_at(&store, "state", "default", STORE_CHANGE,
			     &err),
	    0);
	(void)snprintf(path, sizeof(path), "state/%s", elsewhere[_i].path);
	for (slash = path; (slash = strchr(slash, '/')) != NULL;
	     *slash++ = '/') {
		*slash = '\0';
		(void)mkdir(scratch_path(path), 0700);
	}
	if (elsewhere[_i].what == 'd')
		(void)mkdir(scratch_path(path), 0700);
	else if (elsewhere[_i].what == 'f')
		scratch_write(path, "");
	else
		ck_assert_int_eq(symlink("/nowhere", scratch_path(path)), 0);
	ck_assert_msg(store_elsewhere(&store, "a", "1") == elsewhere[_i].may,
	    "%s as %c", elsewhere[_i].path, elsewhere[_i].what);
	store_close(&store);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("store");

	scratch_add(suite, "what is missing is made, private to its owner",
	    makes_what_is_missing);
	scratch_add_each(suite,
	    "K1: what cannot be told may be recorded elsewhere",
	    not_told_elsewhere, ROWS(elsewhere));
	scratch_add(suite, "L1: looking makes no file and no directory",
	    look_makes_nothing);
	scratch_add(suite, "K1: the keeper's id is random, and stays",
	    keeper_stays);
	scratch_add(suite, "K1: eight that make it at once agree",
	    keeper_made_once);
	scratch_add_each(suite, "K1: a damaged id is refused, and left",
	    damaged_keeper, ROWS(bad_keepers));
	scratch_add_each(suite, "unsafe: writable by others",
	    writable_by_others, ROWS(places));
	scratch_add_each(suite, "unsafe: a symbolic link", symbolic_link,
	    ROWS(places));
	scratch_add_each(suite, "unsafe: no directory", no_directory,
	    ROWS(places));
	scratch_add_each(suite, "unsafe: another owner", another_owner,
	    ROWS(places));
	scratch_add(suite, "a directory that cannot be made", cannot_be_made);
	scratch_add(suite, "K3: every endpoint has entries of its own",
	    endpoints_apart);
	return suite;
}

UNIT_MAIN(make_suite)
