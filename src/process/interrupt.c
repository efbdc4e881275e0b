/* SPDX-License-Identifier: ISC */
/* The request to end. */
#include <poll.h>
#include <string.h>

#include "base/clock.h"
#include "base/progress.h"
#include "process/interrupt.h"

/* Faults and what has no default end are left alone. */
static const int requests[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1,
	SIGUSR2, SIGALRM };
enum { REQUESTS = sizeof(requests) / sizeof(requests[0]) };

static volatile sig_atomic_t signal_seen;
static volatile sig_atomic_t reload_seen;
static volatile sig_atomic_t sweep_seen;
static int shields;
static bool stays_ignored[REQUESTS];
static bool pipe_was_ignored;

static void
note_signal(int number)
{
	signal_seen = number;
}

static void
note_child(int number)
{
	(void)number; /* its only purpose is to end ppoll(2) */
}

static bool
is_ignored(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) == 0 &&
	    action.sa_handler == SIG_IGN;
}

void
interrupt_install(void)
{
	struct sigaction action;
	size_t i;

	memset(&action, 0, sizeof(action));
	(void)sigemptyset(&action.sa_mask);
	action.sa_handler = note_signal;
	for (i = 0; i < REQUESTS; i++) {
		stays_ignored[i] = is_ignored(requests[i]) &&
		    requests[i] != SIGINT && requests[i] != SIGQUIT;
		if (!stays_ignored[i])
			(void)sigaction(requests[i], &action, NULL);
	}
	action.sa_handler = note_child;
	action.sa_flags = SA_NOCLDSTOP;
	(void)sigaction(SIGCHLD, &action, NULL);
	pipe_was_ignored = is_ignored(SIGPIPE);
	action.sa_handler = SIG_IGN;
	action.sa_flags = 0;
	(void)sigaction(SIGPIPE, &action, NULL);
}

static void
note_request(int number)
{
	if (number == SIGHUP)
		reload_seen = 1;
	else
		sweep_seen = 1;
}

void
interrupt_stay(void)
{
	struct sigaction action;
	size_t i;

	memset(&action, 0, sizeof(action));
	(void)sigemptyset(&action.sa_mask);
	action.sa_handler = note_request;
	for (i = 0; i < REQUESTS; i++)
		if (requests[i] == SIGHUP || requests[i] == SIGUSR1) {
			(void)sigaction(requests[i], &action, NULL);
			/* blocked with the others, so that none is missed */
			stays_ignored[i] = false;
		}
}

bool
interrupt_reload_asked(void)
{
	bool asked = reload_seen != 0;

	reload_seen = 0;
	return asked;
}

bool
interrupt_sweep_asked(void)
{
	bool asked = sweep_seen != 0;

	sweep_seen = 0;
	return asked;
}

bool
interrupt_has_request(void)
{
	return reload_seen != 0 || sweep_seen != 0;
}

void
interrupt_fill(sigset_t *set)
{
	size_t i;

	(void)sigemptyset(set);
	for (i = 0; i < REQUESTS; i++)
		if (!stays_ignored[i])
			(void)sigaddset(set, requests[i]);
}

void
interrupt_fill_defaults(sigset_t *set)
{
	(void)sigemptyset(set);
	if (!pipe_was_ignored)
		(void)sigaddset(set, SIGPIPE);
}

void
interrupt_restore_defaults(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = SIG_DFL;
	if (!pipe_was_ignored)
		(void)sigaction(SIGPIPE, &action, NULL);
}

int
interrupt_pending(void)
{
	return shields > 0 ? 0 : signal_seen;
}

int
interrupt_seen(void)
{
	return signal_seen;
}

bool
interrupt_shielded(void)
{
	return shields > 0;
}

void
interrupt_shield(bool on)
{
	shields += on ? 1 : -1;
}

int
interrupt_error(struct error *err)
{
	int number = signal_seen;

	(void)error_set(err, ERROR_INTERRUPTED, "ended by SIG%s",
	    number > 0 ? sigabbrev_np(number) : "?");
	err->sys = number;
	return -1;
}

void
interrupt_block(sigset_t *before)
{
	sigset_t block;

	interrupt_fill(&block);
	(void)sigaddset(&block, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &block, before);
}

void
interrupt_restore(const sigset_t *before)
{
	(void)sigprocmask(SIG_SETMASK, before, NULL);
}

int
interrupt_sleep_ms(int64_t ms, struct error *err)
{
	struct deadline end = deadline_in_ms(ms);
	struct timespec left;
	sigset_t before;
	int64_t rest;

	interrupt_block(&before);
	while (interrupt_pending() == 0 && (rest = deadline_left_ms(end)) > 0) {
		progress_tick();
		rest = progress_slice_ms(rest);
		left.tv_sec = rest / 1000;
		left.tv_nsec = (rest % 1000) * 1000000;
		(void)ppoll(NULL, 0, &left, &before);
	}
	interrupt_restore(&before);
	return interrupt_pending() != 0 ? interrupt_error(err) : 0;
}
