/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes - the order of the queue ahead of the priority: allocated work of
 * those who have a budget, then of those who have none, then unallocated work.
 *
 * slurmctld sorts all jobs that wait under its job lock, and asks for each
 * pair: so what a job is, is read when the watcher looks at it, and kept until
 * it does so again. A job that no look has seen is read when it is asked about.
 */
#ifndef SB_CLASSES_H
#define SB_CLASSES_H

#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/preempt_compat.h"

/* RET: a goes before b. Locks: job W, part R. */
extern bool classes_before(const job_queue_rec_t *a, const job_queue_rec_t *b);

/* A look at all jobs: begin, note each that waits, end. Locks: job R, part R;
 * no two looks at a time. */
extern void classes_begin(void);
extern void classes_note(const job_record_t *job_ptr);
extern void classes_end(void);

/* Settings were edited: what was kept is worth nothing. Locks: job W. */
extern void classes_forget(void);
extern void classes_free(void);

#endif
