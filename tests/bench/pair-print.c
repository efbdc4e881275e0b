/* SPDX-License-Identifier: ISC */
/* Figures of two commands as a line of JSON. */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts; part is 0.5 for the median, 0.25 and 0.75 for the quartiles. */
static double
quantile(double *values, size_t count, double part)
{
	double at = part * (double)(count - 1), below = floor(at);
	size_t i = (size_t)below;

	qsort(values, count, sizeof(*values), compare);
	if (i + 1 >= count)
		return values[count - 1];
	return values[i] + (at - below) * (values[i + 1] - values[i]);
}

static void
print_text(const char *text)
{
	const unsigned char *p;

	(void)putchar('"');
	for (p = (const unsigned char *)text; *p != '\0'; p++) {
		if (*p == '"' || *p == '\\')
			(void)printf("\\%c", *p);
		else if (*p < 0x20)
			(void)printf("\\u%04x", *p);
		else
			(void)putchar(*p);
	}
	(void)putchar('"');
}

/* key=value: a number where it is one. */
static void
print_key(const char *key)
{
	const char *value = strchr(key, '=') + 1;
	char *name = strndup(key, (size_t)(value - 1 - key)), *end;
	double number = strtod(value, &end);

	print_text(name);
	(void)putchar(':');
	if (*value != '\0' && *end == '\0' && isfinite(number))
		(void)printf("%.10g", number);
	else
		print_text(value);
	(void)putchar(',');
	free(name);
}

static void
print_command(const char *which, struct command *command, size_t rounds)
{
	double median = quantile(command->ms, rounds, 0.5);

	(void)printf("\"%s\":{\"name\":", which);
	print_text(command->name);
	(void)printf(",\"median_ms\":%.3f,\"min_ms\":%.3f,\"max_ms\":%.3f",
	    median, command->ms[0], command->ms[rounds - 1]);
	(void)printf(",\"rss_kb\":%.0f,\"minflt\":%.0f",
	    quantile(command->rss_kb, rounds, 0.5),
	    quantile(command->minflt, rounds, 0.5));
	if (command->own_kb > 0)
		(void)printf(",\"own_kb\":%ld", command->own_kb);
	(void)printf("},");
}

void
pair_print(struct command command[2], size_t rounds, const char *const *keys,
    size_t key_count)
{
	double *ratios = calloc(rounds, sizeof(*ratios));
	double ratio;
	size_t i;

	if (ratios == NULL)
		err(1, NULL);
	/* before the times are sorted */
	for (i = 0; i < rounds; i++)
		ratios[i] = command[0].ms[i] / command[1].ms[i];
	(void)putchar('{');
	for (i = 0; i < key_count; i++)
		print_key(keys[i]);
	(void)printf("\"rounds\":%zu,", rounds);
	print_command("a", &command[0], rounds);
	print_command("b", &command[1], rounds);
	ratio = quantile(command[0].ms, rounds, 0.5) /
	    quantile(command[1].ms, rounds, 0.5);
	(void)printf("\"ratio\":%.4f,\"ratio_low\":%.4f,\"ratio_high\":%.4f}\n",
	    ratio, quantile(ratios, rounds, 0.25),
	    quantile(ratios, rounds, 0.75));
	free(ratios);
}
