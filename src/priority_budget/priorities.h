/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * priorities - a job's priority: Slurm's own factors (stock.h) put into the
 * band of its association's rank (core/order.h), and the columns that sprio
 * shows and adds up.
 */
#ifndef SB_PRIORITIES_H
#define SB_PRIORITIES_H

#include "src/slurm_compat/compat.h"

/* A job's priority at submit, update, release, requeue.
 * Locks: job W, no assoc lock. RET: the priority; job_ptr->priority is not
 * changed. */
extern uint32_t priorities_set(job_record_t *job_ptr, time_t now);

/*
 * Recompute the jobs of these ids, in slices with other threads let in
 * between. IN all: every job; false: only those whose place differs from what
 * they show.
 * Locks: none held (takes job W, node R, part R per slice).
 */
extern void priorities_recompute(const uint32_t *job_ids, size_t count,
				 bool all);

/* Make the rows of jobs in several partitions right, which the stock list
 * computes afresh and unplaced. Locks: job R. */
extern void priorities_fix_list(sb_list_t list);

/* The largest sum of factors: what the weights promise, or with NO_NORMAL_*
 * flags the largest that was seen with these settings.
 * Locks: conf R. One thread. */
extern double priorities_max_factors(void);

#endif
