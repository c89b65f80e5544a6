/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "agenda.h"
#include "attempt.h"
#include "billing.h"
#include "news.h"
#include "reservation.h"
#include "shape.h"

/* What Slurm plans with for a job without a time limit, seconds. */
#define UNLIMITED (365 * (int64_t) SB_DAY)

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

extern int64_t attempt_limit(const sim_t *sim, uint32_t job)
{
	int64_t limit = sim_asked(sim, job)->limit;

	if (limit <= 0)
		limit = sim->options->default_limit;
	if (limit <= 0)
		return -1;
	return limit < WORKLOAD_TIME_MAX ? limit : WORKLOAD_TIME_MAX;
}

extern void attempt_contract(const sim_t *sim, uint32_t number, bool funded,
			     int64_t start, sb_contract_t *contract)
{
	const workload_job_t *asked = sim_asked(sim, number);
	sb_declaration_t declaration = {
		.present = asked->min_runtime >= 0,
		.seconds = asked->min_runtime >= 0 ? asked->min_runtime : 0,
	};

	sb_contract_grant(sim->params, &declaration, false,
			  sb_params_cap(sim->params, NULL),
			  attempt_limit(sim, number), funded, start,
			  sim->jobs[number].evictions, contract);
}

static int job_enqueue(sim_t *sim, uint32_t number)
{
	sim_job_t *job = &sim->jobs[number];

	job->state = STATE_PENDING;
	sim_count_pending(sim, job, 1);
	if (queue_add(&sim->queue, job->lane, number))
		return sim_no_memory(sim);
	return 0;
}

static int job_refuse(sim_t *sim, uint32_t number)
{
	engine_run_t run = {
		.start = -1, .end = sim->now, .outcome = ENGINE_OPEN,
		.final = true, .refused = true, .by = ENGINE_NONE,
	};

	sim->figures.refused++;
	if (news_run(sim, &run, number))
		return -1;
	return news_over(sim, number);
}

extern int attempt_submit(sim_t *sim, uint32_t number)
{
	const workload_job_t *asked = sim_asked(sim, number);
	sim_job_t *job = &sim->jobs[number];
	sb_contract_t contract;
	bool fits = shape_need(sim, number, &job->need);

	job->eligible = asked->submit;
	job->took = -1;
	job->limit = attempt_limit(sim, number);
	if (job->limit < 0)
		job->limit = UNLIMITED;
	/* What it would be granted if it started now. */
	attempt_contract(sim, number, true, 0, &contract);
	job->class = contract.class;
	job->wanted = contract.granted;
	job->standing = sim->rules->standing ?
		(float) sim->rules->standing(sim, asked->assoc) : -1;
	job->lane = 2 * asked->assoc +
		    (contract.class == SB_CLASS_UNALLOCATED);
	sim->figures.misfits += !fits;
	if (!fits || (sim->rules == &rules_budget &&
		      asked->min_runtime < 0 &&
		      sim->params->undeclared == SB_UNDECLARED_REJECT))
		return job_refuse(sim, number);
	sim->changed = true;
	if (reservation_ask(sim, number))
		return -1;
	return job_enqueue(sim, number);
}

/* Nodes of several are kept apart. */
static int keep_nodes(sim_t *sim, sim_job_t *job)
{
	if (job->need.nodes > 1) {
		job->nodes = malloc(job->need.nodes * sizeof(*job->nodes));
		if (!job->nodes)
			return sim_no_memory(sim);
		memcpy(job->nodes, sim->machine.chosen,
		       job->need.nodes * sizeof(*job->nodes));
	} else if (job->need.nodes) {
		job->node = sim->machine.chosen[0];
	}
	return 0;
}

/* How long it will run if nobody stops it, within its limit. */
static int64_t time_to_run(const sim_t *sim, uint32_t number)
{
	const sim_job_t *job = &sim->jobs[number];
	int64_t left = later(sim_asked(sim, number)->runtime - job->done, 0);

	if (job->attempt)
		left += sim->options->restart_time;
	return left;
}

static int plan_end(sim_t *sim, uint32_t number)
{
	sim_job_t *job = &sim->jobs[number];
	int64_t limit = attempt_limit(sim, number);
	int64_t length = time_to_run(sim, number);

	job->outcome = ENGINE_COMPLETED;
	if (limit >= 0 && length > limit) {
		length = limit;
		job->outcome = ENGINE_TIMEOUT;
	}
	job->end = sim->now + length;
	job->expected = sim->now + job->limit;
	agenda_touch(sim, job);
	if (sim_at(sim, job->end, EVENT_END, number))
		return -1;
	if (!sim->rules->may || job->unprotected >= job->end)
		return 0;
	if (job->unprotected <= sim->now)
		return attempt_unprotect(sim, number);
	return sim_at(sim, job->unprotected, EVENT_PROTECTED, number);
}

extern int attempt_start(sim_t *sim, uint32_t number)
{
	sim_job_t *job = &sim->jobs[number];

	queue_remove(&sim->queue, job->lane, number);
	sim_count_pending(sim, job, -1);
	if (keep_nodes(sim, job))
		return -1;
	machine_take(&sim->machine, number, &job->need, sim_nodes(job));
	job->state = STATE_RUNNING;
	job->start = sim->now;
	job->blocked = 0;
	job->took = -1;
	job->by = ENGINE_NONE;
	job->rate = billing_rate(sim, &job->need, sim_nodes(job));
	sim->changed = true;
	sim->figures.starts++;
	if (!job->attempt)
		sim->figures.wait += (double) (sim->now - job->eligible);
	sim->rules->sign(sim, number);
	sim_list(sim, number);
	if (sim->rules->started(sim, number))
		return sim_no_memory(sim);
	return plan_end(sim, number);
}

extern int attempt_unprotect(sim_t *sim, uint32_t number)
{
	const workload_job_t *asked = sim_asked(sim, number);
	sim_job_t *job = &sim->jobs[number];
	crowd_kind_t kind = {
		.assoc = asked->assoc,
		.nodes = job->need.nodes,
		.min_runtime = later(asked->min_runtime, 0),
		.class = job->class,
		.interactive = asked->interactive,
		.requeueable = asked->requeueable && !asked->interactive,
	};

	if (crowd_add(&sim->crowd, &kind, number, &job->group, &job->place))
		return sim_no_memory(sim);
	job->crowded = true;
	for (uint32_t i = 0; i < job->need.nodes; i++)
		sim->prey[sim_nodes(job)[i]] += job->need.gpus;
	if (sim->rules->crowded && sim->rules->crowded(sim, number))
		return sim_no_memory(sim);
	return 0;
}

extern int attempt_eligible(sim_t *sim, uint32_t number)
{
	/* Nobody is told: a pass of the main scheduler will see. */
	sim->main_stale = true;
	return job_enqueue(sim, number);
}
