/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch - what the thread of preempt/minruntime does: the clock of the
 * best-ranked blocked job, and requeues from nodes that drain.
 */
#ifndef SB_SIM_WATCH_H
#define SB_SIM_WATCH_H

#include "sim.h"

/* Since the last call nothing has changed but the time. */
extern void watch_clock(sim_t *sim);

/* RET: when gang_wait is over if nothing changes, or never. */
extern int64_t watch_due(const sim_t *sim);

/* Jobs past their minimum leave this node, if it drains. RET: 0, or -1: the
 * replay ends (err). */
extern int watch_drain(sim_t *sim, uint32_t node);
/* The same of all nodes of a job whose protection has ended. */
extern int watch_unprotected(sim_t *sim, uint32_t job);

#endif
