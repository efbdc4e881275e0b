/* SPDX-License-Identifier: ISC */
/* cmd/failure: kinds, exit codes and words. */
#include <signal.h>
#include <string.h>

#include "cmd/failure.h"
#include "unit.h"

/* DESIGN 2's exit codes, kind by kind. */
static const int codes[ERROR_KIND_COUNT] = {
	[ERROR_NONE] = 0,
	[ERROR_USAGE] = 64,
	[ERROR_VALUE] = 65,
	[ERROR_SLUG] = 65,
	[ERROR_PROJECT] = 65,
	[ERROR_SERVICE] = 65,
	[ERROR_FEATURE] = 65,
	[ERROR_VARIABLE] = 65,
	[ERROR_LIVE] = 65,
	[ERROR_NO_SANDBOX] = 65,
	[ERROR_DOCKER_MISSING] = 69,
	[ERROR_DAEMON] = 69,
	[ERROR_DAEMON_DENIED] = 77,
	[ERROR_DOCKER] = 75,
	[ERROR_TIMEOUT] = 75,
	[ERROR_GONE] = 75,
	[ERROR_NAME_TAKEN] = 75,
	[ERROR_NETWORK] = 75,
	[ERROR_IMAGE_MISSING] = 75,
	[ERROR_IMAGE_PULL] = 75,
	[ERROR_REMOVING] = 75,
	[ERROR_BUSY] = 75,
	[ERROR_NOT_RUNNING] = 75,
	[ERROR_DIED] = 75,
	[ERROR_NOT_READY] = 75,
	[ERROR_FEATURE_FAILED] = 75,
	[ERROR_INIT] = 75,
	[ERROR_OWNER] = 75,
	[ERROR_LOCKED] = 75,
	[ERROR_HELD] = 75,
	[ERROR_FOREIGN] = 75,
	[ERROR_RELEASED] = 75,
	[ERROR_LIMIT] = 75,
	[ERROR_STATE_CREATE] = 73,
	[ERROR_STATE_WRITE] = 74,
	[ERROR_STATE_READ] = 74,
	[ERROR_PERMISSION] = 77,
	[ERROR_UNSAFE] = 77,
	[ERROR_SETTINGS] = 78,
	[ERROR_NEWER] = 78,
	[ERROR_DISABLED] = 78,
	[ERROR_INTERRUPTED] = 128,
	[ERROR_OUTPUT] = 74,
};

START_TEST(exit_codes)
{
	struct error err = { .kind = (enum error_kind)_i };

	ck_assert_int_eq(failure_exit_code(&err), codes[_i]);
}
END_TEST

START_TEST(signals)
{
	struct error err = { .kind = ERROR_INTERRUPTED, .sys = SIGHUP };

	ck_assert_int_eq(failure_exit_code(&err), 129);
	err.sys = SIGINT;
	ck_assert_int_eq(failure_exit_code(&err), 130);
	err.sys = SIGTERM;
	ck_assert_int_eq(failure_exit_code(&err), 143);
}
END_TEST

/* Words that other programs compare with. */
START_TEST(words)
{
	static const char set[] = "abcdefghijklmnopqrstuvwxyz-";
	struct error err = { .kind = (enum error_kind)_i }, other = { 0 };
	const char *word = failure_kind(&err);
	int i;

	ck_assert_ptr_nonnull(word);
	ck_assert_uint_gt(strlen(word), 0);
	ck_assert_uint_eq(strspn(word, set), strlen(word));
	for (i = 0; i < _i; i++) {
		other.kind = (enum error_kind)i;
		ck_assert_str_ne(word, failure_kind(&other));
	}
}
END_TEST

static void
check_text(const json_t *body, const char *key, const char *expected)
{
	const json_t *value = json_object_get(body, key);

	ck_assert_msg(value != NULL, "no key '%s'", key);
	if (expected == NULL)
		ck_assert_msg(json_is_null(value), "%s", key);
	else
		ck_assert_str_eq(json_string_value(value), expected);
}

START_TEST(document)
{
	struct error err;
	json_t *doc, *body, *allowed;

	(void)error_set(&err, ERROR_SERVICE, "no 'x'");
	(void)error_hint(&err, "ask for another");
	(void)error_about(&err, "be-dev-1", "x");
	(void)strlcpy(err.allowed, "mongo, postgres,redis",
	    sizeof(err.allowed));
	/* "run" has exit codes of its own */
	doc = failure_json(&err, 125);
	ck_assert_uint_eq(json_object_size(doc), 1);
	body = json_object_get(doc, "error");
	ck_assert_uint_eq(json_object_size(body), 8);
	ck_assert_int_eq(json_integer_value(json_object_get(body, "exit")),
	    125);
	check_text(body, "kind", "service");
	ck_assert(json_is_false(json_object_get(body, "retryable")));
	check_text(body, "agent", "be-dev-1");
	check_text(body, "service", "x");
	check_text(body, "message", "no 'x'");
	check_text(body, "remedy", "ask for another");
	allowed = json_object_get(body, "allowed");
	ck_assert_uint_eq(json_array_size(allowed), 3);
	ck_assert_str_eq(json_string_value(json_array_get(allowed, 1)),
	    "postgres");
	json_decref(doc);
}
END_TEST

START_TEST(empty_document)
{
	struct error err;
	json_t *doc, *body;

	(void)error_set(&err, ERROR_DAEMON, "down \xff");
	doc = failure_json(&err, failure_exit_code(&err));
	body = json_object_get(doc, "error");
	ck_assert(json_is_true(json_object_get(body, "retryable")));
	check_text(body, "agent", NULL);
	check_text(body, "service", NULL);
	check_text(body, "remedy", NULL);
	check_text(body, "message", "down \\377");
	ck_assert_uint_eq(json_array_size(json_object_get(body, "allowed")), 0);
	json_decref(doc);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("failure");

	unit_add_each(suite, "every kind has the exit code of DESIGN 2",
	    exit_codes, ERROR_KIND_COUNT);
	unit_add(suite, "ended by a signal: 128 and its number", signals);
	unit_add_each(suite, "every kind has a word of its own", words,
	    ERROR_KIND_COUNT);
	unit_add(suite, "a failure as JSON has every key", document);
	unit_add(suite, "keys that are not known are null", empty_document);
	return suite;
}

UNIT_MAIN(make_suite)
