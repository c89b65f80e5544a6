/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order - bands of priorities.
 */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "order.h"

/* Ranks for which every band still has a priority of its own. */
#define RANKS_MAX ((uint32_t) INT32_MAX)
/* No weighted sum comes near; up to here doubles count single points. */
#define FACTORS_MAX 1e15
/* Keeps the sum of offset and factors within 64 bits. */
#define OFFSET_MAX ((int64_t) 1 << 62)

extern sb_order_t sb_order_make(uint32_t ranks, double max_factors)
{
	sb_order_t order;
	double room;

	if (!ranks)
		ranks = 1;
	if (ranks > RANKS_MAX)
		ranks = RANKS_MAX;
	order.ranks = ranks;
	order.band = UINT32_MAX / (ranks + 1);
	order.scale = 1;
	room = order.band / 2.0;
	if (max_factors > DBL_MAX)
		max_factors = DBL_MAX;
	if (max_factors > room)
		order.scale = room / max_factors;
	return order;
}

/* Bands from the bottom: 0 is unallocated, `ranks` the best rank. */
static uint32_t band_number(const sb_order_t *order, uint32_t rank,
			    bool unallocated)
{
	if (unallocated)
		return 0;
	if (!rank || rank > order->ranks)
		rank = order->ranks;
	return order->ranks - rank + 1;
}

extern uint32_t sb_order_low(const sb_order_t *order, uint32_t rank,
			     bool unallocated)
{
	return 1 + order->band * band_number(order, rank, unallocated);
}

extern uint32_t sb_order_high(const sb_order_t *order, uint32_t rank,
			      bool unallocated)
{
	return sb_order_low(order, rank, unallocated) + (order->band - 1);
}

extern double sb_order_base(const sb_order_t *order, uint32_t rank,
			    bool unallocated)
{
	return (double) sb_order_low(order, rank, unallocated) +
	       order->band / 4;
}

extern uint32_t sb_order_priority(const sb_order_t *order, uint32_t rank,
				  bool unallocated, double factors,
				  int64_t offset, int64_t *clamped)
{
	int64_t low = sb_order_low(order, rank, unallocated);
	int64_t high = sb_order_high(order, rank, unallocated);
	int64_t wanted, got;

	if (!(factors > 0) || !isfinite(factors))
		factors = 0;
	if (factors > FACTORS_MAX)
		factors = FACTORS_MAX;
	if (offset > OFFSET_MAX)
		offset = OFFSET_MAX;
	if (offset < -OFFSET_MAX)
		offset = -OFFSET_MAX;
	wanted = offset + (int64_t) (sb_order_base(order, rank, unallocated) +
				     order->scale * factors);
	got = wanted < low ? low : wanted > high ? high : wanted;
	if (clamped)
		*clamped = got - wanted;
	return (uint32_t) got;
}

extern double sb_order_fair_share(const sb_order_t *order, uint32_t rank)
{
	return (double) band_number(order, rank, false) / order->ranks;
}
