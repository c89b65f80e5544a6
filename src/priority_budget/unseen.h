/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unseen - what happened to jobs without slurmctld showing it to us: while it
 * was down, or between two looks. slurmdbd has the records; history.h asks for
 * them until these notes are gone.
 *
 * Locks of all: ours.
 */
#ifndef SB_UNSEEN_H
#define SB_UNSEEN_H

#include "budget.h"

/* Attempts of a job that ended in (from, to] may have escaped us. */
struct unseen_job {
	uint32_t job_id;
	int64_t from;
	int64_t to;
};

/* Of one job (unseen_keep() is due after all of them), of any job. */
extern void unseen_note_job(budget_t *budget, uint32_t job_id, int64_t from,
			    int64_t to);
extern void unseen_note_all(budget_t *budget, int64_t from, int64_t to);

/* slurmdbd has told of an attempt of this job that ended at `end`. */
extern void unseen_told(budget_t *budget, uint32_t job_id, int64_t end);
/* slurmdbd has answered at `now`: it knows by now what there is to know of what
 * is older than its patience. */
extern void unseen_answered(budget_t *budget, int64_t now);

/* The earliest instant of all notes, 0: there are none. */
extern int64_t unseen_since(const budget_t *budget);
/* Tell the ledger what it has to remember for them. */
extern void unseen_keep(budget_t *budget);
extern void unseen_free(budget_t *budget);

#endif
