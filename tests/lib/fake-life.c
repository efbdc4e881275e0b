/* SPDX-License-Identifier: ISC */
/* rm, stop, kill, start, restart, pause, unpause, rename. */

#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

static const char many[] = "[OPTIONS] CONTAINER [CONTAINER...]";

/* Waits with the state open for others. */
static void
wait_unlocked(int64_t ms)
{
	if (ms <= 0)
		return;
	state_unlock();
	sleep_ms(ms);
	state_lock();
}

static void
say_done(const char *ref)
{
	fprintf(fake.out, "%s\n", ref);
}

/* Whether this one may go; says why not. */
static int
may_remove(const json_t *c, const char *ref, int force)
{
	const char *status = jstr(c, "State.Status");

	if (strcmp(status, "removing") == 0) {
		text_daemon("removal of container %s is already in progress",
		    ref);
		return 0;
	}
	if (force || !container_is_running(c))
		return 1;
	if (strcmp(status, "paused") == 0)
		text_daemon("You cannot remove a paused container %s. Unpause "
			    "and then stop the container before attempting "
			    "removal "
			    "or force remove",
		    jstr(c, "Id"));
	else
		text_daemon("You cannot remove a %s container %s. Stop the "
			    "container before attempting removal or force "
			    "remove",
		    status, jstr(c, "Id"));
	return 0;
}

/* 1 when it is on its way out, 0 when not, -1 for a failure. */
static int
begin_removal(const char *ref, int force, int64_t *wait_ms)
{
	enum find how;
	json_t *c;
	int64_t ms;

	if (*ref == '\0') {
		fputs("container name cannot be empty\n", fake.err);
		return -1;
	}
	c = container_find(ref, &how);
	if (c == NULL) {
		text_find_failed(how, ref);
		return force && how == FIND_NONE ? 0 : -1;
	}
	if (!may_remove(c, ref, force))
		return -1;
	if (*jstr(c, "Fake.rm_error") != '\0') {
		if (container_is_running(c))
			container_exit(c, 128 + SIGKILL);
		container_set_status(c, "dead");
		container_save(c);
		text_daemon("container %s: %s", jstr(c, "Id"),
		    jstr(c, "Fake.rm_error"));
		return -1;
	}
	ms = jint(c, "Fake.rm_ms", 0);
	if (ms > 0) {
		container_set_status(c, "removing");
		container_save(c);
		*wait_ms = ms > *wait_ms ? ms : *wait_ms;
	}
	return 1;
}

static void
end_removal(const char *ref, int volumes)
{
	json_t *c = container_find(ref, NULL);

	if (c == NULL)
		return;
	if (container_is_running(c)) {
		jset(c, "HostConfig.AutoRemove", json_false());
		container_signal(c, SIGKILL);
	}
	container_remove(c, volumes);
	say_done(ref);
}

int
verb_rm(int argc, char *argv[])
{
	struct args a;
	int64_t wait_ms = 0;
	int i, rc = 0, *began;

	if (args_parse(&a, "rm", many, "f,force l,link v,volumes", 1, argc,
		argv) != 0)
		return RC_USAGE;
	if (a.nrest == 0)
		return text_too_few("rm", many, 1);
	began = xmalloc((size_t)a.nrest * sizeof(*began));
	for (i = 0; i < a.nrest; i++) {
		began[i] =
		    begin_removal(a.rest[i], args_has(&a, "force"), &wait_ms);
		if (began[i] == -1)
			rc = 1;
	}
	wait_unlocked(wait_ms);
	for (i = 0; i < a.nrest; i++)
		if (began[i] == 1)
			end_removal(a.rest[i], args_has(&a, "volumes"));
	free(began);
	return rc;
}

/* Calls act for each; it prints its own complaint, and returns non-zero. */
static int
for_each(const struct args *a, int (*act)(json_t *, const char *, int),
    int value)
{
	enum find how;
	json_t *c;
	int i, rc = 0;

	for (i = 0; i < a->nrest; i++) {
		c = container_find(a->rest[i], &how);
		if (c == NULL)
			rc = text_find_failed(how, a->rest[i]);
		else if (act(c, a->rest[i], value) != 0)
			rc = 1;
		else
			say_done(a->rest[i]);
	}
	return rc;
}

static int
stop_one(json_t *c, const char *ref, int grace_s)
{
	int stubborn =
	    grace_s == 0 || strcmp(jstr(c, "Fake.stop"), "ignore") == 0;

	(void)ref;
	if (!container_is_running(c))
		return 0;
	wait_unlocked(stubborn ? (int64_t)grace_s * 1000 :
				 jint(c, "Fake.stop_ms", 0));
	c = container_find(jstr(c, "Id"), NULL);
	if (c == NULL || !container_is_running(c))
		return 0;
	event_emit(c, "kill", "signal", stubborn ? "9" : "15");
	container_exit(c,
	    stubborn ? 128 + SIGKILL : (int)jint(c, "Fake.stop_exit", 0));
	event_emit(c, "stop", NULL, NULL);
	return 0;
}

int
verb_stop(int argc, char *argv[])
{
	struct args a;
	const char *grace;

	if (args_parse(&a, "stop", many, "s,signal= t,timeout= time=", 1, argc,
		argv) != 0)
		return RC_USAGE;
	if (a.nrest == 0)
		return text_too_few("stop", many, 1);
	grace = args_get(&a, "timeout");
	if (grace == NULL && (grace = args_get(&a, "time")) != NULL &&
	    !fake.old)
		fputs("Flag --time has been deprecated, use --timeout "
		      "instead\n",
		    fake.out);
	return for_each(&a, stop_one, grace == NULL ? 10 : atoi(grace));
}

static int
kill_one(json_t *c, const char *ref, int sig)
{
	if (!container_is_running(c)) {
		text_daemon("Cannot kill container: %s: Container %s is not "
			    "running",
		    ref, jstr(c, "Id"));
		return 1;
	}
	container_signal(c, sig);
	return 0;
}

static int
signal_number(const char *name)
{
	int i;

	if (isdigit((unsigned char)*name))
		return atoi(name);
	if (strncmp(name, "SIG", 3) == 0)
		name += 3;
	for (i = 1; i < NSIG; i++)
		if (sigabbrev_np(i) != NULL &&
		    strcmp(sigabbrev_np(i), name) == 0)
			return i;
	return SIGKILL;
}

int
verb_kill(int argc, char *argv[])
{
	struct args a;
	const char *sig;

	if (args_parse(&a, "kill", many, "s,signal=", 1, argc, argv) != 0)
		return RC_USAGE;
	if (a.nrest == 0)
		return text_too_few("kill", many, 1);
	sig = args_get(&a, "signal");
	return for_each(&a, kill_one,
	    sig == NULL ? SIGKILL : signal_number(sig));
}

static int
start_one(json_t *c, const char *ref, int restart)
{
	const char *status = jstr(c, "State.Status");

	(void)ref;
	if (strcmp(status, "removing") == 0 || strcmp(status, "dead") == 0) {
		text_daemon("container is marked for removal and cannot be "
			    "started");
		return 1;
	}
	if (strcmp(status, "paused") == 0 && !restart) {
		text_daemon("cannot start a paused container, try unpause "
			    "instead");
		return 1;
	}
	if (container_is_running(c) && !restart)
		return 0;
	if (container_is_running(c))
		container_exit(c, 0);
	if (*jstr(c, "State.Error") != '\0' && strcmp(status, "created") == 0) {
		text_daemon("%s", jstr(c, "State.Error"));
		return 1;
	}
	container_start(c);
	return 0;
}

int
verb_start(int argc, char *argv[])
{
	const char *comma = "";
	enum find how;
	struct args a;
	json_t *c;
	int i, rc = 0;
	char *failed = xstrdup("");

	if (args_parse(&a, "start", many,
		"a,attach i,interactive "
		"detach-keys=",
		1, argc, argv) != 0)
		return RC_USAGE;
	if (a.nrest == 0)
		return text_too_few("start", many, 1);
	for (i = 0; i < a.nrest; i++) {
		c = container_find(a.rest[i], &how);
		if (c != NULL && start_one(c, a.rest[i], 0) == 0) {
			say_done(a.rest[i]);
			continue;
		}
		if (c == NULL)
			text_find_failed(how, a.rest[i]);
		failed = xasprintf("%s%s%s", failed, comma, a.rest[i]);
		comma = ", ";
		rc = 1;
	}
	if (rc != 0)
		fprintf(fake.err, "Error: failed to start containers: %s\n",
		    failed);
	return rc;
}

int
verb_restart(int argc, char *argv[])
{
	struct args a;

	if (args_parse(&a, "restart", many, "s,signal= t,timeout= time=", 1,
		argc, argv) != 0)
		return RC_USAGE;
	return for_each(&a, start_one, 1);
}

static int
pause_one(json_t *c, const char *ref, int unpause)
{
	const char *status = jstr(c, "State.Status");

	(void)ref;
	if (unpause && strcmp(status, "paused") != 0) {
		text_daemon("Container %s is not paused", jstr(c, "Id"));
		return 1;
	}
	if (!unpause && strcmp(status, "running") != 0) {
		text_daemon("Container %s is %s", jstr(c, "Id"),
		    strcmp(status, "paused") == 0 ? "already paused" :
						    "not running");
		return 1;
	}
	container_set_status(c, unpause ? "running" : "paused");
	container_save(c);
	event_emit(c, unpause ? "unpause" : "pause", NULL, NULL);
	return 0;
}

int
verb_pause(int argc, char *argv[])
{
	struct args a;

	if (args_parse(&a, "pause", "CONTAINER [CONTAINER...]", "", 1, argc,
		argv) != 0)
		return RC_USAGE;
	return for_each(&a, pause_one, 0);
}

int
verb_unpause(int argc, char *argv[])
{
	struct args a;

	if (args_parse(&a, "unpause", "CONTAINER [CONTAINER...]", "", 1, argc,
		argv) != 0)
		return RC_USAGE;
	return for_each(&a, pause_one, 1);
}

int
verb_rename(int argc, char *argv[])
{
	enum find how;
	json_t *c, *other;
	char *old_name;

	if (argc != 3)
		return text_too_few("rename", "CONTAINER NEW_NAME", 2);
	c = container_find(argv[1], &how);
	if (c == NULL) {
		text_find_failed(how, argv[1]);
		fprintf(fake.err,
		    "Error: failed to rename container named "
		    "%s\n",
		    argv[1]);
		return 1;
	}
	other = container_by_name(argv[2]);
	if (other != NULL) {
		text_daemon(
		    "Error when allocating new name: Conflict. The "
		    "container name \"/%s\" is already in use by container "
		    "\"%s\". You have to remove (or rename) that container "
		    "to be able to reuse that name.",
		    argv[2], jstr(other, "Id"));
		fprintf(fake.err,
		    "Error: failed to rename container named "
		    "%s\n",
		    argv[1]);
		return 1;
	}
	/* the event comes under the new name */
	old_name = xstrdup(jstr(c, "Name"));
	container_rename(c, argv[2]);
	event_emit(c, "rename", "oldName", old_name);
	return 0;
}
