/* SPDX-License-Identifier: ISC */
/*
 * fault-driver MODE TEMPLATE... - runs the cells of the fault tier
 *
 * MODE is matrix, crash, signal or disk.  Prints what was violated, and then,
 * for each template, "= NAME CELLS VIOLATIONS".  Exit 1 where something was, 2
 * where the driver itself failed.
 *
 * Environment: SANDKEEPER, FAKE_DOCKER, FAULT_PRELOAD (crash-preload.so),
 * FAULT_WORK (a folder for the cells), FAULT_STRIDE (one of so many cells is
 * run; 1: all), FAULT_JOBS (at once), FAULT_ONLY (only cells whose name holds
 * this), KEEP=1 (keeps the folders of the violated).
 */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault.h"

/* The program waits a lot, for what may come late or go by itself. */
enum { AT_ONCE = 8, HANGING_AT_ONCE = 24, MOST_TEMPLATES = 64 };

static struct job *jobs;
static size_t job_count;

/* Between the workers. */
static struct shared {
	atomic_size_t next;
	atomic_size_t cells[MOST_TEMPLATES];
	atomic_size_t violations[MOST_TEMPLATES];
} * shared;

static int report = -1;

static const char *
need(const char *variable)
{
	const char *value = getenv(variable);

	if (value == NULL || *value == '\0')
		die("%s is not set", variable);
	return value;
}

const char *
driver_program(void)
{
	return need("SANDKEEPER");
}

const char *
driver_docker(void)
{
	return need("FAKE_DOCKER");
}

const char *
driver_preload(void)
{
	return need("FAULT_PRELOAD");
}

static unsigned long
number(const char *variable, unsigned long otherwise)
{
	const char *value = getenv(variable);
	unsigned long n = value != NULL ? strtoul(value, NULL, 10) : 0;

	return n > 0 ? n : otherwise;
}

/* One write for each, so that the workers' lines do not mix. */
void
violation(struct cell *cell, const char *fmt, ...)
{
	char *text, *line;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) == -1)
		die("out of memory");
	va_end(ap);
	line = format("%s: %s\n    (exit %d, %lld ms, in %s)\n    %.600s\n",
	    cell->what, text, cell->code, (long long)cell->took_ms, cell->path,
	    cell->err != NULL ? cell->err : "");
	if (write(report, line, strlen(line)) != (ssize_t)strlen(line))
		die("the report cannot be written");
	atomic_fetch_add(&shared->violations[cell->rules->index], 1);
	cell->broken++;
	free(line);
	free(text);
}

struct job *
job_add(const struct rules *rules, const char *file, const char *lines,
    const char *what, int flags)
{
	const char *only = getenv("FAULT_ONLY");
	struct job *job;

	if (only != NULL && strstr(what, only) == NULL)
		return NULL;
	jobs = realloc(jobs, (job_count + 1) * sizeof(*jobs));
	if (jobs == NULL)
		die("out of memory");
	job = &jobs[job_count++];
	memset(job, 0, sizeof(*job));
	job->rules = rules;
	job->file = file != NULL ? format("%s", file) : NULL;
	job->lines = lines != NULL ? format("%s", lines) : NULL;
	job->what = format("%s", what);
	job->flags = flags;
	return job;
}

/* FNV-1a: the same cells are chosen each time. */
static unsigned long
hash(const char *text)
{
	unsigned long h = 2166136261UL;

	for (; *text != '\0'; text++)
		h = ((h ^ (unsigned char)*text) * 16777619UL) & 0xffffffffUL;
	return h >> 8;
}

static void
work(job_fn *run, int hanging, unsigned long stride)
{
	const struct job *job;
	size_t i;

	while ((i = atomic_fetch_add(&shared->next, 1)) < job_count) {
		job = &jobs[i];
		if (((job->flags & FAULT_HANG) != 0) != hanging ||
		    hash(job->what) % stride != 0)
			continue;
		run(job);
		atomic_fetch_add(&shared->cells[job->rules->index], 1);
	}
}

static void
run_round(job_fn *run, int hanging, unsigned long workers, unsigned long stride)
{
	unsigned long i;
	int status;
	pid_t pid;

	atomic_store(&shared->next, 0);
	for (i = 0; i < workers; i++) {
		pid = fork();
		if (pid == -1)
			die("fork: %s", strerror(errno));
		if (pid == 0) {
			work(run, hanging, stride);
			_exit(0);
		}
	}
	while (wait(&status) != -1)
		if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
			die("a worker has failed");
}

void
jobs_run(job_fn *run, unsigned long stride)
{
	run_round(run, 0, number("FAULT_JOBS", AT_ONCE), stride);
	/* chosen for their time, not for their number */
	run_round(run, 1, HANGING_AT_ONCE, stride);
}

static void
open_report(void)
{
	char *path = format("%s/report.%d", need("FAULT_WORK"), (int)getpid());

	report =
	    open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
	if (report == -1)
		die("%s: %s", path, strerror(errno));
	unlink(path);
	free(path);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		die("mmap: %s", strerror(errno));
}

static void
print_report(void)
{
	char data[4096];
	ssize_t n;

	lseek(report, 0, SEEK_SET);
	while ((n = read(report, data, sizeof(data))) > 0)
		fwrite(data, 1, (size_t)n, stdout);
}

static const struct mode {
	const char *name;
	void (*plan)(const struct rules *);
	job_fn *run;
} modes[] = {
	{ "matrix", matrix_plan, matrix_job },
	{ "crash", crash_plan, crash_job },
	{ "signal", signal_plan, signal_job },
	{ "disk", disk_plan, disk_job },
};

static int
sum_up(const struct rules *rules, size_t count)
{
	size_t i, broken, sum = 0;

	for (i = 0; i < count; i++) {
		broken = atomic_load(&shared->violations[i]);
		printf("= %s %zu %zu\n", rules[i].name,
		    atomic_load(&shared->cells[i]), broken);
		sum += broken;
	}
	return sum > 0;
}

int
main(int argc, char *argv[])
{
	const struct mode *mode = NULL;
	struct rules *rules;
	size_t i;

	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (argc > 2 && strcmp(modes[i].name, argv[1]) == 0)
			mode = &modes[i];
	if (mode == NULL)
		die("usage: fault-driver matrix|crash|signal|disk TEMPLATE...");
	open_report();
	rules = calloc((size_t)argc, sizeof(*rules));
	if (rules == NULL || argc - 2 > MOST_TEMPLATES)
		die("too many templates");
	for (i = 0; i + 2 < (size_t)argc; i++) {
		rules_read(&rules[i], argv[i + 2]);
		rules[i].index = i;
		mode->plan(&rules[i]);
	}
	jobs_run(mode->run, number("FAULT_STRIDE", 1));
	print_report();
	return sum_up(rules, (size_t)argc - 2);
}
