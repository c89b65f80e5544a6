/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shape - what a job asks for in all -> what it needs of each node.
 */
#ifndef SB_SIM_SHAPE_H
#define SB_SIM_SHAPE_H

#include "sim.h"

/*
 * A job of up to a node's GPUs is on one node, a larger one has whole nodes
 * (unless its number of nodes is known). Where nodes have CPUs a job has as
 * many of them, and as much memory, as it asks for; who does not say has his
 * GPUs' part of a node, as DefCpuPerGPU and DefMemPerGPU give it, or without
 * GPUs one CPU and his CPUs' part of the memory. What is not divisible by the
 * nodes is rounded up.
 * OUT need: nodes is 0 when it takes no place.
 * RET: false when the cluster is too small.
 */
extern bool shape_need(const sim_t *sim, uint32_t job, need_t *need);

#endif
