/* SPDX-License-Identifier: ISC */
/* Where is the program? */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/strvec.h"
#include "process/process.h"

static const char fallback[] =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/snap/bin";

static bool
can_run(const char *path)
{
	struct stat st;

	if (access(path, X_OK) == -1 || stat(path, &st) == -1)
		return false;
	if (!S_ISREG(st.st_mode)) {
		errno = EACCES;
		return false;
	}
	return true;
}

/* Look through the folders; a relative one is never trusted. */
static char *
search(const char *folders, const char *name, int *why)
{
	struct strvec list = { 0 };
	char *path, *found = NULL;
	size_t i;

	strvec_split(&list, folders, ':');
	for (i = 0; i < list.len && found == NULL; i++) {
		if (list.items[i][0] != '/')
			continue;
		path = xasprintf("%s/%s", list.items[i], name);
		if (can_run(path))
			found = path;
		else {
			if (errno == EACCES)
				*why = EACCES;
			free(path);
		}
	}
	strvec_clear(&list);
	return found;
}

static char *
absolute(const char *name)
{
	char *path = realpath(name, NULL);

	if (path != NULL && can_run(path))
		return path;
	free(path);
	return NULL;
}

char *
process_find(const char *name)
{
	const char *path = getenv("PATH");
	int why = ENOENT;
	char *found;

	if (strchr(name, '/') != NULL)
		return absolute(name);
	found = search(path != NULL ? path : "", name, &why);
	if (found == NULL)
		found = search(fallback, name, &why);
	if (found == NULL)
		errno = why;
	return found;
}
