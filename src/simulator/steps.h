/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps - what a node has free, and from when on, as jobs end in the order of
 * their time limits. Where nodes have CPUs, when a job could begin depends on
 * three things; GPUs alone are kept in rows by agenda.
 */
#ifndef SB_SIM_STEPS_H
#define SB_SIM_STEPS_H

#include "sim.h"

typedef struct steps steps_t;

/* RET: NULL without memory. */
extern steps_t *steps_create(const machine_t *machine);
extern void steps_destroy(steps_t *steps);

/* IN order: `count` jobs of the node by their expected ends. IN dead: it has
 * nothing for anybody. */
extern void steps_lay(steps_t *steps, const sim_t *sim, uint32_t node,
		      const uint32_t *order, uint32_t count, bool dead);

/* RET: from when on each node has what the job needs, SIM_NEVER: it never
 * will; until the next call. O(nodes x jobs of a node). */
extern const int64_t *steps_row(steps_t *steps, const machine_t *machine,
				const need_t *need);

/* OUT host: CPUs and memory that are free then. RET: and GPUs. */
extern uint16_t steps_at(const steps_t *steps, uint32_t node, int64_t instant,
			 host_t *host);

#endif
