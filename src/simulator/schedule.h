/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schedule - slurmctld's main scheduler: jobs in their order, until one cannot
 * start.
 */
#ifndef SB_SIM_SCHEDULE_H
#define SB_SIM_SCHEDULE_H

#include "sim.h"

/* This job, now; if need be others have to leave for it.
 * RET: 1: it has started, 0: not, -1: the replay ends (err). */
extern int schedule_job(sim_t *sim, uint32_t job);

/* The same in a reservation that has begun, if one is for it. */
extern int schedule_inside(sim_t *sim, uint32_t job);

/* A pass. IN full: over all of the queue, not just queue_depth jobs.
 * RET: 0, or -1. */
extern int schedule_main(sim_t *sim, bool full);

#endif
