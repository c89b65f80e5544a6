/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes - the text of --nodes -> pools: "80x8", or types and weights,
 * "64x8:h100,16x8:b200@1.5": 64 nodes of 8 GPUs each, ... whose GPU is charged
 * 1.5 times. With ":CPUs=128:RealMemory=2T", as in slurm.conf (memory in MB, or
 * with M, G, T), before the weight: what each of them has of these. Nodes that
 * have CPUs may have no GPU, "16x0:CPUs=64".
 */
#ifndef SB_SIM_NODES_H
#define SB_SIM_NODES_H

#include "engine.h"

#define NODES_POOLS_MAX 64

typedef struct {
	engine_pool_t pools[NODES_POOLS_MAX];
	size_t count;
	uint64_t gpus;		/* of all */
	uint32_t most;		/* GPUs of the largest node */
	uint32_t cpus;		/* CPUs of the node that has most; 0: they are
				 * without bound */
	uint32_t mem_mb;	/* same */
} nodes_t;

/* Types that are new are added to the workload (NULL: types are not kept).
 * RET: 0, or -1 with err. */
extern int nodes_parse(const char *text, workload_t *workload, nodes_t *nodes,
		       sb_err_t *err);

#endif
