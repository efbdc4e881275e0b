/* SPDX-License-Identifier: ISC */
/*
 * doctor: does everything that sandkeeper needs look as it should?
 *
 * A table of checks in core/doctor.c; each looks at one thing and reports what
 * it found, and for a warning or a problem what to do.  They change and make
 * nothing, and each docker call has its deadline; where the daemon does not
 * answer, those that need it are skipped.
 */
#ifndef CORE_DOCTOR_H
#define CORE_DOCTOR_H

#include "config/mistakes.h"
#include "core/core.h"

enum doctor_level {
	DOCTOR_OK,
	DOCTOR_SKIPPED, /* it could not be looked at */
	DOCTOR_WARNING, /* it works, and should not be so */
	DOCTOR_PROBLEM, /* it does not work */
};

struct doctor_finding {
	const char *check; /* the name of one in the table */
	enum doctor_level level;
	enum error_kind kind; /* of a problem */
	char *what;
	char *remedy; /* NULL where there is nothing to do */
};

struct doctor_report {
	struct doctor_finding *items;
	size_t len;
	size_t problems, warnings;
};

/*
 * What the caller could prepare, and why not where it could not.  Settings and
 * engines are always there: what was right in them, or what is built in.
 */
struct doctor_question {
	const struct core *core; /* docker, store: NULL with an error below */
	const struct mistakes *settings, *engines;
	const struct error *docker_error, *store_error;
	const char *state_dir, *log_dir;
	bool state_dir_is_usual;
	const char *settings_file; /* that is read, or would be */
	const char *config;        /* that was named; NULL: none */
	const char *endpoint;      /* NULL: store_error tells why */
};

/* 0; or -1 with ERROR_INTERRUPTED.  The caller clears the report. */
int doctor_run(const struct doctor_question *, struct doctor_report *,
    struct error *);
void doctor_report_clear(struct doctor_report *);
const char *doctor_level_word(enum doctor_level);

#endif
