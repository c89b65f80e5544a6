/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window - ring of buckets on absolute time; the contract is in window.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "window.h"

/* Slot b % buckets holds bucket b, for the `buckets` numbers up to head.
 * Slots of numbers below 0 hold 0. */
struct sb_window {
	int64_t head;		/* newest bucket */
	double slot[];
};

extern sb_window_shape_t sb_window_shape(int64_t width)
{
	sb_window_shape_t shape = { .width = width };

	if (width < SB_WINDOW_MIN)
		shape.width = SB_WINDOW_MIN;
	if (width > SB_WINDOW_MAX)
		shape.width = SB_WINDOW_MAX;
	shape.grain = (shape.width + SB_WINDOW_BUCKETS - 1) / SB_WINDOW_BUCKETS;
	/* One more than the width needs: `now` is rarely on an edge, so both
	 * the newest and the oldest bucket are inside in part. */
	shape.buckets = (shape.width + shape.grain - 1) / shape.grain + 1;
	return shape;
}

extern size_t sb_window_bytes(const sb_window_shape_t *shape)
{
	return sizeof(sb_window_t) + shape->buckets * sizeof(double);
}

extern sb_window_t *sb_window_create(const sb_window_shape_t *shape)
{
	sb_window_t *window = malloc(sb_window_bytes(shape));

	if (window)
		sb_window_clear(window, shape);
	return window;
}

extern sb_window_t *sb_window_copy(const sb_window_t *window,
				   const sb_window_shape_t *shape)
{
	sb_window_t *copy = malloc(sb_window_bytes(shape));

	if (copy)
		memcpy(copy, window, sb_window_bytes(shape));
	return copy;
}

extern void sb_window_destroy(sb_window_t *window)
{
	free(window);
}

extern void sb_window_clear(sb_window_t *window,
			    const sb_window_shape_t *shape)
{
	window->head = 0;
	for (uint32_t i = 0; i < shape->buckets; i++)
		window->slot[i] = 0;
}

static double *bucket_slot(sb_window_t *window, const sb_window_shape_t *shape,
			   int64_t bucket)
{
	return &window->slot[bucket % shape->buckets];
}

static double bucket_charge(const sb_window_t *window,
			    const sb_window_shape_t *shape, int64_t bucket)
{
	return bucket < 0 ? 0 : window->slot[bucket % shape->buckets];
}

/* Oldest bucket that the ring reaches; below 0 while time is young. */
static int64_t window_tail(const sb_window_t *window,
			   const sb_window_shape_t *shape)
{
	return window->head - shape->buckets + 1;
}

/* Move the ring on to `bucket`, at a cost bounded by its size. */
static void window_advance(sb_window_t *window, const sb_window_shape_t *shape,
			   int64_t bucket)
{
	if (bucket - window->head >= shape->buckets)
		sb_window_clear(window, shape);
	else
		for (int64_t b = window->head + 1; b <= bucket; b++)
			*bucket_slot(window, shape, b) = 0;
	if (bucket > window->head)
		window->head = bucket;
}

static void bucket_add(sb_window_t *window, const sb_window_shape_t *shape,
		       int64_t bucket, double charge)
{
	double *slot = bucket_slot(window, shape, bucket);

	*slot = fmin(fmax(*slot + charge, 0), SB_USAGE_MAX);
}

/*
 * Add factor x seconds / divisor to each bucket of [from, to), for the seconds
 * of the interval inside it. The division comes last: factor x seconds is
 * exact for whole numbers, and a divisor of 1 changes nothing.
 */
static void window_spread(sb_window_t *window, const sb_window_shape_t *shape,
			  int64_t from, int64_t to, double factor,
			  double divisor)
{
	int64_t last, first;

	from = from < 0 ? 0 : from;
	to = to > SB_TIME_MAX ? SB_TIME_MAX : to;
	if (to <= from)
		return;
	last = (to - 1) / shape->grain;
	if (factor > 0)
		window_advance(window, shape, last);
	else if (last > window->head)
		last = window->head;
	first = from / shape->grain;
	if (first < window_tail(window, shape))
		first = window_tail(window, shape);
	for (int64_t b = first < 0 ? 0 : first; b <= last; b++) {
		int64_t begin = b * shape->grain;
		int64_t end = begin + shape->grain;

		begin = begin < from ? from : begin;
		end = end > to ? to : end;
		bucket_add(window, shape, b, factor * (end - begin) / divisor);
	}
}

/* RET: charge within bounds that arithmetic can't leave; 0 for a NAN or an
 * infinite one. */
static double charge_bound(double charge)
{
	if (!isfinite(charge))
		return 0;
	return fmin(fmax(charge, -(double) SB_USAGE_MAX), SB_USAGE_MAX);
}

extern void sb_window_add_rate(sb_window_t *window,
			       const sb_window_shape_t *shape, int64_t from,
			       int64_t to, double rate)
{
	rate = charge_bound(rate);
	if (rate != 0)
		window_spread(window, shape, from, to, rate, 1);
}

extern void sb_window_add(sb_window_t *window, const sb_window_shape_t *shape,
			  int64_t from, int64_t to, double charge)
{
	charge = charge_bound(charge);
	if (charge == 0 || to < from)
		return;
	if (from == to)
		/* A point is a second of its own bucket, wholly charged. */
		window_spread(window, shape, from, from + (from < SB_TIME_MAX),
			      charge, 1);
	else
		window_spread(window, shape, from, to, charge,
			      (double) ((uint64_t) to - (uint64_t) from));
}

/* Start of the window, which may lie before the epoch. */
static int64_t window_edge(const sb_window_shape_t *shape, int64_t now)
{
	now = now < 0 ? 0 : now;
	return (now > SB_TIME_MAX ? SB_TIME_MAX : now) - shape->width;
}

extern double sb_window_sum(const sb_window_t *window,
			    const sb_window_shape_t *shape, int64_t now)
{
	int64_t edge = window_edge(shape, now);
	int64_t tail = window_tail(window, shape);
	int64_t bucket = tail < 0 ? 0 : tail;
	int64_t oldest = edge / shape->grain;
	double sum = 0;

	if (edge >= 0 && oldest >= bucket) {
		if (oldest <= window->head)
			sum = bucket_charge(window, shape, oldest) *
				((oldest + 1) * shape->grain - edge) /
				shape->grain;
		bucket = oldest + 1;
	}
	/* One division for all: this runs for every association at every
	 * recomputation. */
	for (uint32_t i = bucket % shape->buckets; bucket <= window->head;
	     bucket++) {
		sum += window->slot[i];
		i = i + 1 == shape->buckets ? 0 : i + 1;
	}
	return fmin(sum, SB_USAGE_MAX);
}

extern void sb_window_merge(sb_window_t *dst, const sb_window_t *src,
			    const sb_window_shape_t *shape)
{
	int64_t bucket;
	uint32_t cursor = 0;
	double charge;

	window_advance(dst, shape, src->head);
	while (sb_window_next(src, shape, &cursor, &bucket, &charge))
		if (bucket >= window_tail(dst, shape))
			bucket_add(dst, shape, bucket, charge);
}

extern bool sb_window_empty(const sb_window_t *window,
			    const sb_window_shape_t *shape, int64_t now)
{
	int64_t edge = window_edge(shape, now);
	int64_t first = window_tail(window, shape);

	if (edge >= 0 && first < edge / shape->grain)
		first = edge / shape->grain;
	/* Newest first: a window in use is seen to be so at once. */
	for (int64_t b = window->head; b >= first; b--)
		if (bucket_charge(window, shape, b) > 0)
			return false;
	return true;
}

extern sb_window_t *sb_window_reshape(const sb_window_t *window,
				      const sb_window_shape_t *from,
				      const sb_window_shape_t *to,
				      int64_t now)
{
	sb_window_t *other = sb_window_create(to);
	int64_t bucket, edge = now - from->width;
	uint32_t cursor = 0;
	double charge;

	while (other &&
	       sb_window_next(window, from, &cursor, &bucket, &charge)) {
		int64_t begin = bucket * from->grain;
		int64_t end = begin + from->grain;

		if (end <= edge)
			continue;
		if (begin < edge) {
			charge = charge * (double)(end - edge) / from->grain;
			begin = edge;
		}
		if (end > now)
			end = begin > now ? begin : now;
		sb_window_add(other, to, begin, end, charge);
	}
	return other;
}

extern bool sb_window_next(const sb_window_t *window,
			   const sb_window_shape_t *shape, uint32_t *cursor,
			   int64_t *bucket, double *charge)
{
	while (*cursor < shape->buckets) {
		*bucket = window_tail(window, shape) + (*cursor)++;
		*charge = bucket_charge(window, shape, *bucket);
		if (*charge > 0)
			return true;
	}
	return false;
}

extern bool sb_window_restore(sb_window_t *window,
			      const sb_window_shape_t *shape, int64_t bucket,
			      double charge)
{
	int64_t b = window->head + 1;

	if (bucket < 0 || bucket > SB_TIME_MAX / shape->grain ||
	    !(charge > 0 && charge <= SB_USAGE_MAX))
		return false;
	if (bucket < b && (bucket || window->head || window->slot[0] != 0))
		return false;
	if (bucket - b >= shape->buckets)
		b = bucket - shape->buckets + 1;
	for (; b <= bucket; b++)
		if (*bucket_slot(window, shape, b) != 0)
			return false;
	window->head = bucket;
	*bucket_slot(window, shape, bucket) = charge;
	return true;
}

extern bool sb_window_ahead(const sb_window_t *window,
			    const sb_window_shape_t *shape, int64_t now)
{
	return window_tail(window, shape) > 0 &&
		window_tail(window, shape) * shape->grain > now;
}

extern bool sb_window_check(const sb_window_t *window,
			    const sb_window_shape_t *shape)
{
	if (window->head < 0 || window->head > SB_TIME_MAX / shape->grain)
		return false;
	for (uint32_t i = 0; i < shape->buckets; i++) {
		/* A young ring has used only the slots up to its head. */
		if (window->head < (int64_t) i && window->slot[i] != 0)
			return false;
		if (!(window->slot[i] >= 0 && window->slot[i] <= SB_USAGE_MAX))
			return false;
	}
	return true;
}
