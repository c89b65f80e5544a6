/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shadow - preempt=shadow: who would be preempted for the best-ranked blocked
 * job. An estimate: victims in their order until their size is the job's,
 * without the scheduler's placement.
 */
#ifndef SB_SHADOW_H
#define SB_SHADOW_H

#include "src/slurm_compat/compat.h"

/* Locks: job W, part R, no assoc lock. */
extern void shadow_tell(job_record_t *preemptor, time_t now);

#endif
