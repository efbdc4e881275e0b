/* SPDX-License-Identifier: ISC */
/* ps: the rows. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake.h"

static const char usage[] = "[OPTIONS]";

/* "3 seconds", as go-units says it. */
static char *
human_age(const char *since)
{
	int64_t t = time_parse(since);
	int64_t s = t == INT64_MIN ? 0 : (now_ns() - t) / 1000000000;

	if (s < 1)
		return xstrdup("Less than a second");
	if (s < 2)
		return xstrdup("1 second");
	if (s < 60)
		return xasprintf("%d seconds", (int)s);
	if (s < 120)
		return xstrdup("About a minute");
	if (s < 3600)
		return xasprintf("%d minutes", (int)(s / 60));
	if (s < 5400)
		return xstrdup("About an hour");
	if (s < 48 * 3600)
		return xasprintf("%d hours", (int)(s / 3600));
	return xasprintf("%d days", (int)(s / 86400));
}

static char *
status_text(const json_t *c)
{
	const char *status = jstr(c, "State.Status");
	int code = (int)jint(c, "State.ExitCode", 0);

	if (strcmp(status, "created") == 0)
		return xstrdup("Created");
	if (strcmp(ps_state(c), "removing") == 0)
		return xstrdup("Removal In Progress");
	if (strcmp(status, "exited") == 0)
		return xasprintf("Exited (%d) %s ago", code,
		    human_age(jstr(c, "State.FinishedAt")));
	if (strcmp(status, "restarting") == 0)
		return xasprintf("Restarting (%d) %s ago", code,
		    human_age(jstr(c, "State.FinishedAt")));
	return xasprintf("Up %s%s", human_age(jstr(c, "State.StartedAt")),
	    strcmp(status, "paused") == 0 ? " (Paused)" : "");
}

/* Seconds alone, and in the zone of whoever asks. */
static json_t *
created_text(const json_t *c)
{
	int64_t ns = time_parse(jstr(c, "Created"));
	time_t t = ns == INT64_MIN ? -62135596800 : (time_t)(ns / 1000000000);
	struct tm tm;
	char buf[64];

	localtime_r(&t, &tm);
	if (tm.tm_year < -899)
		return json_string("0001-01-01 00:00:00 +0000 UTC");
	strftime(buf, sizeof(buf), "%Y-%m-%d %H:%M:%S %z %Z", &tm);
	return json_string(buf);
}

/* The keys or the pairs of a map, with commas between them. */
static json_t *
joined(json_t *map, int pairs)
{
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);
	const char *key, *comma = "";
	json_t *v, *s;

	json_object_foreach (map, key, v) {
		fprintf(to, "%s%s", comma, key);
		if (pairs)
			fprintf(to, "=%s", json_string_value(v));
		comma = ",";
	}
	fclose(to);
	s = jstring(text);
	free(text);
	return s;
}

static json_t *
ports_text(const json_t *c)
{
	char *text;
	size_t len, i;
	FILE *to = open_memstream(&text, &len);
	const char *port, *comma = "";
	json_t *list, *b, *s;

	json_object_foreach (jget(c, "NetworkSettings.Ports"), port, list) {
		if (json_is_null(list)) {
			fprintf(to, "%s%s", comma, port);
			comma = ", ";
		}
		json_array_foreach (list, i, b) {
			fprintf(to,
			    strchr(jstr(b, "HostIp"), ':') == NULL ?
				"%s%s:%s->%s" :
				"%s[%s]:%s->%s",
			    comma, jstr(b, "HostIp"), jstr(b, "HostPort"),
			    port);
			comma = ", ";
		}
	}
	fclose(to);
	s = jstring(text);
	free(text);
	return s;
}

static json_t *
command_text(const json_t *c, int whole)
{
	char *text;
	size_t len, i;
	FILE *to = open_memstream(&text, &len);
	json_t *arg, *s;

	fprintf(to, "\"%s", jstr(c, "Path"));
	json_array_foreach (json_object_get(c, "Args"), i, arg)
		fprintf(to,
		    strchr(json_string_value(arg), ' ') == NULL ? " %s" :
								  " '%s'",
		    json_string_value(arg));
	fputc('"', to);
	fclose(to);
	/* The quote counts, and so does the ellipsis. */
	s = whole || len <= 22 ?
	    jstring(text) :
	    json_sprintf("\"%.19s\xe2\x80\xa6\"", text + 1);
	free(text);
	return s;
}

static json_t *
row_of(const json_t *c, int whole)
{
	json_t *row = json_object(), *labels = jget(c, "Config.Labels");
	char *id = xstrdup(jstr(c, "Id")), *running;

	if (!whole)
		id[12] = '\0';
	running = xasprintf("%s ago", human_age(jstr(c, "Created")));
	json_object_set_new(row, "Command", command_text(c, whole));
	json_object_set_new(row, "CreatedAt", created_text(c));
	json_object_set_new(row, "ID", json_string(id));
	json_object_set(row, "Image", jget(c, "Config.Image"));
	json_object_set_new(row, "Labels", joined(labels, 1));
	json_object_set_new(row, "LocalVolumes",
	    json_sprintf("%d",
		(int)json_array_size(json_object_get(c, "Mounts"))));
	json_object_set_new(row, "Mounts", json_string(""));
	json_object_set_new(row, "Names", jstring(jstr(c, "Name") + 1));
	json_object_set_new(row, "Networks",
	    joined(jget(c, "NetworkSettings.Networks"), 0));
	if (!fake.old)
		json_object_set_new(row, "Platform", json_null());
	json_object_set_new(row, "Ports", ports_text(c));
	json_object_set_new(row, "RunningFor", json_string(running));
	json_object_set_new(row, "Size", json_string("0B (virtual 10MB)"));
	json_object_set_new(row, "State", json_string(ps_state(c)));
	json_object_set_new(row, "Status", json_string(status_text(c)));
	free(id);
	return row;
}

/* A whole row is written with <, > and & escaped; its fields are not. */
static void
print_whole_row(json_t *row)
{
	char *text = json_dumps(row, JSON_COMPACT), *p;

	for (p = text; *p != '\0'; p++)
		if (*p == '<' || *p == '>' || *p == '&')
			fprintf(fake.out, "\\u%04x", *p);
		else
			fputc(*p, fake.out);
	fputc('\n', fake.out);
	free(text);
}

static int
print_row(const json_t *c, const struct args *a, const char *format)
{
	json_t *row = row_of(c, args_has(a, "no-trunc"));
	char *error, *text;
	size_t len;
	FILE *to;

	if (strcmp(format, "{{json .}}") == 0 ||
	    (strcmp(format, "json") == 0 && !fake.old)) {
		print_whole_row(row);
		return 0;
	}
	to = open_memstream(&text, &len);
	if (template_run(format, row, jget(c, "Config.Labels"), to, &error) !=
	    TEMPLATE_OK) {
		fprintf(fake.err, "failed to execute template: %s\n", error);
		fclose(to);
		return 1;
	}
	fclose(to);
	fprintf(fake.out, "%s\n", text);
	free(text);
	json_decref(row);
	return 0;
}

static const char *
choose_format(const struct args *a)
{
	const char *format = args_get(a, "format");

	if (args_has(a, "quiet"))
		return "{{.ID}}";
	if (format != NULL && strncmp(format, "table ", 6) == 0)
		return format + 6;
	if (format != NULL && strcmp(format, "table") != 0 && *format != '\0')
		return format;
	fputs("CONTAINER ID   IMAGE   COMMAND   CREATED   STATUS   PORTS   "
	      "NAMES\n",
	    fake.out);
	return "{{.ID}}   {{.Image}}   {{.Command}}   {{.RunningFor}}   "
	       "{{.Status}}   {{.Ports}}   {{.Names}}";
}

int
verb_ps(int argc, char *argv[])
{
	const char *format;
	struct args a;
	char *error;
	json_t *all, *c;
	size_t i;
	int rc;

	if (args_parse(&a, "ps", usage,
		"a,all f,filter= format= n,last= "
		"l,latest no-trunc q,quiet s,size",
		1, argc, argv) != 0)
		return RC_USAGE;
	if ((rc = ps_check_filters(&a, usage)) != 0)
		return rc;
	format = choose_format(&a);
	if (template_check(format, &error) != TEMPLATE_OK) {
		fprintf(fake.err, "failed to parse template: %s\n", error);
		return 1;
	}
	all = container_all();
	json_array_foreach (all, i, c)
		if (ps_lists(c, &a) && (rc = print_row(c, &a, format)) != 0)
			return rc;
	return 0;
}
