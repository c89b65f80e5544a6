/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "policy.h"

#include "ending.h"
#include "watch.h"

/* The best-ranked blocked job, if its clock runs. RET: QUEUE_END: none. */
static uint32_t best_large(const sim_t *sim)
{
	uint32_t best;

	if (!sim->large_pending)
		return QUEUE_END;
	best = queue_best(&sim->queue);
	return best == QUEUE_END ||
	       sim->jobs[best].need.nodes < sim->params->gang_nodes ?
	       QUEUE_END : best;
}

/* Its clock has run up to here, or will begin. */
static int64_t clock_since(const sim_t *sim, const sim_job_t *job)
{
	return sim->clock > job->eligible ? sim->clock : job->eligible + 1;
}

extern void watch_clock(sim_t *sim)
{
	uint32_t best = best_large(sim);
	int64_t gang_wait = sim->params->gang_wait, before;
	sim_job_t *job;

	if (best != QUEUE_END) {
		job = &sim->jobs[best];
		before = job->blocked;
		job->blocked += sb_policy_blocked_for(sim->params,
						      job->need.nodes,
						      clock_since(sim, job),
						      sim->now);
		/* Nobody wakes the scheduler: its next pass will see. */
		if (before < gang_wait && job->blocked >= gang_wait)
			sim->main_stale = true;
	}
	sim->clock = sim->now;
}

extern int64_t watch_due(const sim_t *sim)
{
	uint32_t best = best_large(sim);
	const sim_job_t *job;

	if (best == QUEUE_END)
		return SIM_NEVER;
	job = &sim->jobs[best];
	if (job->blocked >= sim->params->gang_wait)
		return SIM_NEVER;
	return clock_since(sim, job) + sim->params->gang_wait - job->blocked;
}

static bool may_leave(const sim_t *sim, uint32_t number)
{
	const workload_job_t *asked = sim_asked(sim, number);
	const sim_job_t *job = &sim->jobs[number];
	sb_party_t party = {
		.protected_left = job->start + job->granted - sim->now,
		.requeueable = asked->requeueable,
		.interactive = asked->interactive,
	};

	return sim->rules == &rules_budget && job->state == STATE_RUNNING &&
	       sb_policy_leaves_drain(sim->params, asked->min_runtime, &party);
}

extern int watch_drain(sim_t *sim, uint32_t node)
{
	const machine_t *machine = &sim->machine;
	const uint32_t *jobs = machine_jobs(machine, node);

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
