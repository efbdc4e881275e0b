/* SPDX-License-Identifier: ISC */
/*
 * One look at everything: the sandbox containers as the daemon lists them, the
 * entries, the owners, and what the judge says of each.  sweep begins with it;
 * list and why show it.
 *
 * Two docker calls at most: labelled containers first, owners second.  An
 * owner that starts meanwhile is then seen; the other way round its sandbox
 * would be seen and it would not.
 */
#ifndef CORE_SURVEY_H
#define CORE_SURVEY_H

#include "core/judge.h"

struct survey_agent {
	char *slug;
	struct agent_entry entry;
	bool recorded;              /* there is an entry */
	bool unreadable;            /* there is one that cannot be read */
	bool lost;                  /* there was one, and it was damaged */
	bool released;              /* a release is asked for */
	size_t rows;                /* sandbox containers of it */
	struct owner_view owner;    /* of the entry, where recorded */
	struct judgement judgement; /* likewise */
};

struct survey_row {
	struct sandbox sandbox;
	struct survey_agent *agent; /* NULL: not of our keeping */
	struct owner_view owner;
	struct judgement judgement;
};

struct survey {
	struct judge_rules rules;
	struct container_list sandboxes;
	struct container_list owners;
	struct survey_agent *agents; /* sorted by slug */
	size_t agent_count;
	struct survey_row *rows;
	size_t row_count;
};

/*
 * The rules' graces come from the settings; now is this moment.  On failure
 * nothing may be concluded.  The caller clears it in both cases.
 */
int survey_take(const struct core *, struct survey *, struct error *);
/*
 * Without docker: survey->sandboxes are there, from a listing before; every
 * owner that is a container is OWNER_UNKNOWN.
 */
int survey_take_known(const struct core *, struct survey *, struct error *);
/* The entries alone, without docker; every owner is OWNER_UNKNOWN. */
int survey_take_entries(const struct core *, struct survey *, struct error *);
void survey_clear(struct survey *);
/*
 * A list does not tell since when an owner has stopped: inspect those of one
 * agent, and judge again.  One docker call where one is stopped, else none;
 * where it fails a warning says so.
 */
void survey_look_closer(const struct core *, struct survey *, const char *slug);

struct survey_agent *survey_agent(const struct survey *, const char *slug);

/* Fill in what the state tells of a container; agent may be NULL. */
void survey_place(const struct core *, const struct survey_agent *,
    struct sandbox *);

/* Read the entry and the mark of one agent anew. */
void survey_agent_read(const struct core *, struct survey_agent *,
    bool lock_held);

#endif
