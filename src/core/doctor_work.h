/* SPDX-License-Identifier: ISC */
/* What the checks of doctor share; for core/doctor*.c alone. */
#ifndef CORE_DOCTOR_WORK_H
#define CORE_DOCTOR_WORK_H

#include "core/doctor.h"
#include "core/survey.h"
#include "docker/about.h"

struct doctor {
	const struct doctor_question *question;
	const struct core *core;
	struct doctor_report *report;
	const char *check; /* at work */
	/* learned by earlier checks */
	bool answers; /* the daemon does */
	struct docker_version version;
	struct error version_error; /* where it does not */
	bool informed;
	struct docker_info info;
	bool listed; /* the survey holds what docker lists */
	struct survey survey;
};

/* The finding of the check at work. */
void doctor_ok(struct doctor *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void doctor_skip(struct doctor *, const char *why);
/* With what to do; foreign text in both may be as it came. */
void doctor_warn(struct doctor *, const char *remedy, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void doctor_problem(struct doctor *, enum error_kind, const char *remedy,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* An error as it is: its message; its hint is the remedy, else the given. */
void doctor_error(struct doctor *, const struct error *, const char *remedy);

/* The user that we run as; the caller frees it. */
char *doctor_user(void);

/* The checks; each reports at least one finding. */
void doctor_check_settings(struct doctor *);
void doctor_check_enabled(struct doctor *);
void doctor_check_engines(struct doctor *);
void doctor_check_client(struct doctor *);
void doctor_check_daemon(struct doctor *);
void doctor_check_socket(struct doctor *);
void doctor_check_limits(struct doctor *);
void doctor_check_clock(struct doctor *);
void doctor_check_state(struct doctor *);
void doctor_check_logs(struct doctor *);
void doctor_check_images(struct doctor *);
void doctor_check_networks(struct doctor *);
void doctor_check_entries(struct doctor *);
void doctor_check_leftovers(struct doctor *);
void doctor_check_janitor(struct doctor *);

#endif
