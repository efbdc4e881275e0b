/* SPDX-License-Identifier: ISC */
/* Fuzz target: what "docker inspect" and "docker run -d" printed. */
#include "core/owner.h"
#include "docker/parse.h"
#include "fuzz.h"

static const int64_t now = INT64_C(1796050845);

static void
must_be_whole(const struct container *c)
{
	struct owner_view view = owner_judge(c, now, 180, true);
	size_t i;

	must(docker_id_is_full(c->id));
	must(c->name != NULL && c->image != NULL && c->started != NULL);
	must(c->failure != NULL && c->mode != NULL);
	must(container_label(c, "roboco.sandbox") != NULL);
	must(c->created == TIME_UNKNOWN || c->created >= 0);
	must(c->finished == TIME_UNKNOWN || c->finished >= 0);
	must(container_state_name(c->state) != NULL);
	must((view.state == OWNER_ALIVE) >= container_is_up(c));
	for (i = 0; i < c->network_count; i++)
		must(container_address(c, c->networks[i].name) != NULL);
	for (i = 0; i < c->port_count; i++)
		must(c->ports[i].host != NULL && c->ports[i].host_port >= 0 &&
		    c->ports[i].host_port <= 65535);
}

static void
inspected(const uint8_t *data, size_t size)
{
	struct container_list list = { 0 };
	struct strbuf output = { 0 };
	struct error err = { 0 };
	size_t i;

	strbuf_add(&output, data, size);
	if (parse_inspect(&output, &list, &err) == -1) {
		must_tell(&err);
		must(err.kind == ERROR_DOCKER);
		must(list.len == 0);
	} else {
		must(size == 0 || data[size - 1] == '\n');
	}
	for (i = 0; i < list.len; i++) {
		must_be_whole(&list.items[i]);
		must(container_list_find(&list, list.items[i].id) != NULL);
	}
	container_list_sort(&list);
	for (i = 0; i < list.len; i++)
		must(container_list_find_name(&list, list.items[i].name) !=
		    NULL);
	container_list_clear(&list);
	strbuf_clear(&output);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = input_text(data, size), id[65] = "";

	inspected(data, size);
	if (parse_id(text, id))
		must(docker_id_is_full(id) && strstr(text, id) != NULL);
	else
		must(id[0] == '\0');
	free(text);
	return 0;
}
