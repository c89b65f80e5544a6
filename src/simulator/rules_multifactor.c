/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules_multifactor - stock Slurm: Fair Tree over usage that decays, looked at
 * once in PriorityCalcPeriod; with preempt/qos if asked for, where declared 0
 * is a low QOS behind and below all others.
 *
 * Ranks are those of sb_tree_compute() without burst and commitment: by ratio,
 * the inverse of level_fs. Stock leaves ties to chance, here they are ties.
 */
#include <math.h>
#include <stdlib.h>

#include "attempt.h"
#include "tree.h"

typedef struct {
	sb_tree_node_t *nodes;
	double *usage;		/* by association, decayed */
	double *ended;		/* seconds of those that ended, to be charged */
	size_t count;
	int64_t last;		/* pass */
} decayed_t;

static int decayed_open(sim_t *sim, sb_err_t *err)
{
	const workload_t *workload = sim->workload;
	decayed_t *decayed = calloc(1, sizeof(*decayed));

	sim->rules_data = decayed;
	if (!decayed)
		return sb_err_set(err, "no memory");
	decayed->count = workload->assoc_count;
	decayed->nodes = calloc(decayed->count, sizeof(*decayed->nodes));
	decayed->usage = calloc(decayed->count, sizeof(*decayed->usage));
	decayed->ended = calloc(decayed->count, sizeof(*decayed->ended));
	if (!decayed->nodes || !decayed->usage || !decayed->ended)
		return sb_err_set(err, "no memory");
	for (size_t i = 0; i < decayed->count; i++) {
		decayed->nodes[i].parent = workload->assocs[i].parent;
		decayed->nodes[i].shares = workload->assocs[i].shares;
		decayed->nodes[i].user = workload->assocs[i].user;
	}
	decayed->last = -1;
	return 0;
}

static void decayed_close(sim_t *sim)
{
	decayed_t *decayed = sim->rules_data;

	if (!decayed)
		return;
	free(decayed->nodes);
	free(decayed->usage);
	free(decayed->ended);
	free(decayed);
	sim->rules_data = NULL;
}

/* Charge of a job since the last pass, or its start. */
static double charge_since(const decayed_t *decayed, const sim_job_t *job,
			   int64_t now)
{
	int64_t from = job->start > decayed->last ? job->start :
		       decayed->last;

	return now > from ? job->rate * (double) (now - from) : 0;
}

static void charge_all(sim_t *sim, decayed_t *decayed, int64_t now)
{
	double half_life = (double) sim->options->half_life;
	double factor = half_life > 0 && decayed->last >= 0 ?
		exp2(-(double) (now - decayed->last) / half_life) : 1;

	for (size_t i = 0; i < decayed->count; i++) {
		double charge = decayed->ended[i];

		for (uint32_t j = sim->running[i]; j != ENGINE_NONE;
		     j = sim->jobs[j].next)
			charge += charge_since(decayed, &sim->jobs[j], now);
		/* What is new decays too, by all of the time since the last
		 * pass: that is how stock does it. */
		decayed->usage[i] = (decayed->usage[i] + charge) * factor;
		decayed->ended[i] = 0;
		decayed->nodes[i].own_usage = (uint64_t)
			llrint(fmin(decayed->usage[i], (double) SB_USAGE_MAX));
	}
	decayed->last = now;
}

static bool lane_place(lane_t *lane, int class, double priority)
{
	bool moved = class != lane->class || priority != lane->priority;

	lane->class = class;
	lane->priority = priority;
	return moved;
}

static int decayed_rank(sim_t *sim, int64_t now, bool *moved, sb_err_t *err)
{
	decayed_t *decayed = sim->rules_data;
	int64_t period = sim->options->calc_period;

	*moved = false;
	/* Starts and ends wait for the next period. */
	if (decayed->last >= 0 && now / period == decayed->last / period)
		return 0;
	charge_all(sim, decayed, now);
	if (sb_tree_compute(decayed->nodes, decayed->count, 0, 0, NULL, err))
		return -1;
	for (size_t i = 0; i < decayed->count; i++) {
		double priority = -(double) decayed->nodes[i].rank;

		*moved |= lane_place(&sim->queue.lanes[2 * i], 0, priority);
		*moved |= lane_place(&sim->queue.lanes[2 * i + 1],
				     sim->options->qos_preempt, priority);
	}
	return 0;
}

static bool is_low(const sim_t *sim, uint32_t job)
{
	return sim->jobs[job].class == SB_CLASS_UNALLOCATED;
}

static void decayed_sign(sim_t *sim, uint32_t number)
{
	sim_job_t *job = &sim->jobs[number];

	job->granted = 0;
	job->unprotected = SIM_NEVER;
	if (sim->options->qos_preempt && is_low(sim, number))
		job->unprotected = job->start + sim->options->exempt_time;
}

static int decayed_started(sim_t *sim, uint32_t job)
{
	(void) sim;
	(void) job;
	return 0;
}

static int decayed_ended(sim_t *sim, uint32_t job)
{
	decayed_t *decayed = sim->rules_data;

	decayed->ended[sim_asked(sim, job)->assoc] +=
		charge_since(decayed, &sim->jobs[job], sim->now);
	return 0;
}

static bool decayed_may(sim_t *sim, uint32_t group, uint32_t preemptor)
{
	return is_low(sim, sim->crowd.groups[group].jobs[0]) &&
	       !is_low(sim, preemptor);
}

static uint32_t decayed_claim(sim_t *sim, uint32_t preemptor)
{
	(void) sim;
	(void) preemptor;
	return 0;
}

static bool decayed_hopeless(sim_t *sim, uint32_t preemptor)
{
	return is_low(sim, preemptor);
}

/* As preempt/qos: of one QOS the smaller job. */
static uint32_t decayed_victim_prio(sim_t *sim, uint32_t victim)
{
	return sim->jobs[victim].need.nodes;
}

const rules_t rules_multifactor = {
	.open = decayed_open,
	.close = decayed_close,
	.rank = decayed_rank,
	.sign = decayed_sign,
	.started = decayed_started,
	.ended = decayed_ended,
	.may = decayed_may,
	.claim = decayed_claim,
	.hopeless = decayed_hopeless,
	.victim_prio = decayed_victim_prio,
};
