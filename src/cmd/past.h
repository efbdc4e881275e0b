/* SPDX-License-Identifier: ISC */
/* The agents of the history. */
#ifndef CMD_PAST_H
#define CMD_PAST_H

#include "cmd/cmd.h"

/*
 * Append the agents that the newest lines of the history name, each once, the
 * newest first.  What cannot be read is left out.
 */
void past_agents(struct app *, struct strvec *slugs);

#endif
