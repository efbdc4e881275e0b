/* SPDX-License-Identifier: ISC */
/* The container that we run in, for "--owner self". */
#ifndef CORE_SELF_H
#define CORE_SELF_H

#include "core/core.h"

/* Its name, which the caller frees; one docker call.  ERROR_OWNER where we run
 * in none that this daemon knows. */
int self_container(const struct core *, char **name, struct error *);

/* The id in the text of /proc/self/mountinfo; false where there is none. */
bool self_id(const char *mountinfo, char id[65]);

#endif
