/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window - a true sliding window over a charge rate.
 *
 * U(now) = integral of the rate over [now - width, now]. Kept as a ring of
 * buckets on absolute time (bucket k covers [k * grain, (k + 1) * grain)), so
 * that the oldest bucket, the only approximation, expires linearly: the error
 * is at most that bucket's content and 0 whenever now - width falls on a bucket
 * edge or the rate was constant inside it. No decay, no calendar.
 *
 * Charge is in TRES-seconds, times in seconds since the epoch (>= 0).
 * Intervals are half open: [from, to).
 */
#ifndef SB_CORE_WINDOW_H
#define SB_CORE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "limits.h"

/* Latest instant that is told apart from those behind it: far from any real
 * clock, and near enough to 0 that sums of times cannot overflow. */
#define SB_TIME_MAX (INT64_MAX / 4)

/* What all windows of one cluster share. */
typedef struct {
	int64_t width;		/* seconds */
	int64_t grain;		/* seconds per bucket */
	uint32_t buckets;	/* slots in a ring: covers width + grain */
} sb_window_shape_t;

/* grain = ceil(width / SB_WINDOW_BUCKETS); width must be in
 * SB_WINDOW_MIN .. SB_WINDOW_MAX. */
extern sb_window_shape_t sb_window_shape(int64_t width);

typedef struct sb_window sb_window_t;

/* RET: an empty window, or NULL without memory. */
extern sb_window_t *sb_window_create(const sb_window_shape_t *shape);
extern void sb_window_destroy(sb_window_t *window);
/* RET: one with the same content, or NULL without memory. */
extern sb_window_t *sb_window_copy(const sb_window_t *window,
				   const sb_window_shape_t *shape);
/* Memory that one window takes, bytes. */
extern size_t sb_window_bytes(const sb_window_shape_t *shape);

/*
 * Charge `rate` for every second of [from, to): whole seconds per bucket times
 * rate, so that sums of whole rates are exact and a negative rate takes back
 * exactly what the same rate has added. Otherwise as sb_window_add().
 */
extern void sb_window_add_rate(sb_window_t *window,
			       const sb_window_shape_t *shape, int64_t from,
			       int64_t to, double rate);

/*
 * For history that is known as a total: spread `charge` evenly over [from, to).
 * What lies before the ring's reach is dropped, what lies behind its newest
 * bucket moves the ring on. from == to puts all of it into from's bucket. A
 * negative charge takes back what was added before over the same interval and
 * moves nothing on; a bucket never goes below 0 or above SB_USAGE_MAX. Charges
 * that are not finite, and to < from, are ignored.
 */
extern void sb_window_add(sb_window_t *window, const sb_window_shape_t *shape,
			  int64_t from, int64_t to, double charge);

/* U(now), 0 .. SB_USAGE_MAX. Buckets behind `now` (the clock went
 * back) count. Changes nothing. */
extern double sb_window_sum(const sb_window_t *window,
			    const sb_window_shape_t *shape, int64_t now);

/* dst += src, both of this shape. */
extern void sb_window_merge(sb_window_t *dst, const sb_window_t *src,
			    const sb_window_shape_t *shape);

/* All 0. */
extern void sb_window_clear(sb_window_t *window,
			    const sb_window_shape_t *shape);

/* RET: true when no bucket that is still inside at `now` holds anything: the
 * window may be destroyed. */
extern bool sb_window_empty(const sb_window_t *window,
			    const sb_window_shape_t *shape, int64_t now);

/* RET: true when all of the ring lies behind `now`: a clock that had run far
 * ahead was set back, and nothing could be charged until time has caught up. */
extern bool sb_window_ahead(const sb_window_t *window,
			    const sb_window_shape_t *shape, int64_t now);

/*
 * A new window of another shape with the same history, as far as both reach;
 * NULL without memory. Sums are kept; what the old shape no longer counts at
 * `now` is dropped, though its ring may still hold some of it.
 * IN now: no charge is later than this. Without it a wide bucket that has just
 * begun would be spread into the future, and a narrow ring would move there
 * and drop all that is charged until time has caught up.
 */
extern sb_window_t *sb_window_reshape(const sb_window_t *window,
				      const sb_window_shape_t *from,
				      const sb_window_shape_t *to,
				      int64_t now);

/*
 * Walk, for the state file: oldest first, buckets that hold nothing are
 * skipped. RET of sb_window_next(): true and the bucket's number and content,
 * false at the end. *cursor starts as 0.
 */
extern bool sb_window_next(const sb_window_t *window,
			   const sb_window_shape_t *shape, uint32_t *cursor,
			   int64_t *bucket, double *charge);

/* The other way: put back what the walk gave, in its order, into an empty
 * window. RET: false, nothing changed, when number or content is out of range,
 * or the bucket does not lie behind all others and within the ring. */
extern bool sb_window_restore(sb_window_t *window,
			      const sb_window_shape_t *shape, int64_t bucket,
			      double charge);

/* RET: true when the invariants hold (finite, >= 0, no stale slot). */
extern bool sb_window_check(const sb_window_t *window,
			    const sb_window_shape_t *shape);

#endif
