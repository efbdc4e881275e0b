/* SPDX-License-Identifier: ISC */
/*
 * The fault tier: a command is run in a copy of a prepared world, something
 * goes wrong in it, and one oracle compares what was before with what is
 * after.  It shares no code with the program: that is what it judges.
 *
 * A template is a folder with fake/ (the fake docker's world), state/, log/,
 * home/ and a file "rules" that says what the command is and what it may do;
 * tests/fault/commands.sh makes them.  A cell is a copy of one, a fault, and
 * the run of the command in it.
 */
#ifndef FAULT_H
#define FAULT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { MAX_WORDS = 64 };

/* A growing list of strings. */
struct words {
	char **items;
	size_t len;
};

/* tree.c: files and strings.  Whatever fails here ends the driver. */
_Noreturn void die(const char *, ...) __attribute__((format(printf, 1, 2)));
char *format(const char *, ...) __attribute__((format(printf, 1, 2)));
void words_add(struct words *, const char *);
int words_has(const struct words *, const char *);
void words_clear(struct words *);
void tree_copy(const char *from, const char *to);
void tree_remove(const char *);
char *slurp(const char *path, size_t *len); /* NULL: it is not there */
void spill(const char *path, const char *text);
void list_folder(const char *path, struct words *names, int dotted);
int64_t now_ms(void);

/* rules.c: what a template's command is, and what it may do. */
enum command_kind {
	KIND_ENSURE,  /* makes containers of one agent */
	KIND_RUN,     /* the same, and takes them down */
	KIND_RELEASE, /* takes an agent's down */
	KIND_REMOVE,  /* and its owner */
	KIND_SWEEP,   /* takes down what is dead */
	KIND_LOOK,    /* changes nothing */
	KIND_DOCTOR,  /* the same; what is wrong is its result */
	KIND_CHANGE,  /* changes an entry alone */
};

struct rules {
	char *name;
	size_t index; /* among those of this run */
	char *path;   /* of the template */
	enum command_kind kind;
	int code; /* that of a run without a fault */
	char *slug;
	char *owner;           /* whom the end's sweep is to find dead */
	struct words argv;     /* without the program */
	struct words settings; /* NAME=VALUE, for the environment */
	struct words may;      /* containers that it may remove */
	struct words ageless;  /* those whose age is no matter */
	struct words stay;     /* that are there to the very end */
	struct words wanted;   /* services that success hands over */
	struct words hang;     /* settings that make a hang short */
	struct words next;     /* options of an ensure that comes later */
};
void rules_read(struct rules *, const char *template);

/* world.c: what there is. */
struct box {
	char *name, *id, *status;
};
struct record {
	char *slug, *text;
};
struct world {
	struct box *boxes;
	size_t box_count;
	struct record *records;
	size_t record_count;
	struct words passwords; /* of the entries, and of what was run */
	struct words litter;    /* temporary files, locks, damaged entries */
};
void world_read(struct world *, const char *cell);
void world_clear(struct world *);
const struct box *world_box(const struct world *, const char *id);
const struct box *world_named(const struct world *, const char *name);
const struct record *world_record(const struct world *, const char *slug);
/* Is it a sandbox's name, and of that agent (NULL: of any)? */
int is_sandbox_name(const char *name, const char *slug);
/* The ids that a record lists; and whether it is one of an intent. */
void record_ids(const struct record *, struct words *);
char *record_id_of(const struct record *, const char *service);
int record_is_intent(const struct record *);

/* What a fault means for what may be expected of the command. */
enum {
	FAULT_HANG = 1,    /* it ends at a deadline */
	FAULT_GONE = 2,    /* docker says "gone" in the words of rule T1 */
	FAULT_DONE = 4,    /* docker says that it did what it did not do */
	FAULT_LATE = 8,    /* what was asked for comes later */
	FAULT_AGES = 16,   /* no container's age can be told */
	FAULT_WARNS = 32,  /* no failure at all */
	FAULT_DISK = 64,   /* ours, not docker's */
	FAULT_CRASH = 128, /* we are killed */
	FAULT_SIGNAL = 256 /* we are asked to end */
};

/* cell.c: one run of a command. */
struct cell {
	const struct rules *rules;
	char *path;
	char *what;         /* for messages */
	int flags;          /* FAULT_... */
	int signal;         /* with FAULT_SIGNAL */
	struct words extra; /* NAME=VALUE for the environment */
	int status;         /* as waitpid(2) tells it */
	int code;           /* 128 + N for a signal; -1: it did not end */
	int64_t took_ms;
	size_t orphans; /* processes that it left behind */
	char *out, *err;
	struct world before, after;
	size_t broken; /* violations */
};
void cell_open(struct cell *, const struct rules *, const char *what,
    int flags);
void cell_close(struct cell *);
void cell_fault(struct cell *, const char *name, const char *lines);
/* Forget every fault, and the calls so far. */
void cell_heal(struct cell *);
/* A copy of it as it is now, for another look at its future. */
void cell_fork(struct cell *to, const struct cell *from);
/* The command of the rules. */
void cell_run(struct cell *);
void cell_run_words(struct cell *, const struct words *argv);
/* Another command of ours, or of the fake docker ("docker", ...). */
void cell_run_other(struct cell *, const char *first, ...)
    __attribute__((sentinel));
void cell_wait_for_orphans(struct cell *);
/* The verbs that were called, "image-inspect" as one. */
void cell_calls(const struct cell *, struct words *verbs);
void violation(struct cell *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* oracle.c: what holds after the command, with oracle-words.c for its end. */
void oracle_command(struct cell *);
void oracle_words(struct cell *);
/* oracle-end.c: what two sweeps find, and that the next ensure works. */
void oracle_end(struct cell *);
void oracle_next_ensure(struct cell *);

/* driver.c: cells in parallel. */
struct job {
	const struct rules *rules;
	char *file, *lines; /* a fault; file may be NULL */
	char *what;
	int flags;
	int number;        /* of a call of ours, or of a signal */
	const char *doing; /* for crash-preload.c */
	char *call;        /* which call of ours */
	int goes_on;       /* what follows fails, too */
};
typedef void job_fn(const struct job *);
/* Returns it, to be filled further; NULL where it was not asked for. */
struct job *job_add(const struct rules *, const char *file, const char *lines,
    const char *what, int flags);
/* One of so many is run, chosen by its name: 1 is all. */
void jobs_run(job_fn *, unsigned long stride);
const char *driver_program(void);
const char *driver_docker(void);
const char *driver_preload(void);

/* kinds.c */
struct kind {
	const char *name, *lines;
	const char *verbs; /* NULL: any; else words */
	int flags;
	int rare; /* one of many alike: not in every position */
};
extern const struct kind kinds[];

/* preload.c: what crash-preload.c is told. */
void preload_set(struct cell *, int number, const char *doing,
    const char *under, int goes_on);
/* The calls that were counted, "CALL PATH". */
void preload_calls(const struct cell *, struct words *calls);

void matrix_plan(const struct rules *);
void matrix_job(const struct job *);
void crash_plan(const struct rules *);
void crash_job(const struct job *);
void signal_plan(const struct rules *);
void signal_job(const struct job *);
void disk_plan(const struct rules *);
void disk_job(const struct job *);

#endif
