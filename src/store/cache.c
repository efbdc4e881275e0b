/* SPDX-License-Identifier: ISC */
/* The entries and the release marks of a store. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/text.h"
#include "store/atomic.h"
#include "store/damaged.h"
#include "store/store.h"

/* Forty services with long values are 40 kB. */
static const size_t entry_max = (size_t)1024 * 1024;

bool
store_has(const struct store *store, const char *slug)
{
	return store->agents != -1 &&
	    faccessat(store->agents, slug, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Rename what is no entry, so that it is neither read again nor lost. */
static void
set_aside(const struct store *store, const char *slug, bool lock_held,
    const char *why)
{
	char *name;

	if (!lock_held) {
		log_warn("%s: the entry is damaged (%s) and counts as none",
		    slug, why);
		return;
	}
	name = damaged_name(slug);
	if (renameat(store->agents, slug, store->agents, name) == -1)
		log_warn("%s: the entry is damaged (%s) and cannot be set "
			 "aside: %s",
		    slug, why, strerror(errno));
	else
		log_warn("%s: the entry was damaged (%s): it is now "
			 "'%s/agents/%s' and counts as none",
		    slug, why, store->path, name);
	free(name);
}

/* Returns 1 for "set aside", 0 or -1. */
static int
read_text(const struct store *store, const char *slug, bool lock_held,
    struct strbuf *text, struct error *err)
{
	if (fd_read_file(store->agents, slug, entry_max, text) == 0)
		return 0;
	if (errno == ENOENT)
		return 1;
	if (errno == EFBIG) {
		set_aside(store, slug, lock_held, "it is too large");
		return 1;
	}
	if (errno == ELOOP || errno == EINVAL || errno == ENXIO) {
		(void)error_set(err, ERROR_UNSAFE,
		    "'%s/agents/%s' is not a regular file", store->path, slug);
		return error_hint(err,
		    "someone put it there: look at it, "
		    "then remove it");
	}
	return error_errno(err,
	    errno == EACCES ? ERROR_PERMISSION : ERROR_STATE_READ,
	    "cannot read '%s/agents/%s'", store->path, slug);
}

int
store_read(const struct store *store, const char *slug, bool lock_held,
    struct agent_entry *entry, bool *found, struct error *err)
{
	struct strbuf text = { 0 };
	struct error why;
	int rc;

	*found = false;
	memset(entry, 0, sizeof(*entry));
	if (store->agents == -1)
		return 0;
	rc = read_text(store, slug, lock_held, &text, err);
	if (rc == 0 &&
	    agent_entry_parse(entry, strbuf_str(&text), text.len, &why) == 0) {
		if (*entry->agent == '\0')
			xstr_set(&entry->agent, slug);
		if (strcmp(entry->agent, slug) == 0) {
			*found = true;
		} else {
			agent_entry_clear(entry);
			set_aside(store, slug, lock_held,
			    "it names another agent");
		}
	} else if (rc == 0 && why.kind == ERROR_NEWER) {
		*err = why;
		(void)error_wrap(err, "the entry of %s", slug);
		rc = error_hint(err,
		    "install the newer sandkeeper again; "
		    "the entry was left as it is");
	} else if (rc == 0) {
		set_aside(store, slug, lock_held, why.msg);
	}
	if (text.len > 0)
		explicit_bzero(text.data, text.len);
	strbuf_clear(&text);
	return rc == -1 ? error_about(err, slug, NULL) : 0;
}

int
store_write(const struct store *store, const struct agent_entry *entry,
    struct error *err)
{
	struct strbuf text = { 0 };
	int rc;

	agent_entry_write(entry, &text);
	rc = atomic_replace(store->agents, entry->agent, text.data, text.len,
	    0600, err);
	explicit_bzero(text.data, text.len);
	strbuf_clear(&text);
	return rc;
}

int
store_remove(const struct store *store, const char *slug, struct error *err)
{
	return store->agents != -1 ? atomic_remove(store->agents, slug, err) :
				     0;
}

int
store_list(const struct store *store, struct strvec *slugs, struct error *err)
{
	struct strvec names = { 0 };
	size_t i;

	if (store->agents == -1)
		return 0;
	if (fd_list(store->agents, ".", &names) == -1) {
		strvec_clear(&names);
		return error_errno(err, ERROR_STATE_READ,
		    "cannot list '%s/agents'", store->path);
	}
	for (i = 0; i < names.len; i++)
		if (names.items[i][0] != '.')
			strvec_add(slugs, names.items[i]);
	strvec_clear(&names);
	strvec_sort(slugs);
	return 0;
}

static char *
mark_name(const char *slug)
{
	return xasprintf(".%s.release", slug);
}

int
store_mark(const struct store *store, const char *slug, struct error *err)
{
	char *name = mark_name(slug);
	int fd, rc = 0;

	fd = openat(store->agents, name,
	    O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	if (fd == -1)
		rc = error_errno(err, ERROR_STATE_WRITE,
		    "cannot write '%s/agents/%s'", store->path, name);
	fd_close(fd);
	free(name);
	return rc;
}

bool
store_is_marked(const struct store *store, const char *slug)
{
	char *name = mark_name(slug);
	bool marked = store->agents != -1 &&
	    faccessat(store->agents, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;

	free(name);
	return marked;
}

int
store_unmark(const struct store *store, const char *slug, struct error *err)
{
	char *name = mark_name(slug);
	int rc = 0;

	if (store->agents != -1 && unlinkat(store->agents, name, 0) == -1 &&
	    errno != ENOENT)
		rc = error_errno(err, ERROR_STATE_WRITE,
		    "cannot remove '%s/agents/%s'", store->path, name);
	free(name);
	return rc;
}
