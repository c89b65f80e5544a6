/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs - one look at slurmctld's job list: who holds or held an allocation,
 * and who waits.
 *
 * slurmctld tells a priority plugin about ends of jobs only when limits are
 * enforced, and never about starts, resizes or requeues: so we look.
 */
#ifndef SB_JOBS_H
#define SB_JOBS_H

#include "src/core/ledger.h"
#include "src/slurm_compat/compat.h"

typedef struct {
	time_t now;		/* of the look, read under the job lock */
	sb_attempt_t *attempts;
	size_t attempt_count;
	size_t attempt_size;
	uint32_t *ids;		/* jobs that have a priority */
	size_t id_count;
	size_t id_size;
	uint32_t *requeued;	/* jobs that were requeued since the look before
				 * this one: it may have missed a short run */
	size_t requeued_count;
	size_t requeued_size;
	bool incomplete;	/* no memory: attempts are missing */
	bool broken;		/* the layout guard refused */
} look_t;

/* May jobs be touched at all? Locks: none held (takes conf R, job R, part R,
 * assoc R, qos R). RET: false: the layout guard has refused. */
extern bool jobs_check(void);

/*
 * A look gives its locks up again and again. What happens to a job meanwhile
 * is in it when the job came later, and in the next look in any case: it is
 * newer than `now`.
 *
 * Fill `look` (its buffers are used again; zeroed at first).
 * IN with_limits: also charge running jobs to the usage that limits see
 * (limits.h), in the same walk.
 * Locks: none held (takes conf R, job R, part R, ours, assoc R, qos R;
 * with_limits assoc W and qos W).
 */
extern void jobs_look(look_t *look, bool with_limits);
extern void jobs_free(look_t *look);

/* slurmctld tells of every end (jobs_close()): limits are enforced. */
extern bool jobs_ends_are_told(void);

/* slurmctld says that this job ends (or is resized). Locks: job W, no assoc
 * lock. */
extern void jobs_close(job_record_t *job_ptr, time_t now);

#endif
