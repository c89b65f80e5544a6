/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard - is slurmctld's memory laid out as in the headers we were built from?
 *
 * Slurm compares version numbers only. The same release built from other
 * sources has been seen to shift job_record_t by eight bytes and to load
 * silently. So the sizes that slurmctld really allocated are compared with
 * ours, then magics and cross references, before anything is touched.
 */
#ifndef SB_SLURM_GUARD_H
#define SB_SLURM_GUARD_H

#include "compat.h"

/* At start: configuration, associations, partitions.
 * Locks: none held (it takes assoc R), or those of init().
 * RET: SLURM_SUCCESS, or SLURM_ERROR after an error() that says what to do. */
extern int guard_check_host(void);

/*
 * A job, before the first field of any job is used. The answer is remembered:
 * one comparison per call afterwards.
 * Locks: job R. RET: false when the layout is not ours (logged once).
 */
extern bool guard_check_job(job_record_t *job_ptr);

/*
 * The same for what users send: before a field of it is used. slurmctld has
 * unpacked it into memory of its own.
 * Locks: none.
 */
extern bool guard_check_desc(job_desc_msg_t *job_desc);

/* For a new init() in the same process. */
extern void guard_reset(void);

#endif
