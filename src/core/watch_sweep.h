/* SPDX-License-Identifier: ISC */
/*
 * A sweep that a watch makes, and what it learns from it.  Only core/watch.c
 * includes this.
 */
#ifndef CORE_WATCH_SWEEP_H
#define CORE_WATCH_SWEEP_H

#include "core/watch_hear.h"

/* When to try again where another sweep is at work. */
enum { WATCH_BUSY_MS = 1000 };

/*
 * Owners whose clocks have run out are its suspects.  narrow: it is for them
 * alone, and looks first at what the memory has, without docker.  Each thing
 * that goes is told.  Where another sweep is at work, *busy is true, and the
 * suspects have another moment; where it fails (-1), they stay suspects.
 */
int watch_sweep(struct watch_ear *, bool narrow, bool *busy, struct error *);

#endif
