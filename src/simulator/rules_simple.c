/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules_simple - what budgets are compared to where no usage is kept: by
 * submission, without or with a limit of concurrent GPUs for each account.
 */
#include <stdlib.h>

#include "attempt.h"
#include "shape.h"
#include "tree.h"

static int fifo_open(sim_t *sim, sb_err_t *err)
{
	(void) sim;
	(void) err;
	return 0;
}

static void fifo_close(sim_t *sim)
{
	(void) sim;
}

static int fifo_rank(sim_t *sim, int64_t now, bool *moved, sb_err_t *err)
{
	(void) sim;
	(void) now;
	(void) err;
	*moved = false;
	return 0;
}

static void fifo_sign(sim_t *sim, uint32_t job)
{
	sim->jobs[job].granted = 0;
	sim->jobs[job].unprotected = SIM_NEVER;
}

static int fifo_started(sim_t *sim, uint32_t job)
{
	(void) sim;
	(void) job;
	return 0;
}

const rules_t rules_fifo = {
	.open = fifo_open,
	.close = fifo_close,
	.rank = fifo_rank,
	.sign = fifo_sign,
	.started = fifo_started,
	.ended = fifo_started,
};

typedef struct {
	uint64_t *running;	/* GPUs, by account's association */
	uint64_t *limit;
} limits_t;

/* The account that a user's jobs count for. */
static uint32_t account_of(const sim_t *sim, uint32_t assoc)
{
	int32_t parent = sim->workload->assocs[assoc].parent;

	return parent == SB_NO_PARENT ? assoc : (uint32_t) parent;
}

static int limits_fill(sim_t *sim, limits_t *limits, sb_err_t *err)
{
	const workload_t *workload = sim->workload;
	size_t count = workload->assoc_count;
	sb_tree_node_t *nodes = calloc(count, sizeof(*nodes));
	int rc = -1;

	if (!nodes)
		return sb_err_set(err, "no memory");
	for (size_t i = 0; i < count; i++) {
		nodes[i].parent = workload->assocs[i].parent;
		nodes[i].shares = workload->assocs[i].shares;
		nodes[i].user = workload->assocs[i].user;
	}
	if (!sb_tree_compute(nodes, count, 0, 0, NULL, err)) {
		for (size_t i = 0; i < count; i++)
			limits->limit[i] = (uint64_t)
				(nodes[i].allocation *
				 sim->options->account_limit *
				 (double) sim->machine.total);
		rc = 0;
	}
	free(nodes);
	return rc;
}

/* A limit below an account's largest job would hold that for ever: no site
 * has such a one. */
static void limits_raise(sim_t *sim, limits_t *limits)
{
	for (size_t i = 0; i < sim->workload->job_count; i++) {
		const workload_job_t *job = &sim->workload->jobs[i];
		uint32_t account = account_of(sim, job->assoc);
		need_t need;

		if (shape_need(sim, (uint32_t) i, &need) &&
		    limits->limit[account] < need.nodes * need.gpus)
			limits->limit[account] = need.nodes * need.gpus;
	}
}

static int priority_open(sim_t *sim, sb_err_t *err)
{
	limits_t *limits = calloc(1, sizeof(*limits));
	size_t count = sim->workload->assoc_count;

	sim->rules_data = limits;
	if (!limits)
		return sb_err_set(err, "no memory");
	limits->running = calloc(count, sizeof(*limits->running));
	limits->limit = calloc(count, sizeof(*limits->limit));
	if (!limits->running || !limits->limit)
		return sb_err_set(err, "no memory");
	if (limits_fill(sim, limits, err))
		return -1;
	limits_raise(sim, limits);
	return 0;
}

static void priority_close(sim_t *sim)
{
	limits_t *limits = sim->rules_data;

	if (!limits)
		return;
	free(limits->running);
	free(limits->limit);
	free(limits);
	sim->rules_data = NULL;
}

static int priority_count(sim_t *sim, uint32_t job, int sign)
{
	limits_t *limits = sim->rules_data;
	const need_t *need = &sim->jobs[job].need;

	limits->running[account_of(sim, sim_asked(sim, job)->assoc)] +=
		(uint64_t) (sign * (int64_t) (need->nodes * need->gpus));
	return 0;
}

static int priority_started(sim_t *sim, uint32_t job)
{
	return priority_count(sim, job, 1);
}

static int priority_ended(sim_t *sim, uint32_t job)
{
	return priority_count(sim, job, -1);
}

static bool priority_closed(sim_t *sim, uint32_t job)
{
	const limits_t *limits = sim->rules_data;
	const need_t *need = &sim->jobs[job].need;
	uint32_t account = account_of(sim, sim_asked(sim, job)->assoc);

	return limits->running[account] + need->nodes * need->gpus >
	       limits->limit[account];
}

const rules_t rules_priority = {
	.open = priority_open,
	.close = priority_close,
	.rank = fifo_rank,
	.sign = fifo_sign,
	.started = priority_started,
	.ended = priority_ended,
	.closed = priority_closed,
};
