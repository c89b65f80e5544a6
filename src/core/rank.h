/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rank - tied ranks of a tree whose ratios are computed.
 *
 * Internal to sb_tree_compute(): only tree.c and rank.c include it.
 */
#ifndef SB_CORE_RANK_H
#define SB_CORE_RANK_H

#include "tree.h"

/* One competitor in a list of siblings. */
typedef struct {
	double key;		/* ratio, or first of all: see rank.c */
	int32_t node;
} sb_rank_item_t;

/* Scratch of one computation; every array has one entry per node. */
typedef struct {
	sb_tree_node_t *nodes;
	size_t count;
	int32_t root;
	int32_t *order;		/* breadth first: parents before children */
	int32_t *head;		/* lists of children, by parent ... */
	int32_t *next;		/* ... and sibling; -1 ends one */
	sb_rank_item_t *items;
} sb_tree_work_t;

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

/*
 * Fill in rank of every node. Needs everything else computed; head, next and
 * items are overwritten. RET: number of distinct ranks.
 */
extern uint32_t sb_tree_rank(sb_tree_work_t *work);

#endif
