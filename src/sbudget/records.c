/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "progress.h"
#include "records.h"
#include "seen.h"

/* Records of one answer, as far as days can make it so: some 2 KiB each. */
#define PART_MIN 30000
#define PART_MAX 80000
#define DAYS_MAX 64

/*
 * slurmdbd tells a record for every period that it reaches into. Records are
 * taken the first time: those that reach into the next part are remembered, by
 * number, and so are jobs that may run again, by job.
 */
typedef struct {
	void *conn;
	const char *cluster;
	bool steps;
	record_call_t call;
	void *arg;
	int64_t part_end;
	seen_t records;		/* taken, of those that go on */
	seen_t jobs;		/* that ran: the end of a run that was cut in
				 * two by a change of its nodes, or 0 */
} reader_t;

static int _begins_before(const void *a, const void *b)
{
	const slurmdb_job_rec_t *one = *(slurmdb_job_rec_t *const *) a;
	const slurmdb_job_rec_t *two = *(slurmdb_job_rec_t *const *) b;

	if (one->submit != two->submit)
		return (one->submit < two->submit) ? -1 : 1;
	return (one->db_index < two->db_index) ? -1 :
		one->db_index > two->db_index;
}

static bool _may_run_again(uint32_t state)
{
	switch (state & JOB_STATE_BASE) {
	case JOB_PREEMPTED:
	case JOB_NODE_FAIL:
	case JOB_BOOT_FAIL:
		return true;
	}
	return state & (JOB_REQUEUE | JOB_RESIZING | JOB_REQUEUE_HOLD);
}

/* 0: has not started, or is said to have in a way that means it has not. */
static int64_t _start(const slurmdb_job_rec_t *job)
{
	return (job->start == (time_t) NO_VAL) ? 0 : job->start;
}

static int _remember(reader_t *reader, const record_t *record)
{
	const slurmdb_job_rec_t *job = record->job;

	if ((!job->end || (job->end >= reader->part_end)) &&
	    seen_put(&reader->records, job->db_index, 1))
		return -1;
	if (!record->start || !_may_run_again(job->state))
		return 0;
	return seen_put(&reader->jobs, job->jobid,
			(job->state & JOB_RESIZING) ? record->end : 0);
}

static int _take(reader_t *reader, const slurmdb_job_rec_t *job)
{
	record_t record = { .job = job, .start = _start(job), .end = job->end };
	const int64_t *before = seen_find(&reader->jobs, job->jobid);

	if (seen_find(&reader->records, job->db_index))
		return 0;
	/* slurmdbd of 22.05 lets what follows a change of nodes begin where
	 * the whole job did. */
	if (before && *before && (record.start < *before))
		record.start = *before;
	if (record.end && (record.end < record.start))
		record.end = record.start;
	record.restart = before != NULL;
	record.continued = before && *before;
	if (_remember(reader, &record)) {
		errno = ENOMEM;
		return -1;
	}
	return reader->call(&record, reader->arg);
}

typedef struct {
	const slurmdb_job_rec_t **rows;
	size_t count;
} rows_t;

static int _collect(void *item, void *arg)
{
	rows_t *rows = arg;

	rows->rows[rows->count++] = item;
	return 0;
}

static int _take_all(reader_t *reader, api_list_t list)
{
	rows_t rows = { .rows = calloc(slurm_list_count(list) + 1,
				       sizeof(*rows.rows)) };
	int rc = 0;

	if (!rows.rows) {
		errno = ENOMEM;
		return -1;
	}
	(void) api_for_each(list, _collect, &rows);
	qsort(rows.rows, rows.count, sizeof(*rows.rows), _begins_before);
	for (size_t i = 0; !rc && (i < rows.count); i++)
		rc = _take(reader, rows.rows[i]);
	free(rows.rows);
	return rc;
}

/* OUT count: of the records. */
static int _read_part(reader_t *reader, int64_t from, int64_t until,
		      size_t *count)
{
	api_list_t list = api_jobs(reader->conn, reader->cluster, from, until,
				   reader->steps);
	int rc;

	if (!list)
		return -1;
	reader->part_end = until;
	*count = slurm_list_count(list);
	rc = _take_all(reader, list);
	slurm_list_destroy(list);
	return rc;
}

/* Each question costs the database a look at its whole index, each record
 * memory here. */
static int64_t _next_days(int64_t days, size_t count)
{
	if (count < PART_MIN)
		return (days < DAYS_MAX) ? 2 * days : days;
	return ((count > PART_MAX) && (days > 1)) ? days / 2 : days;
}

extern int records_read(void *conn, const char *cluster, int64_t from,
			int64_t until, bool steps, record_call_t call,
			void *arg)
{
	reader_t reader = { .conn = conn, .cluster = cluster, .steps = steps,
			    .call = call, .arg = arg };
	int64_t begin = from, days = 1;
	progress_t progress;
	int rc = 0;

	progress_begin(&progress, "days");
	while (!rc && (begin < until)) {
		int64_t end = (until - begin < days * SB_DAY) ? until :
			begin + days * SB_DAY;
		size_t count = 0;

		rc = _read_part(&reader, begin, end, &count);
		days = _next_days(days, count);
		begin = end;
		progress_tell(&progress, (begin - from) / SB_DAY,
			      (until - from) / SB_DAY);
	}
	seen_free(&reader.records);
	seen_free(&reader.jobs);
	return rc;
}
