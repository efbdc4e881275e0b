/* SPDX-License-Identifier: ISC */
/* core/janitor: who runs the sweep, by the files of cron and of systemd. */
#include "core/janitor.h"
#include "scratch.h"

static void
make_folders(const char *path)
{
	char copy[200], *slash;

	(void)snprintf(copy, sizeof(copy), "%s", path);
	for (slash = strchr(copy, '/'); slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(scratch_path(copy), 0755);
		*slash = '/';
	}
}

static void
put(const char *path, const char *text)
{
	make_folders(path);
	scratch_write(path, text);
}

/* Is it that file, below the folder of this test?  NULL: none. */
static void
finds(const struct janitor *janitor, const char *path)
{
	char *found = janitor_find(janitor);

	if (path == NULL)
		ck_assert_msg(found == NULL, "found %s", found);
	else
		ck_assert_str_eq(found, scratch_path(path));
	free(found);
}

static const struct {
	const char *path, *text, *user, *state, *endpoint;
	bool found;
} crons[] = {
	{ "etc/cron.d/sandkeeper", "*/5 * * * *  root  sandkeeper -q sweep\n",
	    "root", NULL, NULL, true },
	{ "etc/cron.d/x", "# a\n\n*/5 * * * *\troot\t/opt/bin/sandkeeper sweep",
	    "root", NULL, NULL, true },
	{ "etc/cron.d/x", "@hourly root sandkeeper sweep\n", "root", NULL, NULL,
	    true },
	{ "etc/crontab", "1 2 * * * ci sandkeeper sweep\n", "ci", NULL, NULL,
	    true },
	{ "var/spool/cron/crontabs/ci", "1 2 * * * sandkeeper sweep\n", "ci",
	    NULL, NULL, true },
	{ "var/spool/cron/ci", "1 2 * * * sandkeeper sweep\n", "ci", NULL, NULL,
	    true },
	/* another user's is another keeper's */
	{ "etc/cron.d/x", "1 2 * * * ci sandkeeper sweep\n", "root", NULL, NULL,
	    false },
	{ "var/spool/cron/crontabs/ci", "1 2 * * * sandkeeper sweep\n", "root",
	    NULL, NULL, false },
	/* so is another state, and another daemon */
	{ "etc/cron.d/x", "1 2 * * * root sandkeeper sweep\n", "root", "/s",
	    NULL, false },
	{ "etc/cron.d/x", "1 2 * * * root sandkeeper --state-dir /s sweep\n",
	    "root", "/s", NULL, true },
	{ "etc/cron.d/x",
	    "SANDKEEPER_STATE_DIR=/s\n1 2 * * * root sandkeeper sweep\n",
	    "root", "/s", NULL, true },
	{ "etc/cron.d/x", "1 2 * * * root sandkeeper sweep\n", "root", NULL,
	    "tcp://h:1", false },
	{ "etc/cron.d/x",
	    "1 2 * * * root DOCKER_HOST=tcp://h:1 sandkeeper sweep\n", "root",
	    NULL, "tcp://h:1", true },
	/* what cron does not run */
	{ "etc/cron.d/x", "#1 2 * * * root sandkeeper sweep\n", "root", NULL,
	    NULL, false },
	{ "etc/cron.d/x.dpkg-old", "1 2 * * * root sandkeeper sweep\n", "root",
	    NULL, NULL, false },
	{ "etc/cron.d/x~", "1 2 * * * root sandkeeper sweep\n", "root", NULL,
	    NULL, false },
	/* what is no sweep of ours */
	{ "etc/cron.d/x", "1 2 * * * root sandkeeper list\n", "root", NULL,
	    NULL, false },
	{ "etc/cron.d/x", "1 2 * * * root sandkeepers sweep\n", "root", NULL,
	    NULL, false },
	{ "etc/cron.d/x", "1 2 * * * root sweeper\n", "root", NULL, NULL,
	    false },
	{ "etc/cron.d/x", "1 2 * * *\n", "root", NULL, NULL, false },
	{ "etc/cron.d/x", "", "root", NULL, NULL, false },
};

START_TEST(cron)
{
	struct janitor janitor = { scratch, crons[_i].user, crons[_i].state,
		crons[_i].endpoint, NULL };

	put(crons[_i].path, crons[_i].text);
	finds(&janitor, crons[_i].found ? crons[_i].path : NULL);
}
END_TEST

#define SWEEP "[Service]\nExecStart=sandkeeper -q sweep\n"
#define WATCH "[Service]\nExecStart=/usr/bin/sandkeeper watch\n"
#define WANTS "etc/systemd/system/timers.target.wants/"
#define MULTI "etc/systemd/system/multi-user.target.wants/"

static const struct {
	const char *wanted, *unit, *text, *user;
	bool found;
} units[] = {
	{ WANTS "sandkeeper-sweep.timer",
	    "etc/systemd/system/sandkeeper-sweep.service", SWEEP, "root",
	    true },
	{ WANTS "x.timer", "usr/lib/systemd/system/x.service", SWEEP, "root",
	    true },
	{ MULTI "sandkeeper-watch.service",
	    "etc/systemd/system/sandkeeper-watch.service", WATCH, "root",
	    true },
	{ MULTI "w.service", "lib/systemd/system/w.service",
	    "[Service]\nUser=ci\nExecStart=sandkeeper watch\n", "ci", true },
	{ MULTI "w.service", "lib/systemd/system/w.service",
	    "[Service]\nUser=ci\nExecStart=sandkeeper watch\n", "root", false },
	{ MULTI "w.service", "lib/systemd/system/w.service", WATCH, "ci",
	    false },
	/* not enabled; a service that is enabled sweeps once */
	{ "etc/other", "etc/systemd/system/sandkeeper-sweep.service", SWEEP,
	    "root", false },
	{ MULTI "x.service", "etc/systemd/system/x.service", SWEEP, "root",
	    false },
	{ WANTS "x.timer", "etc/systemd/system/y.service", SWEEP, "root",
	    false },
	{ WANTS "x.timer", "etc/systemd/system/x.service",
	    "[Service]\n#sandkeeper sweep\nExecStart=true\n", "root", false },
	{ WANTS "x.path", "etc/systemd/system/x.service", SWEEP, "root",
	    false },
};

START_TEST(systemd)
{
	struct janitor janitor = { scratch, units[_i].user, NULL, NULL, NULL };

	put(units[_i].unit, units[_i].text);
	put(units[_i].wanted, "[Timer]\n");
	finds(&janitor, units[_i].found ? units[_i].wanted : NULL);
}
END_TEST

/* systemctl --user */
START_TEST(own_units)
{
	static const char unit[] = "home/systemd/user/x.service";
	static const char wanted[] =
	    "home/systemd/user/timers.target.wants/x.timer";
	struct janitor janitor = { scratch, "ci", NULL, NULL, NULL };

	put(unit, SWEEP);
	put(wanted, "[Timer]\n");
	finds(&janitor, NULL);
	janitor.user_units = scratch_path("home/systemd/user");
	finds(&janitor, wanted);
	janitor.state_dir = "/s";
	finds(&janitor, NULL);
}
END_TEST

START_TEST(nothing)
{
	struct janitor janitor = { scratch, "root", NULL, NULL, NULL };

	finds(&janitor, NULL);
	put("etc/cron.d/a/b", "1 2 * * * root sandkeeper sweep\n");
	finds(&janitor, NULL);
	ck_assert_int_eq(mkfifo(scratch_path("etc/cron.d/fifo"), 0644), 0);
	finds(&janitor, NULL);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("janitor");

	unit_add_with(suite, "a line of cron for our state counts", cron,
	    scratch_make, scratch_remove, ROWS(crons));
	unit_add_with(suite, "an enabled unit of ours counts", systemd,
	    scratch_make, scratch_remove, ROWS(units));
	unit_add_with(suite, "so does one of the user's own manager", own_units,
	    scratch_make, scratch_remove, 1);
	unit_add_with(suite, "no files, folders and pipes: nothing is found",
	    nothing, scratch_make, scratch_remove, 1);
	return suite;
}

UNIT_MAIN(make_suite)
