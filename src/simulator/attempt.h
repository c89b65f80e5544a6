/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attempt - how attempts begin: a job is submitted, waits, starts.
 */
#ifndef SB_SIM_ATTEMPT_H
#define SB_SIM_ATTEMPT_H

#include "sim.h"

/* The next job of the workload is submitted: into the queue, or refused.
 * RET: 0, or -1: the replay ends (err). */
extern int attempt_submit(sim_t *sim, uint32_t job);

/* It starts on machine.chosen, and leaves the queue. RET: as above. */
extern int attempt_start(sim_t *sim, uint32_t job);

/* A begin time has come; a protection has ended. */
extern int attempt_eligible(sim_t *sim, uint32_t job);
extern int attempt_unprotect(sim_t *sim, uint32_t job);

/* The contract it would sign, or signs, at `start`. */
extern void attempt_contract(const sim_t *sim, uint32_t job, bool funded,
			     int64_t start, sb_contract_t *contract);

/* RET: -1 where the workload knows no limit, else seconds. */
extern int64_t attempt_limit(const sim_t *sim, uint32_t job);

#endif
