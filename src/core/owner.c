/* SPDX-License-Identifier: ISC */
/* Owners. */
#include <string.h>

#include "base/text.h"
#include "core/owner.h"

/* docker compiles every name filter anew for every container. */
static const size_t few = 8;

const char *
owner_state_word(enum owner_state state)
{
	static const char *const words[] = {
		[OWNER_UNKNOWN] = "unknown",
		[OWNER_ALIVE] = "alive",
		[OWNER_STOPPED] = "stopped",
		[OWNER_ABSENT] = "absent",
	};

	return words[state];
}

struct owner
owner_parse(const char *text)
{
	struct owner owner = { OWNER_STRANGE, "" };

	if (*text == '\0') {
		owner.type = OWNER_MISSING;
	} else if (text_has_prefix(text, "container:")) {
		owner.name = text + strlen("container:");
		if (docker_name_is_safe(owner.name))
			owner.type = OWNER_CONTAINER;
	} else if (text_has_prefix(text, "pid:")) {
		owner.type = OWNER_PROCESS;
	} else if (strcmp(text, "none") == 0) {
		owner.type = OWNER_LEASE;
	}
	return owner;
}

static struct owner_view
judge_created(const struct container *c, int64_t now, int64_t grace)
{
	struct owner_view view = { OWNER_ALIVE, TIME_UNKNOWN };

	if (c->created == TIME_UNKNOWN || c->created > now)
		view.state = OWNER_UNKNOWN;
	else if (now - c->created >= grace) {
		view.state = OWNER_STOPPED;
		view.since = c->created;
	}
	return view;
}

struct owner_view
owner_judge(const struct container *c, int64_t now, int64_t grace, bool exact)
{
	struct owner_view view = { OWNER_ABSENT, TIME_UNKNOWN };

	if (c == NULL)
		return view;
	switch (c->state) {
	case CONTAINER_RUNNING:
	case CONTAINER_PAUSED:
	case CONTAINER_RESTARTING:
		view.state = OWNER_ALIVE;
		break;
	case CONTAINER_CREATED:
		view = judge_created(c, now, grace);
		break;
	case CONTAINER_EXITED:
	case CONTAINER_DEAD:
	case CONTAINER_REMOVING:
		view.state = OWNER_STOPPED;
		view.since = exact ? c->finished : 0;
		break;
	case CONTAINER_UNKNOWN:
		view.state = OWNER_UNKNOWN;
		break;
	}
	return view;
}

/* "^name$" with the dots escaped: docker's filter is a regular expression. */
static void
add_pattern(struct strvec *patterns, const char *name, bool whole)
{
	struct strbuf pattern = { 0 };

	strbuf_addc(&pattern, '^');
	for (; *name != '\0'; name++) {
		if (*name == '.')
			strbuf_addc(&pattern, '\\');
		strbuf_addc(&pattern, *name);
	}
	if (whole)
		strbuf_addc(&pattern, '$');
	strvec_add(patterns, strbuf_str(&pattern));
	strbuf_clear(&pattern);
}

static void
choose_patterns(const struct core *core, const struct strvec *names,
    struct strvec *patterns)
{
	const char *prefix = core->scheme.container_prefix;
	size_t i, others = 0;

	for (i = 0; i < names->len; i++)
		if (!text_has_prefix(names->items[i], prefix))
			others++;
	if (names->len > few && others <= few)
		add_pattern(patterns, prefix, false);
	else if (names->len > few)
		return;
	for (i = 0; i < names->len; i++)
		if (names->len <= few ||
		    !text_has_prefix(names->items[i], prefix))
			add_pattern(patterns, names->items[i], true);
}

int
owner_list(const struct core *core, const struct strvec *names,
    struct container_list *list, struct error *err)
{
	struct strvec patterns = { 0 };
	struct docker_filter filter = { NULL, &patterns, NULL };
	int rc;

	choose_patterns(core, names, &patterns);
	rc = docker_list(core->docker, &filter, list, err);
	strvec_clear(&patterns);
	return rc;
}
