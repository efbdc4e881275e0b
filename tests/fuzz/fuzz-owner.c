/* SPDX-License-Identifier: ISC */
/* Fuzz target: owners' texts, and the id of the container that we run in. */
#include "base/text.h"
#include "core/owner.h"
#include "core/process_owner.h"
#include "core/self.h"
#include "docker/docker.h"
#include "fuzz.h"

static void
container_id(const char *text)
{
	char id[65] = "";

	if (self_id(text, id)) {
		must(docker_id_is_full(id));
		must(strstr(text, id) != NULL);
	} else {
		must(id[0] == '\0');
	}
}

static void
owner(const char *text)
{
	struct owner read = owner_parse(text);

	must((read.type == OWNER_MISSING) == (*text == '\0'));
	if (read.type == OWNER_CONTAINER)
		must(docker_name_is_safe(read.name));
	if (read.type == OWNER_LEASE)
		must(strcmp(text, "none") == 0);
}

/* Alive is only what this machine would describe in these very words. */
static void
process(const char *text)
{
	struct owner_view view = process_owner_judge(text);
	const char *pid, *problem;
	char *copy, *colon, *described = NULL;
	struct error err = { 0 };

	must(view.state == OWNER_UNKNOWN || view.state == OWNER_ALIVE ||
	    view.state == OWNER_STOPPED);
	must((view.since == 0) == (view.state == OWNER_STOPPED));
	if (view.state != OWNER_ALIVE)
		return;
	copy = xstrdup(text);
	colon = strrchr(copy, ':');
	must(colon != NULL);
	*colon = '\0';
	colon = strrchr(copy, ':');
	must(colon != NULL);
	pid = colon + 1;
	must(process_owner_describe((pid_t)strtonum(pid, 1, INT32_MAX,
					&problem),
		 &described, &err) == 0);
	/* leading zeros are no other number */
	must(strstr(text, strrchr(described, ':')) != NULL);
	free(described);
	free(copy);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = input_text(data, size);
	char *here = NULL, *mixed;
	struct error err = { 0 };

	container_id(text);
	owner(text);
	process(text);
	/* the same behind what is true of this process */
	must(process_owner_describe(getpid(), &here, &err) == 0);
	process(here);
	if (size > 0) {
		here[data[0] % strlen(here)] = '\0';
		mixed = xasprintf("%s%s", here, text + (*text != '\0'));
		process(mixed);
		free(mixed);
	}
	free(here);
	free(text);
	return 0;
}
