/* SPDX-License-Identifier: ISC */
/*
 * run and create.  Mistakes in the options leave nothing behind; what goes
 * wrong after the container is made leaves it, in state created, under its
 * name, with its id already printed.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

static const char usage[] = "[OPTIONS] IMAGE [COMMAND] [ARG...]";

static const char specs[] =
    "add-host= annotation= a,attach= blkio-weight= "
    "blkio-weight-device= cap-add= cap-drop= cgroup-parent= cgroupns= "
    "cidfile= cpu-period= cpu-quota= cpu-rt-period= cpu-rt-runtime= "
    "c,cpu-shares= cpus= cpuset-cpus= cpuset-mems= d,detach detach-keys= "
    "device= device-cgroup-rule= device-read-bps= device-read-iops= "
    "device-write-bps= device-write-iops= disable-content-trust dns= "
    "dns-option= dns-search= domainname= entrypoint= e,env= env-file= "
    "expose= gpus= group-add= health-cmd= health-interval= health-retries= "
    "health-start-interval= health-start-period= health-timeout= "
    "h,hostname= init i,interactive ip= ip6= ipc= isolation= "
    "kernel-memory= l,label= label-file= link= link-local-ip= log-driver= "
    "log-opt= mac-address= m,memory= memory-reservation= memory-swap= "
    "memory-swappiness= mount= name= network= net= network-alias= "
    "no-healthcheck oom-kill-disable oom-score-adj= pid= pids-limit= "
    "platform= privileged p,publish= P,publish-all pull= q,quiet read-only "
    "restart= rm runtime= security-opt= shm-size= sig-proxy stop-signal= "
    "stop-timeout= storage-opt= sysctl= tmpfs= t,tty ulimit= u,user= "
    "userns= uts= v,volume= volume-driver= volumes-from= w,workdir=";

static int
is_name(const char *s)
{
	static const char first[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

	return *s != '\0' && strchr("_.-", *s) == NULL &&
	    strspn(s, first) == strlen(s) && strlen(s) >= 2;
}

static int
check(const struct args *a)
{
	const char *name = args_get(a, "name"), *cid = args_get(a, "cidfile");
	const char *memory = args_get(a, "memory");
	size_t i;
	int rc;

	for (i = 0; i < a->len; i++)
		if ((rc = option_check(a, usage, a->names[i], a->values[i])) !=
		    0)
			return rc;
	if (a->nrest == 0)
		return text_too_few(a->verb, usage, 1);
	if (cid != NULL && access(cid, F_OK) == 0) {
		fprintf(fake.err,
		    "docker: container ID file found, make sure "
		    "the other container isn't running or delete %s\n",
		    cid);
		return RC_USAGE;
	}
	if (name != NULL && !is_name(name + (*name == '/')))
		return text_run_error(RC_USAGE,
		    "Invalid container name (%s), "
		    "only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed",
		    name);
	if (memory != NULL && option_bytes(memory) < 6 << 20 &&
	    option_bytes(memory) != 0)
		return text_run_error(RC_USAGE,
		    "Minimum memory limit allowed is 6MB");
	return 0;
}

/* The image's file, pulled if need be; NULL after saying that it is not. */
static json_t *
need_image(const struct args *a, int *rc)
{
	const char *pull = args_get(a, "pull"), *name = a->rest[0];
	char *normal = image_normal(name), *code;
	json_t *spec = image_read(name);

	if (spec != NULL)
		return spec;
	if (pull != NULL && strcmp(pull, "never") == 0) {
		*rc = text_run_error(RC_USAGE, "No such image: %s", normal);
		return NULL;
	}
	fprintf(fake.err, "Unable to find image '%s' locally\n", normal);
	code = state_encode(normal);
	spec = state_read(xasprintf("registry/%s", code));
	if (spec == NULL)
		*rc = text_run_error(RC_USAGE,
		    "pull access denied for %s, "
		    "repository does not exist or may require 'docker "
		    "login': denied: requested access to the resource is "
		    "denied",
		    name);
	else
		image_write("images", normal, spec);
	return spec;
}

/* The volumes that the image asks for, where no tmpfs is in their place. */
static void
add_image_volumes(json_t *c, const json_t *spec)
{
	json_t *volumes = json_object_get(spec, "volumes"), *path;
	int64_t n = jint(spec, "volumes", 0);
	size_t i;

	for (; n > 0; n--)
		container_add_volume(c, NULL);
	json_array_foreach (volumes, i, path)
		if (json_object_get(jget(c, "HostConfig.Tmpfs"),
			json_string_value(path)) == NULL)
			container_add_volume(c, NULL);
}

static void
set_command(json_t *c, const struct args *a)
{
	const char *entrypoint = args_get(a, "entrypoint");
	json_t *args = json_object_get(c, "Args");
	int i = 1, none = json_is_array(jget(c, "Fake.entrypoint"));

	if (entrypoint != NULL && *entrypoint != '\0') {
		option_append(c, "Config.Entrypoint", entrypoint);
		json_object_set_new(c, "Path", jstring(entrypoint));
	} else if (entrypoint == NULL && !none) {
		json_object_set_new(c, "Path",
		    json_string("docker-entrypoint.sh"));
	} else if (a->nrest > 1) {
		json_object_set_new(c, "Path", jstring(a->rest[i++]));
	}
	for (; i < a->nrest; i++)
		json_array_append_new(args, jstring(a->rest[i]));
	for (i = 1; i < a->nrest; i++)
		option_append(c, "Config.Cmd", a->rest[i]);
}

/* "name=N,alias=A" or N alone. */
static char *
network_name(const char *value)
{
	const char *p = strstr(value, "name=");

	if (p == NULL || strchr(value, '=') == NULL)
		return xstrdup(value);
	return strndup(p + 5, strcspn(p + 5, ","));
}

/* Puts it into its networks.  NULL, or why it will not start. */
static char *
set_networks(json_t *c, const struct args *a)
{
	char *name, *trouble = NULL;
	json_t *other;
	size_t i;
	int some = 0;

	for (i = 0; i < a->len; i++) {
		if (strcmp(a->names[i], "network") != 0 &&
		    strcmp(a->names[i], "net") != 0)
			continue;
		name = network_name(a->values[i]);
		if (!some++)
			jset(c, "HostConfig.NetworkMode", jstring(name));
		if (strncmp(name, "container:", 10) == 0) {
			other = container_find(name + 10, NULL);
			if (other == NULL)
				return xasprintf("No such container: %s",
				    name + 10);
			jset(c, "HostConfig.NetworkMode",
			    json_sprintf("container:%s", jstr(other, "Id")));
			if (!container_is_running(other))
				return xasprintf("cannot join network of a "
						 "non running container: %s",
				    jstr(other, "Id"));
			continue;
		}
		if (strcmp(name, "default") == 0)
			name = xstrdup("bridge");
		if (network_find(name) == NULL)
			trouble = xasprintf("network %s not found", name);
		network_attach(c, name, 0);
	}
	if (!some)
		network_attach(c, "bridge", 0);
	return trouble;
}

static char *
random_name(void)
{
	char hex[13];

	state_random_hex(hex, 12);
	return xasprintf("fake_%s", hex);
}

static void
write_cidfile(const char *path, const char *id)
{
	int fd = path == NULL ?
	    -1 :
	    open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	if (fd == -1)
		return;
	if (write(fd, id, 64) != 64)
		die("%s: %s", path, strerror(errno));
	close(fd);
}

static json_t *
make(const struct args *a, json_t *spec, char **trouble, int *rc)
{
	const char *name = args_get(a, "name");
	json_t *c;
	size_t i;

	name = name == NULL ? random_name() : name + (*name == '/');
	if ((c = container_by_name(name)) != NULL) {
		*rc = text_run_error(RC_USAGE,
		    "Conflict. The container name "
		    "\"/%s\" is already in use by container \"%s\". You have "
		    "to remove (or rename) that container to be able to "
		    "reuse that name.",
		    name, jstr(c, "Id"));
		return NULL;
	}
	c = container_new(name, a->rest[0], NULL);
	json_object_set(c, "Fake", spec);
	jset(c, "Fake.publish", json_object());
	json_array_foreach (json_object_get(spec, "ports"), i, spec)
		jset(c, "Fake.publish",
		    json_pack("{s:n}", json_string_value(spec)));
	spec = json_object_get(c, "Fake");
	for (i = 0; i < a->len; i++)
		option_set(c, a->names[i], a->values[i]);
	set_command(c, a);
	add_image_volumes(c, spec);
	*trouble = set_networks(c, a);
	if (strcmp(jstr(c, "HostConfig.NetworkMode"), "host") == 0 &&
	    args_get(a, "publish") != NULL) {
		jset(c, "Fake.publish", json_object());
		fputs("WARNING: Published ports are discarded when using host "
		      "network mode\n",
		    fake.err);
	}
	if (strcmp(jstr(spec, "run"), "dies") == 0 &&
	    jint(spec, "dies_after_ms", -1) < 0)
		jset(spec, "dies_after_ms", json_integer(0));
	container_save(c);
	write_cidfile(args_get(a, "cidfile"), jstr(c, "Id"));
	event_emit(c, "create", NULL, NULL);
	return c;
}

/* A container that cannot start keeps the reason; one of --rm goes. */
static int
fail_start(json_t *c, int rc, const char *reason)
{
	jset(c, "State.ExitCode", json_integer(rc == RC_USAGE ? 128 : rc));
	jset(c, "State.Error", jstring(reason));
	container_save(c);
	if (jtrue(c, "HostConfig.AutoRemove"))
		container_remove(c, 1);
	return text_start_error(rc, reason);
}

static int
start(json_t *c, const char *trouble)
{
	const json_t *spec = json_object_get(c, "Fake");
	int rc;
	char *reason;

	if (trouble != NULL)
		return fail_start(c, RC_USAGE, trouble);
	if (strcmp(jstr(spec, "run"), "fails-start") != 0) {
		container_start(c);
		return 0;
	}
	rc = (int)jint(spec, "exit", 127);
	reason = xasprintf(
	    "failed to create shim task: OCI runtime create "
	    "failed: runc create failed: unable to start container process: "
	    "exec: \"%s\": executable file not found in $PATH: unknown",
	    jstr(c, "Path"));
	if (*jstr(spec, "error") != '\0')
		reason = xstrdup(jstr(spec, "error"));
	return fail_start(c, rc, reason);
}

/* Without -d: until it ends, then with its exit code. */
static int
stay(const char *id)
{
	json_t *c;
	int rc = 0;

	for (;;) {
		c = container_find(id, NULL);
		if (c == NULL || !container_is_running(c))
			break;
		state_unlock();
		sleep_ms(10);
		if (state_gone())
			exit(0);
		state_lock();
		json_decref(c);
	}
	if (c != NULL) {
		fputs(jstr(c, "Fake.logs"), fake.out);
		rc = (int)jint(c, "State.ExitCode", 0);
	}
	return rc;
}

static int
run_or_create(const char *verb, int argc, char *argv[])
{
	char *trouble = NULL;
	struct args a;
	json_t *spec, *c;
	int rc = 0, is_run = strcmp(verb, "run") == 0;

	if (args_parse(&a, verb, usage, specs, 0, argc, argv) != 0)
		return RC_USAGE;
	if ((rc = check(&a)) != 0)
		return rc;
	if ((spec = need_image(&a, &rc)) == NULL ||
	    (c = make(&a, spec, &trouble, &rc)) == NULL)
		return rc;
	if (!is_run || args_has(&a, "detach"))
		fprintf(fake.out, "%s\n", jstr(c, "Id"));
	if (!is_run)
		return 0;
	if ((rc = start(c, trouble)) != 0 || args_has(&a, "detach"))
		return rc;
	return stay(jstr(c, "Id"));
}

int
verb_run(int argc, char *argv[])
{
	return run_or_create("run", argc, argv);
}

int
verb_create(int argc, char *argv[])
{
	return run_or_create("create", argc, argv);
}
