/* SPDX-License-Identifier: ISC */
/* config/engine and engine_file: overriding, checking, filling in. */
#include "confs.h"

#define LEAST "short = \"x\" image = \"i\" port = 1 ready = {\"true\"}"
#define FULL                                                               \
	"engine \"one\" {\n"                                               \
	"  short = \"one\"\n  image = \"i:1\"\n  port = 7\n"               \
	"  user = \"u\"\n  ready = {\"probe\", \"-h\"}\n"                  \
	"  command = {\"run\", \"it\"}\n  export = {\"A=%h\", \"B=%p\"}\n" \
	"  features = {\"f\", \"g\"}\n}\n"

static struct engine_list engines;

/* The shipped folder holds FULL; overrides is the settings file's text. */
static int
load(const char *overrides, struct error *err)
{
	struct settings settings;
	int rc;

	if (!scratch_has("engines"))
		scratch_mkdir("engines");
	if (!scratch_has("engines/one.conf"))
		scratch_write("engines/one.conf", FULL);
	ck_assert_msg(confs_load(&settings, overrides, NULL, err) == 0, "%s",
	    err->msg);
	rc = engine_list_load(&engines, scratch_path("engines"),
	    &settings.overrides, err);
	settings_clear(&settings);
	return rc;
}

static const struct engine *
load_one(const char *overrides, const char *name)
{
	struct error err = { 0 };
	const struct engine *engine;

	ck_assert_msg(load(overrides, &err) == 0, "%s", err.msg);
	engine = engine_list_find(&engines, name);
	ck_assert_ptr_nonnull(engine);
	return engine;
}

static void
check_list(const struct strvec *list, const char *expected)
{
	char *joined = strvec_join(list, "|");

	ck_assert_str_eq(joined, expected);
	free(joined);
}

START_TEST(override)
{
	const struct engine *e =
	    load_one("engine \"one\" { image = \"mine\" features = {\"h\"} }",
		"one");

	ck_assert_uint_eq(engines.len, 1);
	ck_assert_str_eq(e->image, "mine");
	check_list(&e->features, "h");
	ck_assert_str_eq(e->short_name, "one");
	ck_assert_str_eq(e->user, "u");
	ck_assert_int_eq(engine_port(e), 7);
	check_list(&e->command, "run|it");
	check_list(&e->exports, "A=%h|B=%p");
	engine_list_clear(&engines);
	/* an empty value is a value */
	e = load_one("engine \"one\" { user = \"\" command = {} }", "one");
	ck_assert_str_eq(e->user, "");
	ck_assert_uint_eq(e->command.len, 0);
	ck_assert_str_eq(e->image, "i:1");
	engine_list_clear(&engines);
}
END_TEST

START_TEST(like)
{
	const struct engine *e =
	    load_one("engine \"two\" { like = \"one\" short = \"two\" "
		     "image = \"j\" }",
		"two");

	ck_assert_uint_eq(engines.len, 2);
	ck_assert_str_eq(e->name, "two");
	ck_assert_str_eq(e->short_name, "two");
	ck_assert_str_eq(e->image, "j");
	check_list(&e->command, "run|it");
	check_list(&e->ready, "probe|-h");
	e = engine_list_find(&engines, "one");
	ck_assert_str_eq(e->short_name, "one");
	ck_assert_str_eq(e->image, "i:1");
	engine_list_clear(&engines);
}
END_TEST

START_TEST(new_one)
{
	const struct engine *e =
	    load_one("engine \"x-1\" { " LEAST " }", "x-1");

	ck_assert_str_eq(e->short_name, "x");
	ck_assert_uint_eq(e->exports.len, 0);
	ck_assert_int_eq(engine_ready_timeout(e), 60);
	engine_list_clear(&engines);
}
END_TEST

START_TEST(several_files)
{
	struct error err = { 0 };

	scratch_mkdir("engines");
	scratch_write("engines/b.conf",
	    "engine \"x\" { image = \"later\" }\nengine \"y\" { like = \"x\" "
	    "short = \"y\" }\n");
	scratch_write("engines/a.conf", "engine \"x\" { " LEAST " }\n");
	scratch_write("engines/.hidden.conf", "nonsense {");
	scratch_write("engines/c.conf.bak", "nonsense {");
	ck_assert_msg(load("", &err) == 0, "%s", err.msg);
	ck_assert_uint_eq(engines.len, 3);
	ck_assert_str_eq(engine_list_find(&engines, "x")->image, "later");
	ck_assert_str_eq(engine_list_find(&engines, "y")->image, "later");
	engine_list_clear(&engines);
}
END_TEST

static const struct {
	const char *overrides, *part;
} refused[] = {
	{ "engine \"two\" { like = \"one\" }", "short" },
	{ "engine \"two\" { " LEAST " short = \"one\" }", "short" },
	{ "engine \"x\" { " LEAST " short = \"a-b\" }", "short" },
	{ "engine \"x\" { " LEAST " short = \"A\" }", "short" },
	{ "engine \"x\" { " LEAST " short = \"\" }", "short" },
	{ "engine \"x\" { image = \"i\" port = 1 ready = {\"t\"} }", "short" },
	{ "engine \"x\" { short = \"x\" port = 1 ready = {\"t\"} }", "image" },
	{ "engine \"x\" { " LEAST " image = \"-v\" }", "image" },
	{ "engine \"one\" { image = \"\" }", "image" },
	{ "engine \"x\" { " LEAST " port = 0 }", "port" },
	{ "engine \"x\" { " LEAST " port = 65536 }", "port" },
	{ "engine \"x\" { " LEAST " port = http }", "port" },
	{ "engine \"x\" { short = \"x\" image = \"i\" port = 1 }", "ready" },
	{ "engine \"x\" { " LEAST " ready-timeout = \"soon\" }",
	    "ready-timeout" },
	{ "engine \"x\" { " LEAST " environment = {\"A\"} }", "environment" },
	{ "engine \"x\" { " LEAST " environment = {\"A B=1\"} }",
	    "environment" },
	{ "engine \"x\" { " LEAST " export = {\"1A=x\"} }", "export" },
	{ "engine \"x\" { " LEAST " export = {\"=x\"} }", "export" },
	{ "engine \"x\" { " LEAST " export = {\"A-B=x\"} }", "export" },
	{ "engine \"x\" { " LEAST " secret-environment = {\"A=1\"} }",
	    "secret-environment" },
	{ "engine \"x\" { " LEAST " secret-environment = {\"\"} }",
	    "secret-environment" },
};

START_TEST(refuses)
{
	struct error err = { 0 };

	ck_assert_int_eq(load(refused[_i].overrides, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_SETTINGS);
	ck_assert_ptr_nonnull(strstr(err.msg, "engine '"));
	ck_assert_msg(strstr(err.msg, refused[_i].part) != NULL, "%s", err.msg);
	ck_assert_uint_eq(engines.len, 0);
}
END_TEST

START_TEST(bad_files)
{
	struct engine_list none = { 0 };
	struct error err = { 0 };

	ck_assert_int_eq(engine_list_load(&engines, scratch_path("nowhere"),
			     &none, &err),
	    -1);
	ck_assert_int_eq(err.kind, ERROR_SETTINGS);
	scratch_mkdir("engines");
	scratch_write("engines/one.conf", "engine \"one\" {\n  nope = 1\n}\n");
	ck_assert_int_eq(load("", &err), -1);
	ck_assert_int_eq(err.kind, ERROR_SETTINGS);
	ck_assert_ptr_nonnull(strstr(err.msg, "engines/one.conf:2:"));
	scratch_write("engines/one.conf", "engine \"one\" {\n" LEAST "\n");
	ck_assert_int_eq(load("", &err), -1);
	ck_assert_int_eq(err.kind, ERROR_SETTINGS);
	ck_assert_ptr_nonnull(strstr(err.msg, "not closed"));
	scratch_write("engines/one.conf", "grace = 1s\n");
	ck_assert_int_eq(load("", &err), -1);
	ck_assert_int_eq(err.kind, ERROR_SETTINGS);
	scratch_write("engines/one.conf", FULL);
	ck_assert_int_eq(chmod(scratch_path("engines/one.conf"), 0622), 0);
	ck_assert_int_eq(load("", &err), -1);
	ck_assert_int_eq(err.kind, ERROR_UNSAFE);
}
END_TEST

static const struct {
	const char *text, *expected;
} filled[] = {
	{ "", "" },
	{ "plain", "plain" },
	{ "%h:%p", "host:5432" },
	{ "%u/%w/%d", "user/p%ss/data" },
	{ "%f=%v", "feature=value" },
	{ "%%h", "%h" },
	{ "%%%h", "%host" },
	{ "100%", "100%" },
	{ "%x%", "%x%" },
	{ "postgresql://%u:%w@%h:%p/%d",
	    "postgresql://user:p%ss@host:5432/data" },
};

static const struct engine_values values = { .host = "host",
	.port = "5432",
	.user = "user",
	.password = "p%ss",
	.database = "data",
	.feature = "feature",
	.feature_value = "value" };

START_TEST(placeholders)
{
	struct strvec texts = { 0 }, out = { 0 };
	struct strbuf text = { 0 };

	engine_expand(filled[_i].text, &values, &text);
	ck_assert_str_eq(strbuf_str(&text), filled[_i].expected);
	strbuf_clear(&text);
	strvec_add_all(&texts, "a", filled[_i].text, NULL);
	engine_expand_all(&texts, &values, &out);
	ck_assert_uint_eq(out.len, 2);
	ck_assert_str_eq(out.items[0], "a");
	ck_assert_str_eq(out.items[1], filled[_i].expected);
	strvec_clear(&texts);
	strvec_clear(&out);
}
END_TEST

START_TEST(brackets)
{
	struct engine_values six = values;
	struct strbuf text = { 0 };

	six.host = "fd00::2";
	engine_expand("redis://%h:%p", &six, &text);
	ck_assert_str_eq(strbuf_str(&text), "redis://[fd00::2]:5432");
	strbuf_reset(&text);
	engine_expand("%h", &six, &text);
	ck_assert_str_eq(strbuf_str(&text), "fd00::2");
	strbuf_clear(&text);
}
END_TEST

START_TEST(feature_words)
{
	struct strvec list = { 0 };

	strvec_add_all(&list, "json=ReJSON", "jso=x", "empty=", "search", NULL);
	ck_assert_str_eq(engine_feature_word(&list, "json"), "ReJSON");
	ck_assert_str_eq(engine_feature_word(&list, "jso"), "x");
	ck_assert_str_eq(engine_feature_word(&list, "js"), "js");
	ck_assert_str_eq(engine_feature_word(&list, "empty"), "");
	ck_assert_str_eq(engine_feature_word(&list, "search"), "search");
	strvec_clear(&list);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("engine-files");

	confs_add(suite, "an override changes the keys that it names alone",
	    override, 1);
	confs_add(suite, "like starts a new engine from another", like, 1);
	confs_add(suite, "adding an engine is one section", new_one, 1);
	confs_add(suite, "files are read in the order of their names",
	    several_files, 1);
	confs_add(suite, "an engine that cannot work is refused by name",
	    refuses, ROWS(refused));
	confs_add(suite, "bad files are told with their line, unsafe ones too",
	    bad_files, 1);
	unit_add_each(suite, "placeholders are filled in once", placeholders,
	    ROWS(filled));
	unit_add(suite, "an IPv6 address is in brackets in a URL alone",
	    brackets);
	unit_add(suite, "a feature's word, by its whole name", feature_words);
	return suite;
}

UNIT_MAIN(make_suite)
