/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules_budget - priority/budget and preempt/minruntime: asks the core what
 * the plugins ask it, at the same moments, with the same inputs.
 */
#include <stdlib.h>

#include "attempt.h"
#include "order.h"
#include "../core/policy.h"
#include "tree.h"
#include "usage.h"

typedef struct {
	usage_t *usage;
	sb_tree_node_t *nodes;
	size_t count;
	double capacity;
	uint32_t asked;		/* whose party this is, or ENGINE_NONE */
	sb_party_t party;
} budget_t;

static sb_tree_view_t view_of(const budget_t *budget)
{
	return (sb_tree_view_t) {
		.nodes = budget->nodes, .count = budget->count,
	};
}

static int budget_open(sim_t *sim, sb_err_t *err)
{
	const workload_t *workload = sim->workload;
	budget_t *budget = calloc(1, sizeof(*budget));

	sim->rules_data = budget;
	if (!budget)
		return sb_err_set(err, "no memory");
	budget->count = workload->assoc_count;
	budget->asked = ENGINE_NONE;
	budget->usage = usage_create(sim);
	budget->nodes = calloc(budget->count, sizeof(*budget->nodes));
	if (!budget->usage || !budget->nodes)
		return sb_err_set(err, "no memory");
	for (size_t i = 0; i < budget->count; i++) {
		budget->nodes[i].parent = workload->assocs[i].parent;
		budget->nodes[i].shares = workload->assocs[i].shares;
		budget->nodes[i].user = workload->assocs[i].user;
	}
	for (uint32_t i = 0; i < sim->machine.count; i++)
		budget->capacity += sim->machine.size[i] *
				    sim->machine.weight[i];
	return 0;
}

static void budget_close(sim_t *sim)
{
	budget_t *budget = sim->rules_data;

	if (!budget)
		return;
	usage_destroy(budget->usage);
	free(budget->nodes);
	free(budget);
	sim->rules_data = NULL;
}

/* RET: the lane stands elsewhere. */
static bool lane_place(lane_t *lane, const sb_party_t *party,
		       double priority)
{
	static const sb_party_t funded = { .funded = true };
	static const sb_party_t unfunded = { .funded = false };
	/* The order of classes is the core's: how many are before it? */
	int class = sb_policy_queue_before(&funded, party) +
		    sb_policy_queue_before(&unfunded, party);
	bool moved = class != lane->class || priority != lane->priority;

	lane->class = class;
	lane->priority = priority;
	return moved;
}

static bool place_lanes(sim_t *sim, const budget_t *budget,
			const sb_order_t *order)
{
	bool moved = false;

	for (size_t i = 0; i < budget->count; i++) {
		const sb_tree_node_t *node = &budget->nodes[i];
		sb_party_t party = { .funded = node->funded };

		if (!node->user)
			continue;
		moved |= lane_place(&sim->queue.lanes[2 * i], &party,
			sb_order_priority(order, node->rank, false, 0, 0,
					  NULL));
		party.class = SB_CLASS_UNALLOCATED;
		moved |= lane_place(&sim->queue.lanes[2 * i + 1], &party,
			sb_order_priority(order, node->rank, true, 0, 0,
					  NULL));
	}
	return moved;
}

static int budget_rank(sim_t *sim, int64_t now, bool *moved, sb_err_t *err)
{
	budget_t *budget = sim->rules_data;
	sb_order_t order;
	uint32_t ranks;

	if (usage_fill(budget->usage, now, budget->nodes))
		return sb_err_set(err, "no memory");
	if (sb_tree_compute(budget->nodes, budget->count, budget->capacity,
			    sim->params->burst, &ranks, err))
		return -1;
	order = sb_order_make(ranks, 0);
	*moved = place_lanes(sim, budget, &order);
	budget->asked = ENGINE_NONE;
	return 0;
}

static void budget_sign(sim_t *sim, uint32_t number)
{
	const budget_t *budget = sim->rules_data;
	sim_job_t *job = &sim->jobs[number];
	sb_contract_t contract;

	attempt_contract(sim, number,
			 budget->nodes[sim_asked(sim, number)->assoc].funded,
			 job->start, &contract);
	job->class = contract.class;
	job->granted = contract.granted;
	job->unprotected = job->start + contract.granted;
	if (sim->options->exempt_time > contract.granted)
		job->unprotected = job->start + sim->options->exempt_time;
}

static int budget_started(sim_t *sim, uint32_t job)
{
	budget_t *budget = sim->rules_data;

	return usage_started(budget->usage, job);
}

static int budget_ended(sim_t *sim, uint32_t job)
{
	budget_t *budget = sim->rules_data;

	return usage_ended(budget->usage, job);
}

static void party_fill(const sim_t *sim, uint32_t number, sb_party_t *party)
{
	const workload_job_t *asked = sim_asked(sim, number);
	const budget_t *budget = sim->rules_data;
	const sim_job_t *job = &sim->jobs[number];

	*party = (sb_party_t) {
		.node = (int32_t) asked->assoc,
		.class = job->class,
		.funded = budget->nodes[asked->assoc].funded,
		.nodes = job->need.nodes,
		.gpus = (double) job->need.nodes * job->need.gpus,
		.interactive = asked->interactive,
		.requeueable = asked->requeueable && !asked->interactive,
	};
}

static void party_running(const sim_t *sim, uint32_t number,
			  sb_party_t *party)
{
	const sim_job_t *job = &sim->jobs[number];
	sb_contract_t contract = { .granted = job->granted };
	int64_t declared = sim_asked(sim, number)->min_runtime;

	party_fill(sim, number, party);
	party->min_runtime = declared > 0 ? declared : 0;
	party->ran = sim->now - job->start;
	party->protected_left = sb_contract_left(&contract, party->ran);
}

static bool budget_may(sim_t *sim, uint32_t victim, uint32_t preemptor)
{
	const sim_job_t *job = &sim->jobs[preemptor];
	budget_t *budget = sim->rules_data;
	sb_party_t party;

	if (budget->asked != preemptor ||
	    budget->party.blocked_wait != job->blocked) {
		party_fill(sim, preemptor, &budget->party);
		budget->party.min_runtime = job->wanted;
		budget->party.blocked_wait = job->blocked;
		budget->asked = preemptor;
	}
	party_running(sim, victim, &party);
	return sb_verdict_may(sb_policy_may_preempt(sim->params,
			view_of(budget), &party, &budget->party, NULL));
}

static uint32_t budget_victim_prio(sim_t *sim, uint32_t victim)
{
	const budget_t *budget = sim->rules_data;
	sb_party_t party;

	/* It goes already, after its grace time. */
	if (sim->jobs[victim].warned)
		return 0;
	party_running(sim, victim, &party);
	return sb_policy_victim_prio(view_of(budget), &party);
}

static bool budget_check(sim_t *sim)
{
	const budget_t *budget = sim->rules_data;

	return usage_check(budget->usage);
}

const rules_t rules_budget = {
	.open = budget_open,
	.close = budget_close,
	.rank = budget_rank,
	.sign = budget_sign,
	.started = budget_started,
	.ended = budget_ended,
	.may = budget_may,
	.victim_prio = budget_victim_prio,
	.check = budget_check,
};
