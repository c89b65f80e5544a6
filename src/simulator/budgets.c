/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "budgets.h"

/* Not placed yet, in either map. */
#define NOWHERE (-1)

typedef struct {
	const plan_t *plan;
	int64_t when, window;
	sb_err_t *err;
	const workload_t *old;
	workload_t *fresh;	/* with the new tree */
	int32_t *of_entry;	/* entry of the plan -> association */
	int32_t *of_old;	/* old association -> new */
	size_t unnamed, silent;	/* for the notes */
} budgets_t;

/* Say so once, for each: budgets that the plan has not at that time. */
static void set_shares(budgets_t *budgets, const plan_entry_t *entry,
		       int32_t index)
{
	const plan_period_t *period = plan_at(entry, budgets->when);

	if (period)
		budgets->fresh->assocs[index].shares =
			plan_fairshare(period, budgets->window);
	else
		budgets->silent++;
}

/* The account of an entry, its parents first. */
static int32_t place(budgets_t *budgets, const plan_entry_t *entry, int depth)
{
	const plan_entry_t *above;
	int32_t parent = 0, index = budgets->of_entry[entry->index];

	if (index != NOWHERE)
		return index;
	if (depth > SB_TREE_DEPTH_MAX)
		return sb_err_set(budgets->err, "the plan's accounts are too deep");
	if (!strcmp(entry->account, "root"))
		return 0;
	above = entry->parent ? plan_find(budgets->plan, entry->parent, NULL) :
		NULL;
	if (above)
		parent = place(budgets, above, depth + 1);
	else if (entry->parent && strcmp(entry->parent, "root"))
		parent = workload_assoc(budgets->fresh, 0, entry->parent,
					false, budgets->err);
	if (parent < 0)
		return -1;
	index = workload_assoc(budgets->fresh, parent, entry->account, false,
			       budgets->err);
	if (index < 0)
		return -1;
	budgets->of_entry[entry->index] = index;
	set_shares(budgets, entry, index);
	return index;
}

static int place_plan(budgets_t *budgets)
{
	for (size_t i = 0; i < budgets->plan->count; i++) {
		const plan_entry_t *entry = &budgets->plan->entries[i];

		if (!entry->user && place(budgets, entry, 0) < 0)
			return -1;
	}
	return 0;
}

/* An account of the workload. Its parent has been placed. */
static int32_t place_account(budgets_t *budgets, size_t i)
{
	const workload_assoc_t *old = &budgets->old->assocs[i];
	const plan_entry_t *entry = plan_find(budgets->plan, old->name, NULL);
	int32_t index;

	if (entry)
		return budgets->of_entry[entry->index];
	index = workload_assoc(budgets->fresh, budgets->of_old[old->parent],
			       old->name, false, budgets->err);
	if (index >= 0) {
		budgets->fresh->assocs[index].shares = old->shares;
		budgets->unnamed++;
	}
	return index;
}

static int32_t place_user(budgets_t *budgets, size_t i)
{
	const workload_assoc_t *old = &budgets->old->assocs[i];
	const char *account = budgets->old->assocs[old->parent].name;
	const plan_entry_t *entry = plan_find(budgets->plan, account,
					      old->name);
	int32_t index = workload_assoc(budgets->fresh,
				       budgets->of_old[old->parent],
				       old->name, true, budgets->err);

	if (index < 0)
		return -1;
	budgets->fresh->assocs[index].shares = old->shares;
	if (entry)
		set_shares(budgets, entry, index);
	return index;
}

static int place_old(budgets_t *budgets)
{
	budgets->of_old[0] = 0;
	for (size_t i = 1; i < budgets->old->assoc_count; i++) {
		int32_t index = budgets->old->assocs[i].user ?
			place_user(budgets, i) : place_account(budgets, i);

		if (index < 0)
			return -1;
		budgets->of_old[i] = index;
	}
	return 0;
}

/* The new tree becomes the workload's. */
static void swap(budgets_t *budgets, workload_t *workload)
{
	workload_t *fresh = budgets->fresh, old = *workload;

	workload->assocs = fresh->assocs;
	workload->assoc_count = fresh->assoc_count;
	workload->slots = fresh->slots;
	workload->slot_count = fresh->slot_count;
	fresh->assocs = old.assocs;
	fresh->assoc_count = old.assoc_count;
	fresh->slots = old.slots;
	fresh->slot_count = old.slot_count;
	for (size_t i = 0; i < workload->job_count; i++)
		workload->jobs[i].assoc = (uint32_t)
			budgets->of_old[workload->jobs[i].assoc];
}

static int note(const budgets_t *budgets, workload_t *workload)
{
	/* The plan may well name the account, and budgets for users only. */
	int rc = workload_count(workload, budgets->unnamed, "account with jobs has no budget in the plan and keeps a share of 1",
				"accounts with jobs have no budget in the plan and keep a share of 1");

	if (!rc)
		rc = workload_count(workload, budgets->silent, "budget of the plan does not hold when the workload begins: a share of 1",
				    "budgets of the plan do not hold when the workload begins: a share of 1");
	return rc ? sb_err_set(budgets->err, "no memory") : 0;
}

extern int budgets_apply(workload_t *workload, const plan_t *plan,
			 int64_t window, sb_err_t *err)
{
	budgets_t budgets = {
		.plan = plan, .when = workload->origin, .window = window,
		.err = err, .old = workload, .fresh = workload_create(),
		.of_entry = malloc((plan->count + 1) * sizeof(int32_t)),
		.of_old = malloc((workload->assoc_count + 1) *
				 sizeof(int32_t)),
	};
	int rc = -1;

	if (!budgets.fresh || !budgets.of_entry || !budgets.of_old) {
		sb_err_set(err, "no memory");
	} else {
		for (size_t i = 0; i < plan->count; i++)
			budgets.of_entry[i] = NOWHERE;
		rc = place_plan(&budgets) || place_old(&budgets) ? -1 : 0;
	}
	if (!rc) {
		swap(&budgets, workload);
		rc = note(&budgets, workload);
	}
	workload_destroy(budgets.fresh);
	free(budgets.of_entry);
	free(budgets.of_old);
	return rc;
}
