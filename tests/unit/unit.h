/* SPDX-License-Identifier: ISC */
/*
 * The frame of a unit program: a function that makes the suite, and
 * UNIT_MAIN(that function) at the end of the file.  Run by hand or by make
 * check it prints TAP.
 */
#ifndef UNIT_H
#define UNIT_H

#include <check.h>
#include <stdlib.h>

/*
 * The exit status is always 0: the TAP driver counts the "not ok" lines, and
 * would count each failure twice if the status told of it as well.
 */
static inline int
unit_run(Suite *(*make_suite)(void))
{
	SRunner *runner;

	/* Check reads it when a test case is made; valgrind is slow. */
	setenv("CK_DEFAULT_TIMEOUT", "60", 0);
	runner = srunner_create(make_suite());
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	srunner_free(runner);
	return (0);
}

/* How many rows a table has. */
#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

/*
 * Add a test under a sentence that says what holds: it becomes the test's
 * name in the output.  setup and teardown may be NULL.
 */
static inline void
unit_add_with(Suite *suite, const char *sentence, const TTest *test, SFun setup,
    SFun teardown, size_t count)
{
	TCase *tcase = tcase_create(sentence);

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, test, 0, (int)count);
	suite_add_tcase(suite, tcase);
}

static inline void
unit_add(Suite *suite, const char *sentence, const TTest *test)
{
	unit_add_with(suite, sentence, test, NULL, NULL, 1);
}

/* The same for each row of a table; the test finds its index in _i. */
static inline void
unit_add_each(Suite *suite, const char *sentence, const TTest *test,
    size_t count)
{
	unit_add_with(suite, sentence, test, NULL, NULL, count);
}

#define UNIT_MAIN(make_suite)                  \
	int main(void)                         \
	{                                      \
		return (unit_run(make_suite)); \
	}

#endif
