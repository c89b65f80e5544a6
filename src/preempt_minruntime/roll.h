/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * roll - the running jobs, in the order of slurmctld's list, each in as few
 * bytes as most answers to the scheduler need.
 *
 * It asks about thousands in turn, each a kilobyte behind the one before and in
 * no cache: so what a question reads of a job record is what proves that the
 * row is still of this run of this job, and no more.
 *
 * Filled by the watcher's looks under job R, read under job W.
 */
#ifndef SB_ROLL_H
#define SB_ROLL_H

#include "src/board/board.h"
#include "src/slurm_compat/compat.h"

#include "pacts.h"

typedef struct {
	uint32_t job_id;
	uint32_t start;		/* of the run, its low bits */
	uint32_t board;		/* serial number of the board that node and
				 * funded were read on, its low bits */
	int32_t node;		/* its association's place there */
	const job_record_t *job;	/* where it stood */
	uint32_t min_runtime : 26; /* that it declared, seconds; 0: none */
	uint32_t restarts : 6;	/* of the job, the low bits */
	uint32_t granted : 30;	/* protected run time, seconds */
	uint32_t funded : 1;
	uint32_t unallocated : 1;
} roll_row_t;

/*
 * A look at the whole list: begin, note each job that runs and is signed for,
 * end. Until the end the roll of the look before is the one that is asked.
 * Locks: job R.
 */
extern void roll_begin(void);
extern void roll_note(const job_record_t *job_ptr, const pact_t *pact);
extern void roll_end(void);

/* RET: the row of this run of this job, with the job's place on the board of
 * this serial number; NULL: none, ask the job itself. Until the next call.
 * Locks: job W. */
extern const roll_row_t *roll_find(const job_record_t *job_ptr,
				   uint64_t serial);

/*
 * The same without a search, for any job: only if the row is the one behind the
 * last that was found. Of the record, where the row's job stood, no more is
 * read than its start: so it may also be of a job that has ended, or of another
 * that has its place since the last look, and began in the same second.
 */
extern const roll_row_t *roll_next(const job_record_t *job_ptr,
				   uint64_t serial);

/* RET: this row is of this run, even if an earlier one of the job began in the
 * same second. One more line of the record is read: for who may be taken. */
extern bool roll_is_run(const roll_row_t *row, const job_record_t *job_ptr);

/* Of the one behind the last that was found everything will be read that
 * party_rolled() reads. Locks: job W. */
extern void roll_hurry(void);

/* A contract was changed. Locks: job W. */
extern void roll_forget(uint32_t job_id);
extern void roll_free(void);

#endif
