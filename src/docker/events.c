/* SPDX-License-Identifier: ISC */
/* docker events. */
#include <string.h>

#include "base/json.h"
#include "docker/args.h"
#include "docker/events.h"

static const struct {
	const char *word;
	enum event_action action;
} words[] = {
	{ "start", EVENT_START },
	{ "die", EVENT_DIE },
	{ "destroy", EVENT_DESTROY },
	{ "rename", EVENT_RENAME },
	/* podman's */
	{ "died", EVENT_DIE },
	{ "remove", EVENT_DESTROY },
};

struct stream *
docker_events_open(struct docker *docker, struct error *err)
{
	struct strvec argv = { 0 };
	struct stream *stream;
	int number = 0;

	strvec_add(&argv, docker->path);
	args_events(&argv, docker->podman);
	docker->calls++;
	stream = stream_open(docker->path, argv.items,
	    docker->environment.items, &number);
	if (stream == NULL)
		(void)error_set(err, ERROR_DOCKER_MISSING,
		    "docker events: cannot be started: %s", strerror(number));
	strvec_clear(&argv);
	return stream;
}

static enum event_action
read_action(const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i].word, word) == 0)
			return words[i].action;
	return EVENT_OTHER;
}

static void
fill_docker(struct event *event)
{
	const json_t *actor = json_object_get(event->document, "Actor");

	event->labels = json_object_get(actor, "Attributes");
	event->action =
	    read_action(json_text_or_empty(event->document, "Action"));
	event->id = json_text_or_empty(actor, "ID");
	event->name = json_text_or_empty(event->labels, "name");
	event->old_name = json_text_or_empty(event->labels, "oldName");
	if (event->old_name[0] == '/')
		event->old_name++;
}

static void
fill_podman(struct event *event)
{
	event->labels = json_object_get(event->document, "Attributes");
	event->action =
	    read_action(json_text_or_empty(event->document, "Status"));
	event->id = json_text_or_empty(event->document, "ID");
	event->name = json_text_or_empty(event->document, "Name");
	event->old_name = "";
}

bool
event_parse(const char *line, struct event *event)
{
	bool is_object;

	memset(event, 0, sizeof(*event));
	event->document = json_read(line, strlen(line));
	is_object = json_is_object(event->document);
	if (is_object &&
	    strcmp(json_text_or_empty(event->document, "Type"), "container") ==
		0) {
		if (json_object_get(event->document, "Actor") != NULL)
			fill_docker(event);
		else
			fill_podman(event);
	}
	if (event->action != EVENT_OTHER && *event->name != '\0')
		return true;
	event_clear(event);
	event->action = is_object ? EVENT_OTHER : EVENT_GARBAGE;
	return false;
}

void
event_clear(struct event *event)
{
	json_decref(event->document);
	memset(event, 0, sizeof(*event));
}

const char *
event_label(const struct event *event, const char *key)
{
	return json_text_or_empty(event->labels, key);
}

const char *
event_action_word(enum event_action action)
{
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i].action == action)
			return words[i].word;
	return "other";
}
