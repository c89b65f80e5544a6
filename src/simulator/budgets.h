/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budgets - the budgets of a plan (budget-plan(5)) for the accounts of a
 * workload.
 *
 * Accounts stand below the parent that the plan states, or the root. What the
 * plan does not name stays where it is, with its share of 1, and a note says
 * so; what it names and no job uses is there all the same: it is owed nothing,
 * but its part of the budget is not the others'.
 */
#ifndef SB_SIM_BUDGETS_H
#define SB_SIM_BUDGETS_H

#include "plan.h"
#include "workload.h"

/* IN window: seconds. Budgets are those at the workload's origin.
 * RET: 0, or -1 with err, workload unchanged. */
extern int budgets_apply(workload_t *workload, const plan_t *plan,
			 int64_t window, sb_err_t *err);

#endif
