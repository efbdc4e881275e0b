/* SPDX-License-Identifier: ISC */
/*
 * The work of one ensure, as its steps share it.  Only core/ensure*.c include
 * this.
 */
#ifndef CORE_ENSURE_WORK_H
#define CORE_ENSURE_WORK_H

#include "core/ensure.h"
#include "core/owner.h"

struct ensure_service {
	const struct engine *engine;
	char *container;               /* its name */
	char *image;                   /* what it is to run */
	struct strvec features;        /* recorded and asked for */
	bool make;                     /* else the recorded one is kept */
	bool enable;                   /* kept, and lacks a feature */
	const struct container *there; /* who bears the name now, or NULL */
	char id[65];                   /* of the one that was made */
	char publish[80];              /* "127.0.0.1::PORT", or "" */
};

struct ensure_work {
	const struct core *core;
	const struct ensure_request *request;
	struct owner owns;             /* what its life is tied to */
	char *owner_text;              /* "container:NAME" and its kin */
	struct agent_entry before;     /* the entry as it was found */
	bool recorded;                 /* there was one */
	struct agent_entry entry;      /* as it is to be */
	struct container_list found;   /* owner and name bearers */
	const struct container *owner; /* NULL: it is not there */
	char *network;                 /* for what is made */
	bool publish;
	struct ensure_service *services;
	size_t service_count;
	size_t made;    /* how many are to be made */
	bool started;   /* the first "docker run" has been tried */
	bool uncertain; /* a container may still appear */
};

void ensure_work_clear(struct ensure_work *);
/* For docker's control: the argument is the work. */
bool ensure_was_released(void *);
/* Was the agent released meanwhile, or are we asked to end?  -1 if so. */
int ensure_go_on(const struct ensure_work *, struct error *);

/* core/ensure_entry.c: the entry that is to be, without services. */
void ensure_new_entry(struct ensure_work *);
/* What the engines export, into the entry; false where it has that. */
bool ensure_record_exports(struct ensure_work *);
/* --ttl: the lease ends that long from now, and never earlier than it did. */
bool ensure_extend_lease(struct ensure_work *);
/* Write the intent: new names and credentials for all, or for what is made. */
int ensure_intend_all(struct ensure_work *, struct error *);
int ensure_intend(struct ensure_work *, struct error *);
/* Write what is true now, unless it was released meanwhile. */
int ensure_commit(struct ensure_work *, struct error *);

/* core/ensure_plan.c: the services from entry and request. */
int ensure_plan(struct ensure_work *, struct error *);
/* Hold plan and entry against what is there; decides what is made. */
int ensure_decide(struct ensure_work *, struct error *);

/* core/ensure_network.c: the network of what is made. */
int ensure_choose_network(struct ensure_work *, struct error *);
/* The address whose ports are published, where they are. */
const char *ensure_publish_address(const struct ensure_work *);
/* Where clients reach what was made: its name, its address, or its port. */
int ensure_record_address(const struct ensure_work *, const struct container *,
    struct service_entry *, struct error *);
/* Does the owner, if it is there, reach what is recorded? */
bool ensure_is_reachable(const struct ensure_work *);

/* core/ensure_make.c: pull, clear, run, wait, verify. */
int ensure_make(struct ensure_work *, struct error *);
/* Undo what this call made; 0 if that is confirmed. */
int ensure_undo(struct ensure_work *, struct error *);

/* core/ensure_spec.c: the container of one service. */
const char *ensure_memory(const struct ensure_work *, const struct engine *);
/* "" where the engine has no tmpfs of a size.  The caller frees it. */
char *ensure_data_size(const struct ensure_work *, const struct engine *);
void ensure_spec(const struct ensure_work *, const struct ensure_service *,
    struct docker_run *);
void ensure_values(const struct service_entry *, struct engine_values *,
    char port[8]);

/* core/ready.c: wait until a client could log in to each that was made. */
int ensure_wait_ready(struct ensure_work *, struct error *);

/* core/feature.c: enable and verify what was asked for. */
int ensure_enable_features(struct ensure_work *, struct error *);

/* core/init.c: can it be read?  Before anything is made.  ERROR_VALUE. */
int ensure_check_inits(const struct ensure_work *, struct error *);
/* Load what --init names into what was made. */
int ensure_load_inits(struct ensure_work *, struct error *);

#endif
