/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs.h"
#include "text.h"

extern const char *runs_unit(const cluster_t *cluster)
{
	return cluster->has_gpus ? "gres/gpu" : cluster->params->charge_tres;
}

static int _by_id(const void *a, const void *b)
{
	const job_t *one = *(const job_t *const *) a;
	const job_t *two = *(const job_t *const *) b;

	return (one->id < two->id) ? -1 : one->id > two->id;
}

extern int runs_begin(runs_t *runs, const cluster_t *cluster, void *conn)
{
	const queue_t *queue = &cluster->queue;

	memset(runs, 0, sizeof(*runs));
	runs->cluster = cluster;
	if (api_tres_id(conn, runs_unit(cluster), runs->gpus) ||
	    api_tres_id(conn, "gres/gpuutil", runs->usage))
		return -1;
	runs->known = calloc(queue->count + 1, sizeof(*runs->known));
	if (!runs->known) {
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < queue->count; i++)
		runs->known[runs->known_count++] = &queue->jobs[i];
	qsort(runs->known, runs->known_count, sizeof(*runs->known), _by_id);
	return 0;
}

extern void runs_end(runs_t *runs)
{
	free(runs->known);
	memset(runs, 0, sizeof(*runs));
}

extern const job_t *runs_find(const runs_t *runs, uint32_t id)
{
	const job_t key = { .id = id }, *pointer = &key;
	const job_t **found = bsearch(&pointer, runs->known, runs->known_count,
				      sizeof(*runs->known), _by_id);

	return found ? *found : NULL;
}

static report_end_t _outcome(const slurmdb_job_rec_t *job)
{
	if (!job->end)
		return REPORT_OPEN;
	if (job->state & (JOB_REQUEUE | JOB_REQUEUE_HOLD))
		return ((job->state & JOB_STATE_BASE) == JOB_PREEMPTED) ?
			REPORT_PREEMPTED : REPORT_REQUEUED;
	switch (job->state & JOB_STATE_BASE) {
	case JOB_PREEMPTED:
		return REPORT_PREEMPTED;
	case JOB_NODE_FAIL:
	case JOB_BOOT_FAIL:
		return REPORT_NODE_FAIL;
	case JOB_FAILED:
	case JOB_OOM:
		return REPORT_FAILED;
	case JOB_TIMEOUT:
	case JOB_DEADLINE:
		return REPORT_TIMEOUT;
	case JOB_CANCELLED:
		return REPORT_CANCELLED;
	}
	/* Also a run whose nodes were changed: it went on. */
	return REPORT_COMPLETED;
}

static report_class_t _class(sb_class_t class)
{
	switch (class) {
	case SB_CLASS_ALLOCATED:
		return REPORT_ALLOCATED;
	case SB_CLASS_UNALLOCATED:
		return REPORT_FREE;
	case SB_CLASS_UNDECLARED:
		break;
	}
	return REPORT_UNDECLARED;
}

/* By the comment that slurmdbd has kept. */
static void _read_comment(const runs_t *runs, const char *comment,
			  report_run_t *run)
{
	const sb_params_t *params = runs->cluster->params;
	sb_contract_t contract;

	(void) sb_contract_sign(params, comment, run->cap, run->limit, true,
				run->start, 0, &contract, NULL);
	run->class = _class(contract.class);
	if (contract.declared > 0)
		run->minimum = contract.declared;
}

/* slurmdbd is told the comment at the end; until then slurmctld knows. */
static void _read_class(const runs_t *runs, const slurmdb_job_rec_t *job,
			report_run_t *run)
{
	const job_t *known = run->end ? NULL : runs_find(runs, job->jobid);

	if (known) {
		run->class = _class(known->contract.class);
		if (known->contract.declared > 0)
			run->minimum = known->contract.declared;
	} else if (run->end && runs->cluster->comments) {
		_read_comment(runs, job->derived_es, run);
	}
}

/* "/usr/bin/srun --pty bash" */
static bool _is_interactive(const char *line)
{
	size_t length = line ? strcspn(line, " \t") : 0;
	const char *name = line;

	for (size_t i = 0; i < length; i++) {
		if (line[i] == '/')
			name = line + i + 1;
	}
	length -= name - line;
	return (length == 4 && !memcmp(name, "srun", 4)) ||
	       (length == 6 && !memcmp(name, "salloc", 6));
}

static uint32_t _gpus(const runs_t *runs, const slurmdb_job_rec_t *job,
		      int64_t start)
{
	const char *tres = start ? job->tres_alloc_str : job->tres_req_str;
	double count = 0;

	(void) text_tres(tres, runs->gpus, &count);
	if (!(count > 0))
		return 0;
	/* What is more is refused, and said. */
	return (count < UINT32_MAX) ? lround(count) : UINT32_MAX;
}

typedef struct {
	const char *tres;
	double busy;		/* per cent x seconds, over all GPUs */
	bool known;
} usage_t;

static int _add_step(void *item, void *arg)
{
	const slurmdb_step_rec_t *step = item;
	usage_t *usage = arg;
	double percent;

	if (!text_tres(step->stats.tres_usage_in_tot, usage->tres, &percent))
		return 0;
	usage->busy += percent * step->elapsed;
	usage->known = true;
	return 0;
}

/* Of the time it ran and the GPUs it had. */
static double _usage(const runs_t *runs, const slurmdb_job_rec_t *job,
		     const report_run_t *run)
{
	usage_t usage = { .tres = runs->usage };

	if (!*runs->usage || !run->gpus || !job->elapsed)
		return REPORT_UNKNOWN;
	(void) api_for_each(job->steps, _add_step, &usage);
	if (!usage.known || !(usage.busy >= 0))
		return REPORT_UNKNOWN;
	return fmin(usage.busy / 100 / run->gpus / job->elapsed, 1);
}

static int64_t _limit(const slurmdb_job_rec_t *job)
{
	if (!job->timelimit || (job->timelimit == NO_VAL) ||
	    (job->timelimit == INFINITE))
		return REPORT_UNKNOWN;
	return (int64_t) job->timelimit * 60;
}

extern report_run_t runs_make(const runs_t *runs, const record_t *record)
{
	const slurmdb_job_rec_t *job = record->job;
	report_run_t run = {
		.job = job->jobid,
		.account = REPORT_NO_ACCOUNT,
		.user = job->user,
		.eligible = job->eligible,
		.start = record->start,
		.end = record->end,
		.gpus = _gpus(runs, job, record->start),
		.nodes = job->alloc_nodes,
		.class = REPORT_CLASS_UNKNOWN,
		.minimum = REPORT_UNKNOWN,
		.cap = sb_params_cap(runs->cluster->params, job->partition),
		.limit = _limit(job),
		.outcome = _outcome(job),
		.restart = record->restart,
		.interactive = _is_interactive(job->submit_line),
		.lost = REPORT_UNKNOWN,
	};

	/* It did not wait for its other nodes; or the clock was set. */
	if (run.start && (record->continued || (run.eligible > run.start)))
		run.eligible = run.start;
	run.usage = _usage(runs, job, &run);
	_read_class(runs, job, &run);
	return run;
}

extern uint32_t runs_tasks(const record_t *record)
{
	return record->start ? 1 : text_tasks(record->job->array_task_str);
}
