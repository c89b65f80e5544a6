/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules - the question of the scheduler put to the policy: may this waiting
 * job take that running one's place? preempt_by=budget is core/policy.h; qos
 * and partition are Slurm's own rules of those names plus protection.
 */
#ifndef SB_RULES_H
#define SB_RULES_H

#include "src/core/policy.h"
#include "src/slurm_compat/compat.h"

/*
 * IN now: epoch seconds.
 * OUT grounds: may be NULL. RET: the verdict; under preempt_by=qos and
 * partition SB_MAY_RULE or SB_NOT_RULE when that rule decided.
 * Locks: job W (it may sign for the preemptee), part R, no assoc lock.
 */
extern sb_verdict_t rules_verdict(job_record_t *preemptee,
				  job_record_t *preemptor, time_t now,
				  sb_grounds_t *grounds);

/*
 * RET: no, whatever else is true of the two: what the roll has is enough. False
 * says nothing. For any job of slurmctld's list; next to nothing of it is read.
 * Who was started in the second of an earlier run, at its place in memory, gets
 * the earlier one's answer until the next look.
 * Locks: as above.
 */
extern bool rules_refuse(const job_record_t *preemptee,
			 const job_record_t *preemptor);

/* Only whether: most answers are no, and are known at once.
 * Locks: as above. */
extern bool rules_allow(job_record_t *preemptee, job_record_t *preemptor);

/* The same for a look under the job read lock: false for jobs not signed. */
extern bool rules_would_allow(const job_record_t *preemptee,
			      job_record_t *preemptor, time_t now);

/* Order of victims, smaller first. Locks: job W, part R. */
extern uint32_t rules_victim_prio(job_record_t *job_ptr, time_t now);

/* How a victim is stopped, and how long it is warned. Called from threads that
 * pack answers: no lock taken, nothing written. IN job_ptr: NULL: what the
 * cluster's setting says. Locks: job R. */
extern uint16_t rules_mode(const job_record_t *job_ptr);
extern uint32_t rules_grace_time(const job_record_t *job_ptr);

#endif
