/* SPDX-License-Identifier: ISC */
/* Looking at everything. */
#include "cmd/look.h"
#include "cmd/failure.h"

int
look_at_everything(struct app *app, struct survey *survey, bool *listed,
    struct error *err)
{
	if (app_engines(app, err) == -1 ||
	    app_store(app, STORE_LOOK, err) == -1)
		return -1;
	*listed = app_docker(app, err) == 0 &&
	    survey_take(&app->core, survey, err) == 0;
	if (*listed)
		return 0;
	if (err->kind == ERROR_INTERRUPTED)
		return -1;
	failure_warn("what docker knows is not shown", err);
	survey_clear(survey);
	return survey_take_entries(&app->core, survey, err);
}
