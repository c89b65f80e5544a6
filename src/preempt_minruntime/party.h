/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * party - slurmctld's job record -> a job in the eyes of the policy.
 */
#ifndef SB_PARTY_H
#define SB_PARTY_H

#include "src/board/board.h"
#include "src/core/policy.h"
#include "src/slurm_compat/compat.h"

#include "pacts.h"
#include "roll.h"

/* Only its association: where it stands and whether it is funded. IN board: may
 * be NULL. Locks: job R. */
extern void party_place(const sb_board_t *board, const job_record_t *job_ptr,
			sb_party_t *party);

/* A running job as far as may be preempted depends on it: without its size and
 * the time that it ran.
 * IN pact: signed for this attempt. IN board: may be NULL.
 * Locks: job R, part R. */
extern void party_victim(const sb_board_t *board, const job_record_t *job_ptr,
			 const pact_t *pact, time_t now, sb_party_t *party);

/* As far as sb_policy_spared() depends on it. IN row: of this run.
 * Locks: job R, part R. */
extern void party_rolled(const job_record_t *job_ptr, const roll_row_t *row,
			 time_t now, sb_party_t *party);

/* Of either, what sb_policy_victim_prio() wants as well. Locks: job R. */
extern void party_measure(const job_record_t *job_ptr, time_t now,
			  sb_party_t *party);

/* A waiting job. IN pact: may be NULL. Reads the comment.
 * Locks: job R, part R. */
extern void party_waiting(const sb_board_t *board, const job_record_t *job_ptr,
			  const pact_t *pact, sb_party_t *party);

#endif
