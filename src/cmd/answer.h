/* SPDX-License-Identifier: ISC */
/*
 * What the last word of a command line could be, printed for a shell's
 * completion: a line for each, "WORD" or "WORD<tab>WHAT IT IS".  A line that
 * begins with ":" tells the shell what to do:
 *
 *	:files, :dirs	names of files; behind the last "=" of the word
 *	:command N	the words from the Nth on, counted from 0, are a command
 *	:nospace	the word goes on behind what is chosen
 *
 * Docker is asked for names of containers alone, and for less than half a
 * second.  What cannot be told, for whatever reason, is left out.
 */
#ifndef CMD_ANSWER_H
#define CMD_ANSWER_H

#include "cmd/typed.h"

void answer(struct app *, const struct typed *);

#endif
