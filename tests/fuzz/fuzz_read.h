/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_read - what readers of workloads promise, for any bytes.
 */
#ifndef SB_TESTS_FUZZ_READ_H
#define SB_TESTS_FUZZ_READ_H

#include <time.h>

#include "fuzz.h"
#include "models.h"
#include "read.h"
#include "tree.h"

typedef workload_t *(*fuzz_reader_t)(source_t *, tally_t *, sb_err_t *);

static inline void fuzz_job(const workload_t *workload,
			    const workload_job_t *job, bool cpu_jobs)
{
	MUST(job->assoc < workload->assoc_count);
	MUST(workload->assocs[job->assoc].user);
	MUST(job->submit >= 0 && job->submit <= WORKLOAD_TIME_MAX);
	MUST(job->runtime >= 0 && job->runtime <= WORKLOAD_TIME_MAX);
	MUST(job->limit >= -1 && job->limit <= WORKLOAD_TIME_MAX);
	MUST(job->min_runtime >= -1 && job->min_runtime <= WORKLOAD_TIME_MAX);
	MUST(job->checkpoint >= -1);
	MUST(job->wait >= -1);
	MUST(job->gpus <= WORKLOAD_GPUS_MAX);
	MUST(job->gpus || (cpu_jobs && job->cpus));
	MUST(!job->gpus || job->nodes <= job->gpus);
	MUST(job->nodes <= WORKLOAD_NODES_MAX);
	MUST(job->cpus <= WORKLOAD_CPUS_MAX);
	MUST(job->mem_mb <= WORKLOAD_MEM_MAX);
	MUST(job->type >= -1 && job->type < (int)workload->type_count);
}

static inline void fuzz_workload(const workload_t *workload, bool cpu_jobs)
{
	MUST(workload->job_count > 0);
	MUST(workload->jobs[0].submit == 0);
	MUST(workload->assocs[0].parent == SB_NO_PARENT);
	for (size_t i = 0; i < workload->job_count; i++) {
		fuzz_job(workload, &workload->jobs[i], cpu_jobs);
		MUST(!i || workload->jobs[i].submit >=
		     workload->jobs[i - 1].submit);
	}
	for (size_t i = 1; i < workload->assoc_count; i++) {
		int32_t parent = workload->assocs[i].parent;

		MUST(parent >= 0 && (size_t)parent < i);
		MUST(!workload->assocs[parent].user);
		MUST(workload->assocs[i].name[0]);
	}
}

static inline workload_t *fuzz_once(fuzz_reader_t read, const char *text,
				    size_t size, tally_t *tally)
{
	source_t *source = source_of_text("FILE", text, size);
	sb_err_t err = { "" };
	workload_t *workload;

	MUST(source);
	workload = read(source, tally, &err);
	source_close(source);
	if (workload)
		fuzz_workload(workload, tally->cpu_jobs);
	else
		fuzz_printable(&err);
	return workload;
}

/* Strict, then lenient: what strict takes lenient takes as well, and leaves
 * nothing out. */
static inline void fuzz_read(fuzz_reader_t read, const uint8_t *data,
			     size_t size)
{
	char *text = fuzz_text(data, size);
	tally_t strict = { .lenient = false }, lenient = { .lenient = true };
	tally_t hosts = { .lenient = true, .cpu_jobs = true };
	workload_t *one, *two, *three;

	/* A zone with a gap and an overlap, the same on every machine. */
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	one = fuzz_once(read, text, size, &strict);
	two = fuzz_once(read, text, size, &lenient);
	/* Nodes have CPUs: jobs without GPUs are jobs, too, and one of them
	 * may be years away from the rest. */
	three = fuzz_once(read, text, size, &hosts);
	MUST(!one || two);
	if (one)
		MUST(one->job_count == two->job_count && !two->skipped);
	if (two) {
		MUST(two->skipped == lenient.total);
		MUST(!models_apply(two, &models_default, 1, NULL));
		fuzz_workload(two, false);
	}
	workload_destroy(one);
	workload_destroy(two);
	workload_destroy(three);
	free(text);
}

#endif
