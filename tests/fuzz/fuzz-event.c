/* SPDX-License-Identifier: ISC */
/* Fuzz target: the lines of "docker events". */
#include "docker/events.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = input_text(data, size);
	struct event event;

	if (event_parse(line, &event)) {
		must(event.action != EVENT_OTHER);
		must(strcmp(event_action_word(event.action), "other") != 0);
		must(event.id != NULL && event.name[0] != '\0');
		must(event.old_name != NULL);
		must(event_label(&event, "roboco.sandbox.owner") != NULL);
		event_clear(&event);
	} else {
		must(event.document == NULL);
		must(event.action == EVENT_OTHER ||
		    event.action == EVENT_GARBAGE);
	}
	free(line);
	return 0;
}
