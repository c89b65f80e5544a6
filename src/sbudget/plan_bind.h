/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_bind - a plan and a tree: what it would change.
 */
#ifndef SB_PLAN_BIND_H
#define SB_PLAN_BIND_H

#include "assocs.h"
#include "plan.h"

typedef struct {
	const plan_entry_t *entry;
	int32_t index;		/* in the tree */
	uint32_t id;
	uint32_t before, after;	/* Fairshare, SB_SHARES_PARENT */
} plan_change_t;

typedef struct {
	plan_change_t *rows;	/* in the order of the plan */
	size_t count;
	size_t silent;		/* entries without a budget at that time */
	size_t same;		/* entries that change nothing */
} plan_changes_t;

/*
 * IN when: epoch, whose budgets. IN window: seconds.
 * RET: 0 and the changes (plan_changes_free()), or -1 with err: an account,
 * user or parent is not as the plan says; hours beside accounts that the plan
 * does not name.
 */
extern int plan_bind(const plan_t *plan, const char *cluster,
		     const assocs_t *assocs, int64_t window, int64_t when,
		     plan_changes_t *changes, sb_err_t *err);
extern void plan_changes_free(plan_changes_t *changes);

/* A number for names, parents and shares of a whole tree: another number,
 * another tree. */
#define PLAN_TREE_TEXT 17
extern void plan_fingerprint(const assocs_t *assocs, char text[PLAN_TREE_TEXT]);

#endif
