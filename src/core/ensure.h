/* SPDX-License-Identifier: ISC */
/*
 * Handing over a sandbox (rules E1 to E11): the verified one that is there, or
 * what is missing of it, fresh.
 *
 * Life cycle: ensure_check() holds the request against the settings, without
 * docker and without state; ensure_run() does the work under the agent's lock.
 */
#ifndef CORE_ENSURE_H
#define CORE_ENSURE_H

#include "base/text.h"
#include "core/core.h"

struct ensure_request {
	const char *slug;
	const char *project;    /* NULL: none */
	struct strvec services; /* wanted and printed */
	struct strvec also;     /* wanted */
	struct strvec features; /* "service:feature" */
	struct strvec images;   /* "service=IMAGE" */
	bool replace;           /* may replace live containers */
	bool fresh;             /* new containers, new credentials */
	const char *memory;     /* NULL: the settings' */
	const char *data_size;  /* NULL: the engine's */
	const char *network;    /* NULL: the settings' */
	const char *owner;      /* "container:NAME", "pid:...", "none";
				 * NULL: the agent's container */
	int64_t ttl;            /* seconds from now; 0: no lease */
	const char *publish;    /* address; "": 127.0.0.1; NULL: not asked */
	char address[ADDRESS_TEXT]; /* the same in its usual form */
	struct strvec inits;        /* "service=PATH" */
	const char *into; /* path in the owner container; NULL: none */
	bool must_be_new; /* refuse where there is an entry */
};

struct ensure_result {
	struct agent_entry entry; /* as it was committed */
	struct strvec shown;      /* the services asked for */
	struct strvec made;       /* those that are new */
};

/*
 * The guards of rule E1 in their order.  On success services holds the
 * project's where none were named, and the project's features.
 */
int ensure_check(const struct settings *, const struct engine_list *,
    struct ensure_request *, struct error *);

/* On failure nothing that this call made stays behind (rule E7). */
int ensure_run(const struct core *, const struct ensure_request *,
    struct ensure_result *, struct error *);

void ensure_request_clear(struct ensure_request *);
void ensure_result_clear(struct ensure_result *);

#endif
