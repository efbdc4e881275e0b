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
sweep_report_clear(struct sweep_report *report)
{
	struct sweep_decision *decision;
	size_t i;

	for (i = 0; i < report->decision_count; i++) {
		decision = &report->decisions[i];
		free(decision->agent);
		free(decision->container);
		free(decision->id);
		free(decision->service);
		free(decision->owner);
		free(decision->keeper);
		free(decision->problem);
	}
	free(report->decisions);
	memset(report, 0, sizeof(*report));
}
