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
