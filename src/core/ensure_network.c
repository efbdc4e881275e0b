/* SPDX-License-Identifier: ISC */
/* ensure: exactly one network, and the address in it (rule E10). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"
#include "core/ensure_work.h"

static const char *
wanted_network(const struct ensure_work *work)
{
	return work->request->network != NULL ? work->request->network :
						work->core->settings->network;
}

static bool
is_builtin(const char *network)
{
	return strcmp(network, "bridge") == 0 || strcmp(network, "host") == 0 ||
	    strcmp(network, "none") == 0 || strcmp(network, "podman") == 0;
}

/* The first user-defined one by name; NULL where there is none. */
static const char *
first_user_defined(const struct container *c)
{
	const char *first = NULL, *name;
	size_t i;

	for (i = 0; i < c->network_count; i++) {
		name = c->networks[i].name;
		if (!is_builtin(name) &&
		    (first == NULL || strcmp(name, first) < 0))
			first = name;
	}
	return first;
}

static int
no_owner(const struct ensure_work *work, struct error *err)
{
	(void)error_set(err, ERROR_OWNER,
	    "its owner, the container %s, is "
	    "not there, so its network is unknown",
	    work->owns.name);
	return error_hint(err,
	    "start it first, or name a network with "
	    "--network");
}

/* As podman starts it for an ordinary user who asks for no network. */
static bool
is_alone(const struct container *c)
{
	return text_has_prefix(c->mode, "slirp4netns") ||
	    text_has_prefix(c->mode, "pasta");
}

static int
from_container(struct ensure_work *work, const struct container *c,
    struct error *err)
{
	const char *network = first_user_defined(c);

	if (strcmp(c->mode, "none") == 0) {
		(void)error_set(err, ERROR_NETWORK,
		    "%s has no network, and could reach nothing", c->name);
		return error_hint(err, "start it with a network");
	}
	if (is_alone(c)) {
		(void)error_set(err, ERROR_NETWORK,
		    "%s is in a network of its own (%s), and could reach "
		    "nothing",
		    c->name, c->mode);
		return error_hint(err,
		    "start it with --network bridge, or "
		    "with a network of yours");
	}
	if (strcmp(c->mode, "host") == 0)
		work->publish = true;
	xstr_set(&work->network, network != NULL ? network : "bridge");
	return 0;
}

/* "container:ID": it shares the network of that one. */
static int
from_shared(struct ensure_work *work, const char *other, struct error *err)
{
	struct container_list found = { 0 };
	struct strvec names = { 0 };
	int rc;

	strvec_add(&names, other);
	rc = docker_inspect(work->core->docker, &names, &found, err);
	if (rc == 0 && found.len == 0) {
		(void)error_set(err, ERROR_NETWORK,
		    "%s shares the network of a container that is gone",
		    work->owns.name);
		rc = error_hint(err, "start it anew, with a network");
	}
	if (rc == 0)
		rc = from_container(work, &found.items[0], err);
	container_list_clear(&found);
	strvec_clear(&names);
	return rc;
}

/* Is the port to be published, whatever the network? */
static bool
must_publish(const struct ensure_work *work)
{
	if (work->request->publish != NULL ||
	    work->owns.type == OWNER_PROCESS || work->owns.type == OWNER_LEASE)
		return true;
	return work->owner != NULL && strcmp(work->owner->mode, "host") == 0;
}

static int
choose_owners_network(struct ensure_work *work, struct error *err)
{
	if (work->owns.type != OWNER_CONTAINER) {
		/* a process is in no network of docker's */
		xstr_set(&work->network, "bridge");
		return 0;
	}
	if (work->owner == NULL)
		return no_owner(work, err);
	if (text_has_prefix(work->owner->mode, "container:"))
		return from_shared(work,
		    work->owner->mode + strlen("container:"), err);
	return from_container(work, work->owner, err);
}

int
ensure_choose_network(struct ensure_work *work, struct error *err)
{
	const char *wanted = wanted_network(work);

	work->publish = must_publish(work);
	/* what is kept decides for what joins it */
	if (work->recorded && work->made < work->service_count &&
	    *work->before.network != '\0')
		xstr_set(&work->network, work->before.network);
	else if (strcmp(wanted, "owner") != 0)
		xstr_set(&work->network, wanted);
	else
		return choose_owners_network(work, err);
	return 0;
}

const char *
ensure_publish_address(const struct ensure_work *work)
{
	const char *asked = work->request->publish;

	return asked != NULL && *asked != '\0' ? asked : "127.0.0.1";
}

bool
ensure_is_reachable(const struct ensure_work *work)
{
	const char *network = work->before.network;

	/* one that is not there is a warning; named networks are trusted */
	if (work->owner == NULL || is_builtin(network) || *network == '\0' ||
	    strcmp(wanted_network(work), "owner") != 0 ||
	    text_has_prefix(work->owner->mode, "container:"))
		return true;
	return container_address(work->owner, network) != NULL;
}

/* The host of a daemon that is reached over TCP: its ports are there. */
static char *
remote_host(const struct ensure_work *work)
{
	const char *endpoint = work->core->store->endpoint;

	if (!text_has_prefix(endpoint, "tcp://"))
		return NULL;
	endpoint += strlen("tcp://");
	if (*endpoint == '[')
		return xstrndup(endpoint + 1, strcspn(endpoint + 1, "]"));
	return xstrndup(endpoint, strcspn(endpoint, ":/"));
}

/* An engine's run-options may publish it elsewhere, too.  0: it is not. */
static int
find_port(const struct container *c, int inside, const char *address)
{
	const char *host;
	size_t i;

	for (i = 0; i < c->port_count; i++) {
		host = c->ports[i].host;
		if (c->ports[i].port == inside &&
		    /* podman leaves it out */
		    strcmp(*host != '\0' ? host : "0.0.0.0", address) == 0)
			return c->ports[i].host_port;
	}
	return 0;
}

/*
 * root's podman binds the port, and carries a connection to an address of the
 * same family alone: without one it waits for ever.
 */
static bool
is_carried(const struct ensure_work *work, const struct container *c,
    const char *address)
{
	size_t i;

	if (!work->core->docker->podman || geteuid() != 0 ||
	    strchr(address, ':') == NULL)
		return true;
	for (i = 0; i < c->network_count; i++)
		if (c->networks[i].ipv6)
			return true;
	return false;
}

static int
record_published(const struct ensure_work *work, const struct container *c,
    struct service_entry *entry, struct error *err)
{
	const char *address = ensure_publish_address(work);
	int port = find_port(c, entry->port, address);
	char *remote;

	if (port == 0 || !is_carried(work, c, address)) {
		(void)error_set(err, ERROR_NETWORK,
		    "%s: its port %d was not published at %s", c->name,
		    entry->port, address);
		return error_hint(err,
		    "name another address with --publish, or a network that "
		    "can publish with --network");
	}
	remote = remote_host(work);
	xstr_set(&entry->host, remote != NULL ? remote : address);
	entry->port = port;
	free(remote);
	return 0;
}

/* As inspect tells it: podman's default network has two names. */
static const char *
told_network(const struct ensure_work *work)
{
	if (work->core->docker->podman && strcmp(work->network, "podman") == 0)
		return "bridge";
	return work->network;
}

int
ensure_record_address(const struct ensure_work *work, const struct container *c,
    struct service_entry *entry, struct error *err)
{
	const char *address;

	if (work->publish)
		return record_published(work, c, entry, err);
	/* the default bridge knows no names */
	if (strcmp(work->network, "bridge") != 0 &&
	    !work->core->docker->names_lag)
		return 0;
	address = container_address(c, told_network(work));
	if (address == NULL || *address == '\0') {
		(void)error_set(err, ERROR_NETWORK,
		    "%s has no address in the network %s", c->name,
		    work->network);
		return error_hint(err, "name a network with --network");
	}
	xstr_set(&entry->host, address);
	return 0;
}
