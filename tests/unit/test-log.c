/* SPDX-License-Identifier: ISC */
/* base/log: stderr, the journal's priorities, syslog. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "scratch.h"

/* What syslog was told, in place of libc's: "PRIORITY TEXT" a line. */
static char told[2000];
static int opened_facility = -1, opened_options, closed;

void openlog(const char *, int, int);
void closelog(void);
void syslog(int, const char *, ...) __attribute__((format(printf, 2, 3)));
void __syslog_chk(int, int, const char *, ...)
    __attribute__((format(printf, 3, 4)));

void
openlog(const char *name, int options, int facility)
{
	ck_assert_str_eq(name, "sandkeeper");
	opened_options = options;
	opened_facility = facility;
}

void
closelog(void)
{
	closed++;
}

static void take(int, const char *, va_list)
    __attribute__((format(printf, 2, 0)));

static void
take(int priority, const char *fmt, va_list ap)
{
	size_t len = strlen(told);

	(void)snprintf(told + len, sizeof(told) - len, "%d ", priority);
	len = strlen(told);
	(void)vsnprintf(told + len, sizeof(told) - len, fmt, ap);
	(void)strlcat(told, "\n", sizeof(told));
}

void
syslog(int priority, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	take(priority, fmt, ap);
	va_end(ap);
}

void
__syslog_chk(int priority, int flag, const char *fmt, ...)
{
	va_list ap;

	(void)flag;
	va_start(ap, fmt);
	take(priority, fmt, ap);
	va_end(ap);
}

static void
say_all(void)
{
	log_error("error %d", 1);
	log_warn("warn");
	log_line("line");
	log_info("info\n<0>x");
	log_verbose("verbose");
	log_debug("debug");
}

static char said[2000];

/* stderr becomes the file "err"; its text is in said afterwards. */
/* stream: NULL, a file that it is to name, or what it is to be. */
static void
say_into_file(const char *stream_of)
{
	int saved = dup(STDERR_FILENO);
	char stream[100] = "";
	struct stat st;
	FILE *file;
	size_t len;

	ck_assert_ptr_nonnull(freopen(scratch_path("err"), "w", stderr));
	if (stream_of != NULL) {
		(void)strlcpy(stream, stream_of, sizeof(stream));
		if (stat(scratch_path(stream_of), &st) == 0)
			(void)snprintf(stream, sizeof(stream), "%llu:%llu",
			    (unsigned long long)st.st_dev,
			    (unsigned long long)st.st_ino);
	}
	(void)setenv("JOURNAL_STREAM", stream, 1);
	say_all();
	(void)dup2(saved, STDERR_FILENO);
	(void)close(saved);
	file = fopen(scratch_path("err"), "r");
	ck_assert_ptr_nonnull(file);
	len = fread(said, 1, sizeof(said) - 1, file);
	said[len] = '\0';
	(void)fclose(file);
}

START_TEST(plain)
{
	log_open(LOG_LEVEL_DEBUG);
	say_into_file(NULL);
	ck_assert_str_eq(said,
	    "sandkeeper: error 1\n"
	    "sandkeeper: warning: warn\n"
	    "sandkeeper: line\n"
	    "sandkeeper: info\\n<0>x\n"
	    "sandkeeper: verbose\n"
	    "sandkeeper: debug\n");
	ck_assert_str_eq(told, "");
}
END_TEST

START_TEST(journal)
{
	log_open(LOG_LEVEL_DEBUG);
	say_into_file("err");
	ck_assert_str_eq(said,
	    "<3>sandkeeper: error 1\n"
	    "<4>sandkeeper: warning: warn\n"
	    "<5>sandkeeper: line\n"
	    "<6>sandkeeper: info\\n<0>x\n"
	    "<6>sandkeeper: verbose\n"
	    "<7>sandkeeper: debug\n");
}
END_TEST

/* It is inherited by programs whose stderr is another. */
START_TEST(journal_of_another)
{
	static const char *const streams[] = { "other", "1:2:3", "1", "x:y",
		":" };

	log_open(LOG_LEVEL_NORMAL);
	scratch_write("other", "");
	say_into_file(streams[_i]);
	ck_assert_ptr_null(strstr(said, ">sandkeeper"));
	ck_assert_ptr_nonnull(strstr(said, "sandkeeper: error 1\n"));
}
END_TEST

START_TEST(to_syslog)
{
	log_open(LOG_LEVEL_NORMAL);
	log_to_syslog(true);
	/* LOG_DAEMON and LOG_PID, by their numbers */
	ck_assert_int_eq(opened_facility, 3 << 3);
	ck_assert_int_eq(opened_options, 1);
	say_into_file(NULL);
	ck_assert_ptr_nonnull(strstr(said, "sandkeeper: error 1\n"));
	ck_assert_str_eq(told,
	    "3 error 1\n"
	    "4 warning: warn\n"
	    "5 line\n"
	    "6 info\\n<0>x\n");
	log_to_syslog(false);
	ck_assert_int_eq(closed, 1);
	told[0] = '\0';
	say_into_file(NULL);
	ck_assert_str_eq(told, "");
}
END_TEST

START_TEST(quiet)
{
	log_open(LOG_LEVEL_QUIET);
	log_to_syslog(true);
	say_into_file(NULL);
	ck_assert_str_eq(told, "3 error 1\n4 warning: warn\n5 line\n");
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("log");

	unit_add_with(suite, "a line on stderr has no priority", plain,
	    scratch_make, scratch_remove, 1);
	unit_add_with(suite, "under systemd it has one", journal, scratch_make,
	    scratch_remove, 1);
	unit_add_with(suite, "but not where stderr is another file",
	    journal_of_another, scratch_make, scratch_remove, 5);
	unit_add_with(suite, "syslog is told the same, facility daemon",
	    to_syslog, scratch_make, scratch_remove, 1);
	unit_add_with(suite, "syslog is told what is shown", quiet,
	    scratch_make, scratch_remove, 1);
	return suite;
}

UNIT_MAIN(make_suite)
