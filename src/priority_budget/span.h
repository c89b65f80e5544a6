/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * span - a part of a job's run, as the usage that limits see has it (limits.h).
 */
#ifndef SB_SPAN_H
#define SB_SPAN_H

#include "src/slurm_compat/compat.h"

/* What one span of one job adds. */
typedef struct {
	double wall;			/* seconds x UsageFactor, decayed */
	double wall_plain;		/* the same, not decayed (NoDecay) */
	double billing;			/* billing TRES */
	uint64_t run_secs;		/* per TRES */
	bool less;			/* there are so many less now */
	bool anew;			/* for the recount, and run_secs only */
	const uint64_t *tres;		/* tres_alloc_cnt */
} span_t;

/* Limits are enforced: TRES and run seconds are counted at all. */
extern bool span_counts(void);

/* Add it to the job's QOS, its partition's if another, and its associations up
 * to root; anew: to the recount under way (recount.h). Locks: job R, part R,
 * assoc W, qos W, tres R. */
extern void span_add(const job_record_t *job_ptr, const span_t *span);

#endif
