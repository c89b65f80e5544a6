/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "billing.h"
#include "news.h"

static int stop(sim_t *sim)
{
	return sb_err_set(sim->err, "stopped");
}

extern int news_run(sim_t *sim, engine_run_t *run, uint32_t number)
{
	const engine_observer_t *observer = sim->observer;
	const sim_job_t *job = &sim->jobs[number];

	run->job = number;
	run->attempt = job->attempt;
	run->eligible = job->eligible;
	run->nodes = job->need.nodes;
	run->gpus = job->need.nodes * job->need.gpus;
	run->cpus = (uint64_t) job->need.nodes * job->need.host.cpus;
	run->mem_mb = (uint64_t) job->need.nodes * job->need.host.mem;
	run->dominant = billing_dominant(sim, &job->need);
	run->class = job->class;
	run->standing = job->standing;
	if (observer && observer->run && observer->run(observer->arg, run))
		return stop(sim);
	return 0;
}

extern int news_over(sim_t *sim, uint32_t number)
{
	const engine_observer_t *observer = sim->observer;

	sim->jobs[number].state = STATE_OVER;
	sim->ended++;
	if (observer && observer->progress && observer->progress_jobs &&
	    sim->ended % observer->progress_jobs == 0 &&
	    observer->progress(observer->arg, sim->now, sim->ended,
			       sim->workload->job_count))
		return stop(sim);
	return 0;
}

extern int news_capacity(sim_t *sim)
{
	const engine_observer_t *observer = sim->observer;
	engine_capacity_t capacity = {
		.time = sim->now,
		.total = (uint32_t) sim->machine.total,
		.down = (uint32_t) sim->machine.down,
	};

	if (sim->told_down == sim->machine.down)
		return 0;
	sim->told_down = sim->machine.down;
	if (observer && observer->capacity &&
	    observer->capacity(observer->arg, &capacity))
		return stop(sim);
	return 0;
}
