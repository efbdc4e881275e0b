/* SPDX-License-Identifier: ISC */
/*
 * The docker client: one function for each verb that we use, typed in and
 * typed out.  It decides nothing.
 *
 * Life cycle: docker_open() finds the program and prepares the environment of
 * its children; docker_close() frees both.  Every call has a deadline of its
 * own (milliseconds in struct docker_timeouts) and obeys docker->control.
 *
 * Errors: a call that could not be made, failed or ended late fills the error
 * through the table in docker/fault.h.  What that table does not name is
 * ERROR_DOCKER, "unknown", and unknown means keep.
 */
#ifndef DOCKER_DOCKER_H
#define DOCKER_DOCKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strvec.h"
#include "docker/container.h"
#include "process/process.h"

struct docker_timeouts {
	int64_t inspect, list, run, exec, remove, pull, logs;
};

struct docker {
	char *path;
	bool podman;
	bool names_lag; /* a network knows a container's name too late */
	struct strvec environment; /* NAME=VALUE of every child */
	struct strvec quick;       /* beside it, of one that looks */
	struct docker_timeouts timeouts;
	struct process_control control;
	size_t calls; /* made so far */
};

/*
 * program: a name or a path ("podman" at its end selects podman's ways).
 * context: NULL or a docker context, which DOCKER_HOST overrides.
 * Fails with ERROR_DOCKER_MISSING.
 */
int docker_open(struct docker *, const char *program, const char *context,
    const struct docker_timeouts *, struct error *);
void docker_close(struct docker *);

/* "docker ps -a": every container that passes. */
struct docker_filter {
	const char *label;          /* "key=value"; NULL: any */
	const struct strvec *names; /* regular expressions, any of them */
	const struct strvec *keys;  /* labels to tell */
};
/*
 * All or nothing: a row that cannot be read, half a line or a blank one fails
 * the call with ERROR_DOCKER and leaves list as it was.
 */
int docker_list(struct docker *, const struct docker_filter *,
    struct container_list *, struct error *);

/*
 * "docker inspect --type container".  Returns 0 if each name was either found
 * (added to found) or is proven to be gone: exit 1 and "no such container" or
 * "no such object" with that name, or not a word, on stderr.  A container that
 * docker found by an id prefix is not the one that was asked for: that name is
 * gone.  Otherwise -1, and found is as it was.
 */
int docker_inspect(struct docker *, const struct strvec *names,
    struct container_list *found, struct error *);

/* An inspect that is made beside other calls, while the daemon is at them. */
struct docker_look {
	struct strvec names;         /* as docker_inspect takes them */
	struct container_list found; /* the answer */
	struct error error;          /* ERROR_NONE: found tells of each name */
	int64_t answered_ms;         /* on the monotonic clock */
};

/* Make it by itself; what it told before is forgotten. */
void docker_look_make(struct docker *, struct docker_look *);
void docker_look_clear(struct docker_look *);

/*
 * "docker rm -f", with -v where volumes is true, by ids (or a checked name).
 * Returns 0 only if docker said so, of a full id by name; ERROR_REMOVING is
 * for the caller to verify, as is any other failure.
 */
int docker_remove(struct docker *, const struct strvec *ids, bool volumes,
    struct error *);
/*
 * The same for count groups of ids, parallel calls at a time.  errors has
 * count elements; a kind of ERROR_NONE is success.  A look that is not NULL
 * is the last of the calls.
 */
void docker_remove_many(struct docker *, const struct strvec *groups,
    size_t count, size_t parallel, struct error *errors, struct docker_look *);

/* "docker logs --tail": at most limit bytes to a descriptor. */
enum docker_logs_end { DOCKER_LOGS_WHOLE, DOCKER_LOGS_CUT };
int docker_logs_to(struct docker *, const char *id, long tail, int64_t limit,
    int fd, enum docker_logs_end *, struct error *);
/* The last lines, both streams, at most max bytes of each. */
int docker_logs(struct docker *, const char *id, long tail, size_t max,
    struct strbuf *, struct error *);

/* Which of the images are not there?  One call. */
int docker_images_missing(struct docker *, const struct strvec *images,
    struct strvec *missing, struct error *);
/* Pull them all at once; fails with the first failure. */
int docker_pull(struct docker *, const struct strvec *images, struct error *);

struct docker_run {
	const char *name, *image, *entrypoint, *user, *network, *publish;
	const char *memory, *cpus, *pids_limit, *shm_size;
	struct strvec labels, tmpfs, environment, options, command;
	struct strvec secrets; /* NAME=VALUE, never in argv */
};
struct docker_started {
	char id[65];        /* "" where none was told */
	bool uncertain;     /* it may still appear */
	struct error error; /* kind ERROR_NONE: it runs */
};
void docker_run_clear(struct docker_run *);
/* "docker run -d" of all of them at once. */
void docker_run_many(struct docker *, const struct docker_run *, size_t count,
    struct docker_started *);

struct docker_exec {
	const char *id;
	const char *input; /* NULL: none */
	int64_t timeout_ms;
	struct strvec command;
};
enum docker_exec_end {
	DOCKER_EXEC_EXITED,      /* with the command's own code */
	DOCKER_EXEC_NO_PROGRAM,  /* the image lacks the program */
	DOCKER_EXEC_NOT_RUNNING, /* the container is down or gone */
	DOCKER_EXEC_FAILED,      /* error tells */
};
struct docker_exec_result {
	enum docker_exec_end end;
	int code;
	struct strbuf output; /* stdout, then stderr */
	size_t complaint;     /* where stderr begins in it */
	struct error error;
};
/*
 * "docker exec" of all of them at once; the first that does not exit with 0
 * ends the wait for the others, whose error is then ERROR_RELEASED.  A limit
 * of time for the command must be inside it: killing the client does not end
 * it.
 */
void docker_exec_many(struct docker *, const struct docker_exec *, size_t count,
    struct docker_exec_result *);
void docker_exec_result_clear(struct docker_exec_result *);

int docker_stop(struct docker *, const struct strvec *ids, int64_t seconds,
    struct error *);
int docker_unpause(struct docker *, const struct strvec *ids, struct error *);

/*
 * The full rule for names that are given to docker: "docker rm -f ../volumes/x"
 * deletes a volume.
 */
bool docker_name_is_safe(const char *);
/* 64 lower-case hex digits. */
bool docker_id_is_full(const char *);

#endif
