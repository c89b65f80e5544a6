/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ending.h"
#include "watch.h"

extern void watch_clock(sim_t *sim)
{
	int64_t since = sim->clock;
	sim_job_t *job;
	uint32_t best;

	sim->clock = sim->now;
	if (!sim->large_pending)
		return;
	best = queue_best(&sim->queue);
	job = &sim->jobs[best];
	if (best == QUEUE_END || job->need.nodes < sim->params->gang_nodes)
		return;
	if (since <= job->eligible)
		since = job->eligible + 1;
	if (sim->now <= since)
		return;
	if (job->blocked < sim->params->gang_wait &&
	    job->blocked + sim->now - since >= sim->params->gang_wait)
		sim->main_stale = sim->backfill_stale = true;
	job->blocked += sim->now - since;
}

/* Only a job that declared something said that it can be resumed. */
static bool may_leave(const sim_t *sim, uint32_t number)
{
	const workload_job_t *asked = sim_asked(sim, number);
	const sim_job_t *job = &sim->jobs[number];

	return sim->rules == &rules_budget && sim->params->drain_requeue &&
	       job->state == STATE_RUNNING && asked->min_runtime >= 0 &&
	       sim->now >= job->start + job->granted && asked->requeueable &&
	       !asked->interactive;
}

extern int watch_drain(sim_t *sim, uint32_t node)
{
	const machine_t *machine = &sim->machine;
	const uint32_t *jobs = &machine->jobs[(size_t) node * machine->stride];

	if (!machine->drained[node])
		return 0;
	for (uint32_t i = machine->job_count[node]; i-- > 0;)
		if (may_leave(sim, jobs[i]) &&
		    ending_evict(sim, jobs[i], ENGINE_DRAINED, ENGINE_NONE))
			return -1;
	return 0;
}

extern int watch_unprotected(sim_t *sim, uint32_t number)
{
	const sim_job_t *job = &sim->jobs[number];
	const uint32_t *nodes = sim_nodes(job);

	for (uint32_t i = 0; i < job->need.nodes; i++) {
		if (!sim->machine.drained[nodes[i]])
			continue;
		if (!may_leave(sim, number))
			return 0;
		return ending_evict(sim, number, ENGINE_DRAINED, ENGINE_NONE);
	}
	return 0;
}
