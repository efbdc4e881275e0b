/* SPDX-License-Identifier: ISC */
/* Candidates in batches. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "core/sweep_queue.h"
#include "process/interrupt.h"

/* Containers of one second look; each agent among them holds a descriptor. */
static const size_t max_rows = 56;
/* So that an agent's containers fit in without being parted. */
static const size_t slack_rows = 3;
/* What a docker call and a look into the state need beside the locks. */
static const size_t working_descriptors = 8;

/* Batches of one size: the daemon is slow with a few that are left over. */
static size_t
even_rows(size_t count)
{
	size_t batches = (count + max_rows - 1) / max_rows, rows;

	if (batches == 0)
		return max_rows;
	rows = (count + batches - 1) / batches + slack_rows;
	return rows < max_rows ? rows : max_rows;
}

static void
batch_init(struct sweep_batch *batch, size_t spare)
{
	batch->agent_max = max_rows;
	if (spare < max_rows + working_descriptors)
		batch->agent_max = spare > working_descriptors ?
		    spare - working_descriptors :
		    1;
	batch->rows = xcalloc(max_rows, sizeof(struct survey_row *));
	batch->agents = xcalloc(max_rows, sizeof(struct survey_agent *));
	batch->locks = xcalloc(max_rows, sizeof(*batch->locks));
}

void
sweep_queue_init(struct sweep_queue *queue, const struct core *core,
    const struct sweep_options *options, const struct judge_rules *rules,
    bool waited, size_t count, struct sweep_report *report)
{
	size_t spare = fd_spare();
	int i;

	memset(queue, 0, sizeof(*queue));
	queue->report = report;
	queue->batch_rows = even_rows(count);
	queue->one_by_one = spare < 2 * max_rows + working_descriptors;
	for (i = 0; i < 2; i++) {
		queue->batches[i].core = core;
		queue->batches[i].options = options;
		queue->batches[i].rules = *rules;
		queue->batches[i].waited = waited;
		batch_init(&queue->batches[i], spare);
	}
	queue->filling = &queue->batches[0];
}

void
sweep_queue_clear(struct sweep_queue *queue)
{
	struct sweep_batch *batch;
	int i;

	if (queue->looked != NULL)
		sweep_batch_close(queue->looked);
	for (i = 0; i < 2; i++) {
		batch = &queue->batches[i];
		free(batch->rows);
		free(batch->agents);
		free(batch->locks);
	}
}

static bool
has_agent(const struct sweep_batch *batch, const struct survey_agent *agent)
{
	size_t i;

	for (i = 0; i < batch->agent_count; i++)
		if (batch->agents[i] == agent)
			return true;
	return false;
}

static void
add_agent(struct sweep_batch *batch, struct survey_agent *agent)
{
	if (!has_agent(batch, agent))
		batch->agents[batch->agent_count++] = agent;
}

/* A lock cannot be had twice. */
static bool
share_an_agent(const struct sweep_batch *one, const struct sweep_batch *two)
{
	size_t i;

	for (i = 0; i < one->agent_count; i++)
		if (has_agent(two, one->agents[i]))
			return true;
	return false;
}

static void
end_looked(struct sweep_queue *queue)
{
	if (queue->looked != NULL)
		sweep_batch_end(queue->looked, queue->report);
	queue->looked = NULL;
}

static int
flush(struct sweep_queue *queue, struct error *err)
{
	struct sweep_batch *full = queue->filling, *before;

	if (full->row_count == 0 && full->agent_count == 0)
		return 0;
	if (queue->looked != NULL &&
	    (queue->one_by_one || share_an_agent(queue->looked, full)))
		end_looked(queue);
	before = queue->looked;
	queue->looked = NULL;
	if (sweep_batch_begin(full, before, queue->report, err) == -1)
		return -1;
	queue->looked = full;
	queue->filling = &queue->batches[full == &queue->batches[0] ? 1 : 0];
	return interrupt_pending() != 0 ? interrupt_error(err) : 0;
}

int
sweep_queue_add_rows(struct sweep_queue *queue, struct survey_row **rows,
    size_t count, struct error *err)
{
	size_t i;

	if ((queue->filling->row_count + count > queue->batch_rows ||
		queue->filling->agent_count == queue->filling->agent_max) &&
	    flush(queue, err) == -1)
		return -1;
	for (i = 0; i < count; i++) {
		queue->filling->rows[queue->filling->row_count++] = rows[i];
		if (rows[i]->agent != NULL)
			add_agent(queue->filling, rows[i]->agent);
		if (queue->filling->row_count == queue->batch_rows &&
		    flush(queue, err) == -1)
			return -1;
	}
	return 0;
}

int
sweep_queue_add_agent(struct sweep_queue *queue, struct survey_agent *agent,
    struct error *err)
{
	if (queue->filling->agent_count == queue->filling->agent_max &&
	    flush(queue, err) == -1)
		return -1;
	add_agent(queue->filling, agent);
	return 0;
}

int
sweep_queue_finish(struct sweep_queue *queue, struct error *err)
{
	if (flush(queue, err) == -1)
		return -1;
	end_looked(queue);
	return 0;
}
