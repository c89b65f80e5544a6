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

#include "src/core/idmap.h"
#include "src/core/order.h"
#include "src/core/params.h"
#include "src/core/tree.h"

typedef struct board {
	struct board *next;	/* board.c only */
	uint64_t serial;	/* of no other board, never 0; addresses come
				 * again */
	uint64_t funding;	/* serial of the first published one that has
				 * funded the same associations ever since */
	sb_order_t order;	/* of allocated work, order=budget */
	sb_order_t filler;	/* of unallocated work, order=weighted */
	bool weighted;		/* order=weighted */
	bool free_undeclared;	/* undeclared=free */
	sb_idmap_t map;		/* association id -> index */
	uint32_t *ids;
	sb_tree_node_t *nodes;	/* computed */
	uint32_t count;
} sb_board_t;

/*
 * IN ids, nodes, count: a computed tree, copied; ranks: its number of ranks.
 * IN max_factors: see sb_order_make().
 * RET: a new board that nobody sees yet, NULL without memory.
 */
extern sb_board_t *sb_board_create(const uint32_t *ids,
				   const sb_tree_node_t *nodes, size_t count,
				   uint32_t ranks, double max_factors,
				   const sb_params_t *params);

/* RET: true when both put every association and job in the same place. NULL
 * is like nothing. */
extern bool sb_board_same_order(const sb_board_t *a, const sb_board_t *b);

/* Make it the current one; the board library owns it from now on. NULL: there
 * is none any more. One thread at a time. */
extern void sb_board_publish(sb_board_t *board);

/* Begin to read. RET: the current board, or NULL; valid until sb_board_leave(),
 * which is due in any case. */
extern const sb_board_t *sb_board_enter(void);
extern void sb_board_leave(void);

/* RET: serial number of the current board, 0: there is none. For who has kept
 * what he read on it. */
extern uint64_t sb_board_serial(void);
/* RET: its funding. For who has kept no more than who is funded. */
extern uint64_t sb_board_funding(void);

/* Index of an association, SB_NO_NODE when it is not known (yet). */
#define SB_NO_NODE (-1)
extern int32_t sb_board_index(const sb_board_t *board, uint32_t assoc_id);

/* RET: the association, or one that stands last and unfunded when it is not
 * known (yet). Never NULL. */
extern const sb_tree_node_t *sb_board_find(const sb_board_t *board,
					uint32_t assoc_id);

#endif
