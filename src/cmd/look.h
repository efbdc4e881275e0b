/* SPDX-License-Identifier: ISC */
/* Looking at everything, for commands that show it. */
#ifndef CMD_LOOK_H
#define CMD_LOOK_H

#include "cmd/app.h"
#include "core/survey.h"

/*
 * Prepare what is needed and take a survey.  Where docker cannot tell, a
 * warning says so and the entries alone are shown: *listed is false then.  The
 * caller clears the survey.
 */
int look_at_everything(struct app *, struct survey *, bool *listed,
    struct error *);

#endif
