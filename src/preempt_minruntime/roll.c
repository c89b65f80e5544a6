/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/core/job_table.h"

#include "roll.h"

#define GRANTED_MAX ((1U << 30) - 1)
#define MINIMUM_MAX ((1U << 26) - 1)
#define RESTARTS_MASK ((1U << 6) - 1)
/* Rows between one that is asked for and the one that is fetched meanwhile. */
#define AHEAD 8

static sb_job_table_t rolls[2] = {
	SB_JOB_TABLE(roll_row_t), SB_JOB_TABLE(roll_row_t),
};
static unsigned current;	/* the one that is asked; the other is filled */
static size_t at;		/* row that was asked for last */

extern void roll_begin(void)
{
	sb_job_table_clear(&rolls[!current]);
}

/* Without memory the job itself is asked. */
extern void roll_note(const job_record_t *job_ptr, const pact_t *pact)
{
	roll_row_t *row = sb_job_table_add(&rolls[!current], job_ptr->job_id);

	if (!row)
		return;
	row->start = (uint32_t) job_ptr->start_time;
	row->board = 0;
	row->job = job_ptr;
	row->min_runtime = MIN(MAX(0, pact->contract.declared), MINIMUM_MAX);
	row->restarts = pact->restarts & RESTARTS_MASK;
	row->granted = MIN(pact->contract.granted, GRANTED_MAX);
	row->unallocated = (pact->contract.class == SB_CLASS_UNALLOCATED);
}

extern void roll_end(void)
{
	current = !current;
	at = 0;
}

/* RET: 0, or -1 when there is another board than that already. */
static int _place(roll_row_t *row, const job_record_t *job_ptr,
		  uint64_t serial)
{
	const sb_board_t *board = sb_board_enter();
	int rc = -1;

	if (board && (board->serial == serial)) {
		row->node = sb_board_index(board, job_ptr->assoc_id);
		row->funded = (row->node != SB_NO_NODE) &&
			      board->nodes[row->node].funded;
		row->board = (uint32_t) serial;
		rc = 0;
	}
	sb_board_leave();
	return rc;
}

/* RET: the row is of this run of this job, and placed. */
static bool _fits(roll_row_t *row, const job_record_t *job_ptr,
		  uint64_t serial)
{
	return (row->start == (uint32_t) job_ptr->start_time) &&
	       ((row->board == (uint32_t) serial) ||
		!_place(row, job_ptr, serial));
}

/*
 * What will be read of a job that is probably asked about soon is under way
 * meanwhile. The pointer may be old: it is not followed. (Not inlined, the
 * compiler takes it for a function that does nothing.)
 */
static inline __attribute__((always_inline)) void
_hurry(const sb_job_table_t *roll, size_t i)
{
	const roll_row_t *row;

	if (i >= roll->used)
		return;
	row = sb_job_table_row(roll, i);
	__builtin_prefetch(&row->job->start_time);
}

extern const roll_row_t *roll_next(const job_record_t *job_ptr,
				   uint64_t serial)
{
	const sb_job_table_t *roll = &rolls[current];
	size_t i = at + 1;
	roll_row_t *row;

	if (!roll->used)
		return NULL;
	/* Round again. */
	if (i >= roll->used)
		i = 0;
	row = sb_job_table_row(roll, i);
	if ((row->job != job_ptr) || !_fits(row, job_ptr, serial))
		return NULL;
	at = i;
	_hurry(roll, i + AHEAD);
	return row;
}

extern const roll_row_t *roll_find(const job_record_t *job_ptr,
				   uint64_t serial)
{
	const sb_job_table_t *roll = &rolls[current];
	roll_row_t *row = (at < roll->used) ? sb_job_table_row(roll, at) : NULL;

	if (!row || (row->job_id != job_ptr->job_id))
		row = sb_job_table_find(roll, job_ptr->job_id);
	if (!row || !_fits(row, job_ptr, serial))
		return NULL;
	at = row - (roll_row_t *) roll->rows;
	return row;
}

extern bool roll_is_run(const roll_row_t *row, const job_record_t *job_ptr)
{
	return row->restarts == (job_ptr->restart_cnt & RESTARTS_MASK);
}

extern void roll_hurry(void)
{
	const sb_job_table_t *roll = &rolls[current];
	const roll_row_t *row;

	if (at + AHEAD >= roll->used)
		return;
	row = sb_job_table_row(roll, at + AHEAD);
	__builtin_prefetch(&row->job->job_id);
	__builtin_prefetch(&row->job->job_state);
	__builtin_prefetch(&row->job->part_ptr);
	__builtin_prefetch(&row->job->start_time);
	__builtin_prefetch(&row->job->tres_alloc_cnt);
}

extern void roll_forget(uint32_t job_id)
{
	for (int i = 0; i < 2; i++) {
		roll_row_t *row = sb_job_table_find(&rolls[i], job_id);

		/* No run starts at 0. */
		if (row)
			row->start = 0;
	}
}

extern void roll_free(void)
{
	sb_job_table_free(&rolls[0]);
	sb_job_table_free(&rolls[1]);
	at = 0;
}
