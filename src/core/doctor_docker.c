/* SPDX-License-Identifier: ISC */
/* doctor: the client, the daemon, its socket, its limits and its clock. */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"
#include "core/doctor_work.h"

/* "run --pull" is in it for the first time. */
static const long oldest_major = 20, oldest_minor = 10;
/* Two machines that ask the same time servers are closer. */
static const int64_t most_ahead = 5;

static const char no_daemon[] = "the daemon does not answer";

static bool
is_old(const char *version)
{
	char *rest;
	long major = strtol(version, &rest, 10);
	long minor = *rest == '.' ? strtol(rest + 1, NULL, 10) : 0;

	return major < oldest_major ||
	    (major == oldest_major && minor < oldest_minor);
}

void
doctor_check_client(struct doctor *doctor)
{
	const struct doctor_question *question = doctor->question;
	const struct docker *docker = doctor->core->docker;
	const struct docker_version *version = &doctor->version;

	if (docker == NULL) {
		doctor_error(doctor, question->docker_error, NULL);
		return;
	}
	/* one call for both halves: the daemon's check tells of its failure */
	doctor->answers = docker_version(doctor->core->docker, &doctor->version,
			      &doctor->version_error) == 0;
	if (version->client[0] == '\0')
		doctor_warn(doctor, "run it with 'version' and see",
		    "'%s' does not tell its version", docker->path);
	else if (!docker->podman && is_old(version->client))
		doctor_problem(doctor, ERROR_DOCKER,
		    "install a client of docker 20.10 or later",
		    "'%s' is of version %s, too old for 'run --pull never'",
		    docker->path, version->client);
	else
		doctor_ok(doctor, "%s, version %s, API %s", docker->path,
		    version->client, version->client_api);
}

/* The path of a daemon that is reached by one; NULL for another. */
static const char *
socket_path(const struct doctor *doctor)
{
	const char *endpoint = doctor->question->endpoint;

	if (endpoint == NULL)
		return NULL;
	if (strcmp(endpoint, "default") == 0)
		return "/var/run/docker.sock";
	return text_has_prefix(endpoint, "unix://") ? endpoint + 7 : NULL;
}

/* What "too new" and "too old" are said of is the API that we speak. */
static char *
api_remedy(const char *message)
{
	const char *known = strstr(message, "API version is ");
	char version[VERSION_TEXT] = "";

	if (getenv("DOCKER_API_VERSION") != NULL)
		return xstrdup("unset DOCKER_API_VERSION");
	if (strstr(message, "is too new") == NULL)
		return xstrdup("install a newer docker client");
	if (known != NULL)
		(void)sscanf(known, "API version is %40[0-9.]", version);
	return version[0] != '\0' ?
	    xasprintf("set DOCKER_API_VERSION=%s, or install a newer daemon",
		version) :
	    xstrdup("install a newer daemon");
}

static char *
denied_remedy(const struct doctor *doctor)
{
	const char *path = socket_path(doctor);
	const struct group *group;
	char *user, *remedy;
	struct stat st;

	if (path == NULL || stat(path, &st) == -1)
		return xstrdup("run it as a user who may use docker");
	/* cppcheck-suppress getgrgidCalled ; there are no threads */
	group = getgrgid(st.st_gid);
	if (st.st_gid == 0 || group == NULL || (st.st_mode & S_IWGRP) == 0)
		return xasprintf("run it as the owner of %s, or let a group "
				 "use that: "
				 "chgrp docker %s && chmod 660 %s",
		    path, path, path);
	user = doctor_user();
	remedy = xasprintf("usermod -aG %s %s, and log in again; or run it "
			   "as root",
	    group->gr_name, user);
	free(user);
	return remedy;
}

static char *
unreachable_remedy(const struct doctor *doctor)
{
	const char *path = socket_path(doctor);
	struct stat st;

	if (doctor->question->endpoint != NULL && path == NULL)
		return xasprintf("look whether a daemon listens at %s, or set "
				 "DOCKER_HOST "
				 "or --context to one that runs",
		    doctor->question->endpoint);
	if (path != NULL && stat(path, &st) == -1 && errno == ENOENT)
		return xasprintf(
		    "there is no socket at %s: start docker (systemctl start "
		    "docker), or set DOCKER_HOST or --context to the daemon "
		    "that runs",
		    path);
	return xstrdup("start docker (systemctl start docker), or set "
		       "DOCKER_HOST or --context to the daemon that runs");
}

static char *
daemon_remedy(const struct doctor *doctor, const struct error *err)
{
	if (strstr(err->msg, "client version") != NULL)
		return api_remedy(err->msg);
	if (err->kind == ERROR_DAEMON_DENIED)
		return denied_remedy(doctor);
	if (err->kind == ERROR_DAEMON)
		return unreachable_remedy(doctor);
	if (err->kind == ERROR_TIMEOUT)
		return xstrdup("the daemon hangs: see its log, and restart it "
			       "(systemctl restart docker)");
	return xstrdup("try 'docker version' and see");
}

void
doctor_check_daemon(struct doctor *doctor)
{
	const char *endpoint = doctor->question->endpoint;
	const char *path = socket_path(doctor);
	struct error err;
	char *remedy;

	if (doctor->core->docker == NULL) {
		doctor_skip(doctor, "there is no client");
		return;
	}
	if (endpoint == NULL) {
		doctor_error(doctor, doctor->question->store_error, NULL);
		return;
	}
	if (!doctor->answers) {
		remedy = daemon_remedy(doctor, &doctor->version_error);
		doctor_problem(doctor, doctor->version_error.kind, remedy, "%s",
		    doctor->version_error.msg);
		free(remedy);
		return;
	}
	if (docker_info(doctor->core->docker, &doctor->info, &err) == 0)
		doctor->informed = true;
	else
		doctor_warn(doctor, "try 'docker info' and see", "%s", err.msg);
	doctor_ok(doctor, "%s, version %s, API %s%s",
	    path != NULL ? path : endpoint, doctor->version.server,
	    doctor->version.server_api,
	    !doctor->informed         ? "" :
		doctor->info.rootless ? ", rootless" :
					", not rootless");
}

void
doctor_check_socket(struct doctor *doctor)
{
	const char *path = socket_path(doctor);
	struct stat st;
	char *remedy;

	if (doctor->core->docker == NULL || path == NULL) {
		doctor_skip(doctor,
		    path == NULL ? "the daemon has none on this machine" :
				   "there is no client");
		return;
	}
	if (stat(path, &st) == -1) {
		doctor_skip(doctor,
		    doctor->answers ? "the client has another way" :
				      "it is not there");
		return;
	}
	if ((st.st_mode & S_IWOTH) != 0) {
		remedy = xasprintf("chmod o-rwx %s", path);
		doctor_warn(doctor, remedy,
		    "every user may use %s, and is root by that (mode %04o)",
		    path, st.st_mode & 07777);
		free(remedy);
		return;
	}
	doctor_ok(doctor, "%s, user %u, group %u, mode %04o", path, st.st_uid,
	    st.st_gid, st.st_mode & 07777);
}

static bool
is_limited(const char *value)
{
	return *value != '\0' && strcmp(value, "0") != 0;
}

void
doctor_check_limits(struct doctor *doctor)
{
	const struct settings *settings = doctor->core->settings;
	const struct docker_info *info = &doctor->info;
	struct strvec lost = { 0 };
	char *list;

	if (!doctor->informed) {
		doctor_skip(doctor, no_daemon);
		return;
	}
	if (!info->limits_memory && is_limited(settings->memory))
		strvec_add(&lost, "memory");
	if (!info->limits_cpus && is_limited(settings->cpus))
		strvec_add(&lost, "cpus");
	if (!info->limits_pids && is_limited(settings->pids_limit))
		strvec_add(&lost, "pids-limit");
	list = strvec_join(&lost, ", ");
	if (lost.len > 0)
		doctor_warn(doctor,
		    info->rootless ?
			"delegate the controllers to the daemon's user "
			"(systemd: Delegate=cpu memory pids)" :
			"give the daemon's kernel these cgroup controllers",
		    "the daemon does not enforce: %s", list);
	else
		doctor_ok(doctor, "the daemon enforces those of the settings");
	free(list);
	strvec_clear(&lost);
}

void
doctor_check_clock(struct doctor *doctor)
{
	int64_t ahead = doctor->info.ahead;

	if (!doctor->informed)
		doctor_skip(doctor, no_daemon);
	else if (ahead > most_ahead || ahead < -most_ahead)
		doctor_warn(doctor,
		    "set both clocks by time servers (timedatectl set-ntp "
		    "true)",
		    "the daemon's clock is %lld s %s ours: ages are wrong by "
		    "as much",
		    (long long)(ahead < 0 ? -ahead : ahead),
		    ahead < 0 ? "behind" : "ahead of");
	else
		doctor_ok(doctor, "the daemon's is ours");
}
