/* SPDX-License-Identifier: ISC */
/*
 * One container as the daemon tells it, by "docker ps" (id, name, state, age
 * and the labels that were asked for) or by "docker inspect" (everything).
 */
#ifndef DOCKER_CONTAINER_H
#define DOCKER_CONTAINER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strvec.h"

enum container_state {
	CONTAINER_UNKNOWN, /* a word that we do not know */
	CONTAINER_CREATED,
	CONTAINER_RUNNING,
	CONTAINER_PAUSED,
	CONTAINER_RESTARTING,
	CONTAINER_REMOVING,
	CONTAINER_EXITED,
	CONTAINER_DEAD,
};

/* A time that docker did not tell, or told in a form that is no time. */
#define TIME_UNKNOWN INT64_C(-1)

struct container_port {
	int port;   /* inside */
	char *host; /* address on the host */
	int host_port;
};

struct container_network {
	char *name;
	char *address; /* IPv4, else IPv6; may be empty */
	bool ipv6;     /* it has an address of IPv6 */
};

struct container {
	char *id;   /* 64 hex digits */
	char *name; /* its own, without a slash */
	enum container_state state;
	int64_t created; /* seconds since the epoch, or TIME_UNKNOWN */
	char *labels;    /* packed, see container_label(); may be NULL */
	/* by inspect alone */
	char *image;      /* as it was asked for */
	char *started;    /* verbatim: equality is all that is asked */
	int64_t finished; /* seconds, or TIME_UNKNOWN */
	int exit_code;
	bool oom_killed;
	char *failure; /* State.Error; may be empty */
	char *mode;    /* HostConfig.NetworkMode */
	struct container_network *networks;
	size_t network_count;
	struct container_port *ports;
	size_t port_count;
};

struct container_list {
	struct container *items;
	size_t len;
	size_t cap;
};

/* Those of an object of texts, where they are not empty; copied. */
void container_set_labels(struct container *, json_t *labels);
/* A label's value; "" where it is absent.  Borrowed. */
const char *container_label(const struct container *, const char *key);
const char *container_state_name(enum container_state);
enum container_state container_state_parse(const char *);
/* Running, paused or restarting. */
bool container_is_up(const struct container *);
/* Its address in a network; NULL where it is not in it. */
const char *container_address(const struct container *, const char *network);

/* The list's next element, zeroed; filled by the caller, owned by the list. */
struct container *container_list_add(struct container_list *);
void container_list_clear(struct container_list *);
/* The last one takes its place. */
void container_list_drop(struct container_list *, size_t index);
/* By full id or by exact name; NULL where it is not there. */
const struct container *container_list_find(const struct container_list *,
    const char *id_or_name);

/* Sort by name; then names are found without walking the list. */
void container_list_sort(struct container_list *);
const struct container *container_list_find_name(const struct container_list *,
    const char *name);

#endif
