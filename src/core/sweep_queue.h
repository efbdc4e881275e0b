/* SPDX-License-Identifier: ISC */
/*
 * The candidates of a sweep on their way through the batches.  One batch is
 * removed while the second look of the next is made, so that the daemon is
 * never idle.  Only core/sweep.c includes this.
 */
#ifndef CORE_SWEEP_QUEUE_H
#define CORE_SWEEP_QUEUE_H

#include "core/sweep_batch.h"

struct sweep_queue {
	struct sweep_report *report;
	size_t batch_rows;
	bool one_by_one; /* too few descriptors for the locks of two */
	struct sweep_batch batches[2];
	struct sweep_batch *filling;
	struct sweep_batch *looked; /* NULL, or the one whose look is made */
};

/*
 * For count rows or about as many.  waited: an absent owner has had its grace.
 * Borrows all that it is given.
 */
void sweep_queue_init(struct sweep_queue *, const struct core *,
    const struct sweep_options *, const struct judge_rules *, bool waited,
    size_t count, struct sweep_report *);
void sweep_queue_clear(struct sweep_queue *);

/*
 * Each may carry out what was put in before; -1 where a second look failed or
 * a signal came: nothing more is removed then.
 */
/* count rows of one agent, whose lock is taken once for all of them */
int sweep_queue_add_rows(struct sweep_queue *, struct survey_row **,
    size_t count, struct error *);
/* an entry without rows */
int sweep_queue_add_agent(struct sweep_queue *, struct survey_agent *,
    struct error *);
/* carry out the rest */
int sweep_queue_finish(struct sweep_queue *, struct error *);

#endif
