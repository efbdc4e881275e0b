/* SPDX-License-Identifier: ISC */
/* doctor: stale entries, what was left over, and who sweeps. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"
#include "core/chronicle.h"
#include "core/doctor_work.h"
#include "core/janitor.h"

/* A janitor that works needs no day for an orphan. */
static const int64_t day = (int64_t)24 * 60 * 60;
/* More lines of one kind tell nothing new. */
static const size_t lines_most = 10;

static const char no_store[] = "the state cannot be opened";

static void
take_survey(struct doctor *doctor)
{
	struct error err;

	if (doctor->answers &&
	    survey_take(doctor->core, &doctor->survey, &err) == 0) {
		doctor->listed = true;
		return;
	}
	if (doctor->answers)
		doctor_problem(doctor, err.kind, "try 'docker ps -a' and see",
		    "%s", err.msg);
	survey_clear(&doctor->survey);
	if (survey_take_entries(doctor->core, &doctor->survey, &err) == -1)
		doctor_error(doctor, &err, "look at the state directory");
}

static void
tell_unreadable(struct doctor *doctor, const char *slug)
{
	struct agent_entry entry = { 0 };
	struct error err;
	char *remedy;
	bool found;

	if (store_read(doctor->core->store, slug, false, &entry, &found,
		&err) == 0) {
		agent_entry_clear(&entry);
		return;
	}
	remedy =
	    xasprintf("look at the file of %s in agents/, then move it away",
		slug);
	doctor_error(doctor, &err, remedy);
	free(remedy);
}

/* Its containers are gone, and nobody is at work on it. */
static bool
is_stale(const struct doctor *doctor, const struct survey_agent *agent)
{
	const struct judge_rules *rules = &doctor->survey.rules;
	int64_t at = agent->entry.handed > agent->entry.created ?
	    agent->entry.handed :
	    agent->entry.created;

	return doctor->listed && agent->recorded && agent->rows == 0 &&
	    at <= rules->now - rules->grace &&
	    !lock_is_held(doctor->core->store, agent->slug);
}

static void
tell_stale(struct doctor *doctor, const struct survey_agent *agent)
{
	char *remedy = xasprintf("sandkeeper release %s%s",
	    agent->entry.hold > doctor->survey.rules.now ? "--force " : "",
	    agent->slug);

	doctor_warn(doctor, remedy,
	    "the entry of %s is stale: its containers are gone", agent->slug);
	free(remedy);
}

static void
tell_lost(struct doctor *doctor, const struct survey_agent *agent)
{
	char *remedy = xasprintf("when nobody uses its sandbox any more: "
				 "sandkeeper release %s",
	    agent->slug);

	doctor_warn(doctor, remedy,
	    "the entry of %s is damaged: its containers are judged by their "
	    "labels alone",
	    agent->slug);
	free(remedy);
}

void
doctor_check_entries(struct doctor *doctor)
{
	size_t i, before = doctor->report->len, told = 0, all = 0;
	const struct survey_agent *agent;

	if (doctor->core->store == NULL) {
		doctor_skip(doctor, no_store);
		return;
	}
	take_survey(doctor);
	for (i = 0; i < doctor->survey.agent_count && told < lines_most; i++) {
		agent = &doctor->survey.agents[i];
		all += agent->recorded;
		told++;
		if (agent->unreadable)
			tell_unreadable(doctor, agent->slug);
		else if (is_stale(doctor, agent))
			tell_stale(doctor, agent);
		else if (agent->lost)
			tell_lost(doctor, agent);
		else
			told--;
	}
	if (told == lines_most && i < doctor->survey.agent_count)
		doctor_warn(doctor, "mend these, and look again",
		    "there may be more of them");
	if (doctor->report->len == before)
		doctor_ok(doctor, "%zu agent%s a sandbox%s", all,
		    all == 1 ? " has" : "s have",
		    doctor->listed ? "" : ", as far as is recorded");
}

static const struct survey_row *
oldest_orphan(const struct survey *survey, size_t *count, size_t *candidates)
{
	const struct survey_row *row, *oldest = NULL;
	int64_t age, most = day;
	size_t i;

	*count = *candidates = 0;
	for (i = 0; i < survey->row_count; i++) {
		row = &survey->rows[i];
		if (!verdict_removes(row->judgement.verdict))
			continue;
		(*candidates)++;
		age = chronicle_age(row->sandbox.container);
		if (age < day)
			continue;
		(*count)++;
		if (oldest == NULL || age > most) {
			oldest = row;
			most = age;
		}
	}
	return oldest;
}

void
doctor_check_leftovers(struct doctor *doctor)
{
	const struct survey_row *oldest;
	char age[DURATION_TEXT];
	size_t count, candidates;

	if (!doctor->listed) {
		doctor_skip(doctor, "there is no list of containers");
		return;
	}
	oldest = oldest_orphan(&doctor->survey, &count, &candidates);
	if (oldest == NULL) {
		doctor_ok(doctor,
		    "%zu sandbox container%s, %zu of them for the next sweep",
		    doctor->survey.row_count,
		    doctor->survey.row_count == 1 ? "" : "s", candidates);
		return;
	}
	duration_format(age, chronicle_age(oldest->sandbox.container));
	doctor_problem(doctor, ERROR_BUSY,
	    doctor->core->settings->enabled ?
		"sandkeeper sweep" :
		"sandkeeper sweep --set enabled=true",
	    "%zu orphans are older than a day, the oldest is %s (%s)", count,
	    oldest->sandbox.container->name, age);
}

/* Cron has neither our environment nor our folder. */
static void
add_settings(const struct doctor *doctor, struct strbuf *sb)
{
	const char *ours = getenv("SANDKEEPER_ENABLED");
	const char *theirs = getenv("ROBOCO_SANDBOX_DB_ENABLED");
	char *config = NULL;

	if (doctor->question->config != NULL)
		config = realpath(doctor->question->config, NULL);
	if (config != NULL)
		strbuf_addf(sb, "-c %s ", config);
	if ((ours != NULL && *ours != '\0') ||
	    (theirs != NULL && *theirs != '\0'))
		strbuf_adds(sb, "--set enabled=true ");
	free(config);
}

/* Cron's PATH has the system's own folders and no other. */
static void
add_program(struct strbuf *sb)
{
	char *path = realpath("/proc/self/exe", NULL);

	if (path == NULL || text_has_prefix(path, "/usr/bin/") ||
	    text_has_prefix(path, "/bin/"))
		strbuf_adds(sb, "sandkeeper ");
	else
		strbuf_addf(sb, "%s ", path);
	free(path);
}

/* The line for cron that does what we would. */
static char *
cron_line(const struct doctor *doctor, const struct janitor *janitor)
{
	struct strbuf sb = { 0 };

	strbuf_adds(&sb, "*/5 * * * * ");
	if (strcmp(janitor->user, "root") == 0)
		strbuf_adds(&sb, "root ");
	if (janitor->endpoint != NULL)
		strbuf_addf(&sb, "DOCKER_HOST=%s ", janitor->endpoint);
	add_program(&sb);
	if (janitor->state_dir != NULL)
		strbuf_addf(&sb, "--state-dir %s ", janitor->state_dir);
	add_settings(doctor, &sb);
	strbuf_adds(&sb, "-q sweep");
	return strbuf_detach(&sb);
}

static void
tell_none(struct doctor *doctor, const struct janitor *janitor)
{
	char *line = cron_line(doctor, janitor);
	char *remedy = xasprintf("let 'sandkeeper watch' run, or give cron "
				 "(%s) the line '%s'",
	    strcmp(janitor->user, "root") == 0 ? "/etc/cron.d/sandkeeper" :
						 "crontab -e",
	    line);

	doctor_warn(doctor, remedy,
	    "nothing was found that runs sweep for this state: no watch, timer "
	    "or cron");
	free(remedy);
	free(line);
}

/* Where "systemctl --user" has its units; NULL: no such place, as for root. */
static char *
user_units(void)
{
	const char *folder = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	if (geteuid() == 0)
		return NULL;
	if (folder != NULL && *folder == '/')
		return xasprintf("%s/systemd/user", folder);
	if (home != NULL && *home == '/')
		return xasprintf("%s/.config/systemd/user", home);
	return NULL;
}

void
doctor_check_janitor(struct doctor *doctor)
{
	const struct doctor_question *question = doctor->question;
	struct janitor janitor = { .root = "" };
	char *user, *place, *units;

	if (!doctor->core->settings->enabled) {
		doctor_skip(doctor, "sandboxes are switched off");
		return;
	}
	if (doctor->core->store == NULL) {
		doctor_skip(doctor, no_store);
		return;
	}
	if (lock_watch_is_held(doctor->core->store)) {
		doctor_ok(doctor, "a watch is at work");
		return;
	}
	user = doctor_user();
	units = user_units();
	janitor.user = user;
	janitor.user_units = units;
	if (!question->state_dir_is_usual)
		janitor.state_dir = question->state_dir;
	if (question->endpoint != NULL &&
	    strcmp(question->endpoint, "default") != 0)
		janitor.endpoint = question->endpoint;
	place = janitor_find(&janitor);
	if (place != NULL)
		doctor_ok(doctor, "%s runs it", place);
	else
		tell_none(doctor, &janitor);
	free(place);
	free(units);
	free(user);
}
