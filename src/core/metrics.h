/* SPDX-License-Identifier: ISC */
/*
 * What a sweep did, for Prometheus: text for the textfile collector of
 * node_exporter (rule S11).
 */
#ifndef CORE_METRICS_H
#define CORE_METRICS_H

#include "base/strbuf.h"
#include "core/sweep.h"

struct metrics {
	const struct sweep_report *report;
	/* labels: several states and daemons of a machine do not collide */
	const char *state_dir, *daemon;
	int64_t duration_ms;
	int64_t last_success; /* seconds since the epoch; 0: never */
};

/* What could not be learned, the containers not being listed, is NaN. */
void metrics_write(const struct metrics *, struct strbuf *);
/* The time of the last success that such a text tells; 0 where it does not. */
int64_t metrics_last_success(const char *text);

/*
 * Replace the file at path as a whole, mode 0644.  Where this sweep was no
 * success the time of the last one is taken from the file that is there.
 * ERROR_STATE_WRITE.
 */
int metrics_save(struct metrics *, bool success, const char *path,
    struct error *);

#endif
