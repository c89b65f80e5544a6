/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backfill - sched/backfill: every job of the queue in its order, as many as
 * bf_max_job_test. One that cannot start is planned where it can soonest, as
 * far as time limits tell; those behind it start now if they do not delay any
 * that is planned. A planned job has its nodes to itself, as in Slurm.
 */
#ifndef SB_SIM_BACKFILL_H
#define SB_SIM_BACKFILL_H

#include "sim.h"

/* RET: 0, or -1 without memory. */
extern int backfill_open(sim_t *sim);
extern void backfill_close(sim_t *sim);

/* A pass. RET: 0, or -1: the replay ends (err). */
extern int backfill_pass(sim_t *sim);

#endif
