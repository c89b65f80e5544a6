/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bounds - what a replay may be asked for: bounds of engine_options_t.
 */
#include "engine.h"
#include "limits.h"

/* Longest time that an option may name, seconds. */
#define TIME_MAX ((int64_t) SB_SETTING_TIME_MAX)

typedef struct {
	const char *name;
	int64_t value, least, most;
} bound_t;

static int check_bounds(const bound_t *bounds, size_t count, sb_err_t *err)
{
	for (size_t i = 0; i < count; i++)
		if (bounds[i].value < bounds[i].least ||
		    bounds[i].value > bounds[i].most)
			return sb_err_set(err, "%s is %lld, allowed are %lld "
					  "to %lld", bounds[i].name,
					  (long long) bounds[i].value,
					  (long long) bounds[i].least,
					  (long long) bounds[i].most);
	return 0;
}

static int check_times(const engine_options_t *options, sb_err_t *err)
{
	const bound_t bounds[] = {
		{ "PriorityCalcPeriod", options->calc_period, 1, TIME_MAX },
		{ "PriorityDecayHalfLife", options->half_life, 0, TIME_MAX },
		{ "PreemptExemptTime", options->exempt_time, 0, TIME_MAX },
		{ "grace time", options->grace_time, 0, TIME_MAX },
		{ "kill time", options->kill_time, 0, TIME_MAX },
		{ "epilog time", options->epilog_time, 0, TIME_MAX },
		{ "requeue delay", options->requeue_delay, 0, TIME_MAX },
		{ "restart time", options->restart_time, 0, TIME_MAX },
		{ "default limit", options->default_limit, 0, TIME_MAX },
		{ "sched_interval", options->sched_interval, 1, TIME_MAX },
		{ "batch_sched_delay", options->batch_sched_delay, 0,
		  TIME_MAX },
		{ "reserve_lead", options->reserve_lead, 0, TIME_MAX },
		{ "default_queue_depth", options->queue_depth, 1,
		  UINT32_MAX },
		{ "bf_interval", options->bf_interval, 1, 3 * SB_HOUR },
		{ "bf_window", options->bf_window, 1, 30 * SB_DAY },
		{ "bf_resolution", options->bf_resolution, 1, SB_HOUR },
		{ "bf_max_job_test", options->bf_max_job_test, 1, 1000000 },
		{ "until", options->until, 0, INT64_MAX / 4 },
	};

	return check_bounds(bounds, sizeof(bounds) / sizeof(*bounds), err);
}

/* What some nodes have and others are silent about could not be added up. */
static int check_hosts(const engine_options_t *options, sb_err_t *err)
{
	size_t with_gpus = 0, with_cpus = 0, with_mem = 0;
	const engine_weights_t *weights = &options->weights;
	bool weighted = options->charge == ENGINE_CHARGE_SUM ||
			options->charge == ENGINE_CHARGE_MAX;

	for (size_t i = 0; i < options->pool_count; i++) {
		with_gpus += options->pools[i].gpus > 0;
		with_cpus += options->pools[i].cpus > 0;
		with_mem += options->pools[i].mem_mb > 0;
	}
	if (!with_gpus)
		return sb_err_set(err, "no node has GPUs");
	if (with_cpus && with_cpus < options->pool_count)
		return sb_err_set(err, "some nodes have CPUs and others do "
				  "not say how many");
	if (with_mem && with_mem < options->pool_count)
		return sb_err_set(err, "some nodes have memory and others do "
				  "not say how much");
	if (with_mem && !with_cpus)
		return sb_err_set(err, "nodes have memory and do not say how "
				  "many CPUs");
	if (weighted && ((weights->cpu > 0 && !with_cpus) ||
			 (weights->mem > 0 && !with_mem)))
		return sb_err_set(err, "CPUs or memory are charged, and nodes "
				  "do not say how much they have");
	return 0;
}

static bool weights_hold(const engine_weights_t *weights)
{
	const double each[] = {
		weights->cpu, weights->mem, weights->node, weights->gpu,
	};

	for (size_t i = 0; i < sizeof(each) / sizeof(*each); i++)
		if (!(each[i] >= 0 && each[i] <= 1e13))
			return false;
	return true;
}

static int check_pools(const engine_options_t *options, sb_err_t *err)
{
	uint64_t nodes = 0;

	for (size_t i = 0; i < options->pool_count; i++) {
		const engine_pool_t *pool = &options->pools[i];
		const bound_t bounds[] = {
			{ "nodes", pool->nodes, 1, ENGINE_NODES_MAX },
			{ "GPUs of a node", pool->gpus, pool->cpus ? 0 : 1,
			  ENGINE_NODE_GPUS_MAX },
			{ "CPUs of a node", pool->cpus, 0,
			  ENGINE_NODE_CPUS_MAX },
			{ "MB of a node", pool->mem_mb, 0,
			  ENGINE_NODE_MEM_MAX },
		};

		if (check_bounds(bounds, 4, err))
			return -1;
		if (!(pool->weight >= 0 && pool->weight <= 1e9))
			return sb_err_set(err, "the weight of a GPU is not 0 "
					  "to 1e9");
		nodes += pool->nodes;
	}
	if (!nodes || nodes > ENGINE_NODES_MAX)
		return sb_err_set(err, "%llu nodes, allowed are 1 to %d",
				  (unsigned long long) nodes,
				  ENGINE_NODES_MAX);
	for (size_t i = 0; i < options->outage_count; i++)
		if (options->outages[i].node >= nodes ||
		    options->outages[i].time < 0 ||
		    options->outages[i].change > ENGINE_NODE_RESUME)
			return sb_err_set(err, "outage %zu is of node %u of "
					  "%llu, or of no known kind", i,
					  options->outages[i].node,
					  (unsigned long long) nodes);
	return 0;
}

static int check_reservations(const engine_options_t *options, sb_err_t *err)
{
	for (size_t i = 0; i < options->reservation_count; i++) {
		const engine_reservation_t *asked = &options->reservations[i];
		const bound_t bounds[] = {
			{ "creation of a reservation", asked->made, 0,
			  TIME_MAX },
			{ "StartTime of a reservation", asked->start,
			  asked->made, TIME_MAX },
			{ "Duration of a reservation", asked->duration, 1,
			  TIME_MAX },
			{ "NodeCnt of a reservation", asked->nodes, 1,
			  ENGINE_NODES_MAX },
		};

		if (check_bounds(bounds, sizeof(bounds) / sizeof(*bounds),
				 err))
			return -1;
	}
	return 0;
}

/* Better no answer than one to another question. */
static int check_params(const engine_options_t *options, sb_err_t *err)
{
	const sb_params_t *params = options->params;

	if (!params || options->policy != ENGINE_BUDGET)
		return 0;
	if (params->order != SB_ORDER_BUDGET)
		return sb_err_set(err, "order=weighted is not simulated: "
				  "other factors of priority are not known");
	if (params->preempt_by != SB_PREEMPT_BY_BUDGET)
		return sb_err_set(err, "preempt_by=qos and =partition are not "
				  "simulated; see policy multifactor-qos");
	return 0;
}

extern int engine_options_check(const engine_options_t *options,
				sb_err_t *err)
{
	if (options->policy >= ENGINE_POLICIES)
		return sb_err_set(err, "no policy %d", options->policy);
	if (!(options->account_limit >= 0 && options->account_limit <= 1e6))
		return sb_err_set(err, "the limit of an account is not 0 to "
				  "1e6 times its share");
	if (check_times(options, err) || check_params(options, err) ||
	    check_reservations(options, err))
		return -1;
	if (options->charge > ENGINE_CHARGE_DRF ||
	    !weights_hold(&options->weights))
		return sb_err_set(err, "no way to charge %d, or a weight that "
				  "is not 0 to 1e13", options->charge);
	return check_pools(options, err) || check_hosts(options, err) ? -1 : 0;
}

extern const char *engine_policy_name(engine_policy_t policy)
{
	switch (policy) {
	case ENGINE_BUDGET:
		return "budget";
	case ENGINE_MULTIFACTOR:
		return "multifactor";
	case ENGINE_FIFO:
		return "fifo";
	case ENGINE_PRIORITY:
		return "priority";
	case ENGINE_POLICIES:
		break;
	}
	return "unknown";
}

extern const char *engine_end_name(engine_end_t end)
{
	switch (end) {
	case ENGINE_COMPLETED:
		return "completed";
	case ENGINE_TIMEOUT:
		return "timeout";
	case ENGINE_PREEMPTED:
		return "preempted";
	case ENGINE_DRAINED:
		return "drained";
	case ENGINE_NODE_FAILED:
		return "node-failed";
	case ENGINE_OPEN:
		return "open";
	}
	return "unknown";
}
