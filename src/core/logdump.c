/* SPDX-License-Identifier: ISC */
/* The dump of an agent container's log. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "core/logdump.h"
#include "store/logdir.h"

static void
say_cut(const struct core *core, int fd)
{
	char line[100];

	(void)snprintf(line, sizeof(line),
	    "\n[sandkeeper: cut here, at log-limit = %lld bytes]\n",
	    (long long)core->settings->log_limit);
	(void)fd_write_all(fd, line, strlen(line));
}

static int
dump(const struct core *core, const struct container *c, int fd,
    struct error *err)
{
	enum docker_logs_end end;

	if (docker_logs_to(core->docker, c->id, (long)core->settings->log_lines,
		core->settings->log_limit, fd, &end, err) == -1)
		return -1;
	if (end == DOCKER_LOGS_CUT)
		say_cut(core, fd);
	return 0;
}

void
logdump_write(const struct core *core, const struct container *c)
{
	const char *slug = scheme_slug_of(&core->scheme, c->name);
	const char *folder = slug != NULL ? slug : c->name;
	int64_t now = clock_now();
	struct error err;
	struct stat st;
	char *path = NULL;
	int fd;

	fd = logdir_create(core->log_dir, folder, now, &path, &err);
	if (fd == -1) {
		log_warn("%s: its log is not kept: %s", c->name, err.msg);
		return;
	}
	if (dump(core, c, fd, &err) == -1)
		log_warn("%s: its log is not kept whole: %s", c->name, err.msg);
	if (fstat(fd, &st) == 0 && st.st_size == 0)
		(void)unlink(path);
	else
		log_verbose("%s: its log is in %s", c->name, path);
	fd_close(fd);
	logdir_prune(core->log_dir, folder, (long)core->settings->log_keep,
	    core->settings->log_max_age, now);
	free(path);
}
