/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <stdlib.h>

#include "ranking.h"

/* Priorities that unallocated work shares under order=weighted: far below any
 * sum of usual weights, and enough to keep its own order. */
#define FILLER_BAND 100

static pthread_mutex_t current_lock = PTHREAD_MUTEX_INITIALIZER;
static ranking_t *current;

static void _destroy(ranking_t *ranking)
{
	idmap_free(&ranking->map);
	free(ranking->entries);
	free(ranking);
}

static sb_order_t _filler_order(double max_factors)
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

extern ranking_t *ranking_create(const uint32_t *ids,
				 const sb_tree_node_t *nodes, size_t count,
				 uint32_t ranks, double max_factors,
				 const sb_params_t *params)
{
	ranking_t *ranking = calloc(1, sizeof(*ranking));

	if (!ranking)
		return NULL;
	ranking->references = 1;
	ranking->order = sb_order_make(ranks, max_factors);
	ranking->filler = _filler_order(max_factors);
	ranking->weighted = (params->order == SB_ORDER_WEIGHTED);
	ranking->free_undeclared =
		(params->undeclared == SB_UNDECLARED_FREE);
	ranking->count = count;
	ranking->entries = calloc(count + 1, sizeof(*ranking->entries));
	if (!ranking->entries || idmap_fill(&ranking->map, ids, count)) {
		_destroy(ranking);
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		ranking->entries[i] = (ranking_entry_t) {
			.rank = nodes[i].rank,
			.funded = nodes[i].funded,
			.ratio_window = nodes[i].ratio_window,
			.ratio = nodes[i].ratio,
		};
	}
	return ranking;
}

extern bool ranking_same(const ranking_t *a, const ranking_t *b)
{
	if (!a || !b || (a->count != b->count) || (a->weighted != b->weighted) ||
	    (a->free_undeclared != b->free_undeclared) ||
	    (a->order.ranks != b->order.ranks) ||
	    (a->order.band != b->order.band) ||
	    (a->order.scale != b->order.scale))
		return false;
	for (uint32_t i = 0; i < a->count; i++) {
		if (a->entries[i].rank != b->entries[i].rank)
			return false;
	}
	for (uint32_t i = 0; i <= a->map.mask; i++) {
		if (a->map.keys[i] != b->map.keys[i])
			return false;
	}
	return true;
}

extern void ranking_publish(ranking_t *ranking)
{
	ranking_t *old;

	pthread_mutex_lock(&current_lock);
	old = current;
	current = ranking;
	pthread_mutex_unlock(&current_lock);
	ranking_put(old);
}

extern ranking_t *ranking_get(void)
{
	ranking_t *ranking;

	pthread_mutex_lock(&current_lock);
	ranking = current;
	if (ranking)
		ranking->references++;
	pthread_mutex_unlock(&current_lock);
	return ranking;
}

extern void ranking_put(ranking_t *ranking)
{
	bool last;

	if (!ranking)
		return;
	pthread_mutex_lock(&current_lock);
	last = !--ranking->references;
	pthread_mutex_unlock(&current_lock);
	if (last)
		_destroy(ranking);
}

extern const ranking_entry_t *ranking_find(const ranking_t *ranking,
					   uint32_t assoc_id)
{
	static const ranking_entry_t unknown = {
		.ratio_window = SB_RATIO_UNFUNDED,
		.ratio = SB_RATIO_UNFUNDED,
	};
	uint32_t index = idmap_find(&ranking->map, assoc_id);

	return (index == IDMAP_NONE) ? &unknown : &ranking->entries[index];
}
