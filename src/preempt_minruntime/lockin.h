/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lockin - signing contracts: at start, into the job's SystemComment, where
 * users can read it and not write.
 *
 * slurmctld tells no plugin that a job starts: so whoever meets a started job
 * first signs for it, any number of times with the same result.
 */
#ifndef SB_LOCKIN_H
#define SB_LOCKIN_H

#include "src/slurm_compat/compat.h"

#include "pacts.h"

/* Does this started job need lockin_sign()? Locks: job R. */
extern bool lockin_due(const job_record_t *job_ptr, const pact_t *pact);

/*
 * The same without reading the comment as long as it stands where it stood. An
 * edit that came to the same place is seen by the next look, a second later;
 * it could only lower the grant. Locks: job R.
 */
extern bool lockin_seems_due(const job_record_t *job_ptr, const pact_t *pact);

/*
 * Sign for a started job, or lower its grant to what its comment says now.
 * Locks: job W, part R, no assoc lock. RET: its entry, NULL without memory.
 */
extern pact_t *lockin_sign(job_record_t *job_ptr);

/* Write the entry's contract into SystemComment. Locks: job W. */
extern void lockin_write(job_record_t *job_ptr, const pact_t *pact);

#endif
