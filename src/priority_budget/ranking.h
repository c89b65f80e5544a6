/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranking - the result of a recomputation, as jobs see it: an immutable table
 * of associations, replaced as a whole. Readers hold a reference and no lock.
 */
#ifndef SB_RANKING_H
#define SB_RANKING_H

#include <stdbool.h>
#include <stdint.h>

#include "src/core/order.h"
#include "src/core/params.h"
#include "src/core/tree.h"

#include "idmap.h"

typedef struct {
	uint32_t rank;		/* 1 = first; 0: not a user */
	bool funded;
	double ratio_window;
	double ratio;
} ranking_entry_t;

typedef struct {
	int references;		/* ranking.c only */
	sb_order_t order;	/* of allocated work, order=budget */
	sb_order_t filler;	/* of unallocated work, order=weighted */
	bool weighted;		/* order=weighted */
	bool free_undeclared;	/* undeclared=free */
	idmap_t map;
	ranking_entry_t *entries;
	uint32_t count;
} ranking_t;

/*
 * IN ids, nodes, count: a computed tree; ranks: its number of ranks.
 * IN max_factors: see sb_order_make().
 * RET: a new table with one reference, NULL without memory.
 */
extern ranking_t *ranking_create(const uint32_t *ids,
				 const sb_tree_node_t *nodes, size_t count,
				 uint32_t ranks, double max_factors,
				 const sb_params_t *params);

/* RET: true when both put every association and job in the same place. */
extern bool ranking_same(const ranking_t *a, const ranking_t *b);

/* Make it the current one; takes over the caller's reference. NULL: none. */
extern void ranking_publish(ranking_t *ranking);

/* RET: the current one with a reference for the caller, or NULL. */
extern ranking_t *ranking_get(void);
/* NULL is legal. */
extern void ranking_put(ranking_t *ranking);

/* RET: the entry, or one that stands last and unfunded when the association is
 * not known (yet). Never NULL. */
extern const ranking_entry_t *ranking_find(const ranking_t *ranking,
					   uint32_t assoc_id);

#endif
