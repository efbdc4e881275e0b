/* SPDX-License-Identifier: ISC */
/* What a sweep decided, one by one and summed up. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "core/chronicle.h"
#include "core/sweep.h"

const char *
sweep_outcome_word(enum sweep_outcome outcome)
{
	static const char *const outcomes[] = {
		[SWEEP_KEPT] = "kept",
		[SWEEP_REMOVED] = "removed",
		[SWEEP_WOULD_REMOVE] = "would-remove",
		[SWEEP_GONE] = "gone",
		[SWEEP_FAILED] = "failed",
		[SWEEP_FORGOTTEN] = "forgotten",
	};

	return outcomes[outcome];
}

bool
sweep_is_suspect(const struct sweep_options *options, const struct owner *owner)
{
	return options->suspects != NULL && owner->type == OWNER_CONTAINER &&
	    strvec_has(options->suspects, owner->name);
}

static void
count(struct sweep_report *report, enum sweep_outcome outcome)
{
	switch (outcome) {
	case SWEEP_KEPT:
		report->kept++;
		break;
	case SWEEP_REMOVED:
	case SWEEP_WOULD_REMOVE:
	case SWEEP_GONE:
		report->removed++;
		break;
	case SWEEP_FAILED:
		report->failed++;
		break;
	case SWEEP_FORGOTTEN:
		break;
	}
}

struct sweep_decision *
sweep_report_add(struct sweep_report *report, const char *agent,
    const struct sandbox *sandbox, struct judgement judgement,
    enum sweep_outcome outcome)
{
	const struct container *c = sandbox->container;
	struct sweep_decision *decision;

	if (report->decision_count == report->decision_cap) {
		report->decision_cap =
		    report->decision_cap > 0 ? report->decision_cap * 2 : 16;
		report->decisions = xreallocarray(report->decisions,
		    report->decision_cap, sizeof(*report->decisions));
	}
	decision = &report->decisions[report->decision_count++];
	decision->agent = xstrdup(agent);
	decision->container = xstrdup(c != NULL ? c->name : "");
	decision->id = xstrdup(c != NULL ? c->id : "");
	decision->service = xstrdup(c != NULL ? sandbox->service : "");
	decision->owner = xstrdup(sandbox->owner_text);
	decision->keeper = xstrdup(c != NULL ? sandbox->keeper : "");
	decision->verdict = judgement.verdict;
	decision->until = judgement.until;
	decision->outcome = outcome;
	decision->age = c != NULL ? chronicle_age(c) : -1;
	decision->problem = NULL;
	if (c != NULL)
		count(report, outcome);
	return decision;
}

void
sweep_report_forget(struct sweep_report *report, const char *agent,
    const char *owner, enum verdict verdict)
{
	struct sweep_decision *decision;

	report->forgotten = xreallocarray(report->forgotten,
	    report->forgotten_count + 1, sizeof(*report->forgotten));
	decision = &report->forgotten[report->forgotten_count++];
	*decision = (struct sweep_decision){ .agent = xstrdup(agent),
		.container = xstrdup(""),
		.id = xstrdup(""),
		.service = xstrdup(""),
		.owner = xstrdup(owner),
		.keeper = xstrdup(""),
		.verdict = verdict,
		.outcome = SWEEP_FORGOTTEN,
		.age = -1 };
}

static void
clear_decisions(struct sweep_decision *decisions, size_t count)
{
	struct sweep_decision *decision;
	size_t i;

	for (i = 0; i < count; i++) {
		decision = &decisions[i];
		free(decision->agent);
		free(decision->container);
		free(decision->id);
		free(decision->service);
		free(decision->owner);
		free(decision->keeper);
		free(decision->problem);
	}
	free(decisions);
}

void
sweep_report_clear(struct sweep_report *report)
{
	clear_decisions(report->decisions, report->decision_count);
	clear_decisions(report->forgotten, report->forgotten_count);
	memset(report, 0, sizeof(*report));
}
