/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard - is slurmctld's memory laid out as in the headers we were built from?
 *
 * Slurm compares version numbers only. The same release built from other
 * sources has been seen to shift job_record_t by eight bytes and to load
 * silently. So the sizes that slurmctld really allocated are compared with
 * ours, then magics and cross references, before anything is touched. A size
 * never lies; a cross reference of a single job may be stale for a moment, so
 * it takes several to condemn the layout.
 */
#ifndef SB_SLURM_GUARD_H
#define SB_SLURM_GUARD_H

#include "compat.h"

/*
 * Configuration, associations, QOS, partitions, nodes. For init(); the checks
 * below begin with it where init() has not.
 * Locks: conf R, no assoc lock (it takes assoc R, qos R); in init() none.
 * RET: false after an error() that says what to do.
 */
extern bool guard_check_host(void);

/*
 * A job, before a field of it is used. What jobs have proven is remembered:
 * soon a call is one comparison.
 * Locks: conf R, job R, no assoc lock (it takes assoc R, qos R).
 * RET: false: do not touch it. Either the layout is not ours (logged once, and
 * then guard_refused()), or this one job is in a state that tells nothing.
 */
extern bool guard_check_job(job_record_t *job_ptr);

/*
 * A job whose pointers to associations and QOS are stale (renew.h), as far as
 * that goes without them. Nothing is remembered or logged.
 * Locks: job R, part R. RET: false: do not touch it.
 */
extern bool guard_check_stale(job_record_t *job_ptr);

/*
 * Any of slurmctld's jobs: one speaks for the layout of all.
 * Locks: as above. RET: true: they may be touched, or there is none. False:
 * ask guard_refused(); when it is not, again a moment later: the answer is
 * there after a bounded number of calls.
 */
extern bool guard_check_jobs(void);

/* RET: a job was good. Takes no lock: for callers who may hold one of
 * assoc_mgr's, and to whom "nobody knows yet" is as good as no. */
extern bool guard_passed(void);

/* RET: the layout is not ours, for good. */
extern bool guard_refused(void);

/*
 * The same for what users send: before a field of it is used. slurmctld has
 * unpacked it into memory of its own.
 * Locks: conf R, no assoc lock.
 */
extern bool guard_check_desc(job_desc_msg_t *job_desc);

/* For a new init() in the same process. */
extern void guard_reset(void);

#endif
