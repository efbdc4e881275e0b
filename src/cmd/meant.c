/* SPDX-License-Identifier: ISC */
/* Which agent or service was meant. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/suggest.h"
#include "cmd/meant.h"

static void
read_agents(struct app *app, struct strvec *slugs)
{
	struct error ignored;

	if (app->has_store || app_store(app, STORE_LOOK, &ignored) == 0)
		(void)store_list(&app->store, slugs, &ignored);
}

int
meant_hint(struct app *app, const char *slug, struct error *err)
{
	struct strvec slugs = { 0 };

	if (err->kind != ERROR_NO_SANDBOX)
		return -1;
	read_agents(app, &slugs);
	if (*err->hint == '\0')
		(void)error_hint(err, "'sandkeeper list' shows who has one");
	suggest_add(err, slug, &slugs);
	strvec_clear(&slugs);
	return -1;
}

void
meant_service(const struct strvec *has, const char *wanted, struct error *err)
{
	char *list = strvec_join(has, ", ");

	(void)error_hint(err, "it has: %s", list);
	if (wanted != NULL)
		suggest_add(err, wanted, has);
	(void)strlcpy(err->allowed, list, sizeof(err->allowed));
	free(list);
}

void
meant_tell(struct app *app, const char *slug)
{
	struct strvec slugs = { 0 };
	const char *nearest;

	if (!log_shows(LOG_LEVEL_NORMAL) || !isatty(STDERR_FILENO))
		return;
	read_agents(app, &slugs);
	nearest = suggest_nearest(slug, &slugs);
	if (nearest != NULL)
		log_info("%s: it has no sandbox: did you mean '%s'?", slug,
		    nearest);
	else
		log_info("%s: it has no sandbox", slug);
	strvec_clear(&slugs);
}
