/* SPDX-License-Identifier: ISC */
/* process/foreground: starting a program of the caller's, or not. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "process/foreground.h"
#include "process/interrupt.h"
#include "scratch.h"

extern char **environ;

/* "sh -c script", or what stands at another path. */
static int
run_line(const char *path, const char *script, bool *ran)
{
	static char sh[] = "sh", option[] = "-c";
	char *argv[] = { sh, option, (char *)(uintptr_t)script, NULL };
	struct foreground how = { .path = path, .argv = argv, .envp = environ };

	errno = 0;
	return foreground_run(&how, ran);
}

static const struct {
	const char *script;
	int code;
} ends[] = {
	{ "exit 0", 0 },
	{ "exit 3", 3 },
	{ "exit 255", 255 },
	{ "kill -9 $$", 128 + SIGKILL },
	{ "kill -15 $$", 128 + SIGTERM },
};

START_TEST(its_end)
{
	bool ran = false;

	interrupt_install();
	ck_assert_int_eq(run_line("/bin/sh", ends[_i].script, &ran),
	    ends[_i].code);
	ck_assert(ran);
}
END_TEST

START_TEST(asked_before)
{
	const char *file = scratch_path("ran");
	char script[500];
	bool ran = true;

	(void)snprintf(script, sizeof(script), "touch %s", file);
	interrupt_install();
	(void)raise(SIGTERM);
	ck_assert_int_eq(run_line("/bin/sh", script, &ran), 128 + SIGTERM);
	ck_assert_int_eq(errno, EINTR);
	ck_assert(!ran);
	ck_assert_int_eq(access(file, F_OK), -1);
}
END_TEST

static const struct {
	const char *text;
	mode_t mode;
	int code;
	int number;
} broken[] = {
	{ NULL, 0, 127, ENOENT },
	{ "#!/nowhere/at/all\n", 0700, 127, ENOENT },
	{ "exit 0\n", 0600, 126, EACCES },
};

START_TEST(cannot_start)
{
	bool ran = true;

	interrupt_install();
	if (broken[_i].text != NULL) {
		scratch_write("program", broken[_i].text);
		ck_assert_int_eq(chmod(scratch_path("program"),
				     broken[_i].mode),
		    0);
	}
	ck_assert_int_eq(run_line(scratch_path("program"), "", &ran),
	    broken[_i].code);
	ck_assert_int_eq(errno, broken[_i].number);
	ck_assert(!ran);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("foreground");

	unit_add_each(suite, "its code is a shell's", its_end, ROWS(ends));
	scratch_add(suite, "a signal that came before: it is not started",
	    asked_before);
	scratch_add_each(suite, "it cannot be started: errno says why",
	    cannot_start, ROWS(broken));
	return suite;
}

UNIT_MAIN(make_suite)
