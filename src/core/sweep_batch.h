/* SPDX-License-Identifier: ISC */
/*
 * One batch of a sweep: second look, removal, eviction.  Only core/
 * sweep_queue.c and core/sweep_look.c include this.
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
	size_t agent_max;        /* as many as there are descriptors for */
	struct docker_look look; /* the second look */
};

/*
 * Lock what can be locked, read the entries anew, and make the second look:
 * beside the removals of the batch before, which end there, or by itself where
 * that is NULL.  Returns -1 where the look failed: nothing of this batch was
 * removed, it is closed, and the pass must end.
 */
int sweep_batch_begin(struct sweep_batch *, struct sweep_batch *before,
    struct sweep_report *, struct error *);
/* Remove what is to go, forget entries, and close the batch. */
void sweep_batch_end(struct sweep_batch *, struct sweep_report *);
/* Free the locks and be ready for the next rows. */
void sweep_batch_close(struct sweep_batch *);

#endif
