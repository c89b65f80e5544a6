/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ending - how attempts end, and what is told of that.
 */
#include <stdlib.h>

#include "agenda.h"
#include "ending.h"
#include "news.h"

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void uncrowd(sim_t *sim, sim_job_t *job)
{
	uint32_t moved;

	if (!job->crowded)
		return;
	job->crowded = false;
	for (uint32_t i = 0; i < job->need.nodes; i++)
		sim->prey[sim_nodes(job)[i]] -= job->need.gpus;
	moved = crowd_remove(&sim->crowd, job->group, job->place);
	if (moved != ENGINE_NONE)
		sim->jobs[moved].place = job->place;
}

/* Work that the end of this attempt leaves to be done again. */
static int64_t count_loss(const sim_t *sim, uint32_t number,
			  engine_end_t outcome)
{
	const workload_job_t *asked = sim_asked(sim, number);
	sim_job_t *job = &sim->jobs[number];
	int64_t ran = sim->now - job->start, worked = ran, kept = 0;
	int64_t step = asked->checkpoint;

	if (outcome == ENGINE_COMPLETED || outcome == ENGINE_TIMEOUT)
		return 0;
	if (step < 0)
		step = later(asked->min_runtime, 0);
	if (job->attempt)
		worked = later(ran - sim->options->restart_time, 0);
	if (step > 0)
		kept = worked - worked % step;
	job->done += kept;
	return ran - kept;
}

static int64_t time_drained(const sim_t *sim, const sim_job_t *job)
{
	const uint32_t *nodes = sim_nodes(job);
	int64_t longest = 0;

	for (uint32_t i = 0; i < job->need.nodes; i++)
		if (sim->machine.drained[nodes[i]])
			longest = later(longest, sim->now -
				later(job->start,
				      sim->machine.drained_at[nodes[i]]));
	return longest;
}

static void count_end(sim_t *sim, const sim_job_t *job,
		      const engine_run_t *run)
{
	engine_figures_t *figures = &sim->figures;
	double gpus = (double) job->need.nodes * job->need.gpus;
	double seconds = (double) (run->end - run->start);
	double used = gpus * seconds;

	figures->allocated += used;
	figures->cpus += (double) job->need.nodes * job->need.host.cpus *
			 seconds;
	figures->mem += (double) job->need.nodes * job->need.host.mem *
			seconds;
	figures->free += job->class == SB_CLASS_UNALLOCATED ? used : 0;
	figures->lost += gpus * (double) run->lost;
	figures->completed += run->outcome == ENGINE_COMPLETED;
	figures->timeouts += run->outcome == ENGINE_TIMEOUT;
	figures->preemptions += run->outcome == ENGINE_PREEMPTED;
	figures->drained += run->outcome == ENGINE_DRAINED;
	figures->failed += run->outcome == ENGINE_NODE_FAILED;
}

static int tell_attempt(sim_t *sim, uint32_t number, engine_end_t outcome)
{
	const workload_job_t *asked = sim_asked(sim, number);
	sim_job_t *job = &sim->jobs[number];
	engine_run_t run = {
		.start = job->start,
		.end = sim->now,
		.node = job->need.nodes ? sim_nodes(job) : NULL,
		.granted = job->granted,
		.rate = job->rate,
		.outcome = outcome,
		.final = outcome == ENGINE_COMPLETED ||
			 outcome == ENGINE_TIMEOUT || outcome == ENGINE_OPEN ||
			 !asked->requeueable || asked->interactive,
		.by = outcome == ENGINE_PREEMPTED ? job->by : ENGINE_NONE,
		.drained = time_drained(sim, job),
	};

	if (outcome != ENGINE_OPEN)
		run.lost = count_loss(sim, number, outcome);
	count_end(sim, job, &run);
	return news_run(sim, &run, number);
}

/* The nodes stay COMPLETING until all that it started there has gone. */
static int leave_nodes(sim_t *sim, uint32_t number, int64_t time)
{
	sim_job_t *job = &sim->jobs[number];
	const uint32_t *nodes = sim_nodes(job);

	machine_give(&sim->machine, number, &job->need, nodes);
	agenda_touch(sim, job);
	if (!time || !job->need.nodes) {
		free(job->nodes);
		job->nodes = NULL;
		sim->main_now = true;
		return 0;
	}
	for (uint32_t i = 0; i < job->need.nodes; i++)
		machine_complete(&sim->machine, nodes[i], 1);
	return sim_at(sim, sim->now + time, EVENT_CLEAR, number);
}

extern int ending_clear(sim_t *sim, uint32_t number)
{
	sim_job_t *job = &sim->jobs[number];
	const uint32_t *nodes = sim_nodes(job);

	for (uint32_t i = 0; i < job->need.nodes; i++)
		machine_complete(&sim->machine, nodes[i], -1);
	free(job->nodes);
	job->nodes = NULL;
	sim->main_now = true;
	sim->changed = true;
	return 0;
}

extern int ending_now(sim_t *sim, uint32_t number, engine_end_t outcome)
{
	const workload_job_t *asked = sim_asked(sim, number);
	sim_job_t *job = &sim->jobs[number];
	bool alone = outcome == ENGINE_COMPLETED;
	int64_t time = alone ? sim->options->epilog_time :
			       sim->options->kill_time;

	sim->changed = true;
	uncrowd(sim, job);
	sim_unlist(sim, number);
	if (tell_attempt(sim, number, outcome))
		return -1;
	if (sim->rules->ended(sim, number))
		return sim_no_memory(sim);
	job->attempt++;
	job->evictions += outcome == ENGINE_PREEMPTED;
	job->warned = false;
	if (leave_nodes(sim, number, time))
		return -1;
	if (alone || outcome == ENGINE_TIMEOUT || !asked->requeueable ||
	    asked->interactive)
		return news_over(sim, number);
	job->state = STATE_DELAYED;
	/* Never before whom it made room for has had the nodes. */
	job->eligible = sim->now + later(sim->options->requeue_delay, time + 1);
	return sim_at(sim, job->eligible, EVENT_ELIGIBLE, number);
}

extern int ending_evict(sim_t *sim, uint32_t number, engine_end_t outcome,
			uint32_t by)
{
	sim_job_t *job = &sim->jobs[number];
	int64_t grace = sim->options->grace_time;

	if (job->warned)
		return 0;
	job->by = by;
	/* A drained job is requeued, and nobody is warned of that. */
	if (!grace || outcome == ENGINE_DRAINED)
		return ending_now(sim, number, outcome);
	job->warned = true;
	job->expected = earlier(job->expected, sim->now + grace);
	agenda_touch(sim, job);
	if (sim->now + grace >= job->end)
		return 0;
	return sim_at(sim, sim->now + grace, EVENT_GRACE, number);
}

extern int ending_open(sim_t *sim)
{
	for (uint32_t i = 0; i < sim->submitted; i++) {
		sim_job_t *job = &sim->jobs[i];
		engine_run_t run = {
			.start = -1, .end = sim->now, .outcome = ENGINE_OPEN,
			.final = true, .by = ENGINE_NONE,
		};

		if (job->state == STATE_OVER)
			continue;
		sim->figures.unfinished++;
		if (job->state == STATE_RUNNING ?
		    tell_attempt(sim, i, ENGINE_OPEN) : news_run(sim, &run, i))
			return -1;
	}
	return 0;
}
