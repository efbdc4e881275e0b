/* SPDX-License-Identifier: ISC */
/* Driving children to their end, many at once. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/progress.h"
#include "process/child.h"
#include "process/interrupt.h"
#include "process/process.h"

/* How long to sleep at most before asking the caller's stop again. */
static const int64_t slice_ms = 100;

struct pool {
	const struct process_spec *specs;
	struct process_result *results;
	const struct process_control *control;
	size_t count;
	size_t next; /* the first that was not started yet */
	struct child *running;
	size_t active;
	size_t parallel;
	struct pollfd *fds;
	sigset_t unblocked;
};

static bool
must_stop(const struct process_control *control)
{
	if (interrupt_pending() != 0)
		return true;
	return control->stop != NULL && control->stop(control->stop_arg);
}

/* What others give back when they end: descriptors, processes, memory. */
static bool
may_pass(int number)
{
	return number == EMFILE || number == ENFILE || number == EAGAIN ||
	    number == ENOMEM;
}

/* Returns whether one could not be started. */
static bool
start_more(struct pool *pool)
{
	struct child *child;
	bool failed = false;

	while (pool->active < pool->parallel && pool->next < pool->count) {
		child = &pool->running[pool->active];
		if (child_start(child, &pool->specs[pool->next],
			&pool->results[pool->next]) == 0) {
			child->deadline = deadline_earlier(child->deadline,
			    pool->control->deadline);
			pool->active++;
		} else if (pool->active > 0 &&
		    may_pass(pool->results[pool->next].spawn_errno)) {
			pool->results[pool->next].spawn_errno = 0;
			break;
		} else {
			failed = true;
		}
		pool->next++;
	}
	return failed;
}

static void
forget(struct pool *pool, size_t index)
{
	pool->active--;
	pool->running[index] = pool->running[pool->active];
}

static bool
has_failed(const struct process_result *result)
{
	return result->end != PROCESS_EXITED || result->code != 0;
}

static bool
over_limit(const struct child *child)
{
	return child->spec->output_limit > 0 && child->result->truncated;
}

/* Move its bytes; reap it if it has ended, end it if it is late. */
static bool
has_ended(struct child *child)
{
	child_pump(child);
	if (child_reap(child))
		return true;
	if (over_limit(child))
		child_kill(child, PROCESS_LIMITED);
	else if (deadline_left_ms(child->deadline) == 0)
		child_kill(child, PROCESS_TIMED_OUT);
	else
		return false;
	return true;
}

/*
 * A signal to our whole group (Ctrl-C, a terminal that goes) hits a child that
 * has no group of its own yet.  While we clean up, that is no answer: what is
 * asked then can be asked twice.
 */
static bool
was_hit_with_us(const struct child *child)
{
	const struct process_result *result = child->result;

	return interrupt_shielded() && !child->again &&
	    result->end == PROCESS_SIGNALED && result->out.len == 0 &&
	    (result->code == SIGHUP || result->code == SIGINT ||
		result->code == SIGQUIT || result->code == SIGTERM);
}

static bool
start_again(const struct pool *pool, struct child *child)
{
	const struct process_spec *spec = child->spec;
	struct process_result *result = child->result;

	process_result_clear(result);
	if (child_start(child, spec, result) == -1)
		return false;
	child->again = true;
	child->deadline =
	    deadline_earlier(child->deadline, pool->control->deadline);
	return true;
}

/* Returns whether one has failed. */
static bool
tend(struct pool *pool)
{
	bool failed = false;
	size_t i = 0;

	while (i < pool->active) {
		if (!has_ended(&pool->running[i])) {
			i++;
			continue;
		}
		if (was_hit_with_us(&pool->running[i]) &&
		    start_again(pool, &pool->running[i]))
			continue;
		if (has_failed(pool->running[i].result))
			failed = true;
		forget(pool, i);
	}
	return failed;
}

static void
stop_all(struct pool *pool)
{
	while (pool->active > 0) {
		child_kill(&pool->running[0], PROCESS_STOPPED);
		forget(pool, 0);
	}
	pool->next = pool->count;
}

/* Sleep until something moves: a pipe, a child's end (SIGCHLD), a deadline. */
static void
wait_for_news(struct pool *pool)
{
	struct timespec timeout;
	int64_t left = slice_ms, child_left;
	size_t i, count = 0;

	for (i = 0; i < pool->active; i++) {
		count += child_poll(&pool->running[i], pool->fds + count);
		child_left = deadline_left_ms(pool->running[i].deadline);
		if (child_left < left)
			left = child_left;
	}
	timeout.tv_sec = left / 1000;
	timeout.tv_nsec = (left % 1000) * 1000000;
	(void)ppoll(pool->fds, (nfds_t)count, &timeout, &pool->unblocked);
}

void
process_run_many(const struct process_spec *specs, size_t count,
    size_t parallel, const struct process_control *control,
    struct process_result *results)
{
	struct pool pool = { specs, results, control, count, 0, NULL, 0,
		parallel, NULL, { { 0 } } };
	bool failed;

	memset(results, 0, count * sizeof(*results));
	if (parallel > count)
		pool.parallel = count;
	pool.running = xcalloc(pool.parallel, sizeof(*pool.running));
	pool.fds = xcalloc(pool.parallel * CHILD_PIPES, sizeof(*pool.fds));
	interrupt_block(&pool.unblocked);
	while (pool.active > 0 || pool.next < pool.count) {
		if (must_stop(control)) {
			stop_all(&pool);
			break;
		}
		failed = start_more(&pool);
		if (pool.active > 0 && !failed)
			wait_for_news(&pool);
		progress_tick();
		failed |= tend(&pool);
		if (failed && control->stop_on_failure)
			stop_all(&pool);
	}
	interrupt_restore(&pool.unblocked);
	free(pool.running);
	free(pool.fds);
}

void
process_run(const struct process_spec *spec,
    const struct process_control *control, struct process_result *result)
{
	process_run_many(spec, 1, 1, control, result);
}

void
process_result_clear(struct process_result *result)
{
	strbuf_clear(&result->out);
	strbuf_clear(&result->err);
	memset(result, 0, sizeof(*result));
}
