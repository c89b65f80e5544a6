/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree - the budget tree: ratios and tied ranks.
 *
 * Nodes are Slurm's associations, one array in any order. Leaves are users;
 * an account may have usage of its own (that of its deleted users).
 *
 *   usage share  = (usage + committed) of the node / the same of its siblings
 *   budget share = shares of the node / shares of its siblings
 *   ratio        = usage share / budget share            (under budget: < 1)
 *
 * Siblings are ordered by ratio, smallest first; all under the better account
 * outranks all under the worse. Equal ratios are a tie: tied accounts' children
 * compete as one list; a user tied with accounts has the rank of their best
 * user. (Fair Tree, https://slurm.schedmd.com/fair_tree.html, the rule of its
 * documentation.) The result depends on the numbers alone, not on the order of
 * the array or on ids: usage is whole TRES-seconds, sums are exact, and ratios
 * are rounded once from an exact quotient.
 *
 * Special shares:
 *   an account with SB_SHARES_PARENT is transparent: its children compete
 *   among its own siblings (their sum counts as theirs);
 *   a user with SB_SHARES_PARENT shares the account's own rank: such users
 *   stand together, tied, before everything else in the account, and their
 *   usage counts for the account only;
 *   0 is unfunded, and so is everything under it: ratio SB_RATIO_UNFUNDED,
 *   behind all funded siblings, tied with each other (users with
 *   SB_SHARES_PARENT included).
 *
 * What stands for another node (a transparent account, a user with
 * SB_SHARES_PARENT) has the ratios, both shares, the allocation and funded of
 * that node, which is its fs_parent; its sums are its own.
 *
 * The root competes with nobody: its shares mean nothing, budget share and
 * allocation are 1, usage share and window ratio 1, or 0 when nothing is used.
 *
 * Siblings' usage counts unfunded ones too, so a funded branch is only over
 * its budget when it has more than its share of everything that was charged.
 * Siblings that have used nothing together: usage shares and ratios 0. All
 * siblings with shares 0: all unfunded. Usage of an account itself and of its
 * SB_SHARES_PARENT users belongs to no competitor below it, and counts one
 * level up.
 *
 * allocation = the product of budget shares from the root down; 0 when
 * unfunded. Burst never lifts an unfunded node from SB_RATIO_UNFUNDED.
 *
 * Bounds: usage and committed, and sums of each, stop at SB_USAGE_MAX; ratios
 * at SB_RATIO_MAX; own_running counts in thousandths (NaN and negative as 0,
 * at most 1e12). Nothing computed is NaN or infinite. The burst part of a
 * ratio is rounded to 32 bits: allocations are products of rounded shares, and
 * equal ones that were reached by different paths must tie.
 */
#ifndef SB_CORE_TREE_H
#define SB_CORE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "limits.h"

#define SB_SHARES_PARENT 0xffffffffU
#define SB_NO_PARENT (-1)

typedef struct {
	/* In. */
	int32_t parent;		/* index in the array, SB_NO_PARENT for root */
	uint32_t shares;	/* Fairshare among its siblings */
	bool user;		/* a leaf that ranks */
	uint64_t own_usage;	/* charged in the window, whole TRES-seconds,
				 * not that of its children */
	uint64_t own_committed;	/* remaining protected TRES-seconds */
	double own_running;	/* charged TRES allocated right now */

	/* Out. Sums include all descendants. */
	uint64_t usage;
	uint64_t committed;
	double running;
	double budget_share;	/* among its siblings, 0 .. 1; NAN-free */
	double usage_share;	/* among its siblings, 0 .. 1 */
	double allocation;	/* share of the whole cluster, 0 .. 1 */
	double ratio_window;	/* 0 .. SB_RATIO_MAX | SB_RATIO_UNFUNDED */
	double ratio;		/* with burst: max(ratio_window, running /
				 * (burst x allocation x capacity)) */
	bool funded;
	int32_t fs_parent;	/* nearest ancestor that is not transparent;
				 * SB_NO_PARENT for root */
	uint32_t rank;		/* users: 1 = served first; dense: ties share
				 * one, the next has one more. Accounts: that
				 * of their best user, 0 without users. */
} sb_tree_node_t;

/*
 * Compute every out-field.
 * IN/OUT nodes, count: exactly one root (parent SB_NO_PARENT, never user), no
 * node below a user, at most SB_TREE_DEPTH_MAX levels below the root.
 * IN capacity: charged TRES of the whole cluster; <= 0 turns burst off.
 * IN burst: sb_params_t.burst, 0 = off.
 * OUT ranks: number of distinct ranks (may be NULL).
 * RET: 0, or -1 with err set (cycle, too deep, parent out of range, none or
 * several roots, child of a user, no memory); out-fields are then undefined.
 * Time O(n log n), no recursion.
 */
extern int sb_tree_compute(sb_tree_node_t *nodes, size_t count,
			   double capacity, double burst, uint32_t *ranks,
			   sb_err_t *err);

/*
 * The same again and again, of a tree whose budgets and structure stand: an
 * update costs what has changed since the last one, and a walk over the nodes.
 *
 * create: IN nodes, count: as above, and the tree's until destroy(); parent,
 * shares and user must stay as they are, and nobody else writes out-fields.
 * RET: NULL with err.
 * update: own_usage, own_committed and own_running are read, every out-field
 * is what sb_tree_compute() would make it. No allocation, nothing fails.
 * RET: number of distinct ranks. Time O(n log n) at worst, O(n) for what is
 * mostly in the order of the last time.
 * destroy: NULL is legal; nodes stay.
 */
typedef struct sb_tree sb_tree_t;

extern sb_tree_t *sb_tree_create(sb_tree_node_t *nodes, size_t count,
				 sb_err_t *err);
extern uint32_t sb_tree_update(sb_tree_t *tree, double capacity, double burst);
extern void sb_tree_destroy(sb_tree_t *tree);

/*
 * The two branches of a and b below their lowest common ancestor (transparent
 * accounts skipped: one given as a or b stands for its fs_parent). When one is
 * an ancestor of the other, or a == b, or an index is negative, there is none.
 * Needs sb_tree_compute() before; indexes must be of that array. O(depth).
 * RET: true and the two indexes.
 */
extern bool sb_tree_branches(const sb_tree_node_t *nodes, int32_t a, int32_t b,
			     int32_t *branch_a, int32_t *branch_b);

#endif
