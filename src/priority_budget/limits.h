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

/* slurmctld has set the run seconds of all running jobs anew: take off what
 * they had used when it last ran. Locks: none held (takes job R, part R, assoc
 * W, qos W, tres R). */
extern void limits_reassign(void);

/* The settings of slurm.conf have changed. Locks: any. */
extern void limits_configure(void);

/* Reset and decay what is due at `now`. Locks: none held (takes assoc W,
 * qos W). */
extern void limits_decay(time_t now);

/* Charge a running job for the time since the last pass.
 * Locks: job R, part R, assoc W, qos W, tres R. */
extern void limits_charge(job_record_t *job_ptr, time_t now);

/* All running jobs are charged up to `now`. Locks: job R. */
extern void limits_advance(time_t now);

/* A job ends: charge the rest, give its run seconds back. Once per attempt.
 * Locks: job W, no assoc lock. */
extern void limits_end(job_record_t *job_ptr, time_t now);

/* Write priority_last_decay_ran. Locks: none held. */
extern void limits_save(void);

#endif
