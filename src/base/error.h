/* SPDX-License-Identifier: ISC */
/*
 * What went wrong, in a buffer of fixed size: reporting an error can itself
 * never fail.
 *
 * Every function that can fail takes a struct error as its last parameter,
 * returns 0 or -1, and fills the error exactly once, at the lowest point that
 * knows the facts.  Callers may put words in front of it (error_wrap) or say
 * whom it is about (error_about).  Nothing below cmd/ prints an error.
 *
 * The kind decides the exit code and the "kind" of the JSON form; the table is
 * in cmd/failure.c.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

enum error_kind {
	ERROR_NONE,
	/* what the caller asked for cannot be */
	ERROR_USAGE, /* unknown option, missing argument */
	ERROR_VALUE, /* a value, duration or name is not allowed */
	ERROR_SLUG,  /* not an agent's name */
	ERROR_PROJECT,
	ERROR_SERVICE,
	ERROR_FEATURE,
	ERROR_VARIABLE,   /* two services export one variable */
	ERROR_LIVE,       /* a live container would be replaced */
	ERROR_NO_SANDBOX, /* the agent has none */
	/* docker as a whole */
	ERROR_DOCKER_MISSING, /* the client cannot be run */
	ERROR_DAEMON,         /* the daemon cannot be reached */
	ERROR_DAEMON_DENIED,  /* the daemon's socket refuses us */
	/* one docker call */
	ERROR_DOCKER, /* failed in a way that no table row names */
	ERROR_TIMEOUT,
	ERROR_GONE, /* no such container: proven */
	ERROR_NAME_TAKEN,
	ERROR_NETWORK,
	ERROR_IMAGE_MISSING,
	ERROR_IMAGE_PULL,
	ERROR_REMOVING, /* somebody else is removing it */
	ERROR_BUSY,     /* a container that will not go */
	ERROR_NOT_RUNNING,
	/* a sandbox */
	ERROR_DIED,
	ERROR_NOT_READY,
	ERROR_FEATURE_FAILED,
	ERROR_INIT,  /* a statement of --init failed */
	ERROR_OWNER, /* the owner is not there */
	ERROR_LOCKED,
	ERROR_HELD,
	ERROR_FOREIGN,  /* another keeper's, or a stranger's */
	ERROR_RELEASED, /* released while it was being made */
	ERROR_LIMIT,
	/* our own files */
	ERROR_STATE_CREATE,
	ERROR_STATE_WRITE,
	ERROR_STATE_READ,
	ERROR_PERMISSION,
	ERROR_UNSAFE,
	ERROR_SETTINGS,
	ERROR_NEWER,
	ERROR_DISABLED,
	/* us */
	ERROR_INTERRUPTED, /* sys holds the signal */
	ERROR_OUTPUT,      /* stdout could not be written */
	ERROR_KIND_COUNT
};

struct error {
	enum error_kind kind;
	int sys;        /* errno or signal number, or 0 */
	char msg[640];  /* one line, without the program's name */
	char hint[384]; /* what to do next; may be empty */
	char agent[72]; /* whom it is about; may be empty */
	char service[40];
	char allowed[384]; /* comma separated; may be empty */
};

/* Forget everything. */
void error_clear(struct error *);

/* All of these return -1, so that "return error_set(...)" reads well. */
int error_set(struct error *, enum error_kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same, followed by ": " and the text of errno. */
int error_errno(struct error *, enum error_kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Put words and ": " before the message. */
int error_wrap(struct error *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Say what the reader should do next. */
int error_hint(struct error *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Say whom it is about; NULL leaves a field as it is. */
int error_about(struct error *, const char *agent, const char *service);

/* The first of several failures counts: keep *first if it is set. */
void error_keep_first(struct error *first, const struct error *next);

#endif
