/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "tree.h"

/* Parts of a GPU's worth that dominant shares are counted in. */
#define SCALE 1000
/* A report of less than this has nothing to tell, seconds. */
#define PERIOD_MIN 60

/* What log_report() works with. */
typedef struct {
	const log_t *log;
	const workload_t *workload;
	report_t *report;
	uint32_t scale;		/* dominant shares are counted in so many
				 * parts of a GPU; 0: GPUs are */
	double whole;		/* parts of the cluster */
	int32_t *accounts;	/* association -> account of the report; of a
				 * user that of its account */
	int64_t base;		/* of times: 0 would be "has not" */
	int64_t *starts;	/* of each job's runs, in a row ... */
	size_t *first;		/* ... that begins here */
	sb_err_t *err;
} maker_t;

/* Room for one more; arrays double at powers of two. RET: NULL without. */
static void *room(void *array, size_t count, size_t size)
{
	if (array && (count & (count - 1)))
		return array;
	return realloc(array, (count ? 2 * count : 1) * size);
}

static int log_bars(log_t *log, const engine_run_t *run)
{
	for (uint32_t i = 0; i < run->nodes && run->node &&
	     log->bar_count < REPORT_BARS_MAX; i++) {
		log_bar_t *bars = room(log->bars, log->bar_count,
				       sizeof(*bars));

		if (!bars)
			return -1;
		log->bars = bars;
		bars[log->bar_count++] = (log_bar_t) {
			.lane = run->node[i], .job = run->job,
			.from = run->start, .until = run->end,
		};
	}
	return 0;
}

extern int log_run(log_t *log, const engine_run_t *run)
{
	engine_run_t *runs = room(log->runs, log->run_count, sizeof(*runs));

	if (!runs)
		return -1;
	log->runs = runs;
	runs[log->run_count] = *run;
	runs[log->run_count++].node = NULL;
	return log->bars_wanted && run->start >= 0 ? log_bars(log, run) : 0;
}

extern int log_capacity(log_t *log, const engine_capacity_t *capacity)
{
	engine_capacity_t *capacities = room(log->capacities,
					     log->capacity_count,
					     sizeof(*capacities));

	if (!capacities)
		return -1;
	log->capacities = capacities;
	capacities[log->capacity_count++] = *capacity;
	return 0;
}

extern void log_free(log_t *log)
{
	free(log->runs);
	free(log->capacities);
	free(log->bars);
	memset(log, 0, sizeof(*log));
}

/* ---------------------------------------------------------------- accounts */

/* Budgets as the core sees them. RET: NULL with err. */
static sb_tree_node_t *weigh(const workload_t *workload, sb_err_t *err)
{
	sb_tree_node_t *nodes = calloc(workload->assoc_count, sizeof(*nodes));

	if (!nodes) {
		sb_err_set(err, "no memory");
		return NULL;
	}
	for (size_t i = 0; i < workload->assoc_count; i++) {
		nodes[i].parent = workload->assocs[i].parent;
		nodes[i].shares = workload->assocs[i].shares;
		nodes[i].user = workload->assocs[i].user;
	}
	if (!sb_tree_compute(nodes, workload->assoc_count, 0, 0, NULL, err))
		return nodes;
	free(nodes);
	return NULL;
}

/* RET: accounts of the report, and where each association is among them. */
static report_account_t *list_accounts(maker_t *maker, size_t *count)
{
	const workload_t *workload = maker->workload;
	report_account_t *accounts = calloc(workload->assoc_count,
					    sizeof(*accounts));
	sb_tree_node_t *nodes = accounts ? weigh(workload, maker->err) : NULL;

	*count = 0;
	for (size_t i = 0; nodes && i < workload->assoc_count; i++) {
		const workload_assoc_t *assoc = &workload->assocs[i];
		int32_t above = assoc->parent < 0 ? REPORT_NO_PARENT :
			maker->accounts[assoc->parent];

		maker->accounts[i] = assoc->user ? above : (int32_t)*count;
		if (assoc->user)
			continue;
		accounts[(*count)++] = (report_account_t) {
			.name = assoc->name, .parent = above,
			.allocation = nodes[i].allocation,
		};
	}
	if (!nodes) {
		free(accounts);
		accounts = NULL;
	}
	free(nodes);
	return accounts;
}

static report_t *begin(maker_t *maker, const settings_t *settings,
		       const sb_params_t *params, int64_t until)
{
	report_options_t options = report_options_default;
	report_account_t *accounts;
	report_t *report;
	size_t count;

	accounts = list_accounts(maker, &count);
	if (!accounts)
		return NULL;
	if (settings->engine.policy == ENGINE_BUDGET && params->debug_runtime)
		options.debug = params->debug_runtime;
	options.large_nodes = params->gang_nodes;
	options.cap = params->min_runtime_max;
	if (maker->scale)
		options.unit = "milli-GPU";
	report = report_create(maker->base, maker->base + until, accounts,
			       count, &options, maker->err);
	free(accounts);
	return report;
}

/* ---------------------------------------------------------------- runs */

static report_end_t end_of(engine_end_t end)
{
	switch (end) {
	case ENGINE_COMPLETED:
		return REPORT_COMPLETED;
	case ENGINE_TIMEOUT:
		return REPORT_TIMEOUT;
	case ENGINE_PREEMPTED:
		return REPORT_PREEMPTED;
	case ENGINE_DRAINED:
		return REPORT_REQUEUED;
	case ENGINE_NODE_FAILED:
		return REPORT_NODE_FAIL;
	case ENGINE_OPEN:
		break;
	}
	return REPORT_OPEN;
}

static report_class_t class_of(sb_class_t class)
{
	return class == SB_CLASS_ALLOCATED ? REPORT_ALLOCATED :
		class == SB_CLASS_UNALLOCATED ? REPORT_FREE :
		REPORT_UNDECLARED;
}

/* RET: GPUs, or what is counted instead; who has anything has something. */
static uint32_t size_of(const maker_t *maker, const engine_run_t *run)
{
	if (!maker->scale)
		return run->gpus;
	return (uint32_t)ceil(run->dominant * maker->whole - 1e-6);
}

static int add_run(const maker_t *maker, const engine_run_t *run)
{
	const workload_job_t *job = &maker->workload->jobs[run->job];
	const char *user = maker->workload->assocs[job->assoc].name;
	report_run_t out = {
		.job = job->id, .account = maker->accounts[job->assoc],
		.user = user, .eligible = maker->base + run->eligible,
		.gpus = size_of(maker, run), .nodes = run->nodes,
		.class = class_of(run->class), .minimum = job->min_runtime,
		.limit = job->limit < 0 || job->limit >= WORKLOAD_TIME_MAX ?
			REPORT_UNKNOWN : job->limit,
		.outcome = end_of(run->outcome), .restart = run->attempt > 0,
		.interactive = job->interactive, .usage = REPORT_UNKNOWN,
		.lost = (double)run->lost * size_of(maker, run),
		.drained = run->drained,
	};

	if (run->start >= 0)
		out.start = maker->base + run->start;
	if (run->start >= 0 && run->outcome != ENGINE_OPEN)
		out.end = maker->base + run->end;
	return report_add(maker->report, &out, maker->err);
}

static int by_value(const void *a, const void *b)
{
	const int64_t *one = a, *two = b;

	return *one < *two ? -1 : *one > *two;
}

/* When the runs of each job started. RET: 0, or -1 with err. */
static int sort_starts(maker_t *maker)
{
	size_t jobs = maker->workload->job_count;
	const log_t *log = maker->log;

	maker->first = calloc(jobs + 2, sizeof(*maker->first));
	maker->starts = calloc(log->run_count + 1, sizeof(*maker->starts));
	if (!maker->first || !maker->starts)
		return sb_err_set(maker->err, "no memory");
	for (size_t i = 0; i < log->run_count; i++)
		maker->first[log->runs[i].job + 2]++;
	for (size_t i = 2; i < jobs + 2; i++)
		maker->first[i] += maker->first[i - 1];
	for (size_t i = 0; i < log->run_count; i++)
		maker->starts[maker->first[log->runs[i].job + 1]++] =
			log->runs[i].start;
	for (size_t i = 0; i < jobs; i++)
		qsort(maker->starts + maker->first[i],
		      maker->first[i + 1] - maker->first[i],
		      sizeof(*maker->starts), by_value);
	return 0;
}

/* Did the job run from then on for which room was made, before its next
 * turn? The scheduler looks at it again within two of its rounds. */
static report_answer_t did_start(const maker_t *maker, const engine_run_t *run,
				 int64_t patience)
{
	for (size_t i = maker->first[run->by];
	     i < maker->first[run->by + 1]; i++) {
		if (maker->starts[i] >= run->end &&
		    maker->starts[i] <= run->end + patience)
			return REPORT_YES;
	}
	return REPORT_NO;
}

static int add_all(maker_t *maker, const settings_t *settings)
{
	const log_t *log = maker->log;
	int64_t patience = 2 * (settings->engine.sched_interval +
				settings->engine.bf_interval) +
		settings->engine.kill_time + settings->engine.grace_time;

	for (size_t i = 0; i < log->run_count; i++) {
		const engine_run_t *run = &log->runs[i];

		if (run->refused)
			continue;
		if (add_run(maker, run))
			return -1;
		if (run->outcome == ENGINE_PREEMPTED &&
		    run->by != ENGINE_NONE &&
		    report_preemption(maker->report,
				      maker->workload->jobs[run->by].id,
				      maker->workload->jobs[run->job].id,
				      did_start(maker, run, patience),
				      maker->err))
			return -1;
	}
	return 0;
}

static int add_capacity(const maker_t *maker, int64_t until)
{
	const log_t *log = maker->log;
	uint32_t scale = maker->scale ? maker->scale : 1;

	for (size_t i = 0; i < log->capacity_count; i++) {
		const engine_capacity_t *at = &log->capacities[i];
		int64_t next = i + 1 < log->capacity_count ? at[1].time :
			until;

		if (next > at->time &&
		    report_capacity(maker->report, maker->base + at->time,
				    maker->base + next, at->total * scale,
				    at->down * scale, 0, maker->err))
			return -1;
	}
	return 0;
}

static int add_bars(const maker_t *maker)
{
	const log_t *log = maker->log;

	for (size_t i = 0; i < log->bar_count; i++) {
		const log_bar_t *bar = &log->bars[i];
		uint32_t assoc = maker->workload->jobs[bar->job].assoc;

		if (bar->lane >= REPORT_LANES_MAX || bar->until <= bar->from)
			continue;
		if (report_bar(maker->report, bar->lane,
			       maker->accounts[assoc], maker->base + bar->from,
			       maker->base + bar->until, maker->err))
			return -1;
	}
	return 0;
}

extern report_t *log_report(const log_t *log, const workload_t *workload,
			    const settings_t *settings,
			    const sb_params_t *params, int64_t until,
			    sb_err_t *err)
{
	maker_t maker = {
		.log = log, .workload = workload, .err = err,
		.base = workload->origin > 0 ? workload->origin : 1,
		.accounts = calloc(workload->assoc_count, sizeof(int32_t)),
	};
	int rc = -1;

	if (until < PERIOD_MIN)
		until = PERIOD_MIN;
	if (settings->count_dominant && log->capacity_count) {
		maker.scale = SCALE;
		maker.whole = (double)log->capacities[0].total * SCALE;
	}
	if (!maker.accounts)
		sb_err_set(err, "no memory");
	else
		maker.report = begin(&maker, settings, params, until);
	if (maker.report)
		rc = sort_starts(&maker) || add_all(&maker, settings) ||
			add_capacity(&maker, until) || add_bars(&maker) ||
			report_finish(maker.report, err) ? -1 : 0;
	free(maker.accounts);
	free(maker.first);
	free(maker.starts);
	if (rc) {
		report_destroy(maker.report);
		return NULL;
	}
	return maker.report;
}
