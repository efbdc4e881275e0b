/* SPDX-License-Identifier: ISC */
/*
 * SIGHUP, SIGINT, SIGTERM, and what else would end us half way, ask a command
 * to end.  The handler only notes the signal; whoever waits (process/run.c,
 * lock and sleep loops) looks at it, ends its children, and returns an error
 * of kind ERROR_INTERRUPTED.  Cleaning up runs under a shield, in which the
 * request is kept but not seen.
 */
#ifndef PROCESS_INTERRUPT_H
#define PROCESS_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Install the handlers.  What our caller ignores stays ignored, as nohup(1)
 * expects; but not SIGINT and SIGQUIT, which a shell ignores for every job in
 * the background.  SIGPIPE is ignored: a closed pipe is an EPIPE.
 */
void interrupt_install(void);

/* The signals that ask us to end, but for those that stay ignored. */
void interrupt_fill(sigset_t *);

/*
 * What a program that we start, or become, must not inherit from us: a handler
 * ends with the exec by itself, a signal that we ignore does not.
 */
void interrupt_fill_defaults(sigset_t *);
void interrupt_restore_defaults(void);

/*
 * For a command that stays: SIGHUP asks for a reload and SIGUSR1 for a sweep,
 * neither for the end.  Each request is told once.
 */
void interrupt_stay(void);
bool interrupt_reload_asked(void);
bool interrupt_sweep_asked(void);
/* Is there one that was not told yet? */
bool interrupt_has_request(void);

/* The signal that asked us to end, or 0; 0 under a shield. */
int interrupt_pending(void);
/* The same, shield or not. */
int interrupt_seen(void);

bool interrupt_shielded(void);
/* Shields nest; each true is undone by one false. */
void interrupt_shield(bool on);

/* Fill the error for the pending signal; returns -1. */
int interrupt_error(struct error *);

/*
 * Sleep until a child changes state, a signal arrives or the time is over.
 * The signals must be blocked by interrupt_block(), so that none is missed
 * between the look and the sleep.
 */
void interrupt_block(sigset_t *before);
void interrupt_restore(const sigset_t *before);

/* Sleep that long, or until a signal asks us to end; 0, or -1 for that. */
int interrupt_sleep_ms(int64_t ms, struct error *);

#endif
