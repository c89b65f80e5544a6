/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shape.h"

/* Of the nodes that a job may use: the most that one has, and the least that
 * goes with a GPU or a CPU of any. */
typedef struct {
	uint32_t gpus, cpus, mem;
	uint32_t gpu_cpus, gpu_mem, cpu_mem;
} scale_t;

static uint32_t most(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint64_t parts(uint64_t all, uint64_t size)
{
	return all / size + (all % size != 0);
}

static void scale_of(const sim_t *sim, int16_t type, scale_t *scale)
{
	*scale = (scale_t) {
		.gpu_cpus = UINT32_MAX, .gpu_mem = UINT32_MAX,
		.cpu_mem = UINT32_MAX,
	};
	for (size_t i = 0; i < sim->options->pool_count; i++) {
		const engine_pool_t *pool = &sim->options->pools[i];

		if (type >= 0 && type != pool->type)
			continue;
		scale->gpus = most(scale->gpus, pool->gpus);
		scale->cpus = most(scale->cpus, pool->cpus);
		scale->mem = most(scale->mem, pool->mem_mb);
		if (pool->cpus)
			scale->cpu_mem = least(scale->cpu_mem, pool->mem_mb /
					       pool->cpus);
		if (!pool->gpus)
			continue;
		scale->gpu_cpus = least(scale->gpu_cpus, pool->cpus /
					pool->gpus);
		scale->gpu_mem = least(scale->gpu_mem, pool->mem_mb /
				       pool->gpus);
	}
}

/* Nodes that its CPUs and memory need, at least. */
static uint64_t host_nodes(const workload_job_t *asked, const scale_t *scale)
{
	uint64_t nodes = 1;

	if (scale->cpus)
		nodes = parts(asked->cpus, scale->cpus);
	if (scale->mem && parts(asked->mem_mb, scale->mem) > nodes)
		nodes = parts(asked->mem_mb, scale->mem);
	return nodes;
}

static void shape_gpus(const workload_job_t *asked, const scale_t *scale,
		       need_t *need)
{
	uint32_t nodes = asked->nodes, gpus = asked->gpus;
	uint64_t enough = parts(gpus, scale->gpus);

	/* What does not fit on one node has whole ones. */
	if (!nodes && enough > 1)
		need->gpus = (uint16_t) scale->gpus;
	if (!nodes && host_nodes(asked, scale) > enough) {
		enough = host_nodes(asked, scale);
		need->gpus = 0;
	}
	if (nodes > gpus)
		nodes = gpus;
	if (nodes < enough)
		nodes = enough < gpus ? (uint32_t) enough : gpus;
	need->nodes = nodes;
	if (!need->gpus)
		need->gpus = (uint16_t) parts(gpus, nodes);
}

static void shape_cpus(const workload_job_t *asked, const scale_t *scale,
		       need_t *need)
{
	uint64_t nodes = asked->nodes;

	if (!nodes)
		nodes = host_nodes(asked, scale);
	if (nodes > most(asked->cpus, 1))
		nodes = most(asked->cpus, 1);
	need->nodes = most((uint32_t) nodes, 1);
}

/* RET: false: more than any node has. */
static bool shape_host(const sim_t *sim, const workload_job_t *asked,
		       const scale_t *scale, need_t *need)
{
	uint64_t cpus = parts(asked->cpus, need->nodes);
	uint64_t mem = parts(asked->mem_mb, need->nodes);

	if (!cpus)
		cpus = need->gpus * (uint64_t) scale->gpu_cpus;
	if (!cpus)
		cpus = 1;
	if (!mem)
		mem = need->gpus ? need->gpus * (uint64_t) scale->gpu_mem :
			cpus * scale->cpu_mem;
	if (!sim->machine.counts_mem)
		mem = 0;
	if (cpus > scale->cpus || mem > scale->mem)
		return false;
	need->host = (host_t) {
		.cpus = (uint32_t) cpus, .mem = (uint32_t) mem,
	};
	return true;
}

extern bool shape_need(const sim_t *sim, uint32_t number, need_t *need)
{
	const workload_job_t *asked = sim_asked(sim, number);
	bool hosted = sim->machine.host_size != NULL;
	scale_t scale;

	*need = (need_t) { .type = asked->type };
	if (asked->type >= 0 &&
	    (size_t) asked->type >= sim->workload->type_count)
		return false;
	if (!asked->gpus && !hosted)
		return true;
	/* A type is one of GPUs. */
	if (!asked->gpus)
		need->type = -1;
	scale_of(sim, need->type, &scale);
	if (asked->gpus && !scale.gpus)
		return false;
	if (asked->gpus)
		shape_gpus(asked, &scale, need);
	else
		shape_cpus(asked, &scale, need);
	if (hosted && !shape_host(sim, asked, &scale, need))
		return false;
	return machine_could(&sim->machine, need);
}
