/* SPDX-License-Identifier: ISC */
/* The state directory: opening it, and the keeper's id. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/text.h"
#include "store/atomic.h"
#include "store/store.h"

static int
check_directory(int fd, const char *path, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) == -1)
		return error_errno(err, ERROR_STATE_READ, "cannot look at '%s'",
		    path);
	if (st.st_uid != geteuid()) {
		(void)error_set(err, ERROR_UNSAFE,
		    "'%s' belongs to user %u, "
		    "not to %u",
		    path, st.st_uid, geteuid());
		return error_hint(err,
		    "run as the user who owns the state, "
		    "or chown it");
	}
	if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
		(void)error_set(err, ERROR_UNSAFE,
		    "'%s' can be written by others (mode %04o)", path,
		    st.st_mode & 07777);
		return error_hint(err,
		    "chmod go-w '%s', and look at what is "
		    "in it",
		    path);
	}
	return 0;
}

static int
open_error(const char *path, enum store_mode mode, struct error *err)
{
	if (errno == ELOOP || errno == ENOTDIR) {
		(void)error_set(err, ERROR_UNSAFE,
		    "'%s' is not a directory, or a symbolic link", path);
		return error_hint(err,
		    "someone put it there: look at it, then move it away");
	}
	if (errno == EACCES)
		(void)error_errno(err, ERROR_PERMISSION, "cannot open '%s'",
		    path);
	else
		(void)error_errno(err,
		    mode == STORE_CHANGE ? ERROR_STATE_CREATE :
					   ERROR_STATE_READ,
		    "cannot open '%s'", path);
	return error_hint(err,
	    "check its permissions, or choose another "
	    "with --state-dir");
}

/* Open a directory below dirfd; *fd stays -1 where there is none to look at. */
static int
open_directory(int dirfd, const char *name, const char *path,
    enum store_mode mode, int *fd, struct error *err)
{
	int opened;

	if (mode == STORE_CHANGE && mkdirat(dirfd, name, 0700) == -1 &&
	    errno != EEXIST) {
		(void)error_errno(err, ERROR_STATE_CREATE, "cannot make '%s'",
		    path);
		return error_hint(err,
		    "check the permissions of the folder "
		    "above it, or choose another with --state-dir");
	}
	opened = openat(dirfd, name,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (opened == -1) {
		if (errno == ENOENT && mode == STORE_LOOK)
			return 0;
		return open_error(path, mode, err);
	}
	if (check_directory(opened, path, err) == -1) {
		fd_close(opened);
		return -1;
	}
	*fd = opened;
	return 0;
}

/* An endpoint as one file name: what is not plain becomes %XX. */
static char *
endpoint_folder(const char *endpoint)
{
	struct strbuf sb = { 0 };

	for (; *endpoint != '\0'; endpoint++) {
		if (isalnum((unsigned char)*endpoint) || *endpoint == '-' ||
		    (*endpoint == '.' && sb.len > 0))
			strbuf_addc(&sb, *endpoint);
		else
			strbuf_addf(&sb, "%%%02X", (unsigned char)*endpoint);
	}
	return strbuf_detach(&sb);
}

/* The same below the state directory; below is its path from there. */
static int
open_below(const struct store *store, int dirfd, const char *below,
    enum store_mode mode, int *fd, struct error *err)
{
	const char *slash = strrchr(below, '/');
	char *path = xasprintf("%s/%s", store->path, below);
	int rc = open_directory(dirfd, slash != NULL ? slash + 1 : below, path,
	    mode, fd, err);

	free(path);
	return rc;
}

/* Of the endpoint's own folder: "daemons/ENDPOINT/agents", or "agents". */
static int
open_own(const struct store *store, const char *name, enum store_mode mode,
    int *fd, struct error *err)
{
	bool is_default = strcmp(store->endpoint, "default") == 0;
	char *folder = endpoint_folder(store->endpoint);
	char *below = is_default ? xstrdup(name) :
				   xasprintf("daemons/%s/%s", folder, name);
	int rc = open_below(store, store->base, below, mode, fd, err);

	free(below);
	free(folder);
	return rc;
}

static int
open_base(struct store *store, enum store_mode mode, struct error *err)
{
	int daemons = -1, rc;
	char *folder, *below;

	if (strcmp(store->endpoint, "default") == 0) {
		store->base = fcntl(store->root, F_DUPFD_CLOEXEC, 3);
		return store->base != -1 ? 0 :
					   open_error(store->path, mode, err);
	}
	rc = open_below(store, store->root, "daemons", mode, &daemons, err);
	if (rc == -1 || daemons == -1)
		return rc;
	folder = endpoint_folder(store->endpoint);
	below = xasprintf("daemons/%s", folder);
	rc = open_below(store, daemons, below, mode, &store->base, err);
	free(below);
	free(folder);
	fd_close(daemons);
	return rc;
}

/* A new id would make strangers of all our containers: never by ourselves. */
static int
odd_keeper(const struct store *store, struct error *err)
{
	(void)error_set(err, ERROR_UNSAFE,
	    "'%s/keeper' does not hold a keeper's id", store->path);
	return error_hint(err,
	    "write it anew from the label sandkeeper.keeper of a sandbox "
	    "container; without the file, those that are there count as "
	    "another keeper's");
}

static int
keeper_error(const struct store *store, struct error *err)
{
	if (errno == ELOOP || errno == EINVAL || errno == ENXIO ||
	    errno == EFBIG)
		return odd_keeper(store, err);
	return error_errno(err,
	    errno == EACCES ? ERROR_PERMISSION : ERROR_STATE_READ,
	    "cannot read '%s/keeper'", store->path);
}

static int
read_keeper(struct store *store, struct error *err)
{
	struct strbuf text = { 0 };
	int rc = 0;

	store->keeper[0] = '\0';
	if (fd_read_file(store->root, "keeper", 64, &text) == -1) {
		if (errno != ENOENT)
			rc = keeper_error(store, err);
	} else {
		text.data[strcspn(text.data, "\n")] = '\0';
		if (strlen(text.data) == 32 &&
		    text_only(text.data, "0123456789abcdef"))
			memcpy(store->keeper, text.data, 33);
		else
			rc = odd_keeper(store, err);
	}
	strbuf_clear(&text);
	return rc;
}

/* Two that make it at once agree: the first wins, both read it. */
static int
ensure_keeper(struct store *store, struct error *err)
{
	char line[34];

	if (read_keeper(store, err) == -1)
		return -1;
	if (store->keeper[0] != '\0')
		return 0;
	text_random_hex(line, 32);
	line[32] = '\n';
	if (atomic_create(store->root, "keeper", line, 33, 0600, err) == -1 &&
	    err->sys != EEXIST)
		return -1;
	error_clear(err);
	return read_keeper(store, err);
}

static int
open_all(struct store *store, enum store_mode mode, struct error *err)
{
	if (mode == STORE_CHANGE)
		fd_make_parents(store->path);
	if (open_directory(AT_FDCWD, store->path, store->path, mode,
		&store->root, err) == -1)
		return -1;
	if (store->root == -1)
		return 0;
	if (open_base(store, mode, err) == -1)
		return -1;
	if (mode == STORE_LOOK ? read_keeper(store, err) == -1 :
				 ensure_keeper(store, err) == -1)
		return -1;
	if (store->base == -1)
		return 0;
	if (open_own(store, "agents", mode, &store->agents, err) == -1)
		return -1;
	return open_own(store, "locks", mode, &store->locks, err);
}

int
store_open(struct store *store, const char *path, const char *endpoint,
    enum store_mode mode, struct error *err)
{
	memset(store, 0, sizeof(*store));
	store->root = store->base = store->agents = store->locks = -1;
	store->path = xstrdup(path);
	store->endpoint = xstrdup(endpoint);
	if (open_all(store, mode, err) == -1) {
		store_close(store);
		return -1;
	}
	return 0;
}

void
store_close(struct store *store)
{
	fd_close(store->root);
	fd_close(store->base);
	fd_close(store->agents);
	fd_close(store->locks);
	free(store->path);
	free(store->endpoint);
	memset(store, 0, sizeof(*store));
	store->root = store->base = store->agents = store->locks = -1;
}
