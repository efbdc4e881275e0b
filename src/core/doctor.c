/* SPDX-License-Identifier: ISC */
/* doctor: the table of checks, and their findings. */
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"
#include "core/doctor_work.h"
#include "process/interrupt.h"

/* In the order in which they are shown: what others need comes first. */
static const struct {
	const char *name;
	void (*look)(struct doctor *);
} checks[] = {
	{ "settings", doctor_check_settings },
	{ "enabled", doctor_check_enabled },
	{ "engines", doctor_check_engines },
	{ "client", doctor_check_client },
	{ "daemon", doctor_check_daemon },
	{ "socket", doctor_check_socket },
	{ "limits", doctor_check_limits },
	{ "clock", doctor_check_clock },
	{ "state", doctor_check_state },
	{ "logs", doctor_check_logs },
	{ "images", doctor_check_images },
	{ "networks", doctor_check_networks },
	{ "entries", doctor_check_entries },
	{ "leftovers", doctor_check_leftovers },
	{ "janitor", doctor_check_janitor },
};

/* No path, message or list of names is longer. */
static const size_t text_max = 2000;

const char *
doctor_level_word(enum doctor_level level)
{
	static const char *const words[] = {
		[DOCTOR_OK] = "ok",
		[DOCTOR_SKIPPED] = "skipped",
		[DOCTOR_WARNING] = "warning",
		[DOCTOR_PROBLEM] = "problem",
	};

	return words[level];
}

static char *
plain(const char *text)
{
	return text_is_plain(text) ? xstrdup(text) :
				     text_visible(text, text_max);
}

static void add(struct doctor *, enum doctor_level, enum error_kind,
    const char *, const char *, va_list) __attribute__((format(printf, 5, 0)));

static void
add(struct doctor *doctor, enum doctor_level level, enum error_kind kind,
    const char *remedy, const char *fmt, va_list ap)
{
	struct doctor_report *report = doctor->report;
	struct doctor_finding *finding;
	char *text = NULL;

	if (vasprintf(&text, fmt, ap) == -1)
		return;
	report->items = xreallocarray(report->items, report->len + 1,
	    sizeof(*report->items));
	finding = &report->items[report->len++];
	finding->check = doctor->check;
	finding->level = level;
	finding->kind = kind;
	finding->what = plain(text);
	finding->remedy = remedy != NULL ? plain(remedy) : NULL;
	report->warnings += level == DOCTOR_WARNING;
	report->problems += level == DOCTOR_PROBLEM;
	free(text);
}

void
doctor_ok(struct doctor *doctor, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(doctor, DOCTOR_OK, ERROR_NONE, NULL, fmt, ap);
	va_end(ap);
}

void
doctor_warn(struct doctor *doctor, const char *remedy, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(doctor, DOCTOR_WARNING, ERROR_NONE, remedy, fmt, ap);
	va_end(ap);
}

void
doctor_problem(struct doctor *doctor, enum error_kind kind, const char *remedy,
    const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(doctor, DOCTOR_PROBLEM, kind, remedy, fmt, ap);
	va_end(ap);
}

static void skip(struct doctor *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

static void
skip(struct doctor *doctor, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(doctor, DOCTOR_SKIPPED, ERROR_NONE, NULL, fmt, ap);
	va_end(ap);
}

void
doctor_skip(struct doctor *doctor, const char *why)
{
	skip(doctor, "not looked at: %s", why);
}

void
doctor_error(struct doctor *doctor, const struct error *err, const char *remedy)
{
	doctor_problem(doctor, err->kind,
	    err->hint[0] != '\0' ? err->hint : remedy, "%s", err->msg);
}

char *
doctor_user(void)
{
	/* cppcheck-suppress getpwuidCalled ; there are no threads */
	const struct passwd *user = getpwuid(geteuid());

	return user != NULL ? xstrdup(user->pw_name) :
			      xasprintf("%u", geteuid());
}

int
doctor_run(const struct doctor_question *question, struct doctor_report *report,
    struct error *err)
{
	struct doctor doctor = { .question = question,
		.core = question->core,
		.report = report };
	size_t i;
	int rc = 0;

	memset(report, 0, sizeof(*report));
	for (i = 0; rc == 0 && i < sizeof(checks) / sizeof(checks[0]); i++) {
		doctor.check = checks[i].name;
		checks[i].look(&doctor);
		if (interrupt_pending() != 0)
			rc = interrupt_error(err);
	}
	survey_clear(&doctor.survey);
	return rc;
}

void
doctor_report_clear(struct doctor_report *report)
{
	size_t i;

	for (i = 0; i < report->len; i++) {
		free(report->items[i].what);
		free(report->items[i].remedy);
	}
	free(report->items);
	memset(report, 0, sizeof(*report));
}
