/* SPDX-License-Identifier: ISC */
/* doctor: the state directory and the logs. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "core/doctor_work.h"

/* An entry has some hundred bytes; a log may have 64 MB. */
static const unsigned long long least_bytes = 16ULL * 1024 * 1024;
static const unsigned long long least_files = 64;

/* What lies in a directory: told as a problem, or where it is not vital. */
struct place {
	const char *path;
	const char *option; /* that chooses another */
	mode_t mode;        /* of one that is made */
	bool vital;
};

static void
tell(struct doctor *doctor, const struct place *place, enum error_kind kind,
    const char *remedy, const char *what)
{
	if (place->vital)
		doctor_problem(doctor, kind, remedy, "%s: %s", place->path,
		    what);
	else
		doctor_warn(doctor, remedy, "%s: %s", place->path, what);
}

/* The nearest folder above that is there; the caller frees it. */
static char *
folder_above(const char *path)
{
	char *copy = xstrdup(path), *slash;
	struct stat st;

	do {
		slash = strrchr(copy, '/');
		if (slash == NULL || slash == copy) {
			free(copy);
			return xstrdup(slash == NULL ? "." : "/");
		}
		*slash = '\0';
	} while (stat(copy, &st) == -1);
	return copy;
}

static bool
is_dangling(const char *path)
{
	struct stat st;

	return stat(path, &st) == -1 && lstat(path, &st) == 0 &&
	    S_ISLNK(st.st_mode);
}

/* Is it, or a part of it that is not there, a dangling link? */
static bool
leads_nowhere(const char *path)
{
	char *copy = xstrdup(path), *slash = copy;
	bool nowhere = is_dangling(path);

	while (!nowhere && *slash != '\0' &&
	    (slash = strchr(slash + 1, '/')) != NULL) {
		*slash = '\0';
		nowhere = is_dangling(copy);
		*slash = '/';
	}
	free(copy);
	return nowhere;
}

/* Root may write everywhere, it is told; but nothing is made in these. */
static bool
is_kernels(const char *folder)
{
	struct statfs fs;

	return statfs(folder, &fs) == 0 &&
	    (fs.f_type == PROC_SUPER_MAGIC || fs.f_type == SYSFS_MAGIC);
}

static void
check_absent(struct doctor *doctor, const struct place *place)
{
	char *above = folder_above(place->path), *user, *remedy;

	if (!is_kernels(above) &&
	    faccessat(AT_FDCWD, above, W_OK | X_OK, AT_EACCESS) == 0) {
		doctor_ok(doctor, "%s is not there yet: it is made when needed",
		    place->path);
		free(above);
		return;
	}
	user = doctor_user();
	remedy = is_kernels(above) ?
	    xasprintf("choose another with %s", place->option) :
	    xasprintf("as root: install -d -o %s -m %04o %s; or choose "
		      "another with %s",
		user, place->mode, place->path, place->option);
	tell(doctor, place, ERROR_STATE_CREATE, remedy,
	    "it is not there and cannot be made");
	free(remedy);
	free(user);
	free(above);
}

/* A file or a dangling link is in its place, or a file among its parents. */
static bool
is_blocked(struct doctor *doctor, const struct place *place)
{
	const char *what = "a part of its path is no directory";
	struct stat st;
	char *remedy;

	if (stat(place->path, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			return false;
		what = "it is no directory";
	} else if (errno == ENOENT) {
		if (!leads_nowhere(place->path))
			return false;
		what = "it is, or is below, a link to what is not there";
	} else if (errno != ENOTDIR)
		return false;
	remedy = xasprintf("move what is there away, or choose another with "
			   "%s",
	    place->option);
	tell(doctor, place, ERROR_STATE_CREATE, remedy, what);
	free(remedy);
	return true;
}

static char *
access_remedy(const struct place *place, int number)
{
	struct stat st;
	char *user, *remedy;

	if (number == EROFS)
		return xasprintf("mount its file system for writing, or choose "
				 "another with %s",
		    place->option);
	if (number == EPERM)
		return xasprintf("chattr -i %s", place->path);
	if (stat(place->path, &st) == 0 && st.st_uid == geteuid())
		return xasprintf("chmod u+rwx %s", place->path);
	user = doctor_user();
	remedy = xasprintf("as root: chown %s %s; or choose another with %s",
	    user, place->path, place->option);
	free(user);
	return remedy;
}

static void
tell_unwritable(struct doctor *doctor, const struct place *place, int number)
{
	char *what = xasprintf("it cannot be written: %s", strerror(number));
	char *remedy = access_remedy(place, number);

	tell(doctor, place,
	    number == EROFS ? ERROR_STATE_WRITE : ERROR_PERMISSION, remedy,
	    what);
	free(what);
	free(remedy);
}

/* Is each of these folders, where it is there, to be written?  Told if not. */
static bool
are_writable(struct doctor *doctor, const struct place *place,
    const struct strvec *folders)
{
	struct place part = *place;
	size_t i;

	for (i = 0; i < folders->len; i++) {
		part.path = folders->items[i];
		if (faccessat(AT_FDCWD, part.path, W_OK | X_OK, AT_EACCESS) ==
			0 ||
		    errno == ENOENT)
			continue;
		tell_unwritable(doctor, &part, errno);
		return false;
	}
	return true;
}

/* A folder that is open, by its name. */
static void
add_open(struct strvec *folders, int fd)
{
	char *link = xasprintf("/proc/self/fd/%d", fd);
	char *path = fd != -1 ? realpath(link, NULL) : NULL;

	if (path != NULL)
		strvec_add_once(folders, path);
	free(path);
	free(link);
}

static bool
has_space(struct doctor *doctor, const struct place *place)
{
	unsigned long long bytes;
	struct statvfs fs;
	char *what, *remedy;
	bool full;

	if (statvfs(place->path, &fs) == -1)
		return true;
	bytes = (unsigned long long)fs.f_bavail * fs.f_frsize;
	full = fs.f_files > 0 && fs.f_favail == 0;
	if (bytes >= least_bytes &&
	    (fs.f_files == 0 || fs.f_favail >= least_files))
		return true;
	remedy = xasprintf("make room on its file system (df %s; df -i %s)",
	    place->path, place->path);
	what = xasprintf("only %llu kB and %llu files more have room there",
	    bytes / 1024, (unsigned long long)fs.f_favail);
	if (bytes < fs.f_frsize || full)
		tell(doctor, place, ERROR_STATE_WRITE, remedy,
		    "its file system is full");
	else
		doctor_warn(doctor, remedy, "%s: %s", place->path, what);
	free(what);
	free(remedy);
	return false;
}

static void
tell_free(struct doctor *doctor, const struct place *place)
{
	struct statvfs fs;

	if (statvfs(place->path, &fs) == -1)
		doctor_ok(doctor, "%s", place->path);
	else
		doctor_ok(doctor, "%s, %llu MB free", place->path,
		    (unsigned long long)fs.f_bavail * fs.f_frsize / 1024 /
			1024);
}

void
doctor_check_state(struct doctor *doctor)
{
	struct place place = { doctor->question->state_dir, "--state-dir", 0700,
		true };
	const struct error *err = doctor->question->store_error;
	const struct store *store = doctor->core->store;
	struct strvec folders = { 0 };
	struct stat st;
	char *remedy;
	bool good;

	if (lstat(place.path, &st) == -1 && errno == ENOENT) {
		check_absent(doctor, &place);
		return;
	}
	if (store == NULL && doctor->question->endpoint != NULL) {
		doctor_error(doctor, err, "look at it");
		return;
	}
	strvec_add(&folders, place.path);
	if (store != NULL) {
		/* one for each daemon */
		add_open(&folders, store->base);
		add_open(&folders, store->agents);
		add_open(&folders, store->locks);
	}
	good =
	    are_writable(doctor, &place, &folders) && has_space(doctor, &place);
	strvec_clear(&folders);
	if (!good)
		return;
	if ((st.st_mode & (S_IRWXG | S_IRWXO)) == 0) {
		tell_free(doctor, &place);
		return;
	}
	remedy = xasprintf("chmod 0700 %s", place.path);
	doctor_warn(doctor, remedy, "%s: others may look into it (mode %04o)",
	    place.path, st.st_mode & 07777);
	free(remedy);
}

void
doctor_check_logs(struct doctor *doctor)
{
	struct place place = { doctor->question->log_dir, "the setting log-dir",
		0750, false };
	struct strvec folders = { 0 };
	struct stat st;
	char *remedy;
	bool good;

	if (is_blocked(doctor, &place))
		return;
	if (stat(place.path, &st) == -1 && errno == ENOENT) {
		check_absent(doctor, &place);
		return;
	}
	strvec_add(&folders, place.path);
	strvec_addf(&folders, "%s/agents", place.path);
	good =
	    are_writable(doctor, &place, &folders) && has_space(doctor, &place);
	strvec_clear(&folders);
	if (!good)
		return;
	if ((st.st_mode & S_IWOTH) == 0) {
		tell_free(doctor, &place);
		return;
	}
	remedy = xasprintf("chmod o-w %s", place.path);
	doctor_warn(doctor, remedy,
	    "%s: everybody may change what was logged (mode %04o)", place.path,
	    st.st_mode & 07777);
	free(remedy);
}
