/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attempts - the two tables of a ledger: attempts by job id, and payers
 * (associations that have history or attempts) by id. Internal to the core.
 *
 * Every attempt hangs in the list of its payer, so that sums over and changes
 * to one association's attempts cost no more than these, and in that of its
 * job, the last start first: it is the run that a job has which is asked about.
 */
#ifndef SB_CORE_ATTEMPTS_H
#define SB_CORE_ATTEMPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "idmap.h"
#include "ledger.h"
#include "window.h"

/* No attempt, at the ends of a list. */
#define SB_NONE SB_IDMAP_NONE

typedef struct {
	uint32_t id;
	uint32_t row;		/* of itself */
	uint32_t first;		/* its first attempt */
	sb_window_t *window;	/* NULL: no history */
} sb_payer_t;

typedef struct {
	sb_charged_t charged;	/* .payer is filled when it leaves the ledger */
	sb_payer_t *payer;	/* NULL: nobody */
	uint32_t next, prev;	/* in the list of the payer */
	uint32_t job_next, job_prev;	/* in that of the job */
	uint32_t pass;		/* that showed it last */
	uint32_t closed;	/* last pass when its end was told */
	int64_t gone;		/* unsettled: the first pass without it */
	int64_t asked;		/* unsettled: the last pass when a record of it
				 * came first, 0: none has */
} sb_run_t;

typedef struct {
	sb_payer_t **rows;	/* each stays where it is while it lives */
	uint32_t count, room;
	sb_idmap_t index;
	struct sb_payer_order *order;
} sb_payers_t;

typedef struct {
	sb_run_t *rows;		/* may move when one is added */
	uint32_t count, room;
	sb_idmap_t index;	/* each job's first one */
} sb_attempts_t;

/* All of 0 is an empty table. */
extern void sb_payers_clear(sb_payers_t *payers);
/* RET: the payer, NULL when there is none. */
extern sb_payer_t *sb_payers_find(const sb_payers_t *payers, uint32_t id);
/* RET: the payer, new where there was none; NULL without memory. */
extern sb_payer_t *sb_payers_get(sb_payers_t *payers, uint32_t id);
/* Destroys its window; it must have no attempt. */
extern void sb_payers_remove(sb_payers_t *payers, sb_payer_t *payer);
/* RET: the payer with the least id above `id` that has a window, or NULL. A
 * walk of all of them sorts once: O(n log n). */
extern sb_payer_t *sb_payers_after(const sb_payers_t *payers, uint32_t id);

/* Into an empty table, windows too: the copy's rows have the same numbers.
 * RET: 0, or -1 without memory (clear it all the same). */
extern int sb_payers_copy(sb_payers_t *to, const sb_payers_t *from,
			  const sb_window_shape_t *shape);

/* RET: start of the attempt in this row. */
static inline int64_t sb_attempts_start(const sb_attempts_t *attempts,
					uint32_t row)
{
	return attempts->rows[row].charged.attempt.start;
}

extern void sb_attempts_clear(sb_attempts_t *attempts);
/* The same. IN payers: the copy of those that they have. */
extern int sb_attempts_copy(sb_attempts_t *to, const sb_attempts_t *from,
			    const sb_payers_t *payers);
/* RET: the attempt, NULL when there is none. */
extern sb_run_t *sb_attempts_find(const sb_attempts_t *attempts,
				  uint32_t job_id, int64_t start);
/* RET: start of the job's next attempt that is known, or SB_TIME_MAX. */
extern int64_t sb_attempts_next_start(const sb_attempts_t *attempts,
				      const sb_run_t *run);
/* RET: a new attempt of this key, without payer, all else 0; NULL without
 * memory. The key must be new. */
extern sb_run_t *sb_attempts_add(sb_attempts_t *attempts, uint32_t job_id,
				 int64_t start);
/* The same, but the key may be there, and it is found only when all are linked:
 * for many at once. A payer that is set meanwhile has it in its list then. */
extern sb_run_t *sb_attempts_append(sb_attempts_t *attempts, uint32_t job_id,
				    int64_t start);
/* Once, when all were appended: O(n log n), rows get another order. RET: NULL,
 * or an attempt that is there twice: the table is of no use then. */
extern const sb_run_t *sb_attempts_link(sb_attempts_t *attempts);
/* The last row takes the place of the removed one. */
extern void sb_attempts_remove(sb_attempts_t *attempts, uint32_t row);
/* Move an attempt to the list of another payer (NULL: to none). */
extern void sb_attempts_pay(sb_attempts_t *attempts, sb_run_t *run,
			    sb_payer_t *payer);
/* RET: true when each attempt is in the list of its job, and in that of its
 * payer if it has one, once; each list in order, both ways, and known by its
 * id. O(n). */
extern bool sb_attempts_check(const sb_attempts_t *attempts,
			      const sb_payers_t *payers);

#endif
