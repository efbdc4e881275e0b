/* SPDX-License-Identifier: ISC */
/*
 * The janitor (rules S1 to S10).
 *
 * A first look (core/survey.h) finds candidates.  They are taken up in
 * batches: under their agents' locks, tried and never waited for, one "docker
 * inspect" looks a second time at candidates and owners, with the entries read
 * again; what is still to go is removed by full id, a few ids a call and a few
 * calls at once; entries go after their containers.
 */
#ifndef CORE_SWEEP_H
#define CORE_SWEEP_H

#include "core/judge.h"

struct sweep_options {
	const char *cause; /* for the history: the command; NULL: "sweep" */
	bool dry_run;      /* decide, and change nothing */
	bool drain;        /* everything that this keeper made */
	/* containers that are known to have died as owners, their grace over,
	 * whatever a listing that lags says; may be NULL */
	const struct strvec *suspects;
	/* where not NULL: gets the listing, for a sweep for suspects alone,
	 * which takes it for the first look, and looks at no other owner */
	struct container_list *listing;
	bool suspects_only;
	/* where not NULL: absent owners are named here, not waited for */
	struct strvec *deferred;
};

enum sweep_outcome {
	SWEEP_KEPT,
	SWEEP_REMOVED,
	SWEEP_WOULD_REMOVE, /* dry run */
	SWEEP_GONE,         /* somebody else had removed it */
	SWEEP_FAILED,
	SWEEP_FORGOTTEN, /* an entry that had no container any more */
};

struct sweep_decision {
	char *agent;
	char *container; /* name; "" of an entry */
	char *id;
	char *service;
	char *owner;
	char *keeper;
	enum verdict verdict;
	enum sweep_outcome outcome;
	int64_t age; /* seconds; -1: unknown */
	int64_t until;
	char *problem; /* with SWEEP_FAILED */
};

struct sweep_report {
	size_t found, removed, kept, failed, evicted;
	bool busy;                /* another sweep is at work */
	bool listed;              /* docker told which containers there are */
	struct error entry_stays; /* why one could not be evicted; or empty */
	struct sweep_decision *decisions;
	size_t decision_count, decision_cap;
	struct sweep_decision *forgotten; /* of entries, with no container */
	size_t forgotten_count;
};

/*
 * Returns 0 unless the pass had to end early (a listing failed, a signal):
 * what was done until then is in the report, which the caller clears.
 * Containers that could not be removed are in report->failed, and the first
 * entry that could not in report->entry_stays.
 */
int sweep_run(const struct core *, const struct sweep_options *,
    struct sweep_report *, struct error *);
void sweep_report_clear(struct sweep_report *);
/* Is it one of the owners that are known to have died? */
bool sweep_is_suspect(const struct sweep_options *, const struct owner *);
const char *sweep_outcome_word(enum sweep_outcome);

/* For core/sweep_batch.c: note one decision; of an entry that is forgotten. */
void sweep_report_forget(struct sweep_report *, const char *agent,
    const char *owner, enum verdict);
struct sweep_decision *sweep_report_add(struct sweep_report *,
    const char *agent, const struct sandbox *, struct judgement,
    enum sweep_outcome);

#endif
