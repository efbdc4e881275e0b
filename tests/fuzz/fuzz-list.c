/* SPDX-License-Identifier: ISC */
/*
 * Fuzz target: what "docker ps" printed, whose the rows are, and whether the
 * janitor would remove them.
 */
#include "core/judge.h"
#include "docker/parse.h"
#include "fuzz.h"

#define KEEPER "0123456789abcdef0123456789abcdef"

static const int64_t now = INT64_C(1796050845);
static const struct judge_rules rules = { now, 180, 30, 86400 };

static struct store store = { .keeper = KEEPER };
static char container_prefix[] = "roboco-agent-";
static char sandbox_prefix[] = "roboco-sandbox-";
static char label[] = "roboco.sandbox";
static struct settings settings = { .container_prefix = container_prefix,
	.sandbox_prefix = sandbox_prefix,
	.label = label };
static struct core core = { .settings = &settings, .store = &store };

/* Rule K4: ours to touch only if label and name agree. */
static void
must_be_whole(const struct sandbox *sandbox)
{
	const struct container *c = sandbox->container;
	size_t len = strlen(c->name), slug_len = strlen(sandbox->slug);

	if (sandbox->kind == SANDBOX_STRANGER) {
		must(slug_len == 0);
		return;
	}
	must(slug_len > 0 && len > slug_len);
	must(strcmp(container_label(c, label), "1") == 0);
	must(strncmp(c->name, sandbox_prefix, strlen(sandbox_prefix)) == 0);
	must(strcmp(c->name + len - slug_len, sandbox->slug) == 0);
	must((sandbox->kind == SANDBOX_UNKEPT) == (*sandbox->keeper == '\0'));
	must((sandbox->kind == SANDBOX_OURS) ==
	    (strcmp(sandbox->keeper, KEEPER) == 0));
}

/* Rules S3 to S5, where no entry is there and no release is asked for. */
static void
must_be_fair(const struct sandbox *sandbox, struct owner_view view)
{
	int64_t created = sandbox->container->created;
	struct judgement judged =
	    judge(sandbox, NULL, false, false, view, &rules);

	must(verdict_word(judged.verdict) != NULL);
	must(verdict_text(judged.verdict) != NULL);
	if (!verdict_removes(judged.verdict))
		return;
	must(sandbox->kind != SANDBOX_STRANGER);
	must(created != TIME_UNKNOWN && created <= now);
	must(now - created >= rules.grace ||
	    sandbox->owner.type == OWNER_PROCESS);
	if (sandbox->kind == SANDBOX_FOREIGN)
		must(now - created >= rules.foreign_grace);
	/* what a crash of ours left needs no other reason */
	if (sandbox->kind == SANDBOX_OURS || sandbox->expires > 0)
		return;
	must(view.state == OWNER_STOPPED || view.state == OWNER_ABSENT);
	must(sandbox->owner.type != OWNER_MISSING);
	must(sandbox->owner.type != OWNER_LEASE);
}

static void
judge_row(const struct container *c)
{
	static const struct owner_view views[] = { { OWNER_UNKNOWN,
						       TIME_UNKNOWN },
		{ OWNER_ALIVE, TIME_UNKNOWN }, { OWNER_STOPPED, 0 },
		{ OWNER_STOPPED, TIME_UNKNOWN }, { OWNER_STOPPED, now - 5 },
		{ OWNER_STOPPED, now + 5 }, { OWNER_ABSENT, TIME_UNKNOWN } };
	struct sandbox sandbox;
	size_t i;

	sandbox_read(&sandbox, &core, c);
	must_be_whole(&sandbox);
	for (i = 0; i < sizeof(views) / sizeof(views[0]); i++)
		must_be_fair(&sandbox, views[i]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct container_list list = { 0 };
	struct strbuf output = { 0 };
	struct error err = { 0 };
	size_t i, lines = 0;

	if (core.scheme.label == NULL)
		scheme_init(&core.scheme, &settings);
	for (i = 0; i < size; i++)
		lines += data[i] == '\n';
	strbuf_add(&output, data, size);
	if (parse_list(&output, &list, &err) == -1) {
		must_tell(&err);
		must(err.kind == ERROR_DOCKER);
		must(list.len == 0);
	} else {
		/* all or nothing: a row for each line, and no half a line */
		must(list.len == lines);
		must(size == 0 || data[size - 1] == '\n');
	}
	for (i = 0; i < list.len; i++)
		judge_row(&list.items[i]);
	container_list_clear(&list);
	strbuf_clear(&output);
	return 0;
}
