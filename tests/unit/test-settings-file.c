/* SPDX-License-Identifier: ISC */
/* config/settings_file and confile: every mistake by file and line. */
#include <stdlib.h>

#include "config/confile.h"
#include "confs.h"

#define PARTS_MAX 5

static const struct {
	const char *text;
	const char *parts[PARTS_MAX]; /* of the message */
} mistakes[] = {
	/* all wrong values are told at once */
	{ "grace = \"soon\"\n\nowner-grace = 10s\n# comment\nlog-keep = "
	  "many\ntimeouts {\n  rm = never\n}\n",
	    { "conf:1: grace", "conf:5: log-keep", "conf:7: rm" } },
	{ "grace = 1s\ngrace = x\n", { "conf:2: grace" } },
	/* what libConfuse tells */
	{ "nope = 1\n", { "conf:1:", "nope" } },
	{ "grace = 1s\nEnabled = true\n", { "conf:2:", "Enabled" } },
	{ "\n\ntimeouts {\n  nope = 1s\n}\n", { "conf:4:", "nope" } },
	{ "project \"a\" { image = x }\n", { "conf:1:", "image" } },
	{ "engine \"a\" {\n  nope = x\n}\n", { "conf:2:", "nope" } },
	{ "grace 1s\n", { "conf:1:" } },
	{ "grace =\n", { "conf:" } },
	{ "= 1s\n", { "conf:1:" } },
	{ "grace = 1s }\n", { "conf:1:" } },
	{ "project { services = {a} }\n", { "conf:1:" } },
	{ "nonsense\n", { "conf:" } },
	/* a name that is none does not hide what follows */
	{ "nope = 1\ngrace = 1s\nalso = {\"a\", b}\ntimeouts {\n  and = 1\n"
	  "  rm = x\n}\nmemory = \"}\"\n",
	    { "conf:1: no such option 'nope'", "conf:3: no such option 'also'",
		"conf:5: no such option 'and'", "conf:6: rm" } },
	{ "a = 'x' # y\nb = 1 // {\ngrace = x\n",
	    { "conf:1: no such option 'a'", "conf:2: no such option 'b'",
		"conf:3: grace" } },
	/* but where it does not end in its line */
	{ "grace = x\nnope {\n  a = 1\n}\n", { "conf:1: grace", "conf:2: " } },
	{ "a = 'x\ny'\n", { "conf:1: no such option 'a'" } },
	{ "a = {x,\ny}\n", { "conf:1: no such option 'a'" } },
	{ "timeouts { a = 1 }\n", { "conf:1: no such option 'a'" } },
	/* what libConfuse lets pass */
	{ "grace = 1s\n\nproject \"a\" {\n  services = {\"redis\"}\n",
	    { "conf:3:", "not closed" } },
	{ "timeouts {\n", { "conf:1:", "not closed" } },
	{ "project \"a\" { services = {\"redis\" }\n",
	    { "conf:1:", "not closed" } },
	{ "log-dir = \"x\n\n", { "not closed" } },
	{ "log-dir = 'x\n", { "not closed" } },
	{ "grace = 1s\n/* comment\n", { "not closed" } },
	{ "project \"a\" {}\nproject \"a\" {}\n", { "conf:2:", "a" } },
	{ "project \"a\" {}\nproject \"b\" {}\n\nproject \"a\" {}\n",
	    { "conf:4:", "a" } },
	{ "engine \"a\" {}\n\nengine \"a\" {}\n", { "conf:3:", "a" } },
	/* names of engines */
	{ "engine \"A b\" {}\n", { "conf:1:", "A b" } },
	{ "grace = 1s\nengine \"\" {}\n", { "conf:2:" } },
	{ "engine \"../a\" {}\n", { "conf:1:", "../a" } },
};

START_TEST(mistake)
{
	confs_refuse(mistakes[_i].text, mistakes[_i].parts);
}
END_TEST

START_TEST(nul_byte)
{
	static const char text[] = "grace = 1s\n\0log-keep = 7\n";
	struct settings_source source = { scratch_path("conf"), NULL };
	struct settings settings;
	struct error err;

	scratch_write_bytes("conf", text, sizeof(text) - 1);
	ck_assert_int_eq(settings_load(&settings, &source, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_SETTINGS);
	ck_assert_ptr_nonnull(strstr(err.msg, "NUL"));
}
END_TEST

START_TEST(cannot_be_read)
{
	struct settings_source source = { scratch_path("none"), NULL };
	struct settings settings;
	struct error err;

	ck_assert_int_eq(settings_load(&settings, &source, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_SETTINGS);
	ck_assert_ptr_nonnull(strstr(err.msg, "none"));
	source.file = scratch;
	ck_assert_int_eq(settings_load(&settings, &source, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_SETTINGS);
	ck_assert_int_eq(mkfifo(scratch_path("fifo"), 0600), 0);
	source.file = scratch_path("fifo");
	ck_assert_int_eq(settings_load(&settings, &source, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_SETTINGS);
}
END_TEST

static const struct {
	const char *text, *log_dir;
} accepted[] = {
	{ "", "" },
	{ "\n# nothing\n", "" },
	{ "# { \" ' /*\nlog-dir = /a\n", "/a" },
	{ "/* {\n\" */ log-dir = \"/a\" // {\n", "/a" },
	{ "log-dir = \"/a{b}\"\n", "/a{b}" },
	{ "log-dir = '/a\"b'\n", "/a\"b" },
	{ "log-dir = \"/a \\\"b\\\"\"\n", "/a \"b\"" },
	{ "log-dir = \"/a#b//c\"\n", "/a#b//c" },
	{ "log-dir = \"/a\"", "/a" },
	{ "log-dir=/a\r\n", "/a" },
	{ "log-dir = /a/b//c\n", "/a/b//c" },
	{ "log-dir = \"/${SK_TEST_WORD}/x\"\n", "/from the environment/x" },
	{ "log-dir = '/${SK_TEST_WORD}/x'\n", "/${SK_TEST_WORD}/x" },
	{ "log-dir = /a\nlog-dir = /b\n", "/b" },
};

START_TEST(accepts)
{
	struct settings settings;
	struct error err;

	(void)setenv("SK_TEST_WORD", "from the environment", 1);
	ck_assert_msg(confs_load(&settings, accepted[_i].text, NULL, &err) == 0,
	    "%s", err.msg);
	ck_assert_str_eq(settings.log_dir, accepted[_i].log_dir);
	settings_clear(&settings);
}
END_TEST

START_TEST(projects)
{
	const struct project *project;
	struct settings settings;
	struct error err;

	ck_assert_int_eq(confs_load(&settings,
			     "project \"roboco-api\" { services = "
			     "{\"postgres\", \"redis\"}  features = "
			     "{\"postgres:vector\"} }\nproject \"b\" {}\n",
			     NULL, &err),
	    0);
	ck_assert_uint_eq(settings.project_count, 2);
	project = settings_project(&settings, "roboco-api", &err);
	ck_assert_uint_eq(project->services.len, 2);
	ck_assert_str_eq(project->services.items[1], "redis");
	ck_assert_uint_eq(project->features.len, 1);
	ck_assert_str_eq(project->features.items[0], "postgres:vector");
	project = settings_project(&settings, "b", &err);
	ck_assert_uint_eq(project->services.len, 0);
	ck_assert_ptr_null(settings_project(&settings, "roboco", &err));
	ck_assert_int_eq(err.kind, ERROR_PROJECT);
	ck_assert_ptr_null(settings_project(&settings, "", &err));
	settings_clear(&settings);
}
END_TEST

START_TEST(behind_a_link)
{
	struct settings_source source;
	struct settings settings;
	struct error err = { 0 };

	scratch_write("real", "log-dir = /a\n");
	ck_assert_int_eq(symlink("real", scratch_path("conf")), 0);
	source = (struct settings_source){ scratch_path("conf"), NULL };
	ck_assert_msg(settings_load(&settings, &source, &err) == 0, "%s",
	    err.msg);
	ck_assert_str_eq(settings.log_dir, "/a");
	settings_clear(&settings);
}
END_TEST

/* Parse an empty file of that mode and owner. */
static int
parse_file(mode_t mode, uid_t owner, bool check, struct error *err)
{
	cfg_opt_t options[] = { CFG_END() };
	struct confile file = { 0 };
	cfg_t *cfg;
	int rc;

	scratch_write("conf", "");
	ck_assert_int_eq(chmod(scratch_path("conf"), mode), 0);
	if (owner != geteuid())
		ck_assert_int_eq(chown(scratch_path("conf"), owner, 0), 0);
	rc = confile_parse(&file, scratch_path("conf"), check, options, &cfg,
	    err);
	strvec_clear(&file.problems);
	(void)cfg_free(cfg);
	return rc;
}

START_TEST(unsafe_file)
{
	static const mode_t modes[] = { 0620, 0602, 0666, 0777 };
	struct error err;
	size_t i;

	ck_assert_int_eq(parse_file(0644, geteuid(), true, &err), 1);
	for (i = 0; i < ROWS(modes); i++) {
		ck_assert_int_eq(parse_file(modes[i], geteuid(), true, &err),
		    -1);
		ck_assert_int_eq(err.kind, ERROR_UNSAFE);
		ck_assert_ptr_nonnull(strstr(err.msg, "conf"));
		/* -c names it, so it is meant */
		ck_assert_int_eq(parse_file(modes[i], geteuid(), false, &err),
		    1);
	}
	if (geteuid() != 0)
		return;
	ck_assert_int_eq(parse_file(0644, 4711, true, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_UNSAFE);
	ck_assert_int_eq(parse_file(0644, 4711, false, &err), 1);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("settings-file");

	confs_add(suite, "every mistake is told with file and line", mistake,
	    ROWS(mistakes));
	confs_add(suite, "a NUL byte is a mistake", nul_byte, 1);
	confs_add(suite, "a file that is named must be there and readable",
	    cannot_be_read, 1);
	confs_add(suite, "comments, quotes and ${X} as libConfuse has them",
	    accepts, ROWS(accepted));
	confs_add(suite, "projects", projects, 1);
	confs_add(suite, "the file may be a symbolic link", behind_a_link, 1);
	confs_add(suite, "unsafe: owner and mode, in the default places alone",
	    unsafe_file, 1);
	return suite;
}

UNIT_MAIN(make_suite)
