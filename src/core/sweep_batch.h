/* SPDX-License-Identifier: ISC */
/*
 * One batch of a sweep: second look, removal, eviction.  Only core/sweep.c
 * includes this.
 */
#ifndef CORE_SWEEP_BATCH_H
#define CORE_SWEEP_BATCH_H

#include "core/survey.h"
#include "core/sweep.h"

struct sweep_batch {
	const struct core *core;
	const struct sweep_options *options;
	struct judge_rules rules;
	bool waited; /* an absent owner has had its grace */
	struct survey_row **rows;
	size_t row_count;
	struct survey_agent **agents; /* each once */
	struct agent_lock *locks;     /* one for each agent */
	size_t agent_count;
	size_t agent_max; /* as many as there are descriptors for */
};

/*
 * Returns -1 where the second look failed: nothing of this batch was removed,
 * and the pass must end.
 */
int sweep_batch_run(struct sweep_batch *, struct sweep_report *,
    struct error *);

#endif
