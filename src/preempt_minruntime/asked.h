/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asked - the waiting job that the scheduler asks for. It asks about every
 * running job in turn: so the party is made once, and what the policy says of
 * an association is kept.
 *
 * Under slurmctld's job lock, W.
 */
#ifndef SB_ASKED_H
#define SB_ASKED_H

#include "src/board/board.h"
#include "src/core/policy.h"
#include "src/slurm_compat/compat.h"

/* RET: this job's party; until the next call.
 * Locks: job W, part R. */
extern const sb_party_t *asked_party(const sb_board_t *board,
				     const job_record_t *job_ptr);

/* RET: sb_policy_outlook() of this job with the association at `node` of the
 * board of this serial number.
 * Locks: job W, part R. */
extern sb_outlook_t asked_outlook(uint64_t serial, int32_t node,
				  bool unallocated,
				  const job_record_t *job_ptr);

/* Comments, settings, waiting times may be others from now on.
 * Locks: job W. */
extern void asked_forget(void);
extern void asked_free(void);

#endif
