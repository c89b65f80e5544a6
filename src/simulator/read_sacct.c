/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_sacct - attempts -> jobs.
 */
#include <stdlib.h>
#include <string.h>

#include "read.h"
#include "sacct_row.h"

/* Jobs that have no number of their own count from here: Slurm's end at
 * 67,108,863. */
#define NUMBERLESS 0x80000000U

typedef struct {
	reader_t reader;
	sacct_columns_t columns;
	bool has_cluster;
	char cluster[CELL_NAME_MAX + 1];	/* of the first job */
	uint32_t numberless;	/* ids given out */
	/* What the notes tell of. */
	size_t waiting, unstarted, elsewhere, running, attempts, components;
	size_t bad_comments;
} sacct_t;

static int take_header(sacct_t *sacct)
{
	reader_t *reader = &sacct->reader;
	tally_t strict = { .lenient = false };
	char *line;
	size_t len;
	fault_t fault;
	int rc = reader_line(reader, &strict, &line, &len);

	if (rc < 0)
		return -1;
	if (!rc)
		return sb_err_set(reader->err, "%s: is empty",
				  source_name(reader->source));
	if (!sacct_row_header(&sacct->columns, line, &fault))
		return 0;
	return tally_fault(&strict, reader->source, &fault, reader->err);
}

/* Nothing to replay, but to tell of. */
static bool leave_out(sacct_t *sacct, const sacct_row_t *row)
{
	if (row->state == SACCT_ELSEWHERE)
		sacct->elsewhere++;
	else if (row->state == SACCT_WAITING && !row->start)
		sacct->waiting++;
	else if (!row->start)
		sacct->unstarted++;
	else if (!row->tres.gpus &&
		 !(sacct->reader.tally->cpu_jobs && row->tres.cpus))
		sacct->reader.without_gpus++;
	else
		return false;
	return true;
}

/* While reading, `wait` is when the first attempt started. */
static int add(sacct_t *sacct, const sacct_row_t *row, uint32_t assoc)
{
	workload_job_t job = {
		.id = row->id, .assoc = assoc, .submit = row->ready,
		.runtime = row->elapsed, .limit = row->limit,
		.min_runtime = row->min_runtime,
		.checkpoint = WORKLOAD_UNKNOWN, .wait = row->start,
		.nodes = row->nodes, .gpus = row->tres.gpus,
		.cpus = row->tres.cpus, .mem_mb = row->tres.mem_mb,
		.type = -1, .interactive = row->interactive,
		.requeueable = !row->interactive,
	};

	if (!job.id)
		job.id = NUMBERLESS + sacct->numberless++;
	if (row->tres.type[0]) {
		job.type = workload_type(sacct->reader.workload,
					 row->tres.type, sacct->reader.err);
		if (job.type < 0)
			return -1;
	}
	return workload_add(sacct->reader.workload, &job, sacct->reader.err);
}

/* Another attempt of a job that is there. RET: 0, or -1 with a fault. */
static int merge(sacct_t *sacct, const sacct_row_t *row, uint32_t assoc,
		 workload_job_t *job, fault_t *fault)
{
	if (job->assoc != assoc)
		return fault_set(fault, "JobID",
				 "another job had this number (read what is between two resets of job ids at a time)",
				 NULL, 0);
	if (job->runtime + row->elapsed > WORKLOAD_TIME_MAX)
		return fault_set(fault, "Elapsed",
				 "all attempts together are too long", NULL,
				 0);
	sacct->attempts++;
	job->runtime += row->elapsed;
	if (row->ready < job->submit)
		job->submit = row->ready;
	if (row->start < job->wait)
		job->wait = row->start;
	/* Attempts come in any order; a declaration is never lost. */
	if (row->min_runtime > job->min_runtime)
		job->min_runtime = row->min_runtime;
	if (row->tres.gpus > job->gpus) {
		job->gpus = row->tres.gpus;
		job->nodes = row->nodes;
	}
	if (row->tres.cpus > job->cpus)
		job->cpus = row->tres.cpus;
	if (row->tres.mem_mb > job->mem_mb)
		job->mem_mb = row->tres.mem_mb;
	return 0;
}

static int check_cluster(sacct_t *sacct, const sacct_row_t *row,
			 fault_t *fault)
{
	if (!sacct->has_cluster) {
		strcpy(sacct->cluster, row->cluster);
		sacct->has_cluster = true;
	}
	if (!strcmp(sacct->cluster, row->cluster))
		return 0;
	return fault_set(fault, "Cluster",
			 "not the cluster of the lines before", row->cluster,
			 strlen(row->cluster));
}

static int take_row(sacct_t *sacct, const sacct_row_t *row, fault_t *fault)
{
	workload_t *workload = sacct->reader.workload;
	uint32_t index = (uint32_t)workload->job_count, assoc;
	int64_t has;

	if (check_cluster(sacct, row, fault))
		return tally_fault(sacct->reader.tally, sacct->reader.source,
				   fault, sacct->reader.err);
	if (leave_out(sacct, row))
		return 0;
	if (reader_user(&sacct->reader, row->account, row->user, &assoc))
		return -1;
	sacct->running += row->state == SACCT_RUNNING;
	sacct->components += row->component;
	sacct->bad_comments += row->bad_comment;
	has = seen_add(&sacct->reader.ids, row->key, index);
	if (has < 0)
		return sb_err_set(sacct->reader.err, "no memory");
	if ((uint32_t)has == index)
		return add(sacct, row, assoc);
	if (!merge(sacct, row, assoc, &workload->jobs[has], fault))
		return 0;
	return tally_fault(sacct->reader.tally, sacct->reader.source, fault,
			   sacct->reader.err);
}

static int take_line(sacct_t *sacct, char *line)
{
	sacct_row_t row;
	fault_t fault;

	if (sacct_row_parse(&sacct->columns, line, &row, &fault))
		return tally_fault(sacct->reader.tally, sacct->reader.source,
				   &fault, sacct->reader.err);
	return row.step ? 0 : take_row(sacct, &row, &fault);
}

/* From the start of the first attempt to the wait before it. */
static void settle_waits(workload_t *workload)
{
	for (size_t i = 0; i < workload->job_count; i++) {
		workload_job_t *job = &workload->jobs[i];

		job->wait = job->wait > job->submit ?
			job->wait - job->submit : 0;
	}
}

static int note(sacct_t *sacct)
{
	const struct {
		size_t count;
		const char *one, *many;
	} notes[] = {
		{ sacct->waiting, "job was still waiting and was left out",
		  "jobs were still waiting and were left out" },
		{ sacct->unstarted, "job never started and was left out",
		  "jobs never started and were left out" },
		{ sacct->elsewhere, "job ran on another cluster and was left out",
		  "jobs ran on another cluster and were left out" },
		{ sacct->running, "job was still running: it needs what it had run",
		  "jobs were still running: they need what they had run" },
		{ sacct->attempts, "attempt was added to the first of its job, which needs what both of them ran",
		  "attempts were added to the first of their job, which needs what all of them ran" },
		{ sacct->components, "component of a heterogeneous job is a job of its own",
		  "components of heterogeneous jobs are jobs of their own" },
		{ sacct->bad_comments, "job has a min-runtime that cannot be read: undeclared",
		  "jobs have a min-runtime that cannot be read: undeclared" },
	};

	for (size_t i = 0; i < sizeof(notes) / sizeof(*notes); i++) {
		if (workload_count(sacct->reader.workload, notes[i].count,
				   notes[i].one, notes[i].many))
			return sb_err_set(sacct->reader.err, "no memory");
	}
	return 0;
}

extern workload_t *read_sacct(source_t *source, tally_t *tally, sb_err_t *err)
{
	sacct_t *sacct = calloc(1, sizeof(*sacct));
	workload_t *workload = NULL;
	char *line;
	size_t len;
	int rc;

	if (!sacct || reader_begin(&sacct->reader, source, tally, err)) {
		sb_err_set(err, "no memory");
		free(sacct);
		return NULL;
	}
	rc = take_header(sacct);
	while (!rc &&
	       (rc = reader_line(&sacct->reader, tally, &line, &len)) > 0)
		rc = len ? take_line(sacct, line) : 0;
	if (!rc) {
		settle_waits(sacct->reader.workload);
		rc = note(sacct);
	}
	workload = reader_end(&sacct->reader, rc);
	free(sacct);
	return workload;
}
