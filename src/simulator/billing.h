/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * billing - what a job is charged per second.
 *
 * As slurmctld has it (assoc_mgr_tres_weighted()): each of the job's TRES, in
 * all, times its weight; the sum of these, or with PriorityFlags=MAX_TRES the
 * largest. A name like "of a node" notwithstanding, nothing is done node by
 * node. TRES billing is a whole number, and what is behind its point is cut
 * off: a small job is free where weights are small.
 */
#ifndef SB_SIM_BILLING_H
#define SB_SIM_BILLING_H

#include "sim.h"

/* Of a job on machine nodes `nodes`, need->nodes of them. */
extern double billing_rate(const sim_t *sim, const need_t *need,
			   const uint32_t *nodes);

/* Of the whole cluster: the sum of its nodes, each charged like a job that has
 * all of it. This is what burst compares with. */
extern double billing_capacity(const sim_t *sim);

/* RET: the largest part that it is of the cluster's GPUs, CPUs or memory. */
extern double billing_dominant(const sim_t *sim, const need_t *need);

/*
 * One weight, as TRESBillingWeights has it: "CPU", "Mem", "Node", "GRES/gpu"
 * and a number, with K, M, G, T or P behind it for memory.
 * RET: 0, or -1 with err.
 */
extern int billing_weight(engine_weights_t *weights, const char *name,
			  size_t name_len, const char *value,
			  size_t value_len, sb_err_t *err);

/* RET: there is such a weight. */
extern bool billing_knows(const char *name, size_t len);

#endif
