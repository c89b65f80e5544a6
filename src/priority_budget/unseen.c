/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "src/core/limits.h"

#include "unseen.h"

extern int64_t unseen_since(const budget_t *budget)
{
	int64_t since = budget->gap_from;

	for (size_t i = 0; i < budget->unseen_count; i++) {
		if (!since || (budget->unseen[i].from < since))
			since = budget->unseen[i].from;
	}
	return since;
}

extern void unseen_keep(budget_t *budget)
{
	sb_ledger_keep(budget->ledger, unseen_since(budget));
}

extern void unseen_note_all(budget_t *budget, int64_t from, int64_t to)
{
	if (!budget->gap_from)
		budget->gap_from = from;
	budget->gap_to = MAX(budget->gap_to, to);
	unseen_keep(budget);
}

/* RET: there is room for one more. */
static bool _make_room(budget_t *budget)
{
	size_t more = budget->unseen_room ? budget->unseen_room * 2 : 64;
	struct unseen_job *moved;

	if (budget->unseen_count < budget->unseen_room)
		return true;
	moved = realloc(budget->unseen, more * sizeof(*moved));
	if (!moved)
		return false;
	budget->unseen = moved;
	budget->unseen_room = more;
	return true;
}

extern void unseen_note_job(budget_t *budget, uint32_t job_id, int64_t from,
			    int64_t to)
{
	if (!_make_room(budget)) {
		unseen_note_all(budget, from, to);
		return;
	}
	budget->unseen[budget->unseen_count++] = (struct unseen_job) {
		.job_id = job_id,
		.from = from,
		.to = to,
	};
}

static void _drop(budget_t *budget, size_t i)
{
	budget->unseen[i] = budget->unseen[--budget->unseen_count];
}

extern void unseen_told(budget_t *budget, uint32_t job_id, int64_t end)
{
	for (size_t i = budget->unseen_count; i-- > 0;) {
		const struct unseen_job *job = &budget->unseen[i];

		if ((job->job_id == job_id) && (end >= job->from) &&
		    (end <= job->to))
			_drop(budget, i);
	}
}

extern void unseen_answered(budget_t *budget, int64_t now)
{
	for (size_t i = budget->unseen_count; i-- > 0;) {
		if (now > budget->unseen[i].to + SB_PATIENCE)
			_drop(budget, i);
	}
	if (budget->gap_to && (now > budget->gap_to + SB_PATIENCE))
		budget->gap_from = budget->gap_to = 0;
	unseen_keep(budget);
}

extern void unseen_free(budget_t *budget)
{
	free(budget->unseen);
	budget->unseen = NULL;
	budget->unseen_count = budget->unseen_room = 0;
}
