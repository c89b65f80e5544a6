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
 * that is due, then charged for the time since the last pass.
 *
 * Run seconds: slurmctld adds a job's whole time limit when it begins, and
 * adjusts or repeats that after edits, resizes and restarts. A pass takes off
 * what the job has run since the one before; when anything is found edited
 * that they depend on, and once an hour, a recount has to follow.
 *
 * Between two jobs all locks may be given up: what others see and end then is
 * right (counts.h).
 *
 * begin goes through all associations: not under slurmctld's locks. Locks: none
 * held (takes assoc W, qos W).
 * The others: `now` is the same in all of a pass, not before begin's.
 * Locks: job R, part R, assoc W, qos W, tres R. advance RET: recount.
 */
extern void limits_begin(time_t now);
extern void limits_charge(const job_record_t *job_ptr, time_t now);
extern bool limits_advance(time_t now);

/*
 * A recount after a pass: walks through all jobs, of which each begins with
 * begin and ends with end, until end RET: true. All locks may be given up
 * between two jobs. A job that begins behind the place where the walk stands is
 * in slurmctld's sums and not in the new ones: another walk finds it. A job
 * that is edited when it has been counted is wrong in the new sums: they are
 * counted from the start. A walk that begins with new sums and lets no job in
 * is the last, but for an edit of the tree meanwhile. Locks: as above, from a
 * walk's last job to its end without a break.
 */
extern void limits_recount_begin(void);
extern void limits_recount_job(const job_record_t *job_ptr);
extern bool limits_recount_end(void);
/* Give it up: the next pass asks for another. Locks: no assoc lock (takes assoc
 * W). */
extern void limits_recount_drop(void);

/* Count run seconds anew at the next pass: slurmctld has done so, as if all
 * jobs had just begun. Locks: no assoc lock (takes assoc W). */
extern void limits_recount(void);

/* A job ends: charge the rest, give its run seconds back. Slurm says so at a
 * resize too, and where it has only tried whether a job may begin. Locks: job
 * W, no assoc lock. */
extern void limits_end(job_record_t *job_ptr, time_t now);

/* Forget all jobs. Locks: none held, no other call runs. */
extern void limits_stop(void);

/* Write priority_last_decay_ran. Locks: none held. */
extern void limits_save(void);

#endif
