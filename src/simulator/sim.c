/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim.h"

extern int sim_no_memory(sim_t *sim)
{
	return sb_err_set(sim->err, "no memory");
}

extern int sim_at(sim_t *sim, int64_t time, event_kind_t kind,
		  uint32_t subject)
{
	event_t event = { .time = time, .kind = kind, .subject = subject };

	if (kind != EVENT_OUTAGE)
		event.attempt = sim->jobs[subject].attempt;
	return events_add(&sim->events, &event) ? sim_no_memory(sim) : 0;
}

extern void sim_list(sim_t *sim, uint32_t number)
{
	uint32_t *first = &sim->running[sim_asked(sim, number)->assoc];

	sim->jobs[number].prev = ENGINE_NONE;
	sim->jobs[number].next = *first;
	if (*first != ENGINE_NONE)
		sim->jobs[*first].prev = number;
	*first = number;
}

extern void sim_unlist(sim_t *sim, uint32_t number)
{
	const sim_job_t *job = &sim->jobs[number];

	if (job->prev != ENGINE_NONE)
		sim->jobs[job->prev].next = job->next;
	else
		sim->running[sim_asked(sim, number)->assoc] = job->next;
	if (job->next != ENGINE_NONE)
		sim->jobs[job->next].prev = job->prev;
}

/* What jobs on a node have and what the node has left is all of it. */
static bool node_adds_up(const sim_t *sim, uint32_t node)
{
	const machine_t *machine = &sim->machine;
	const uint32_t *jobs = machine_jobs(machine, node);
	uint64_t gpus = machine->free[node];
	host_t sum = { 0 };

	if (machine->host_free)
		sum = machine->host_free[node];
	for (uint32_t i = 0; i < machine->job_count[node]; i++) {
		const need_t *need = &sim->jobs[jobs[i]].need;

		gpus += need->gpus;
		sum.cpus += need->host.cpus;
		sum.mem += need->host.mem;
	}
	return gpus == machine->size[node] &&
	       (!machine->host_size ||
		(sum.cpus == machine->host_size[node].cpus &&
		 sum.mem == machine->host_size[node].mem));
}

extern bool sim_check(const sim_t *sim)
{
	uint64_t gpus = 0, cpus = 0, mem = 0;

	for (size_t i = 0; i < sim->submitted; i++) {
		const need_t *need = &sim->jobs[i].need;

		if (sim->jobs[i].state != STATE_RUNNING)
			continue;
		gpus += (uint64_t) need->nodes * need->gpus;
		cpus += (uint64_t) need->nodes * need->host.cpus;
		mem += (uint64_t) need->nodes * need->host.mem;
	}
	for (uint32_t i = 0; i < sim->machine.count; i++)
		if (!node_adds_up(sim, i))
			return false;
	return gpus == sim->machine.taken &&
	       cpus == sim->machine.cpus_taken &&
	       mem == sim->machine.mem_taken &&
	       machine_check(&sim->machine) && queue_check(&sim->queue);
}

static bool is_large(const sim_t *sim, const sim_job_t *job)
{
	return sim->params->gang_wait > 0 &&
	       job->need.nodes >= sim->params->gang_nodes;
}

extern void sim_count_pending(sim_t *sim, const sim_job_t *job, int by)
{
	sim->large_pending += is_large(sim, job) ? by : 0;
	sim->pending_gpus[job->need.gpus] += by;
	sim->pending_limits[63 - __builtin_clzll((uint64_t) job->limit)] += by;
}

extern int64_t sim_least_limit(const sim_t *sim)
{
	for (int i = 0; i < 63; i++)
		if (sim->pending_limits[i])
			return (int64_t) 1 << i;
	return SIM_NEVER;
}

extern uint32_t sim_least_gpus(const sim_t *sim)
{
	uint32_t gpus = 0;

	while (gpus < ENGINE_NODE_GPUS_MAX && !sim->pending_gpus[gpus])
		gpus++;
	return gpus;
}
