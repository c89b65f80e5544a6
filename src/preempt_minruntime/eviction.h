/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eviction - why: one line in the log and a note in the victim's
 * SystemComment, when slurmctld really preempts.
 */
#ifndef SB_EVICTION_H
#define SB_EVICTION_H

#include "src/slurm_compat/compat.h"

/* The scheduler asks for this waiting job now: if somebody is preempted next,
 * then for it. Locks: job W. */
extern void eviction_asked_for(const job_record_t *preemptor);

/* This job is being preempted. Locks: job W, part R, no assoc lock. */
extern void eviction_note(job_record_t *victim, time_t now);

/* Shadow mode: say what would have happened, once per victim and attempt.
 * Locks: job W, part R, no assoc lock. */
extern void eviction_shadow(job_record_t *victim, job_record_t *preemptor,
			    time_t now);

#endif
