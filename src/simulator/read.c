/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read.h"
#include "tree.h"

extern int reader_begin(reader_t *reader, source_t *source, tally_t *tally,
			sb_err_t *err)
{
	*reader = (reader_t) {
		.source = source, .tally = tally, .err = err,
		.workload = workload_create(),
	};
	return reader->workload ? 0 : sb_err_set(err, "no memory");
}

extern int reader_line(reader_t *reader, tally_t *tally, char **line,
		       size_t *len)
{
	const char *reason;
	fault_t fault;
	int rc;

	while ((rc = source_line(reader->source, line, len, reader->err)) > 0) {
		reason = source_fault(reader->source);
		if (!reason)
			break;
		fault_set(&fault, NULL, reason, NULL, 0);
		if (tally_fault(tally, reader->source, &fault, reader->err))
			return -1;
	}
	return rc;
}

extern int reader_user(reader_t *reader, const char *account, const char *user,
		       uint32_t *assoc)
{
	int32_t above = workload_assoc(reader->workload, 0,
				       *account ? account :
				       WORKLOAD_NO_ACCOUNT, false,
				       reader->err);
	int32_t index;

	if (above < 0)
		return -1;
	index = workload_assoc(reader->workload, above,
			       *user ? user : WORKLOAD_NOBODY, true,
			       reader->err);
	if (index < 0)
		return -1;
	*assoc = (uint32_t)index;
	return 0;
}

extern int reader_job(reader_t *reader, const workload_job_t *job,
		      const char *id)
{
	uint32_t index = (uint32_t)reader->workload->job_count;
	int64_t has;
	fault_t fault;

	if (!job->gpus && !(reader->tally->cpu_jobs && job->cpus)) {
		reader->without_gpus++;
		return 0;
	}
	has = seen_add(&reader->ids, job->id, index);
	if (has < 0)
		return sb_err_set(reader->err, "no memory");
	if ((uint32_t)has == index)
		return workload_add(reader->workload, job, reader->err);
	fault_set(&fault, id, "a job before has this number", NULL, 0);
	return tally_fault(reader->tally, reader->source, &fault, reader->err);
}

extern workload_t *reader_end(reader_t *reader, int rc)
{
	workload_t *workload = reader->workload;
	int64_t first;

	reader->workload = NULL;
	seen_free(&reader->ids);
	if (!rc && !workload->job_count)
		rc = sb_err_set(reader->err, "%s: no job with GPUs%s in %zu lines",
				source_name(reader->source),
				reader->tally->cpu_jobs ? " or CPUs" : "",
				source_number(reader->source) - 1);
	if (!rc && (reader->tally->cpu_jobs ?
		    workload_count(workload, reader->without_gpus,
				   "job without GPUs and CPUs was left out",
				   "jobs without GPUs and CPUs were left out") :
		    workload_count(workload, reader->without_gpus,
				   "job without GPUs was left out",
				   "jobs without GPUs were left out")))
		rc = sb_err_set(reader->err, "no memory");
	if (rc) {
		workload_destroy(workload);
		return NULL;
	}
	workload_sort(workload);
	first = workload->jobs[0].submit;
	if (workload->jobs[workload->job_count - 1].submit - first >
	    WORKLOAD_TIME_MAX) {
		sb_err_set(reader->err, "%s: more than ten years between the first and the last submit",
			   source_name(reader->source));
		workload_destroy(workload);
		return NULL;
	}
	for (size_t i = 0; i < workload->job_count; i++)
		workload->jobs[i].submit -= first;
	workload->origin += first;
	workload->skipped = reader->tally->total;
	return workload;
}
