/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attempts - the two tables of a ledger; the contract is in attempts.h.
 */
#include <stdlib.h>
#include <string.h>

#include "attempts.h"
#include "charge.h"

/* Payers' ids in ascending order, when not stale. Behind a pointer, so that
 * walks of a ledger that does not change may sort on demand. */
struct sb_payer_order {
	bool stale;
	uint32_t ids[];
};

#define ROWS_MAX (1U << 29)
#define ROWS_MIN 16U

/* Room for one more row. RET: 0 or -1, nothing changed. */
static int rows_reserve(void **rows, uint32_t *room, uint32_t count,
			size_t row_size)
{
	uint32_t bigger = *room ? *room * 2 : ROWS_MIN;
	void *moved;

	if (count < *room)
		return 0;
	if (count >= ROWS_MAX)
		return -1;
	moved = realloc(*rows, bigger * row_size);
	if (!moved)
		return -1;
	*rows = moved;
	*room = bigger;
	return 0;
}

extern void sb_payers_clear(sb_payers_t *payers)
{
	for (uint32_t i = 0; i < payers->count; i++) {
		sb_window_destroy(payers->rows[i]->window);
		free(payers->rows[i]);
	}
	free(payers->rows);
	sb_idmap_free(&payers->index);
	free(payers->order);
	memset(payers, 0, sizeof(*payers));
}

extern sb_payer_t *sb_payers_find(const sb_payers_t *payers, uint32_t id)
{
	uint32_t row = sb_idmap_find(&payers->index, id);

	return row == SB_IDMAP_NONE ? NULL : payers->rows[row];
}

/* RET: 0, or -1 without memory. */
static int payers_reserve(sb_payers_t *payers)
{
	struct sb_payer_order *order;

	if (sb_idmap_reserve(&payers->index, payers->count + 1))
		return -1;
	if (payers->count < payers->room)
		return 0;
	if (rows_reserve((void **) &payers->rows, &payers->room, payers->count,
			 sizeof(*payers->rows)))
		return -1;
	order = realloc(payers->order,
			sizeof(*order) + payers->room * sizeof(order->ids[0]));
	if (!order) {
		/* Ask again next time. */
		payers->room = payers->count;
		return -1;
	}
	order->stale = true;
	payers->order = order;
	return 0;
}

extern sb_payer_t *sb_payers_get(sb_payers_t *payers, uint32_t id)
{
	sb_payer_t *payer = sb_payers_find(payers, id);

	if (payer)
		return payer;
	if (payers_reserve(payers) || !(payer = calloc(1, sizeof(*payer))))
		return NULL;
	payer->id = id;
	payer->row = payers->count++;
	payer->first = SB_NONE;
	payers->rows[payer->row] = payer;
	payers->order->stale = true;
	sb_idmap_put(&payers->index, id, payer->row);
	return payer;
}

extern void sb_payers_remove(sb_payers_t *payers, sb_payer_t *payer)
{
	sb_payer_t *last = payers->rows[--payers->count];

	sb_idmap_remove(&payers->index, payer->id);
	if (last != payer) {
		last->row = payer->row;
		payers->rows[last->row] = last;
		sb_idmap_put(&payers->index, last->id, last->row);
	}
	payers->order->stale = true;
	sb_window_destroy(payer->window);
	free(payer);
}

static int id_compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

	return (x > y) - (x < y);
}

static void payers_sort(const sb_payers_t *payers)
{
	for (uint32_t i = 0; i < payers->count; i++)
		payers->order->ids[i] = payers->rows[i]->id;
	qsort(payers->order->ids, payers->count,
	      sizeof(payers->order->ids[0]), id_compare);
	payers->order->stale = false;
}

extern sb_payer_t *sb_payers_after(const sb_payers_t *payers, uint32_t id)
{
	uint32_t low = 0, high = payers->count;

	if (payers->count && payers->order->stale)
		payers_sort(payers);
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (payers->order->ids[middle] > id)
			high = middle;
		else
			low = middle + 1;
	}
	for (; low < payers->count; low++) {
		sb_payer_t *payer =
			sb_payers_find(payers, payers->order->ids[low]);

		if (payer->window)
			return payer;
	}
	return NULL;
}

extern int sb_payers_copy(sb_payers_t *to, const sb_payers_t *from,
			  const sb_window_shape_t *shape)
{
	for (uint32_t i = 0; i < from->count; i++) {
		const sb_payer_t *payer = from->rows[i];
		sb_payer_t *copy = sb_payers_get(to, payer->id);

		if (!copy)
			return -1;
		copy->first = payer->first;
		if (!payer->window)
			continue;
		copy->window = sb_window_copy(payer->window, shape);
		if (!copy->window)
			return -1;
	}
	return 0;
}

extern void sb_attempts_clear(sb_attempts_t *attempts)
{
	free(attempts->rows);
	sb_idmap_free(&attempts->index);
	memset(attempts, 0, sizeof(*attempts));
}

extern int sb_attempts_copy(sb_attempts_t *to, const sb_attempts_t *from,
			    const sb_payers_t *payers)
{
	if (!from->count)
		return 0;
	to->rows = malloc(from->count * sizeof(*from->rows));
	if (!to->rows || sb_idmap_copy(&to->index, &from->index))
		return -1;
	memcpy(to->rows, from->rows, from->count * sizeof(*from->rows));
	to->count = to->room = from->count;
	for (uint32_t i = 0; i < to->count; i++) {
		if (to->rows[i].payer)
			to->rows[i].payer =
				payers->rows[to->rows[i].payer->row];
	}
	return 0;
}

extern sb_run_t *sb_attempts_find(const sb_attempts_t *attempts,
				  uint32_t job_id, int64_t start)
{
	uint32_t row = sb_idmap_find(&attempts->index, job_id);

	while (row != SB_NONE && sb_attempts_start(attempts, row) > start)
		row = attempts->rows[row].job_next;
	return row != SB_NONE && sb_attempts_start(attempts, row) == start ?
		&attempts->rows[row] : NULL;
}

extern int64_t sb_attempts_next_start(const sb_attempts_t *attempts,
				      const sb_run_t *run)
{
	return run->job_prev == SB_NONE ? SB_TIME_MAX :
		sb_attempts_start(attempts, run->job_prev);
}

/* Tell those who have to know where a row stands, in the list of its job. */
static void job_tell(sb_attempts_t *attempts, uint32_t row)
{
	const sb_run_t *run = &attempts->rows[row];

	if (run->job_next != SB_NONE)
		attempts->rows[run->job_next].job_prev = row;
	if (run->job_prev != SB_NONE)
		attempts->rows[run->job_prev].job_next = row;
	else
		sb_idmap_put(&attempts->index, run->charged.attempt.job_id,
			     row);
}

/* In the list of its payer, if it has one. */
static void payer_tell(sb_attempts_t *attempts, uint32_t row)
{
	const sb_run_t *run = &attempts->rows[row];

	if (run->next != SB_NONE)
		attempts->rows[run->next].prev = row;
	if (run->prev != SB_NONE)
		attempts->rows[run->prev].next = row;
	else if (run->payer)
		run->payer->first = row;
}

/* A row goes behind the job's later ones. The index has room. */
static void job_link(sb_attempts_t *attempts, uint32_t row)
{
	sb_run_t *run = &attempts->rows[row];

	run->job_prev = SB_NONE;
	run->job_next = sb_idmap_find(&attempts->index,
				      run->charged.attempt.job_id);
	while (run->job_next != SB_NONE &&
	       sb_attempts_start(attempts, run->job_next) >
	       run->charged.attempt.start) {
		run->job_prev = run->job_next;
		run->job_next = attempts->rows[run->job_next].job_next;
	}
	job_tell(attempts, row);
}

static void job_unlink(sb_attempts_t *attempts, const sb_run_t *run)
{
	uint32_t job_id = run->charged.attempt.job_id;

	if (run->job_next != SB_NONE)
		attempts->rows[run->job_next].job_prev = run->job_prev;
	if (run->job_prev != SB_NONE)
		attempts->rows[run->job_prev].job_next = run->job_next;
	else if (run->job_next != SB_NONE)
		sb_idmap_put(&attempts->index, job_id, run->job_next);
	else
		sb_idmap_remove(&attempts->index, job_id);
}

extern sb_run_t *sb_attempts_append(sb_attempts_t *attempts, uint32_t job_id,
				    int64_t start)
{
	sb_run_t *run;

	if (rows_reserve((void **) &attempts->rows, &attempts->room,
			 attempts->count, sizeof(*attempts->rows)) ||
	    sb_idmap_reserve(&attempts->index, attempts->count + 1))
		return NULL;
	run = &attempts->rows[attempts->count++];
	memset(run, 0, sizeof(*run));
	run->charged.attempt.job_id = job_id;
	run->charged.attempt.start = start;
	run->next = run->prev = SB_NONE;
	return run;
}

static int run_compare(const void *a, const void *b)
{
	const sb_attempt_t *x = &((const sb_run_t *) a)->charged.attempt;
	const sb_attempt_t *y = &((const sb_run_t *) b)->charged.attempt;

	if (x->job_id != y->job_id)
		return x->job_id > y->job_id ? 1 : -1;
	return (x->start > y->start) - (x->start < y->start);
}

extern const sb_run_t *sb_attempts_link(sb_attempts_t *attempts)
{
	sb_run_t *rows = attempts->rows;

	if (attempts->count)
		qsort(rows, attempts->count, sizeof(*rows), run_compare);
	for (uint32_t i = 0; i < attempts->count; i++) {
		sb_payer_t *payer = rows[i].payer;

		if (i && !run_compare(&rows[i - 1], &rows[i]))
			return &rows[i];
		job_link(attempts, i);
		rows[i].payer = NULL;
		sb_attempts_pay(attempts, &rows[i], payer);
	}
	return NULL;
}

extern sb_run_t *sb_attempts_add(sb_attempts_t *attempts, uint32_t job_id,
				 int64_t start)
{
	sb_run_t *run = sb_attempts_append(attempts, job_id, start);

	if (run)
		job_link(attempts, run - attempts->rows);
	return run;
}

extern void sb_attempts_remove(sb_attempts_t *attempts, uint32_t row)
{
	uint32_t last = --attempts->count;

	sb_attempts_pay(attempts, &attempts->rows[row], NULL);
	job_unlink(attempts, &attempts->rows[row]);
	if (row == last)
		return;
	attempts->rows[row] = attempts->rows[last];
	job_tell(attempts, row);
	payer_tell(attempts, row);
}

extern void sb_attempts_pay(sb_attempts_t *attempts, sb_run_t *run,
			    sb_payer_t *payer)
{
	if (run->next != SB_NONE)
		attempts->rows[run->next].prev = run->prev;
	if (run->prev != SB_NONE)
		attempts->rows[run->prev].next = run->next;
	else if (run->payer)
		run->payer->first = run->next;
	run->payer = payer;
	run->prev = SB_NONE;
	run->next = payer ? payer->first : SB_NONE;
	payer_tell(attempts, run - attempts->rows);
}
