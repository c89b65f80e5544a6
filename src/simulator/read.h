/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read - what was run somewhere -> a workload.
 *
 * Each reads its source to the end, and stops at the first bad line with err
 * "FILE:LINE: COLUMN: what is wrong, "VALUE"", or, when tally->lenient, leaves
 * such lines out and counts them by reason. Bad beyond that, and always an
 * error: what cannot be read, a header without the columns needed, no job at
 * all.
 *
 * Jobs come ordered (workload_sort()), times relative to the first submit;
 * what the source has not is WORKLOAD_UNKNOWN; what it has and was not
 * taken is in the notes.
 */
#ifndef SB_SIM_READ_H
#define SB_SIM_READ_H

#include "err.h"
#include "fault.h"
#include "seen.h"
#include "source.h"
#include "workload.h"

/*
 * The normalised CSV of this project: a header line, then one job a line,
 * fields without quotes.
 *   needed    submit_s runtime_s gpus
 *   optional  job_id wait_s timelimit_s min_runtime_s checkpoint_s nodes
 *             account user state gpu_type cpus mem_mb
 * RET: a workload, or NULL with err.
 */
extern workload_t *read_trace(source_t *source, tally_t *tally,
			      sb_err_t *err);

/*
 * The Standard Workload Format of the Parallel Workloads Archive, version 2:
 * header comments behind ';', then 18 fields a line. Processors are taken for
 * GPUs: SWF knows no other. Memory is what was asked for, else used, for each
 * of them. Groups are accounts.
 */
extern workload_t *read_swf(source_t *source, tally_t *tally, sb_err_t *err);

/*
 * What `sacct -P` printed, with its header line. Times without a zone are
 * local time (TZ). Attempts of one job, as --duplicates shows them, become one
 * job that needs what all of them ran.
 */
extern workload_t *read_sacct(source_t *source, tally_t *tally,
			      sb_err_t *err);

/* ---- for readers */

typedef struct {
	source_t *source;
	tally_t *tally;
	sb_err_t *err;
	workload_t *workload;
	seen_t ids;
	size_t without_gpus;	/* jobs that were left out */
} reader_t;

/* RET: 0, or -1 with err (no memory). */
extern int reader_begin(reader_t *reader, source_t *source, tally_t *tally,
			sb_err_t *err);
/*
 * The next line that is text; others are faults, as tally has it: the reader's
 * for jobs, one that is not lenient for a header.
 * RET: as source_line(), and -1 with err after a fault.
 */
extern int reader_line(reader_t *reader, tally_t *tally, char **line,
		       size_t *len);
/*
 * The user's association below its account; empty names are those of nobody.
 * RET: 0 and *assoc, or -1 with err.
 */
extern int reader_user(reader_t *reader, const char *account, const char *user,
		       uint32_t *assoc);
/*
 * The job of the present line. Left out and counted when it has no GPUs (and
 * with tally.cpu_jobs no CPUs), a fault when its id was there before.
 * IN id: the column of its id.
 * RET: 0, or -1 with err.
 */
extern int reader_job(reader_t *reader, const workload_job_t *job,
		      const char *id);
/*
 * All is read. IN rc: what reading came to. Makes times relative: absolute
 * ones to origin and those since the first submit.
 * RET: the workload, or NULL with err; the reader has nothing any more.
 */
extern workload_t *reader_end(reader_t *reader, int rc);

#endif
