/* SPDX-License-Identifier: ISC */
/* What pair measured of a command, and how it is printed. */
#ifndef PAIR_H
#define PAIR_H

#include <stddef.h>

enum { MOST_WORDS = 1024, MOST_ROUNDS = 10000, MOST_KEYS = 16 };

struct command {
	const char *text;
	const char *name;
	const char *prepare;
	char *words[MOST_WORDS + 1]; /* as it is started */
	double *ms;                  /* of each round, as the next two */
	double *rss_kb;
	double *minflt;
	long own_kb; /* 0: not measured */
};

/* One line of JSON: keys are "name=value" each.  The rounds get sorted. */
void pair_print(struct command command[2], size_t rounds,
    const char *const *keys, size_t key_count);

#endif
