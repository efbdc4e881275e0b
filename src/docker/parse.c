/* SPDX-License-Identifier: ISC */
/* Reading what docker printed. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "docker/docker.h"
#include "docker/parse.h"

typedef int fill_fn(struct container *, const json_t *);

static int64_t
parse_time(const char *text)
{
	int64_t seconds;

	if (text == NULL || time_parse(text, &seconds) == -1)
		return TIME_UNKNOWN;
	return seconds;
}

/*
 * Its own name among those that "docker ps" lists: a linked container also
 * bears "other/alias", and not always behind its own.
 */
static char *
own_name(const char *names)
{
	struct strvec list = { 0 };
	char *name = NULL;
	size_t i;

	strvec_split(&list, names, ',');
	for (i = 0; i < list.len && name == NULL; i++)
		if (strchr(list.items[i], '/') == NULL)
			name = xstrdup(list.items[i]);
	strvec_clear(&list);
	return name;
}

static int
fill_row(struct container *c, const json_t *row)
{
	const char *id = json_text(row, "id");
	const char *names = json_text(row, "names");
	const char *state = json_text(row, "state");
	json_t *labels = json_object_get(row, "labels");

	/* podman gives a list of names */
	if (names == NULL)
		names = json_string_value(json_array_get(json_object_get(row,
							     "names"),
		    0));
	if (id == NULL || names == NULL || state == NULL ||
	    !docker_id_is_full(id) || !json_is_object(labels))
		return -1;
	c->name = own_name(names);
	if (c->name == NULL)
		return -1;
	c->id = xstrdup(id);
	c->state = container_state_parse(state);
	c->created = parse_time(json_text(row, "created"));
	container_set_labels(c, labels);
	return 0;
}

static void
fill_networks(struct container *c, json_t *networks)
{
	const char *name, *address, *ipv6;
	json_t *value;

	c->networks = xcalloc(json_object_size(networks), sizeof(*c->networks));
	json_object_foreach (networks, name, value) {
		address = json_text_or_empty(value, "IPAddress");
		ipv6 = json_text_or_empty(value, "GlobalIPv6Address");
		if (*address == '\0')
			address = ipv6;
		c->networks[c->network_count].ipv6 = *ipv6 != '\0';
		c->networks[c->network_count].name = xstrdup(name);
		c->networks[c->network_count++].address = xstrdup(address);
	}
}

static void
add_port(struct container *c, const char *inside, const json_t *binding)
{
	const char *host = json_text_or_empty(binding, "HostIp");
	const char *port = json_text_or_empty(binding, "HostPort");
	struct container_port *added;
	const char *problem;

	c->ports =
	    xreallocarray(c->ports, c->port_count + 1, sizeof(*c->ports));
	added = &c->ports[c->port_count++];
	added->host = xstrdup(host);
	added->host_port = (int)strtonum(port, 1, 65535, &problem);
	added->port = (int)strtol(inside, NULL, 10);
}

static void
fill_ports(struct container *c, json_t *ports)
{
	const char *inside;
	json_t *bindings, *binding;
	size_t i;

	json_object_foreach (ports, inside, bindings)
		json_array_foreach (bindings, i, binding)
			add_port(c, inside, binding);
}

static int
fill_inspected(struct container *c, const json_t *doc)
{
	const char *id = json_text(doc, "id");
	const char *name = json_text(doc, "name");
	const char *state = json_text(doc, "state");
	json_t *labels = json_object_get(doc, "labels");

	if (id == NULL || name == NULL || state == NULL ||
	    !docker_id_is_full(id))
		return -1;
	c->id = xstrdup(id);
	c->name = xstrdup(name[0] == '/' ? name + 1 : name);
	c->state = container_state_parse(state);
	c->created = parse_time(json_text(doc, "created"));
	container_set_labels(c, labels);
	c->image = xstrdup(json_text_or_empty(doc, "image"));
	c->started = xstrdup(json_text_or_empty(doc, "started"));
	c->finished = parse_time(json_text(doc, "finished"));
	c->exit_code = (int)json_integer_value(json_object_get(doc, "exit"));
	c->oom_killed = json_flag(doc, "oom");
	c->failure = xstrdup(json_text_or_empty(doc, "failure"));
	c->mode = xstrdup(json_text_or_empty(doc, "mode"));
	fill_networks(c, json_object_get(doc, "networks"));
	fill_ports(c, json_object_get(doc, "ports"));
	return 0;
}

static int
parse_line(const char *line, size_t len, struct container_list *list,
    fill_fn *fill)
{
	json_t *doc = json_read(line, len);
	int rc = -1;

	if (json_is_object(doc))
		rc = fill(container_list_add(list), doc);
	json_decref(doc);
	return rc;
}

static int
bad_line(const char *line, size_t len, struct error *err)
{
	char *part = xstrndup(line, len);
	char *visible = text_visible(part, 80);

	(void)error_set(err, ERROR_DOCKER,
	    "docker's answer cannot be read, from '%s' on", visible);
	free(visible);
	free(part);
	return -1;
}

static void
take_over(struct container_list *to, struct container_list *from)
{
	size_t i;

	if (to->items == NULL) {
		*to = *from;
		return;
	}
	for (i = 0; i < from->len; i++)
		*container_list_add(to) = from->items[i];
	free(from->items);
}

static int
parse_lines(const struct strbuf *output, bool blank_lines, fill_fn *fill,
    struct container_list *list, struct error *err)
{
	const char *line = strbuf_str(output), *end = line + output->len;
	struct container_list read = { 0 };
	const char *newline;
	size_t len;

	for (; line < end; line = newline + 1) {
		newline = memchr(line, '\n', (size_t)(end - line));
		len = (size_t)((newline != NULL ? newline : end) - line);
		if (newline != NULL && len == 0 && blank_lines)
			continue;
		if (newline == NULL ||
		    parse_line(line, len, &read, fill) == -1) {
			container_list_clear(&read);
			return bad_line(line, len, err);
		}
	}
	take_over(list, &read);
	return 0;
}

int
parse_list(const struct strbuf *output, struct container_list *list,
    struct error *err)
{
	return parse_lines(output, false, fill_row, list, err);
}

int
parse_inspect(const struct strbuf *output, struct container_list *list,
    struct error *err)
{
	return parse_lines(output, true, fill_inspected, list, err);
}

bool
parse_id(const char *output, char id[65])
{
	char *line = text_last_line(output, 100);
	bool is_id = docker_id_is_full(line);

	if (is_id)
		(void)strlcpy(id, line, 65);
	free(line);
	return is_id;
}
