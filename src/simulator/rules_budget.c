/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules_budget - priority/budget and preempt/minruntime: asks the core what
 * the plugins ask it, at the same moments, with the same inputs.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "attempt.h"
#include "billing.h"
#include "order.h"
#include "policy.h"
#include "tree.h"
#include "usage.h"

/* Whether somebody of this lane and claim has anybody to preempt: the same
 * question comes for each job of a queue. */
typedef struct {
	uint64_t ranks, crowd;	/* versions that this is of */
	bool none;
} hope_t;

#define CLAIMS 4

typedef struct {
	usage_t *usage;
	sb_tree_node_t *nodes;
	sb_tree_t *tree;	/* of them */
	size_t count;
	double capacity;
	uint32_t ranks;		/* of the last pass */
	uint32_t *placed;	/* rank of each lane, 0: not yet */
	sb_party_t *groups;	/* what members of the crowd's groups are */
	uint32_t group_room;
	sb_prey_t *prey;
	bool prey_stale;
	hope_t *hopes;		/* by lane and claim */
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
	budget->placed = calloc(budget->count, sizeof(*budget->placed));
	budget->prey = calloc(budget->count, sizeof(*budget->prey));
	budget->hopes = calloc(CLAIMS * (size_t) sim->queue.lane_count,
			       sizeof(*budget->hopes));
	if (!budget->usage || !budget->nodes || !budget->placed ||
	    !budget->prey || !budget->hopes)
		return sb_err_set(err, "no memory");
	for (size_t i = 0; i < budget->count; i++) {
		budget->nodes[i].parent = workload->assocs[i].parent;
		budget->nodes[i].shares = workload->assocs[i].shares;
		budget->nodes[i].user = workload->assocs[i].user;
	}
	budget->capacity = billing_capacity(sim);
	budget->tree = sb_tree_create(budget->nodes, budget->count, err);
	return budget->tree ? 0 : -1;
}

static void budget_close(sim_t *sim)
{
	budget_t *budget = sim->rules_data;

	if (!budget)
		return;
	usage_destroy(budget->usage);
	sb_tree_destroy(budget->tree);
	free(budget->nodes);
	free(budget->placed);
	free(budget->prey);
	free(budget->hopes);
	free(budget->groups);
	free(budget);
	sim->rules_data = NULL;
}

static void lane_place(lane_t *lane, const sb_party_t *party,
		       double priority)
{
	static const sb_party_t funded = { .funded = true };
	static const sb_party_t unfunded = { .funded = false };

	/* The order of classes is the core's: how many are before it? */
	lane->class = sb_policy_queue_before(&funded, party) +
		      sb_policy_queue_before(&unfunded, party);
	lane->priority = priority;
}

static void user_place(sim_t *sim, const sb_tree_node_t *node, size_t assoc,
		       const sb_order_t *order)
{
	sb_party_t party = { .funded = node->funded };
	lane_t *lanes = &sim->queue.lanes[2 * assoc];

	lane_place(&lanes[0], &party,
		   sb_order_priority(order, node->rank, false, 0, 0, NULL));
	party.class = SB_CLASS_UNALLOCATED;
	lane_place(&lanes[1], &party,
		   sb_order_priority(order, node->rank, true, 0, 0, NULL));
}

/* RET: an association stands elsewhere. Who is funded never changes. */
static bool place_lanes(sim_t *sim, budget_t *budget, uint32_t ranks)
{
	sb_order_t order = sb_order_make(ranks, 0);
	bool moved = false;

	for (size_t i = 0; i < budget->count; i++) {
		const sb_tree_node_t *node = &budget->nodes[i];

		if (!node->user || (ranks == budget->ranks &&
				    node->rank == budget->placed[i]))
			continue;
		moved |= node->rank != budget->placed[i];
		budget->placed[i] = node->rank;
		user_place(sim, node, i, &order);
	}
	budget->ranks = ranks;
	return moved;
}

static int budget_rank(sim_t *sim, int64_t now, bool *moved, sb_err_t *err)
{
	budget_t *budget = sim->rules_data;
	uint32_t ranks;

	if (usage_fill(budget->usage, now, budget->nodes))
		return sb_err_set(err, "no memory");
	assert(usage_check(budget->usage, now, budget->nodes));
	ranks = sb_tree_update(budget->tree, budget->capacity,
			       sim->params->burst);
	*moved = place_lanes(sim, budget, ranks);
	budget->asked = ENGINE_NONE;
	budget->prey_stale = true;
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

	usage_started(budget->usage, job);
	return 0;
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
	/* As the plugin does with a job that has no GPUs. */
	if (!job->need.gpus)
		party->gpus = job->rate;
	party->protected_left = sb_contract_left(&contract, party->ran);
}

static const sb_party_t *party_waiting(sim_t *sim, uint32_t number)
{
	const sim_job_t *job = &sim->jobs[number];
	budget_t *budget = sim->rules_data;

	if (budget->asked == number &&
	    budget->party.blocked_wait == job->blocked)
		return &budget->party;
	party_fill(sim, number, &budget->party);
	budget->party.min_runtime = job->wanted;
	budget->party.blocked_wait = job->blocked;
	budget->asked = number;
	return &budget->party;
}

static bool budget_may(sim_t *sim, uint32_t group, uint32_t preemptor)
{
	const budget_t *budget = sim->rules_data;

	return sb_verdict_may(sb_policy_may_preempt(sim->params,
			view_of(budget), &budget->groups[group],
			party_waiting(sim, preemptor), NULL));
}

static uint32_t budget_claim(sim_t *sim, uint32_t preemptor)
{
	const sim_job_t *job = &sim->jobs[preemptor];
	sb_party_t party = {
		.class = job->class, .nodes = job->need.nodes,
		.min_runtime = job->wanted, .blocked_wait = job->blocked,
	};

	return sb_policy_claim(sim->params, &party);
}

static void prey_add(const sim_t *sim, uint32_t group)
{
	const budget_t *budget = sim->rules_data;

	sb_policy_prey_add(view_of(budget), budget->prey,
			   &budget->groups[group]);
}

static int groups_grow(budget_t *budget, uint32_t wanted)
{
	size_t room = budget->group_room ? budget->group_room : 64;
	sb_party_t *groups;

	while (room <= wanted)
		room *= 2;
	groups = realloc(budget->groups, room * sizeof(*groups));
	if (!groups)
		return -1;
	budget->groups = groups;
	budget->group_room = (uint32_t) room;
	return 0;
}

static int budget_crowded(sim_t *sim, uint32_t job)
{
	budget_t *budget = sim->rules_data;
	uint32_t group = sim->jobs[job].group;

	if (group >= budget->group_room && groups_grow(budget, group))
		return -1;
	party_running(sim, job, &budget->groups[group]);
	if (!budget->prey_stale)
		prey_add(sim, group);
	return 0;
}

/* Who has left the crowd since the ranks were made is still counted. */
static bool is_hopeless(sim_t *sim, uint32_t preemptor)
{
	budget_t *budget = sim->rules_data;
	const crowd_t *crowd = &sim->crowd;

	if (budget->prey_stale) {
		memset(budget->prey, 0, budget->count * sizeof(*budget->prey));
		for (uint32_t i = 0; i < crowd->live_count; i++)
			prey_add(sim, crowd->live[i]);
		budget->prey_stale = false;
	}
	return sb_policy_hopeless(sim->params, view_of(budget), budget->prey,
				  party_waiting(sim, preemptor));
}

static bool budget_hopeless(sim_t *sim, uint32_t preemptor)
{
	const budget_t *budget = sim->rules_data;
	hope_t *hope = &budget->hopes[CLAIMS * sim->jobs[preemptor].lane +
				      budget_claim(sim, preemptor)];

	if (hope->ranks != sim->rank_version ||
	    hope->crowd != sim->crowd.version)
		*hope = (hope_t) {
			.ranks = sim->rank_version,
			.crowd = sim->crowd.version,
			.none = is_hopeless(sim, preemptor),
		};
	return hope->none;
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

/* By the usage that its ranks are of. */
static double budget_standing(const sim_t *sim, uint32_t assoc)
{
	const budget_t *budget = sim->rules_data;
	const sb_tree_node_t *root = &budget->nodes[0], *node;
	int32_t account = budget->nodes[assoc].parent;
	double used;

	if (account < 0)
		return -1;
	node = &budget->nodes[account];
	used = (double) node->usage + (double) node->committed;
	if (!(used > 0))
		return 0;
	used /= (double) root->usage + (double) root->committed;
	return used < node->allocation * SB_RATIO_MAX ?
	       used / node->allocation : SB_RATIO_MAX;
}

const rules_t rules_budget = {
	.open = budget_open,
	.close = budget_close,
	.rank = budget_rank,
	.sign = budget_sign,
	.started = budget_started,
	.ended = budget_ended,
	.may = budget_may,
	.claim = budget_claim,
	.hopeless = budget_hopeless,
	.crowded = budget_crowded,
	.standing = budget_standing,
	.victim_prio = budget_victim_prio,
};
