/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rank - tied ranks of a tree whose ratios are computed.
 *
 * Internal to tree.h: only tree.c and rank.c include it.
 */
#ifndef SB_CORE_RANK_H
#define SB_CORE_RANK_H

#include "ratio.h"

/*
 * Fill in rank of every node. Needs everything else computed; items are
 * overwritten, members sorted. RET: number of distinct ranks.
 */
extern uint32_t sb_tree_rank(sb_tree_t *tree);

#endif
