/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"

/* Priorities that unallocated work shares under order=weighted: far below any
 * sum of usual weights, and enough to keep its own order. */
#define FILLER_BAND 100

/*
 * A reader announces himself before he takes the pointer; the publisher takes
 * the pointer away before he looks for readers. So when there is none then,
 * nobody has a board that was retired: they are freed, else at a later
 * publication.
 */
static _Atomic(sb_board_t *) current;
static atomic_uint readers;
static _Atomic uint64_t current_serial, current_funding;
static pthread_mutex_t retired_lock = PTHREAD_MUTEX_INITIALIZER;
static sb_board_t *retired;

static void destroy(sb_board_t *board)
{
	sb_idmap_free(&board->map);
	free(board->ids);
	free(board->nodes);
	free(board);
}

static sb_order_t filler_order(double max_factors)
{
	sb_order_t order = {
		.ranks = 1,
		.band = FILLER_BAND,
		.scale = 1,
	};

	if (max_factors > FILLER_BAND / 2)
		order.scale = FILLER_BAND / 2 / max_factors;
	return order;
}

static int copy_tree(sb_board_t *board, const uint32_t *ids,
		     const sb_tree_node_t *nodes, size_t count)
{
	board->ids = calloc(count + 1, sizeof(*ids));
	board->nodes = calloc(count + 1, sizeof(*nodes));
	if (!board->ids || !board->nodes ||
	    sb_idmap_fill(&board->map, ids, count))
		return -1;
	memcpy(board->ids, ids, count * sizeof(*ids));
	memcpy(board->nodes, nodes, count * sizeof(*nodes));
	board->count = count;
	return 0;
}

extern sb_board_t *sb_board_create(const uint32_t *ids,
				   const sb_tree_node_t *nodes, size_t count,
				   uint32_t ranks, double max_factors,
				   const sb_params_t *params)
{
	static _Atomic uint64_t serial;
	sb_board_t *board = calloc(1, sizeof(*board));

	if (!board)
		return NULL;
	board->serial = ++serial;
	board->order = sb_order_make(ranks, max_factors);
	board->filler = filler_order(max_factors);
	board->weighted = (params->order == SB_ORDER_WEIGHTED);
	board->free_undeclared = (params->undeclared == SB_UNDECLARED_FREE);
	if (copy_tree(board, ids, nodes, count)) {
		destroy(board);
		return NULL;
	}
	return board;
}

static bool same_rules(const sb_board_t *a, const sb_board_t *b)
{
	return (a->weighted == b->weighted) &&
	       (a->free_undeclared == b->free_undeclared) &&
	       (a->order.ranks == b->order.ranks) &&
	       (a->order.band == b->order.band) &&
	       (a->order.scale == b->order.scale);
}

extern bool sb_board_same_order(const sb_board_t *a, const sb_board_t *b)
{
	if (!a || !b || (a->count != b->count) || !same_rules(a, b))
		return false;
	for (uint32_t i = 0; i < a->count; i++) {
		if ((a->ids[i] != b->ids[i]) ||
		    (a->nodes[i].rank != b->nodes[i].rank))
			return false;
	}
	return true;
}

static void destroy_all(sb_board_t *board)
{
	while (board) {
		sb_board_t *next = board->next;

		destroy(board);
		board = next;
	}
}

static bool same_funding(const sb_board_t *a, const sb_board_t *b)
{
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++) {
		if ((a->ids[i] != b->ids[i]) ||
		    (a->nodes[i].funded != b->nodes[i].funded))
			return false;
	}
	return true;
}

extern void sb_board_publish(sb_board_t *board)
{
	sb_board_t *old = atomic_load(&current), *unread = NULL;
	uint64_t serial = 0, funding = 0;

	if (board) {
		serial = board->serial;
		board->funding = (old && same_funding(old, board)) ?
			old->funding : serial;
		funding = board->funding;
	}
	atomic_store(&current, board);
	/* Behind it: who sees the numbers finds that board or a newer one. */
	atomic_store(&current_serial, serial);
	atomic_store(&current_funding, funding);
	pthread_mutex_lock(&retired_lock);
	if (old) {
		old->next = retired;
		retired = old;
	}
	if (!atomic_load(&readers)) {
		unread = retired;
		retired = NULL;
	}
	pthread_mutex_unlock(&retired_lock);
	destroy_all(unread);
}

extern const sb_board_t *sb_board_enter(void)
{
	atomic_fetch_add(&readers, 1);
	return atomic_load(&current);
}

extern void sb_board_leave(void)
{
	atomic_fetch_sub(&readers, 1);
}

extern uint64_t sb_board_serial(void)
{
	return atomic_load(&current_serial);
}

extern uint64_t sb_board_funding(void)
{
	return atomic_load(&current_funding);
}

extern int32_t sb_board_index(const sb_board_t *board, uint32_t assoc_id)
{
	uint32_t index = sb_idmap_find(&board->map, assoc_id);

	return (index == SB_IDMAP_NONE) ? SB_NO_NODE : (int32_t) index;
}

extern const sb_tree_node_t *sb_board_find(const sb_board_t *board,
					uint32_t assoc_id)
{
	static const sb_tree_node_t unknown = {
		.ratio_window = SB_RATIO_UNFUNDED,
		.ratio = SB_RATIO_UNFUNDED,
	};
	int32_t index = sb_board_index(board, assoc_id);

	return (index == SB_NO_NODE) ? &unknown : &board->nodes[index];
}
