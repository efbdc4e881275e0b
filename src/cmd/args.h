/* SPDX-License-Identifier: ISC */
/*
 * Command lines: options in tables, so that help, usage and the parser cannot
 * disagree.  Options and operands may be mixed; "--" ends the options.
 */
#ifndef CMD_ARGS_H
#define CMD_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strvec.h"

struct option_spec {
	int id;               /* the letter where it has one, else from 256 */
	const char *name;     /* without dashes; NULL ends a table */
	const char *argument; /* "DIR"; "[=DIR]": may be left out; NULL: none */
	const char *help;
};
#define OPTION_LETTER_MAX 255

struct args_option {
	const struct option_spec *spec;
	const char *value; /* NULL: it takes none, or none was given */
};

struct args {
	struct args_option *options;
	size_t option_count;
	struct strvec operands;
	size_t separator; /* operands before "--"; SIZE_MAX: no "--" */
};

/*
 * Parse argv (from its first word on) by both tables; either may be NULL.
 * stop_at_operand ends at the first operand, whose index goes to *next.
 * ERROR_USAGE names the option and what was meant.
 */
int args_parse(struct args *, int argc, char *const argv[],
    const struct option_spec *, const struct option_spec *,
    bool stop_at_operand, int *next, struct error *);
void args_clear(struct args *);

bool args_has(const struct args *, int id);
/* The last value given; NULL where it was not. */
const char *args_value(const struct args *, int id);
/* Every value, split at commas. */
void args_lists(const struct args *, int id, struct strvec *);
/* Every value as it is. */
void args_values(const struct args *, int id, struct strvec *);
/* A duration in seconds; unset leaves *seconds.  ERROR_VALUE. */
int args_duration(const struct args *, int id, int64_t *seconds,
    struct error *);

/*
 * Which option is this word?  NULL where neither table has it.  *value is what
 * it holds of a value, else NULL.
 */
const struct option_spec *args_option_of(const char *word,
    const struct option_spec *, const struct option_spec *, const char **value);
/* Does it take the next word for its value? */
bool args_wants_word(const struct option_spec *);

/* ERROR_USAGE unless there are that many operands (max SIZE_MAX: any). */
int args_expect(const struct args *, size_t min, size_t max, const char *what,
    struct error *);

#endif
