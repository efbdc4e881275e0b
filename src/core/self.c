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

/* The 64 hex digits behind "containers/", with "/" after them. */
static bool
read_id(const char *path, char id[65])
{
	static const char folder[] = "containers/";
	const char *hit = path;

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

/*
 * Docker mounts hostname, hosts and resolv.conf out of a folder that bears the
 * container's id, whatever the cgroup version hides.  Other mounts out of such
 * folders are other containers', as the host sees them.  Where the network is
 * another container's, so are these files: that one is then taken for us.
 */
bool
self_id(const char *mountinfo, char id[65])
{
	struct strvec lines = { 0 }, words = { 0 };
	bool found = false;
	size_t i;

	strvec_split(&lines, mountinfo, '\n');
	for (i = 0; i < lines.len && !found; i++) {
		/* id, parent, device, root, mount point */
		strvec_split(&words, lines.items[i], ' ');
		if (words.len > 4 &&
		    (strcmp(words.items[4], "/etc/hostname") == 0 ||
			strcmp(words.items[4], "/etc/hosts") == 0 ||
			strcmp(words.items[4], "/etc/resolv.conf") == 0))
			found = read_id(words.items[3], id);
		strvec_clear(&words);
	}
	strvec_clear(&lines);
	return found;
}

static int
look_up(const struct core *core, const char *id, char **name, struct error *err)
{
	struct container_list found = { 0 };
	struct strvec ids = { 0 };
	int rc;

	strvec_add(&ids, id);
	rc = docker_inspect(core->docker, &ids, &found, err);
	if (rc == 0 && found.len == 0) {
		(void)error_set(err, ERROR_OWNER,
		    "this daemon does not know the container we run in");
		rc = error_hint(err,
		    "set DOCKER_HOST to the one that does, or name the "
		    "container with --owner container:NAME");
	}
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
