/* SPDX-License-Identifier: ISC */
/*
 * A command line that is being typed, read by the tables of options: what may
 * the last word be?  Nothing of it is wrong: what is not known is left out.
 */
#ifndef CMD_TYPED_H
#define CMD_TYPED_H

#include "cmd/cmd.h"

struct typed {
	const struct cmd *cmd; /* NULL: none yet */
	bool unknown;          /* there is no such command: nothing follows */
	/* the last word is, or ends with, this one's value */
	const struct option_spec *option;
	size_t own; /* words before the first "--"; 0: there is none */
	struct strvec before; /* operands; the last word is none of them */
	const char *head;     /* what stands before the value in its word */
	size_t head_len;      /* ("--services="), not ended by a NUL */
	const char *last;     /* what is to be completed; borrowed */
};

/*
 * words begin with the program.  Global options that say where the state, the
 * settings and docker are go into the app; all of it is borrowed from words.
 */
void typed_read(struct typed *, struct app *, const struct strvec *words);
void typed_clear(struct typed *);

/*
 * What the operand that is typed stands for ("AGENT", "AGENT|CONTAINER",
 * "CMD"), by the command's args; "--" where that comes next; "" where nothing
 * more can.  Returns whether it may be left out, or is "--".
 */
bool typed_operand(const struct typed *, char *word, size_t size);

#endif
