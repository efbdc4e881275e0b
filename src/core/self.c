/* SPDX-License-Identifier: ISC */
/* The container that we run in. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "core/self.h"

static const size_t mountinfo_max = (size_t)1024 * 1024;

/*
 * Docker mounts hostname, hosts and resolv.conf out of a folder that bears the
 * container's id, whatever the cgroup version hides.
 */
bool
self_id(const char *mountinfo, char id[65])
{
	static const char folder[] = "containers/";
	const char *hit = mountinfo;

	while ((hit = strstr(hit, folder)) != NULL) {
		hit += sizeof(folder) - 1;
		if (strspn(hit, "0123456789abcdef") == 64 && hit[64] == '/') {
			memcpy(id, hit, 64);
			id[64] = '\0';
			return true;
		}
	}
	return false;
}

static int
look_up(const struct core *core, const char *id, char **name, struct error *err)
{
	struct container_list found = { 0 };
	struct strvec ids = { 0 };
	int rc;

	strvec_add(&ids, id);
	rc = docker_inspect(core->docker, &ids, &found, err);
	if (rc == 0 && found.len == 0)
		rc = error_set(err, ERROR_OWNER,
		    "this daemon does not know the container we run in");
	if (rc == 0)
		*name = xstrdup(found.items[0].name);
	container_list_clear(&found);
	strvec_clear(&ids);
	return rc;
}

int
self_container(const struct core *core, char **name, struct error *err)
{
	struct strbuf text = { 0 };
	char id[65];
	bool found;

	if (fd_read_file(AT_FDCWD, "/proc/self/mountinfo", mountinfo_max,
		&text) == -1) {
		strbuf_clear(&text);
		return error_errno(err, ERROR_OWNER,
		    "/proc/self/mountinfo cannot be read");
	}
	found = self_id(strbuf_str(&text), id);
	strbuf_clear(&text);
	if (!found) {
		(void)error_set(err, ERROR_OWNER,
		    "--owner self: we run in no container");
		return error_hint(err,
		    "name one with --owner container:NAME, or a process with "
		    "--owner pid:N");
	}
	return look_up(core, id, name, err);
}
