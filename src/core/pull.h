/* SPDX-License-Identifier: ISC */
/* pull: images, fetched before somebody has to wait for them. */
#ifndef CORE_PULL_H
#define CORE_PULL_H

#include "core/core.h"

struct pull_request {
	const struct strvec *services; /* none: those of the projects */
	bool features; /* their images for features, too, whoever asks */
	bool again;    /* those that are here, too */
};

struct pull_report {
	struct strvec pulled;
	struct strvec here; /* and not asked for again */
};

/*
 * One after the other; each is tried.  An image for features is fetched where
 * a project has a feature of that service, or where it is asked for.  The error
 * is the first that failed: ERROR_SERVICE, before any call, for a service that
 * there is not; ERROR_USAGE where nothing says which.
 */
int pull_images(const struct core *, const struct pull_request *,
    struct pull_report *, struct error *);
void pull_report_clear(struct pull_report *);

#endif
