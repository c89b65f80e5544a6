/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settle - what slurmctld did not show us (unseen.h) and how attempts ended
 * that it showed no longer, from slurmdbd's records.
 */
#ifndef SB_SETTLE_H
#define SB_SETTLE_H

#include <stddef.h>
#include <stdint.h>

/* A job whose records are asked for. */
typedef struct {
	uint32_t job_id;
	int64_t start;		/* of its attempt without an end, 0: none */
	int64_t from;		/* unknown attempts that ended in (from, to] */
	int64_t to;		/* are news */
	int64_t gone;		/* its attempt had ended by then */
} question_t;

typedef struct {
	question_t *rows;	/* by job */
	size_t count;
	int64_t since;		/* earliest instant of all, 0: none */
	int64_t latest;		/* what was noted last */
	int64_t gap_from;	/* of any job, as in budget_t */
	int64_t gap_to;
} questions_t;

/* What there is to ask. RET: 0, then free() its rows; -1 without memory.
 * Locks: none held (takes ours). */
extern int settle_collect(questions_t *questions);

/* Ask slurmdbd, and charge what it says; blocks. RET: 0, or -1 when it did not
 * give what was asked for. Locks: none held. */
extern int settle_ask(void *conn, const questions_t *questions);

#endif
