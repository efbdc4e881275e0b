/* SPDX-License-Identifier: ISC */
/*
 * One line at the bottom of a terminal, on stderr, that says what is waited
 * for and how long already.  It comes after a moment, is written anew while
 * the wait lasts, and is erased when it is over; whoever writes anything else
 * there erases it first.  Where stderr is no terminal there is none.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Is it wanted at all?  Until this is called, it is not. */
void progress_open(bool);

/* What is waited for from now on, in place of what was waited for before. */
void progress_begin(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void);

/* For what waits: write it if it is due. */
void progress_tick(void);
/* How long a wait may sleep at most, so that the line is in time. */
int64_t progress_slice_ms(int64_t ms);
/* Before anything else is written to the terminal. */
void progress_hide(void);

#endif
