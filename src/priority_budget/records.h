/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records - slurmdbd's records of jobs as attempts.
 */
#ifndef SB_RECORDS_H
#define SB_RECORDS_H

#include "src/core/ledger.h"
#include "src/slurm_compat/compat.h"

/*
 * A run that was resized has several records, one for each size it had. All of
 * them are given the start of the run, which is its name.
 */
typedef struct {
	sb_attempt_t attempt;	/* start 0: slurmdbd has lost it; end: of this
				 * record, 0: it goes on; resized: its begin
				 * unless that is the run's */
	int64_t begin;		/* of this record */
	time_t submit;
	bool goes_on;		/* it ended with a resize: the run did not */
} record_t;

typedef struct {
	record_t *rows;		/* of what had an allocation, by job and time */
	size_t count;
} records_t;

/*
 * Ask slurmdbd for the records that overlap [from, now); blocks.
 * IN ids: of these jobs only, NULL: of all. RET: 0, then records_free(); -1 on
 * error. Locks: none held.
 */
extern int records_get(void *conn, time_t from, const uint32_t *ids,
		       size_t count, records_t *records);
extern void records_free(records_t *records);

/* Whom the last deleted association belonged to: most rows in a row are of the
 * same. All 0 at first. */
typedef struct {
	uint32_t id;
	uint32_t heir;
} credit_t;

/* RET: the association that usage of this one belongs to now: itself, or its
 * account when it was deleted, or root when that is gone too.
 * Locks: none held (takes assoc R). */
extern uint32_t records_credited(credit_t *credit, uint32_t id,
				 const char *acct);

/* slurmdbd's number of the charged TRES. Locks: none held (takes tres R). */
extern uint32_t records_tres_id(int pos);

#endif
