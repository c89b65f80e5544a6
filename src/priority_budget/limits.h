/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits - the usage that GrpTRESMins, GrpTRESRunMins, GrpWall and the QOS
 * limits look at: usage_tres_raw, grp_used_wall and grp_used_tres_run_secs of
 * associations, those and usage_raw of QOS.
 *
 * These keep Slurm's rule, whatever fair share does: they follow
 * PriorityDecayHalfLife, PriorityUsageResetPeriod, UsageFactor and NoDecay as
 * with priority/multifactor (https://slurm.schedmd.com/resource_limits.html),
 * at every PriorityCalcPeriod and at the end of each job. The stock thread that
 * did it must not run beside ours. StateSaveLocation/priority_last_decay_ran is
 * read and written in the stock format, so that a site can switch both ways.
 *
 * usage_raw of associations is not touched here: it is fair share's.
 */
#ifndef SB_LIMITS_H
#define SB_LIMITS_H

#include "src/slurm_compat/compat.h"

/* Read priority_last_decay_ran. Locks: those of init(). */
extern void limits_start(void);

/*
 * A pass: begin, charge every job, advance. Usage is reset and decayed when
 * that is due, then charged for the time since the last pass. Run seconds are
 * counted anew each time, from the jobs that run: slurmctld adds a job's whole
 * time limit when it begins, and that again after restarts, resizes and edits.
 * Locks: job R, part R, assoc W, qos W, tres R, from begin to advance.
 */
extern void limits_begin(time_t now);
extern void limits_charge(const job_record_t *job_ptr, time_t now);
extern void limits_advance(time_t now);

/* Count run seconds anew now: slurmctld has done so, as if all jobs had just
 * begun. Locks: none held (takes those of a pass). */
extern void limits_recount(void);

/* A job ends: charge the rest, give its run seconds back. Once per attempt.
 * Locks: job W, no assoc lock. */
extern void limits_end(job_record_t *job_ptr, time_t now);

/* Write priority_last_decay_ran. Locks: none held. */
extern void limits_save(void);

#endif
