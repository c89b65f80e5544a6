/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ratio - sums, shares and ratios of a kept tree.
 *
 * Internal to tree.h: only tree.c, ratio.c and rank.c include it.
 *
 * What stands still between two updates (who is below whom, who competes with
 * whom, shares of budgets) is found once. An update looks at what went in, adds
 * up again only the accounts above what is another, and divides again only
 * among the competitors of those.
 */
#ifndef SB_CORE_RATIO_H
#define SB_CORE_RATIO_H

#include "tree.h"

/* One competitor in a list of siblings. */
typedef struct {
	double key;		/* ratio, or first of all: see rank.c */
	int32_t node;
} sb_rank_item_t;

/* Of one node, beside what the caller sees. */
typedef struct {
	/* What went into the sums. */
	uint64_t own_usage, own_committed;
	double own_running;
	/* running is kept in thousandths: sums of doubles would depend on
	 * their order. */
	uint64_t thousandths;
	double burst;		/* part of its ratio, and ... */
	uint64_t burst_of;	/* ... the thousandths that it is of */
	uint64_t level_shares;	/* of all who compete right below */
	int32_t below, below_count;	/* children, in order[] */
	int32_t member, member_count;	/* who competes right below, and users
					 * who stand for it: in members[] */
	int32_t peopled_count;	/* the first of these have users */
	bool peopled;		/* is a user, or has one below */
	bool shared;		/* a member stands for it */
	bool changed;		/* its sums have to be made again ... */
	bool level_changed;	/* ... and ratios of its members */
	bool ratios_changed;	/* which was done, after the last ranking */
	bool tied;		/* has the key of the member before it */
	bool merged;		/* its members are ranked with those of others
				 * that it is tied with */
	double key;		/* in a list like that: of the last ranking */
} sb_place_t;

struct sb_tree {
	sb_tree_node_t *nodes;
	size_t count;
	int32_t root;
	int32_t *order;		/* breadth first: parents before children,
				 * siblings together */
	int32_t *accounts;	/* the same without users */
	size_t account_count;
	sb_place_t *places;	/* by node */
	int32_t *members;	/* sorted as the last ranking left them */
	sb_rank_item_t *items;	/* scratch of rankings */
	uint32_t ranks;		/* of the last ranking, 0: none yet */
	bool updated;		/* once at least, with these: */
	double capacity, burst;
};

/* An account whose children compete among its siblings. The root competes
 * with nobody, so its shares mean nothing. */
static inline bool sb_tree_transparent(const sb_tree_node_t *node)
{
	return !node->user && node->shares == SB_SHARES_PARENT &&
	       node->parent != SB_NO_PARENT;
}

/* A user who stands for the account itself. */
static inline bool sb_tree_shares_account(const sb_tree_node_t *node)
{
	return node->user && node->shares == SB_SHARES_PARENT;
}

/* When members are known: funded, budget_share and allocation of all nodes. */
extern void sb_ratio_budgets(sb_tree_t *tree);

/* Sums, usage_share, ratio_window and ratio of all nodes. */
extern void sb_ratio_update(sb_tree_t *tree, double capacity, double burst);

#endif
