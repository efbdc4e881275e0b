/* SPDX-License-Identifier: ISC */
/* The entries of other daemons: looked at, never touched. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "store/store.h"

static const size_t entry_max = (size_t)1024 * 1024;

static bool
is_ours(const struct store *store, int fd)
{
	struct stat one, two;

	return store->agents != -1 && fstat(store->agents, &one) == 0 &&
	    fstat(fd, &two) == 0 && one.st_dev == two.st_dev &&
	    one.st_ino == two.st_ino;
}

/* Does the entry in this folder hold the id?  Unknown means that it may. */
static bool
records(int agents, const char *slug, const char *id)
{
	struct strbuf text = { 0 };
	struct agent_entry entry;
	struct error ignored;
	bool may = true;

	if (fd_read_file(agents, slug, entry_max, &text) == -1) {
		may = errno != ENOENT;
	} else if (agent_entry_parse(&entry, strbuf_str(&text), text.len,
		       &ignored) == 0) {
		may = agent_entry_has_id(&entry, id);
		agent_entry_clear(&entry);
	}
	if (text.len > 0)
		explicit_bzero(text.data, text.len);
	strbuf_clear(&text);
	return may;
}

/* A folder below dirfd, or -1; *may if it is there and cannot be looked at. */
static int
open_folder(int dirfd, const char *name, bool *may)
{
	int fd = openat(dirfd, name,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd == -1)
		*may = errno != ENOENT;
	return fd;
}

static bool
folder_records(const struct store *store, int base, const char *slug,
    const char *id)
{
	bool may = false;
	int agents = open_folder(base, "agents", &may);

	if (agents != -1 && !is_ours(store, agents))
		may = records(agents, slug, id);
	fd_close(agents);
	return may;
}

bool
store_elsewhere(const struct store *store, const char *slug, const char *id)
{
	struct strvec names = { 0 };
	int fd = -1, base;
	bool may;
	size_t i;

	if (store->root == -1)
		return false;
	may = folder_records(store, store->root, slug, id);
	if (!may)
		fd = open_folder(store->root, "daemons", &may);
	if (fd != -1)
		may = fd_list(fd, ".", &names) == -1;
	for (i = 0; i < names.len && !may; i++) {
		if (names.items[i][0] == '.')
			continue;
		base = open_folder(fd, names.items[i], &may);
		if (base != -1)
			may = folder_records(store, base, slug, id);
		fd_close(base);
	}
	strvec_clear(&names);
	fd_close(fd);
	return may;
}
