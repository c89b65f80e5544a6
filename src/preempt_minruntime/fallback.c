/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/board/board.h"
#include "src/slurm_compat/assoc_tree.h"
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/settings.h"

#include "fallback.h"

/* Seconds; usage moves at every PriorityCalcPeriod, a minute at least. */
#define PERIOD 30

static time_t last;
static bool published;

extern void fallback_refresh(time_t now)
{
	const sb_params_t *params = settings_get();
	sb_board_t *board;
	assoc_tree_t *tree;

	if ((params->preempt_by != SB_PREEMPT_BY_BUDGET) ||
	    !xstrcmp(slurm_conf.priority_type, "priority/budget") ||
	    (last && (now >= last) && (now < last + PERIOD)))
		return;
	last = now;
	tree = assoc_tree_read();
	if (!tree || sb_tree_compute(tree->nodes, tree->count, 0, 0,
				     &tree->ranks, NULL)) {
		assoc_tree_destroy(tree);
		return;
	}
	board = sb_board_create(tree->ids, tree->nodes, tree->count,
				tree->ranks, 0, params);
	if (board) {
		sb_board_publish(board);
		published = true;
	}
	assoc_tree_destroy(tree);
}

extern void fallback_stop(void)
{
	if (published)
		sb_board_publish(NULL);
	published = false;
	last = 0;
}
