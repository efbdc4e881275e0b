/* SPDX-License-Identifier: ISC */
/*
 * A stand-in for the docker client, for tests.  It keeps its containers as
 * files below $FAKE_DOCKER_DIR, answers with the words and exit codes of the
 * real client, writes down every call, and fails on demand.
 *
 * One process is one call: memory is given back by exit, and everything that
 * a call prints is collected first, so that a fault can replace it.
 */

#ifndef FAKE_H
#define FAKE_H

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

enum { RC_USAGE = 125, RC_SEED_VIOLATION = 99 };

/* What this call is, filled in by main. */
struct fake {
	const char *dir; /* $FAKE_DOCKER_DIR */
	int old;         /* answer as the 20.10 client does */
	int dirfd;
	int lockfd;
	long n; /* number of this call */
	int argc;
	char **argv;     /* as given; argv[1] is the verb */
	FILE *out, *err; /* what the call prints, until it ends */
	char *outbuf, *errbuf;
	size_t outlen, errlen;
};

extern struct fake fake;

/* fake-state.c: files, the lock, counters, JSON paths, time. */
void *xmalloc(size_t);
char *xstrdup(const char *);
char *xasprintf(const char *, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void die(const char *, ...) __attribute__((format(printf, 1, 2)));

void state_open(void);
void state_init(void);
void state_lock(void);
void state_unlock(void);
int state_gone(void);
char *state_encode(const char *);
char *state_decode(const char *);
char *state_slurp(const char *, size_t *);
json_t *state_read(const char *);
void state_write(const char *, const json_t *);
void state_write_bytes(const char *, const void *, size_t);
void state_append(const char *, const void *, size_t);
long state_count(const char *);
char **state_names(const char *, size_t *);
void state_random_hex(char *, size_t);

json_t *jstring(const char *);
json_t *jget(const json_t *, const char *);
const char *jstr(const json_t *, const char *);
int64_t jint(const json_t *, const char *, int64_t);
int jtrue(const json_t *, const char *);
void jset(json_t *, const char *, json_t *);
void jset_sorted(json_t *, const char *, json_t *);

int64_t now_ns(void);
void sleep_ms(int64_t);
char *time_text(int64_t, char[static 40]);
int64_t time_parse(const char *);

/* fake-container.c: the life of a container. */
enum find { FIND_OK, FIND_NONE, FIND_MANY };

json_t *container_new(const char *, const char *, const char *);
json_t *container_find(const char *, enum find *);
json_t *container_by_name(const char *);
json_t *container_all(void);
void container_save(const json_t *);
void container_rename(json_t *, const char *);
void container_set_status(json_t *, const char *);
int container_is_running(const json_t *);
void container_start(json_t *);
void container_exit(json_t *, int);
void container_signal(json_t *, int);
void container_remove(json_t *, int);
void container_add_volume(json_t *, const char *);
void event_emit(const json_t *, const char *, const char *, const char *);

/* fake-network.c */
json_t *network_find(const char *);
json_t *network_make(const char *);
void network_attach(json_t *, const char *, int);
void network_detach_all(json_t *);
int verb_network(int, char *[]);

/* fake-image.c */
char *image_normal(const char *);
json_t *image_read(const char *);
json_t *image_document(const char *, const json_t *);
void image_write(const char *, const char *, const json_t *);
int verb_image(int, char *[]);
int verb_image_inspect(int, char *[]);
int verb_pull(int, char *[]);
const char *pull_failure(const char *);

/* fake-args.c: options as the client's own parser takes them. */
struct args {
	const char *verb;
	const char **names; /* long names, in order of appearance */
	const char **values;
	size_t len;
	char **rest; /* what is not an option */
	int nrest;
};

int args_parse(struct args *, const char *, const char *, const char *, int,
    int, char *[]);
int args_has(const struct args *, const char *);
const char *args_get(const struct args *, const char *);
int args_key_value(const char *, char **, const char **);

/* fake-text.c: the client's own words. */
int text_no_container(const char *);
int text_find_failed(enum find, const char *);
int text_usage_error(const char *, const char *, const char *, ...)
    __attribute__((format(printf, 3, 4)));
int text_too_few(const char *, const char *, int);
int text_run_error(int, const char *, ...)
    __attribute__((format(printf, 2, 3)));
int text_start_error(int, const char *);
int text_unknown(const char *, const char *);
void text_daemon(const char *, ...) __attribute__((format(printf, 1, 2)));
int text_down(const char *, int, char *[]);

/* fake-value.c */
enum template_result { TEMPLATE_OK, TEMPLATE_SYNTAX, TEMPLATE_FAILED };

/* A value, and how a key that it lacks reads: "" in a map of strings. */
struct value {
	json_t *v; /* NULL: no value */
	int of_strings;
};
int value_is_true(const json_t *);
int value_apply(struct value *, const char *, const struct value *, int);
void value_print(FILE *, const json_t *);

/* fake-template.c */
enum template_result template_run(const char *, json_t *, json_t *, FILE *,
    char **);
enum template_result template_check(const char *, char **);

/* fake-fault.c, and fake-act.c for what a fault does. */
enum { HANG_NO, HANG_YES, HANG_DEAF };

struct fault {
	long rc;         /* -1: as the verb's own */
	char *out, *err; /* NULL: as the verb's own */
	size_t outlen, errlen;
	int signal;
	int hang;
	int grandchild;
	int answers;      /* takes the place of the verb */
	int then;         /* 0 not said, 'n'ormal, 'o'nly */
	long times, used; /* times is -1 for always */
	int64_t bytes, delay, after, late;
	char *when, *hook, *posthook, *filter, *warn;
	char *file;
	int section;
};

struct fault *fault_find(const char *, long, const char *, long);
int fault_has_effect(const struct fault *);
void fault_before(struct fault *, int (*)(void));
_Noreturn void fault_finish(struct fault *, int);
void *unescape(const char *, size_t *);
void signals_as_client(const char *, int, char *[]);
void signals_attached(void);
_Noreturn void call_end(int);

/* fake-options.c */
int64_t option_bytes(const char *);
int option_check(const struct args *, const char *, const char *, const char *);
void option_append(json_t *, const char *, const char *);
void option_set(json_t *, const char *, const char *);

/* fake-filter.c */
const char *ps_state(const json_t *);
int ps_lists(const json_t *, const struct args *);
int ps_check_filters(const struct args *, const char *);

/* The verbs. */
int inspect_finish(json_t *, const char *);
int verb_inspect(int, char *[]);
int verb_ps(int, char *[]);
int verb_rm(int, char *[]);
int verb_run(int, char *[]);
int verb_create(int, char *[]);
int verb_exec(int, char *[]);
int verb_logs(int, char *[]);
int verb_wait(int, char *[]);
int verb_port(int, char *[]);
int verb_stop(int, char *[]);
int verb_kill(int, char *[]);
int verb_start(int, char *[]);
int verb_restart(int, char *[]);
int verb_pause(int, char *[]);
int verb_unpause(int, char *[]);
int verb_rename(int, char *[]);
int verb_events(int, char *[]);
int verb_version(int, char *[]);
int verb_info(int, char *[]);
void version_without_daemon(int, char *[]);
int verb_volume(int, char *[]);
int verb_context(int, char *[]);

/* fake-docker.c */
int perform(int, char *[]);

/* fake-helpers.c: the verbs that tests use to set the scene. */
int helper_run(int, char *[]);

int scene_complain(const char *);
char *scene_underscored(const char *);

/* fake-notify.c */
int helper_notify(int, char *[]);

/* fake-scene.c */
int scene_container(int, char *[]);
int scene_set(int, char *[]);
int scene_unset(int, char *[]);

/* fake-look.c */
int look_inspect(int, char *[]);
int look_list(int, char *[]);
int look_calls(int, char *[]);
int look_count(int, char *[]);

#endif
