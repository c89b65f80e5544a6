/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preempt - makes room for a job as select/cons_tres does: candidates go, in
 * order of victims, until the job fits; those that then turn out to overlap
 * most with its nodes are tried first, twice; who is not in the way stays.
 */
#ifndef SB_SIM_PREEMPT_H
#define SB_SIM_PREEMPT_H

#include "sim.h"

/* slurmctld kills nobody else for a job for KillWait + MessageTimeout after it
 * has, seconds. */
#define PREEMPT_PAUSE 40

/*
 * IN open, hosts: what of each node may be used without preemption, as for
 * machine_place(); the job does not fit there. IN usable: nodes that may be
 * used at all.
 * RET: 1: others leave for it (machine.chosen are the nodes), 0: nobody may,
 * or not enough; -1: the replay ends (err).
 */
extern int preempt_for(sim_t *sim, uint32_t job, const uint16_t *open,
		       const host_t *hosts, const bool *usable);

/* RET: whether there is anybody whom it may preempt; cheap. */
extern bool preempt_possible(sim_t *sim, uint32_t job);

/* Scratch. RET: 0, or -1 without memory. */
extern int preempt_open(sim_t *sim);
extern void preempt_close(sim_t *sim);

#endif
