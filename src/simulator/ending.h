/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ending - how attempts end.
 * RET of all: 0, or -1: the replay ends (err).
 */
#ifndef SB_SIM_ENDING_H
#define SB_SIM_ENDING_H

#include "sim.h"

/* A running job's attempt ends now. */
extern int ending_now(sim_t *sim, uint32_t job, engine_end_t outcome);

/* It has to go, for another job (by) or because its node drains: at once, or
 * after its grace time. */
extern int ending_evict(sim_t *sim, uint32_t job, engine_end_t outcome,
			uint32_t by);

/* Its nodes are no longer COMPLETING. */
extern int ending_clear(sim_t *sim, uint32_t job);

/* At the end of the replay: tell of those that run or wait. */
extern int ending_open(sim_t *sim);

#endif
