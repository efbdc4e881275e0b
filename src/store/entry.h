/* SPDX-License-Identifier: ISC */
/*
 * What the cache holds of one agent, and its form as a file: plain text that
 * an operator can read with cat and grep.
 *
 *	sandkeeper 1
 *	agent=be-dev-1
 *	...
 *	[postgres]
 *	container=roboco-sandbox-pg-be-dev-1
 *	...
 *	end
 *
 * Values are encoded with stravis(3).  Keys of version 1 that this program
 * does not know are kept; absent ones are empty.  The last line is "end": a
 * file without it is torn.
 */
#ifndef STORE_ENTRY_H
#define STORE_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/strvec.h"

enum entry_state {
	ENTRY_PROVISIONING, /* intent: its containers may or may not be */
	ENTRY_READY,
};

struct service_entry {
	char *service;   /* the section's name */
	bool pending;    /* being made: no id is known yet */
	char *container; /* name */
	char *id;        /* full; "" while pending */
	char *started;   /* State.StartedAt, verbatim */
	char *image;
	char *memory;    /* its limit; "" is not known */
	char *data_size; /* of its tmpfs, likewise */
	char *host;
	int port;
	char *user; /* may be empty */
	char *password;
	char *database; /* may be empty */
	struct strvec features;
	struct strvec exports; /* "PGHOST=%h", as engines write them */
	struct strvec unknown; /* lines that a later version wrote */
};

struct agent_entry {
	char *agent; /* slug */
	enum entry_state state;
	char *owner;     /* "container:NAME", "pid:...", "none" */
	char *owner_id;  /* may be empty */
	char *daemon;    /* endpoint */
	char *network;   /* may be empty */
	char *publish;   /* the address of its ports; empty: not published */
	int64_t created; /* seconds since the epoch */
	int64_t handed;  /* last handed over, likewise */
	int64_t expires; /* end of the lease; 0: none */
	int64_t hold;    /* held until then; 0: not */
	struct service_entry *services;
	size_t service_count;
	struct strvec unknown;
};

/* A zeroed struct is an empty entry.  Leaves one behind. */
void agent_entry_clear(struct agent_entry *);
void agent_entry_copy(struct agent_entry *to, const struct agent_entry *from);

/* The section of a service; NULL where there is none.  Borrowed. */
struct service_entry *agent_entry_find(const struct agent_entry *,
    const char *service);
/* The same, made where there is none. */
struct service_entry *agent_entry_add(struct agent_entry *,
    const char *service);
/* Append the services that are made: one that is pending is not. */
void agent_entry_services(const struct agent_entry *, struct strvec *);
void agent_entry_remove(struct agent_entry *, const char *service);
/* Does it record a container of that full id? */
bool agent_entry_has_id(const struct agent_entry *, const char *id);

void agent_entry_write(const struct agent_entry *, struct strbuf *);
/*
 * Returns 0; or -1 with ERROR_NEWER for a later version, ERROR_STATE_READ for
 * anything else that is no whole entry; *entry is then empty.
 */
int agent_entry_parse(struct agent_entry *, const char *text, size_t len,
    struct error *);

#endif
