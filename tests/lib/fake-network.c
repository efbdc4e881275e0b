/* SPDX-License-Identifier: ISC */
/* Networks: addresses are counted up, each network in a range of its own. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

static char *
file_of(const char *name)
{
	char *code = state_encode(name), *rel;

	rel = xasprintf("networks/%s", code);
	free(code);
	return rel;
}

/* By name or by full id. */
json_t *
network_find(const char *name)
{
	char *rel = file_of(name), **names;
	json_t *doc = state_read(rel);
	size_t i, len;

	free(rel);
	if (doc != NULL || strlen(name) != 64)
		return doc;
	names = state_names("networks", &len);
	for (i = 0; i < len; i++) {
		rel = xasprintf("networks/%s", names[i]);
		doc = state_read(rel);
		free(rel);
		if (doc != NULL && strcmp(jstr(doc, "Id"), name) == 0)
			return doc;
		json_decref(doc);
	}
	return NULL;
}

json_t *
network_make(const char *name)
{
	const char *driver = strcmp(name, "host") == 0 ? "host" :
	    strcmp(name, "none") == 0                  ? "null" :
							 "bridge";
	char id[65], now[40], *rel;
	json_t *doc = network_find(name);

	if (doc != NULL)
		return doc;
	state_random_hex(id, 64);
	doc = json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:{}, s:{}, s:i}",
	    "Name", name, "Id", id, "Created", time_text(now_ns(), now),
	    "Scope", "local", "Driver", driver, "Internal", 0, "Containers",
	    "Labels", "Octet", 16 + (int)state_count("networks"));
	rel = file_of(name);
	state_write(rel, doc);
	free(rel);
	return doc;
}

static void
set_address(json_t *entry, const json_t *network)
{
	char *key = xasprintf("address-%s", jstr(network, "Id")), id[65];
	long n = state_count(key) + 1, octet = jint(network, "Octet", 16);

	state_random_hex(id, 64);
	json_object_set_new(entry, "EndpointID", json_string(id));
	free(key);
	if (strcmp(jstr(network, "Driver"), "bridge") != 0)
		return;
	json_object_set_new(entry, "Gateway",
	    json_sprintf("172.%ld.0.1", octet));
	json_object_set_new(entry, "IPAddress",
	    json_sprintf("172.%ld.%ld.%ld", octet, n / 250, n % 250));
	json_object_set_new(entry, "IPPrefixLen", json_integer(16));
	json_object_set_new(entry, "MacAddress",
	    json_sprintf("02:42:ac:%02lx:%02lx:%02lx", octet, n / 250,
		n % 250));
}

/* Puts a container into a network; with an address once it runs. */
void
network_attach(json_t *c, const char *name, int running)
{
	json_t *network = network_find(name), *entry, *networks;

	entry = json_pack("{s:n, s:n, s:n, s:s, s:n, s:i, s:s, s:s, s:s, s:s, "
			  "s:i, s:s, s:s, s:i, s:n}",
	    "IPAMConfig", "Links", "Aliases", "MacAddress", "", "DriverOpts",
	    "GwPriority", 0, "NetworkID",
	    running && network != NULL ? jstr(network, "Id") : "", "EndpointID",
	    "", "Gateway", "", "IPAddress", "", "IPPrefixLen", 0, "IPv6Gateway",
	    "", "GlobalIPv6Address", "", "GlobalIPv6PrefixLen", 0, "DNSNames");
	if (running && network != NULL)
		set_address(entry, network);
	if (strcmp(name, "bridge") != 0 && network != NULL &&
	    strcmp(jstr(network, "Driver"), "bridge") == 0)
		json_object_set_new(entry, "Aliases",
		    json_pack("[s%]", jstr(c, "Id"), (size_t)12));
	networks = jget(c, "NetworkSettings.Networks");
	/* A key that is being iterated over must be replaced in place. */
	if (json_object_get(networks, name) != NULL)
		json_object_set_new(networks, name, entry);
	else
		jset_sorted(networks, name, entry);
	if (strcmp(name, "bridge") == 0)
		jset(c, "NetworkSettings.IPAddress",
		    json_string(jstr(entry, "IPAddress")));
	json_decref(network);
}

/* A container that has ended keeps its networks, without addresses. */
void
network_detach_all(json_t *c)
{
	const char *name;
	json_t *entry;

	json_object_foreach (jget(c, "NetworkSettings.Networks"), name, entry) {
		json_object_set_new(entry, "EndpointID", json_string(""));
		json_object_set_new(entry, "Gateway", json_string(""));
		json_object_set_new(entry, "IPAddress", json_string(""));
		json_object_set_new(entry, "IPPrefixLen", json_integer(0));
		json_object_set_new(entry, "MacAddress", json_string(""));
	}
	jset(c, "NetworkSettings.IPAddress", json_string(""));
}

static int
not_found(const char *name)
{
	if (fake.old)
		fprintf(fake.err, "Error: No such network: %s\n", name);
	else
		text_daemon("network %s not found", name);
	return 1;
}

static int
inspect(int argc, char *argv[])
{
	json_t *found = json_array(), *doc;
	struct args a;
	int i, rc = 0;

	if (args_parse(&a, "network inspect", "[OPTIONS] NETWORK [NETWORK...]",
		"f,format= v,verbose", 1, argc, argv) != 0)
		return RC_USAGE;
	for (i = 0; i < a.nrest; i++) {
		doc = network_find(a.rest[i]);
		if (doc == NULL) {
			rc = not_found(a.rest[i]);
			continue;
		}
		json_object_del(doc, "Octet");
		json_array_append_new(found, doc);
	}
	i = inspect_finish(found, args_get(&a, "format"));
	return i != 0 ? i : rc;
}

static int
create(int argc, char *argv[])
{
	struct args a;
	json_t *doc;
	size_t i;
	char *key, *rel;
	const char *value;

	if (args_parse(&a, "network create", "[OPTIONS] NETWORK",
		"d,driver= "
		"o,opt= label= subnet= gateway= ip-range= internal attachable "
		"ipv6 scope=",
		1, argc, argv) != 0)
		return RC_USAGE;
	if (a.nrest != 1)
		return text_too_few("network create", "[OPTIONS] NETWORK", 1);
	if (network_find(a.rest[0]) != NULL) {
		text_daemon("network with name %s already exists", a.rest[0]);
		return 1;
	}
	doc = network_make(a.rest[0]);
	for (i = 0; i < a.len; i++)
		if (strcmp(a.names[i], "label") == 0) {
			args_key_value(a.values[i], &key, &value);
			jset_sorted(json_object_get(doc, "Labels"), key,
			    jstring(value));
		}
	rel = file_of(a.rest[0]);
	state_write(rel, doc);
	fprintf(fake.out, "%s\n", jstr(doc, "Id"));
	return 0;
}

static int
remove_networks(int argc, char *argv[])
{
	json_t *doc;
	int i, rc = 0;
	char *rel;

	for (i = 1; i < argc; i++) {
		doc = network_find(argv[i]);
		if (doc == NULL) {
			rc = not_found(argv[i]);
			continue;
		}
		rel = file_of(jstr(doc, "Name"));
		unlinkat(fake.dirfd, rel, 0);
		fprintf(fake.out, "%s\n", argv[i]);
	}
	if (rc != 0 && !fake.old)
		fputs("exit status 1\n", fake.err);
	return rc;
}

/* Only the filter that anybody uses: part of a name. */
static int
is_listed(const struct args *a, const char *name)
{
	const char *filter = args_get(a, "filter");

	return filter == NULL || strncmp(filter, "name=", 5) != 0 ||
	    strstr(name, filter + 5) != NULL;
}

static int
list(int argc, char *argv[])
{
	struct args a;
	json_t *doc, *row;
	size_t i, len;
	char **names, *rel, *error = NULL;
	const char *format;

	if (args_parse(&a, "network ls", "[OPTIONS]",
		"f,filter= format= "
		"no-trunc q,quiet",
		1, argc, argv) != 0)
		return RC_USAGE;
	format = args_get(&a, "format");
	if (format == NULL)
		format = args_has(&a, "quiet") ?
		    "{{.ID}}" :
		    "{{.ID}}   {{.Name}}   {{.Driver}}   {{.Scope}}";
	names = state_names("networks", &len);
	for (i = 0; i < len; i++) {
		rel = xasprintf("networks/%s", names[i]);
		doc = state_read(rel);
		if (!is_listed(&a, jstr(doc, "Name")))
			continue;
		row = json_pack("{s:s%, s:s, s:s, s:s}", "ID", jstr(doc, "Id"),
		    (size_t)(args_has(&a, "no-trunc") ? 64 : 12), "Name",
		    jstr(doc, "Name"), "Driver", jstr(doc, "Driver"), "Scope",
		    jstr(doc, "Scope"));
		if (template_run(format, row, json_object_get(doc, "Labels"),
			fake.out, &error) != TEMPLATE_OK)
			return 1;
		fputc('\n', fake.out);
	}
	return 0;
}

/* network connect NETWORK CONTAINER, and disconnect. */
static int
connect_container(const char *verb, const char *name, const char *ref)
{
	json_t *network = network_find(name), *c;
	enum find how;

	c = container_find(ref, &how);
	if (c == NULL)
		return text_find_failed(how, ref);
	if (network == NULL) {
		text_daemon("network %s not found", name);
		return 1;
	}
	if (strcmp(verb, "connect") == 0)
		network_attach(c, jstr(network, "Name"),
		    container_is_running(c));
	else
		json_object_del(jget(c, "NetworkSettings.Networks"),
		    jstr(network, "Name"));
	container_save(c);
	return 0;
}

int
verb_network(int argc, char *argv[])
{
	const char *verb = argc > 1 ? argv[1] : "";

	if (strcmp(verb, "inspect") == 0)
		return inspect(argc - 1, argv + 1);
	if (strcmp(verb, "create") == 0)
		return create(argc - 1, argv + 1);
	if (strcmp(verb, "ls") == 0 || strcmp(verb, "list") == 0)
		return list(argc - 1, argv + 1);
	if (strcmp(verb, "rm") == 0 || strcmp(verb, "remove") == 0)
		return remove_networks(argc - 1, argv + 1);
	if ((strcmp(verb, "connect") == 0 || strcmp(verb, "disconnect") == 0) &&
	    argc >= 4)
		return connect_container(verb, argv[argc - 2], argv[argc - 1]);
	return text_unknown("network", verb);
}
