/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * board - where the plugins meet: the result of a recomputation, as jobs and
 * preemption see it. An immutable table of associations, replaced as a whole.
 *
 * One instance in a process: a shared library that the plugins link.
 * priority/budget publishes; whoever has entered reads, without a lock and
 * without waiting, until he leaves.
 */
#ifndef SB_BOARD_H
#define SB_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/core/order.h"
#include "src/core/params.h"
#include "src/core/tree.h"

#include "idmap.h"

typedef struct board {
	struct board *next;	/* board.c only */
	sb_order_t order;	/* of allocated work, order=budget */
	sb_order_t filler;	/* of unallocated work, order=weighted */
	bool weighted;		/* order=weighted */
	bool free_undeclared;	/* undeclared=free */
	idmap_t map;		/* association id -> index */
	uint32_t *ids;
	sb_tree_node_t *nodes;	/* computed */
	uint32_t count;
} board_t;

/*
 * IN ids, nodes, count: a computed tree, copied; ranks: its number of ranks.
 * IN max_factors: see sb_order_make().
 * RET: a new board that nobody sees yet, NULL without memory.
 */
extern board_t *board_create(const uint32_t *ids, const sb_tree_node_t *nodes,
			     size_t count, uint32_t ranks, double max_factors,
			     const sb_params_t *params);

/* RET: true when both put every association and job in the same place. NULL
 * is like nothing. */
extern bool board_same_order(const board_t *a, const board_t *b);

/* Make it the current one; the board library owns it from now on. NULL: there
 * is none any more. One thread at a time. */
extern void board_publish(board_t *board);

/* Begin to read. RET: the current board, or NULL; valid until board_leave(),
 * which is due in any case. */
extern const board_t *board_enter(void);
extern void board_leave(void);

/* Index of an association, SB_NO_NODE when it is not known (yet). */
#define SB_NO_NODE (-1)
extern int32_t board_index(const board_t *board, uint32_t assoc_id);

/* RET: the association, or one that stands last and unfunded when it is not
 * known (yet). Never NULL. */
extern const sb_tree_node_t *board_find(const board_t *board,
					uint32_t assoc_id);

#endif
