/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

static void node_refresh(machine_t *machine, uint32_t node)
{
	uint16_t open;

	machine->usable[node] = !machine->drained[node] &&
		!machine->failed[node] && !machine->completing[node];
	open = machine->usable[node] ? machine->free[node] : 0;
	machine->with_open[machine->open[node]]--;
	machine->with_open[open]++;
	machine->open[node] = open;
	if (machine->host_open)
		machine->host_open[node] = machine->usable[node] ?
			machine->host_free[node] : (host_t) { 0 };
}

/* Add and take off at once: sums of what is taken are of all nodes. */
static void host_take(machine_t *machine, uint32_t node, const need_t *need)
{
	host_t *free = &machine->host_free[node];

	assert(machine_hosts(free, need));
	free->cpus -= need->host.cpus;
	free->mem -= need->host.mem;
	machine->cpus_taken += need->host.cpus;
	machine->mem_taken += need->host.mem;
}

static void host_give(machine_t *machine, uint32_t node, const need_t *need)
{
	machine->host_free[node].cpus += need->host.cpus;
	machine->host_free[node].mem += need->host.mem;
	machine->cpus_taken -= need->host.cpus;
	machine->mem_taken -= need->host.mem;
}

static void hosts_fill(machine_t *machine, const engine_pool_t *pool,
		       uint32_t first)
{
	for (uint32_t i = first; i < first + pool->nodes; i++) {
		machine->host_size[i] = (host_t) {
			.cpus = pool->cpus, .mem = pool->mem_mb,
		};
		machine->host_free[i] = machine->host_size[i];
		machine->host_open[i] = machine->host_size[i];
	}
	machine->cpus += (uint64_t) pool->nodes * pool->cpus;
	machine->mem += (uint64_t) pool->nodes * pool->mem_mb;
	machine->counts_mem |= pool->mem_mb > 0;
}

static void pool_fill(machine_t *machine, const engine_pool_t *pool,
		      uint32_t first)
{
	for (uint32_t i = first; i < first + pool->nodes; i++) {
		machine->size[i] = (uint16_t) pool->gpus;
		machine->free[i] = (uint16_t) pool->gpus;
		machine->open[i] = (uint16_t) pool->gpus;
		machine->usable[i] = true;
		machine->type[i] = pool->type;
		machine->weight[i] = pool->weight > 0 ? pool->weight : 1;
	}
	machine->with_open[pool->gpus] += pool->nodes;
	machine->total += (uint64_t) pool->nodes * pool->gpus;
	if (machine->host_size)
		hosts_fill(machine, pool, first);
}

static int hosts_allocate(machine_t *machine)
{
	size_t count = machine->count;

	machine->host_size = calloc(count, sizeof(*machine->host_size));
	machine->host_free = calloc(count, sizeof(*machine->host_free));
	machine->host_open = calloc(count, sizeof(*machine->host_open));
	machine->worth = calloc(count, sizeof(*machine->worth));
	return machine->host_size && machine->host_free &&
	       machine->host_open && machine->worth ? 0 : -1;
}

static int machine_allocate(machine_t *machine)
{
	size_t count = machine->count;

	machine->size = calloc(count, sizeof(*machine->size));
	machine->free = calloc(count, sizeof(*machine->free));
	machine->open = calloc(count, sizeof(*machine->open));
	machine->usable = calloc(count, sizeof(*machine->usable));
	machine->completing = calloc(count, sizeof(*machine->completing));
	machine->type = calloc(count, sizeof(*machine->type));
	machine->weight = calloc(count, sizeof(*machine->weight));
	machine->drained = calloc(count, sizeof(*machine->drained));
	machine->failed = calloc(count, sizeof(*machine->failed));
	machine->drained_at = calloc(count, sizeof(*machine->drained_at));
	machine->jobs = calloc(count * machine->job_stride,
			       sizeof(*machine->jobs));
	machine->job_count = calloc(count, sizeof(*machine->job_count));
	machine->chosen = calloc(count, sizeof(*machine->chosen));
	machine->stretches = calloc(count, sizeof(*machine->stretches));
	return machine->size && machine->free && machine->open &&
	       machine->usable && machine->completing && machine->type &&
	       machine->weight && machine->drained && machine->failed &&
	       machine->drained_at && machine->jobs && machine->job_count &&
	       machine->chosen && machine->stretches ? 0 : -1;
}

extern int machine_fill(machine_t *machine, const engine_options_t *options)
{
	uint32_t first = 0;

	*machine = (machine_t) { 0 };
	for (size_t i = 0; i < options->pool_count; i++) {
		const engine_pool_t *pool = &options->pools[i];

		machine->count += pool->nodes;
		if (pool->gpus > machine->stride)
			machine->stride = pool->gpus;
		/* A job has a GPU of each of its nodes, or a CPU. */
		if (pool->cpus > machine->job_stride)
			machine->job_stride = pool->cpus;
	}
	if (machine->job_stride && hosts_allocate(machine))
		return -1;
	if (machine->job_stride < machine->stride)
		machine->job_stride = machine->stride;
	if (machine_allocate(machine))
		return -1;
	for (size_t i = 0; i < options->pool_count; i++) {
		pool_fill(machine, &options->pools[i], first);
		first += options->pools[i].nodes;
	}
	return 0;
}

extern void machine_free(machine_t *machine)
{
	free(machine->size);
	free(machine->free);
	free(machine->open);
	free(machine->usable);
	free(machine->completing);
	free(machine->type);
	free(machine->weight);
	free(machine->host_size);
	free(machine->host_free);
	free(machine->host_open);
	free(machine->worth);
	free(machine->drained);
	free(machine->failed);
	free(machine->drained_at);
	free(machine->jobs);
	free(machine->job_count);
	free(machine->chosen);
	free(machine->stretches);
	*machine = (machine_t) { 0 };
}

static bool node_fits(const machine_t *machine, const uint16_t *open,
		      const need_t *need, uint32_t node)
{
	return open[node] >= need->gpus &&
	       (need->type < 0 || need->type == machine->type[node]);
}

extern bool machine_could(const machine_t *machine, const need_t *need)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < machine->count && found < need->nodes; i++)
		found += node_fits(machine, machine->size, need, i) &&
			 (!machine->host_size ||
			  machine_hosts(&machine->host_size[i], need));
	return found >= need->nodes;
}

extern bool machine_may_fit(const machine_t *machine, const need_t *need)
{
	uint32_t found = 0;

	if (!need->gpus)
		return true;
	for (uint32_t gpus = machine->stride;
	     gpus >= need->gpus && found < need->nodes; gpus--)
		found += machine->with_open[gpus];
	return found >= need->nodes;
}

/* RET: how many stretches of nodes that fit there are. */
static size_t find_stretches(machine_t *machine, const uint16_t *open,
			     const need_t *need)
{
	stretch_t *stretch = NULL;
	size_t count = 0;

	for (uint32_t i = 0; i < machine->count; i++) {
		if (!node_fits(machine, open, need, i)) {
			stretch = NULL;
			continue;
		}
		if (!stretch) {
			stretch = &machine->stretches[count++];
			*stretch = (stretch_t) { .begin = i };
		}
		stretch->end = i + 1;
		stretch->free += open[i];
	}
	return count;
}

/* The tightest that suffices, else the largest. */
static stretch_t *best_stretch(machine_t *machine, size_t count,
			       uint32_t wanted)
{
	stretch_t *best = NULL;
	bool enough = false;

	for (size_t i = 0; i < count; i++) {
		stretch_t *stretch = &machine->stretches[i];
		bool suffices = stretch->end - stretch->begin >= wanted;

		if (stretch->begin == stretch->end)
			continue;
		if (!best || (suffices && !enough) ||
		    (suffices && stretch->free < best->free) ||
		    (!suffices && !enough && stretch->free > best->free)) {
			best = stretch;
			enough = suffices;
		}
	}
	return best;
}

static uint32_t tightest_node(const uint16_t *open, const stretch_t *stretch)
{
	uint32_t best = stretch->begin;

	for (uint32_t i = best + 1; i < stretch->end; i++)
		if (open[i] < open[best])
			best = i;
	return best;
}

/* What the job could use of each node: its free CPUs, or nothing. */
static void weigh(machine_t *machine, const uint16_t *open,
		  const host_t *hosts, const need_t *need)
{
	for (uint32_t i = 0; i < machine->count; i++)
		machine->worth[i] = machine_hosts(&hosts[i], need) &&
			node_fits(machine, open, need, i) ?
			(uint16_t) hosts[i].cpus : 0;
}

extern bool machine_place(machine_t *machine, const uint16_t *open,
			  const host_t *hosts, const need_t *need)
{
	const need_t any = { .nodes = need->nodes, .gpus = 1, .type = -1 };
	size_t count;
	uint32_t got = 0;

	if (hosts) {
		weigh(machine, open, hosts, need);
		open = machine->worth;
		need = &any;
	}
	count = find_stretches(machine, open, need);
	while (got < need->nodes) {
		stretch_t *stretch = best_stretch(machine, count,
						  need->nodes - got);

		if (!stretch)
			return false;
		if (need->nodes - got == 1) {
			machine->chosen[got++] = tightest_node(open, stretch);
			break;
		}
		while (stretch->begin < stretch->end && got < need->nodes)
			machine->chosen[got++] = stretch->begin++;
		stretch->begin = stretch->end;
	}
	return true;
}

extern void machine_take(machine_t *machine, uint32_t job, const need_t *need,
			 const uint32_t *nodes)
{
	for (uint32_t i = 0; i < need->nodes; i++) {
		uint32_t node = nodes[i];

		assert(machine->free[node] >= need->gpus);
		assert(machine->job_count[node] < machine->job_stride);
		machine_jobs(machine, node)[machine->job_count[node]++] = job;
		if (machine->host_free)
			host_take(machine, node, need);
		machine->free[node] -= need->gpus;
		machine->taken += need->gpus;
		node_refresh(machine, node);
	}
}

extern void machine_give(machine_t *machine, uint32_t job, const need_t *need,
			 const uint32_t *nodes)
{
	for (uint32_t i = 0; i < need->nodes; i++) {
		uint32_t node = nodes[i];
		uint32_t *jobs = machine_jobs(machine, node);
		uint32_t at = 0;

		while (jobs[at] != job)
			at++;
		assert(at < machine->job_count[node]);
		/* In the order of their starts: nothing depends on who left. */
		memmove(&jobs[at], &jobs[at + 1],
			(--machine->job_count[node] - at) * sizeof(*jobs));
		machine->free[node] += need->gpus;
		machine->taken -= need->gpus;
		if (machine->host_free)
			host_give(machine, node, need);
		if (machine->drained[node] || machine->failed[node])
			machine->down += need->gpus;
		node_refresh(machine, node);
	}
}

extern void machine_complete(machine_t *machine, uint32_t node, int by)
{
	machine->completing[node] += by;
	node_refresh(machine, node);
}

extern void machine_change(machine_t *machine, uint32_t node,
			   engine_change_t change, int64_t now)
{
	bool was = machine->drained[node] || machine->failed[node];

	machine->drained[node] = change == ENGINE_NODE_DRAIN ||
		(change == ENGINE_NODE_FAIL && machine->drained[node]);
	machine->failed[node] = change == ENGINE_NODE_FAIL ||
		(change == ENGINE_NODE_DRAIN && machine->failed[node]);
	if (!was && change != ENGINE_NODE_RESUME) {
		machine->down += machine->free[node];
		machine->drained_at[node] = now;
	}
	if (was && change == ENGINE_NODE_RESUME)
		machine->down -= machine->free[node];
	node_refresh(machine, node);
}

static bool hosts_check(const machine_t *machine)
{
	uint64_t cpus = 0, mem = 0;

	for (uint32_t i = 0; machine->host_size && i < machine->count; i++) {
		const host_t *size = &machine->host_size[i];
		const host_t *free = &machine->host_free[i];
		host_t open = machine->usable[i] ? *free : (host_t) { 0 };

		if (free->cpus > size->cpus || free->mem > size->mem ||
		    machine->host_open[i].cpus != open.cpus ||
		    machine->host_open[i].mem != open.mem)
			return false;
		cpus += size->cpus - free->cpus;
		mem += size->mem - free->mem;
	}
	return cpus == machine->cpus_taken && mem == machine->mem_taken;
}

extern bool machine_check(const machine_t *machine)
{
	uint64_t taken = 0, down = 0;
	uint32_t with_open[ENGINE_NODE_GPUS_MAX + 1] = { 0 };

	for (uint32_t i = 0; i < machine->count; i++) {
		bool closed = machine->drained[i] || machine->failed[i];

		if (machine->free[i] > machine->size[i] ||
		    machine->open[i] != (closed || machine->completing[i] ?
					 0 : machine->free[i]))
			return false;
		taken += machine->size[i] - machine->free[i];
		down += closed ? machine->free[i] : 0;
		with_open[machine->open[i]]++;
	}
	return hosts_check(machine) && taken == machine->taken &&
	       down == machine->down &&
	       !memcmp(with_open, machine->with_open, sizeof(with_open));
}
