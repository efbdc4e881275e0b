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

#define UNIT_MAIN(make_suite)                  \
	int main(void)                         \
	{                                      \
		return (unit_run(make_suite)); \
	}

#endif
