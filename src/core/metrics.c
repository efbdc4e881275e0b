/* SPDX-License-Identifier: ISC */
/* What a sweep did, for Prometheus. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/text.h"
#include "core/metrics.h"
#include "store/atomic.h"

#define LAST_SUCCESS "sandkeeper_sweep_last_success_timestamp_seconds"

static const size_t file_max = (size_t)1024 * 1024;
static const size_t value_max = 4096;

static void
begin(struct strbuf *sb, const char *name, const char *help)
{
	strbuf_addf(sb, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

/* name="value", as the format wants it: UTF-8, and in one line. */
static void
put_label(struct strbuf *sb, const char *name, const char *value)
{
	char *visible = text_visible(value, value_max);
	const char *p;

	strbuf_addf(sb, "%s=\"", name);
	for (p = visible; *p != '\0'; p++)
		if (*p == '\\' || *p == '"')
			strbuf_addf(sb, "\\%c", *p);
		else
			strbuf_addc(sb, *p);
	strbuf_addc(sb, '"');
	free(visible);
}

/* reason may be NULL. */
static void
put_labels(struct strbuf *sb, const struct metrics *metrics, const char *reason)
{
	put_label(sb, "daemon", metrics->daemon);
	strbuf_addc(sb, ',');
	if (reason != NULL) {
		put_label(sb, "reason", reason);
		strbuf_addc(sb, ',');
	}
	put_label(sb, "state", metrics->state_dir);
}

/* The value is known, or it is not a number. */
static void
put(struct strbuf *sb, const struct metrics *metrics, const char *name,
    const char *reason, bool known, int64_t value)
{
	strbuf_addf(sb, "%s{", name);
	put_labels(sb, metrics, reason);
	if (known)
		strbuf_addf(sb, "} %lld\n", (long long)value);
	else
		strbuf_adds(sb, "} NaN\n");
}

static int64_t
count_kept(const struct sweep_report *report, enum verdict verdict)
{
	const struct sweep_decision *decision;
	int64_t count = 0;
	size_t i;

	for (i = 0; i < report->decision_count; i++) {
		decision = &report->decisions[i];
		count += decision->outcome == SWEEP_KEPT &&
		    decision->verdict == verdict &&
		    decision->container[0] != '\0';
	}
	return count;
}

/* Of those that should have gone and have not. */
static int64_t
oldest_orphan(const struct sweep_report *report)
{
	const struct sweep_decision *decision;
	int64_t oldest = 0;
	size_t i;

	for (i = 0; i < report->decision_count; i++) {
		decision = &report->decisions[i];
		if (decision->outcome == SWEEP_FAILED && decision->age > oldest)
			oldest = decision->age;
	}
	return oldest;
}

static void
write_kept(const struct metrics *metrics, struct strbuf *sb)
{
	static const char name[] = "sandkeeper_sandboxes_kept";
	const struct sweep_report *report = metrics->report;
	enum verdict verdict;

	begin(sb, name, "Sandbox containers that the last sweep kept.");
	for (verdict = 0; verdict < VERDICT_COUNT; verdict++)
		if (!verdict_removes(verdict))
			put(sb, metrics, name, verdict_word(verdict),
			    report->listed, count_kept(report, verdict));
}

void
metrics_write(const struct metrics *metrics, struct strbuf *sb)
{
	const struct sweep_report *report = metrics->report;
	const struct {
		const char *name, *help;
		bool known;
		int64_t value;
	} gauges[] = {
		{ "sandkeeper_up", "Whether docker answered the last sweep.",
		    true, report->listed },
		{ "sandkeeper_sandboxes_found",
		    "Sandbox containers that the last sweep found.",
		    report->listed, (int64_t)report->found },
		{ "sandkeeper_sandboxes_removed",
		    "Sandbox containers that the last sweep removed.", true,
		    (int64_t)report->removed },
		{ "sandkeeper_sandboxes_failed",
		    "Sandbox containers that could not be removed.", true,
		    (int64_t)report->failed },
		{ "sandkeeper_sandboxes_held",
		    "Sandbox containers that are held for debugging.",
		    report->listed, count_kept(report, VERDICT_HELD) },
		{ "sandkeeper_entries_evicted",
		    "Entries that the last sweep forgot.", true,
		    (int64_t)report->evicted },
		{ "sandkeeper_oldest_orphan_seconds",
		    "Age of the oldest that could not be removed; 0: none.",
		    report->listed, oldest_orphan(report) },
		{ LAST_SUCCESS,
		    "When a sweep last did all it had to; 0: never.", true,
		    metrics->last_success },
	};
	static const char duration[] = "sandkeeper_sweep_duration_seconds";
	size_t i;

	for (i = 0; i < sizeof(gauges) / sizeof(gauges[0]); i++) {
		begin(sb, gauges[i].name, gauges[i].help);
		put(sb, metrics, gauges[i].name, NULL, gauges[i].known,
		    gauges[i].value);
	}
	write_kept(metrics, sb);
	begin(sb, duration, "How long the last sweep took.");
	strbuf_addf(sb, "%s{", duration);
	put_labels(sb, metrics, NULL);
	strbuf_addf(sb, "} %.3f\n", (double)metrics->duration_ms / 1000);
}

int64_t
metrics_last_success(const char *text)
{
	static const char name[] = "\n" LAST_SUCCESS "{";
	const char *hit = strstr(text, name), *value;
	size_t len;

	if (hit == NULL)
		return 0;
	hit++;
	len = strcspn(hit, "\n");
	/* the value is the last word; a label may hold blanks */
	for (value = hit + len; value > hit && value[-1] != ' '; value--)
		continue;
	return strtoll(value, NULL, 10);
}

static int64_t
read_last_success(int dirfd, const char *name)
{
	struct strbuf text = { 0 };
	int64_t when = 0;

	if (fd_read_file(dirfd, name, file_max, &text) == 0)
		when = metrics_last_success(strbuf_str(&text));
	strbuf_clear(&text);
	return when;
}

/* The folder of a path, which the caller frees; name is its last part. */
static char *
split_path(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');

	*name = slash != NULL ? slash + 1 : path;
	if (slash == NULL)
		return xstrdup(".");
	return slash == path ? xstrdup("/") :
			       xstrndup(path, (size_t)(slash - path));
}

int
metrics_save(struct metrics *metrics, bool success, const char *path,
    struct error *err)
{
	struct strbuf text = { 0 };
	const char *name;
	char *folder = split_path(path, &name);
	int dirfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc;

	free(folder);
	if (dirfd == -1)
		return error_errno(err, ERROR_STATE_WRITE,
		    "cannot write the metrics '%s'", path);
	metrics->last_success =
	    success ? clock_now() : read_last_success(dirfd, name);
	metrics_write(metrics, &text);
	rc = atomic_replace(dirfd, name, text.data, text.len, 0644, err);
	if (rc == -1)
		(void)error_wrap(err, "the metrics '%s'", path);
	strbuf_clear(&text);
	fd_close(dirfd);
	return rc;
}
