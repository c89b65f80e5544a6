/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order - rank and the other factors -> Slurm's 32-bit priority.
 *
 * order=budget: the range of priorities is cut into ranks + 1 equal bands.
 * Band 0 is unallocated work, above it the ranks, best on top. Inside a band
 * the weighted sum of the other factors (age, association, job size,
 * partition, QOS, TRES: Slurm's own numbers) decides, multiplied by one global
 * scale so that no sum leaves its band; nice and site are added unscaled
 * (they are absolute priority points in Slurm) and the result is clamped to
 * the band, so that no user can nice himself into another band.
 *
 *   priority = clamp(base(rank) + scale * factors + site - nice, band)
 *
 * Scale is never above 1 and is one for all jobs: a scale per job would not
 * keep their order.
 *
 * A band from the bottom: one quarter for nice and other negative offsets,
 * base, one half for the factors, one quarter for positive offsets (site,
 * negative nice). A job with few factors can use more than the upper quarter,
 * one with many more than the lower.
 */
#ifndef SB_CORE_ORDER_H
#define SB_CORE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* One recomputation's constants; immutable, copied freely. */
typedef struct {
	uint32_t ranks;		/* distinct ranks, >= 1 */
	uint32_t band;		/* priorities in one band */
	double scale;		/* 0 < scale <= 1 */
} sb_order_t;

/*
 * IN ranks: of sb_tree_compute(); 0 counts as 1, above 2^31 - 1 as that.
 * IN max_factors: the largest weighted sum of the other factors that any job
 * can have (the sum of the weights; under NO_NORMAL_* flags the largest seen).
 * Half of each band is kept for nice and site. NaN or not above 0: scale 1.
 */
extern sb_order_t sb_order_make(uint32_t ranks, double max_factors);

/* The band's lowest and highest priority. IN rank: 1 .. ranks (0, or above
 * ranks: the last); ignored when unallocated. Band 0 starts at 1: priority 0
 * means held. */
extern uint32_t sb_order_low(const sb_order_t *order, uint32_t rank,
			     bool unallocated);
extern uint32_t sb_order_high(const sb_order_t *order, uint32_t rank,
			      bool unallocated);

/* Where a job without factors, nice and site stands. */
extern double sb_order_base(const sb_order_t *order, uint32_t rank,
			    bool unallocated);

/*
 * IN factors: weighted sum, unscaled (not finite or negative counts as 0,
 * above 1e15 as that).
 * IN offset: site - nice, in priority points (beyond +-2^62 as that).
 * OUT clamped (may be NULL): what clamping added to the offset, so that the
 * columns of sprio add up: base + scale * factors + offset + clamped ==
 * priority before truncation.
 * RET: the priority, 1 .. 2^32 - 1.
 */
extern uint32_t sb_order_priority(const sb_order_t *order, uint32_t rank,
				  bool unallocated, double factors,
				  int64_t offset, int64_t *clamped);

/* FairShare of a rank for sshare: 1 for the best, > 0 for the last. */
extern double sb_order_fair_share(const sb_order_t *order, uint32_t rank);

#endif
