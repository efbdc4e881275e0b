/* SPDX-License-Identifier: ISC */
/* Fuzz target: entries of the cache, read, written and read again. */
#include "fuzz.h"
#include "store/entry.h"

static void
must_be_equal(const struct strbuf *a, const struct strbuf *b)
{
	must(a->len == b->len);
	must(memcmp(a->data, b->data, a->len) == 0);
}

/* What is written reads back as the same, and so does a copy. */
static void
must_survive(const struct agent_entry *entry)
{
	struct strbuf first = { 0 }, second = { 0 }, third = { 0 };
	struct agent_entry again = { 0 }, copy = { 0 };
	struct error err = { 0 };

	agent_entry_write(entry, &first);
	must(agent_entry_parse(&again, first.data, first.len, &err) == 0);
	agent_entry_write(&again, &second);
	must_be_equal(&first, &second);
	agent_entry_copy(&copy, entry);
	agent_entry_write(&copy, &third);
	must_be_equal(&first, &third);
	agent_entry_clear(&again);
	agent_entry_clear(&copy);
	strbuf_clear(&first);
	strbuf_clear(&second);
	strbuf_clear(&third);
}

static void
read_text(const uint8_t *data, size_t size)
{
	struct agent_entry entry = { 0 };
	struct error err = { 0 };

	if (agent_entry_parse(&entry, (const char *)data, size, &err) == -1) {
		must_tell(&err);
		must(err.kind == ERROR_NEWER || err.kind == ERROR_STATE_READ);
		must(entry.agent == NULL && entry.service_count == 0);
		return;
	}
	must(size > 4 && memcmp(data + size - 4, "end\n", 4) == 0);
	must_survive(&entry);
	agent_entry_clear(&entry);
}

/* Any value at all comes back as it was. */
static void
write_value(const char *value)
{
	struct agent_entry entry = { 0 }, again = { 0 };
	struct service_entry *service = agent_entry_add(&entry, "redis");
	struct strbuf text = { 0 };
	struct error err = { 0 };

	xstr_set(&entry.agent, value);
	xstr_set(&entry.owner, value);
	xstr_set(&entry.network, value);
	xstr_set(&service->password, value);
	xstr_set(&service->image, value);
	agent_entry_write(&entry, &text);
	must(agent_entry_parse(&again, text.data, text.len, &err) == 0);
	must(strcmp(again.agent, value) == 0);
	must(strcmp(again.owner, value) == 0);
	must(strcmp(again.network, value) == 0);
	service = agent_entry_find(&again, "redis");
	must(service != NULL);
	must(strcmp(service->password, value) == 0);
	must(strcmp(service->image, value) == 0);
	agent_entry_clear(&entry);
	agent_entry_clear(&again);
	strbuf_clear(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *value = input_text(data, size);

	read_text(data, size);
	write_value(value);
	free(value);
	return 0;
}
