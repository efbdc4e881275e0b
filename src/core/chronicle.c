/* SPDX-License-Identifier: ISC */
/* The history of ends. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "core/chronicle.h"
#include "store/logdir.h"

static const long tail_lines = 20;
static const size_t tail_bytes = 4096;

static void
put_death(json_t *line, const struct ending *ending)
{
	if (ending->dead == NULL)
		return;
	json_put_text(line, "state", container_state_name(ending->dead->state));
	json_put_number(line, "exit_code", ending->dead->exit_code);
	json_put_flag(line, "oom_killed", ending->dead->oom_killed);
	if (ending->last_lines != NULL)
		json_put_text(line, "last_lines", ending->last_lines);
}

void
chronicle_end(const struct core *core, const struct ending *ending)
{
	struct strbuf text = { 0 };
	json_t *line = json_object();
	char now[TIME_TEXT];
	struct error err;

	time_format(now, clock_now());
	json_put_text(line, "time", now);
	json_put_text(line, "agent", ending->agent);
	json_put_text(line, "container", ending->container);
	json_put_text(line, "id", ending->id);
	if (ending->service != NULL && *ending->service != '\0')
		json_put_text(line, "service", ending->service);
	json_put_text(line, "cause", ending->cause);
	if (ending->reason != NULL && *ending->reason != '\0')
		json_put_text(line, "reason", ending->reason);
	if (ending->age >= 0)
		json_put_number(line, "age", (json_int_t)ending->age);
	put_death(line, ending);
	json_write(&text, line, 0);
	json_decref(line);
	if (history_append(core->log_dir, strbuf_str(&text), &err) == -1)
		log_warn("%s: this end is not in the history: %s",
		    ending->container, err.msg);
	strbuf_clear(&text);
}

void
chronicle_mask(struct strbuf *text, const struct agent_entry *entry)
{
	size_t i;

	for (i = 0; entry != NULL && i < entry->service_count; i++)
		text_mask(text, entry->services[i].password);
}

char *
chronicle_last_lines(const struct core *core, const char *id,
    const struct agent_entry *entry)
{
	struct strbuf whole = { 0 }, tail = { 0 };
	struct error ignored;

	if (docker_logs(core->docker, id, tail_lines, (size_t)64 * 1024, &whole,
		&ignored) == -1) {
		strbuf_clear(&whole);
		return NULL;
	}
	/* before the cut: half a secret would not be found */
	chronicle_mask(&whole, entry);
	text_tail(&tail, strbuf_str(&whole), (size_t)tail_lines, tail_bytes);
	strbuf_clear(&whole);
	return strbuf_detach(&tail);
}

int64_t
chronicle_age(const struct container *c)
{
	int64_t age = clock_now() - c->created;

	return c->created == TIME_UNKNOWN || age < 0 ? -1 : age;
}
