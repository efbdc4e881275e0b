/* SPDX-License-Identifier: ISC */
/* Who is told of in the history. */
#include <string.h>

#include "base/json.h"
#include "cmd/past.h"
#include "config/slug.h"
#include "store/logdir.h"

/* A shell waits for the answer. */
static const size_t lines_most = 2000;

struct looking {
	struct strvec *slugs;
	size_t lines;
};

static bool
take_agent(const char *text, void *arg)
{
	struct looking *looking = arg;
	json_t *line = json_read(text, strlen(text));
	const char *agent = line != NULL ? json_text(line, "agent") : NULL;

	if (agent != NULL && slug_is_valid(agent, 0))
		strvec_add_once(looking->slugs, agent);
	json_decref(line);
	return ++looking->lines < lines_most;
}

void
past_agents(struct app *app, struct strvec *slugs)
{
	struct looking looking = { slugs, 0 };
	struct error ignored;

	if (app_settings(app, &ignored) == 0)
		(void)history_read(app->log_dir, take_agent, &looking,
		    &ignored);
}
