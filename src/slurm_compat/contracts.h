/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contracts - what slurmctld's job records say of their contract
 * (core/contract.h). No decision is taken here.
 */
#ifndef SB_SLURM_CONTRACTS_H
#define SB_SLURM_CONTRACTS_H

#include "src/core/contract.h"

#include "compat.h"

/* Is a job that has not started unallocated work? Reads the comment only.
 * Locks: job R. */
extern bool contracts_unallocated(const job_record_t *job_ptr,
				  bool free_undeclared);

/* The contract of a job that has started: what preempt/minruntime has locked
 * into its SystemComment for this start, else what the comment says.
 * Locks: job R, part R. RET: true: it is signed. */
extern bool contracts_read(const job_record_t *job_ptr,
			   const sb_params_t *params, sb_contract_t *contract);

/*
 * Sign by what the job's comment says, the cap of its partition (of several:
 * the strictest, while it waits) and its time limit.
 * Locks: job R, part R.
 */
extern void contracts_sign(const job_record_t *job_ptr,
			   const sb_params_t *params, bool funded,
			   int64_t start, uint32_t evictions,
			   sb_contract_t *contract);

/* Seconds that a job has run by `now`, suspended time not counted.
 * Locks: job R. */
extern int64_t contracts_ran(const job_record_t *job_ptr, time_t now);

#endif
