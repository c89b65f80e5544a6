/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes - the order of the queue ahead of the priority: allocated work of
 * those who have a budget, then of those who have none, then unallocated work.
 *
 * slurmctld sorts all jobs that wait at every look at them, and asks for each
 * pair: so what a job is, is read once and kept until the next look. From then
 * on its comment is only read again to see that it is the same.
 */
#ifndef SB_CLASSES_H
#define SB_CLASSES_H

#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/preempt_compat.h"

/* RET: a goes before b. Locks: job W, part R. */
extern bool classes_before(const job_queue_rec_t *a, const job_queue_rec_t *b);

/* Comments may have been edited. Locks: job W. */
extern void classes_renew(void);
/* Settings were: what was kept is worth nothing. Locks: job W. */
extern void classes_forget(void);
extern void classes_free(void);

#endif
