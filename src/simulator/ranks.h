/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranks - when the policy places lanes: at the plugin's tick behind a change,
 * and once in PriorityCalcPeriod. While nobody waits nobody asks for them.
 */
#ifndef SB_SIM_RANKS_H
#define SB_SIM_RANKS_H

#include "sim.h"

/* Place lanes as of this instant. RET: 0, or -1: the replay ends (err). */
extern int ranks_make(sim_t *sim, int64_t instant);

/* Ranks as they are when this second begins. RET: as above. */
extern int ranks_catch_up(sim_t *sim);

/* RET: when they are next due, if nothing changes. */
extern int64_t ranks_due(const sim_t *sim);

#endif
