/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attempts - the two tables of a ledger; the contract is in attempts.h.
 */
#include <stdlib.h>
#include <string.h>

#include "attempts.h"

/* Open addressing, linear probing, no tombstones: a removal closes its gap. */
struct sb_index_slot {
	uint32_t hash;
	uint32_t row;		/* SB_NONE: free */
};

/* Payers' ids in ascending order, when not stale. Behind a pointer, so that
 * walks of a ledger that does not change may sort on demand. */
struct sb_payer_order {
	bool stale;
	uint32_t ids[];
};

/* Rows of a table; the index has at most twice as many slots, rounded up to a
 * power of 2, which must fit 32 bits. */
#define ROWS_MAX (1U << 29)
#define ROWS_MIN 16U

static uint32_t hash_mix(uint64_t key)
{
	/* Two rounds of multiply and fold: keys are runs of small numbers. */
	key = (key ^ key >> 32) * 0x9e3779b97f4a7c15ULL;
	key = (key ^ key >> 29) * 0xd6e8feb86659fd93ULL;
	return key >> 32;
}

static uint32_t attempt_hash(uint32_t job_id, int64_t start)
{
	return hash_mix((uint64_t) start * 0xff51afd7ed558ccdULL + job_id);
}

/* Room for `rows` rows at a load of at most a half. RET: 0 or -1. */
static int index_reserve(sb_index_t *index, uint32_t rows)
{
	sb_index_t bigger;
	uint32_t size = 2 * ROWS_MIN;

	while (size / 2 < rows)
		size *= 2;
	if (index->slots && index->mask + 1 >= size)
		return 0;
	bigger.mask = size - 1;
	bigger.slots = malloc(size * sizeof(*bigger.slots));
	if (!bigger.slots)
		return -1;
	memset(bigger.slots, 0xff, size * sizeof(*bigger.slots));
	for (uint32_t i = 0; index->slots && i <= index->mask; i++) {
		uint32_t at = index->slots[i].hash & bigger.mask;

		if (index->slots[i].row == SB_NONE)
			continue;
		while (bigger.slots[at].row != SB_NONE)
			at = (at + 1) & bigger.mask;
		bigger.slots[at] = index->slots[i];
	}
	free(index->slots);
	*index = bigger;
	return 0;
}

/* The index has room. */
static void index_insert(sb_index_t *index, uint32_t hash, uint32_t row)
{
	uint32_t at = hash & index->mask;

	while (index->slots[at].row != SB_NONE)
		at = (at + 1) & index->mask;
	index->slots[at].hash = hash;
	index->slots[at].row = row;
}

/* Slot of this row, which is in the index. */
static uint32_t index_at(const sb_index_t *index, uint32_t hash, uint32_t row)
{
	uint32_t at = hash & index->mask;

	while (index->slots[at].row != row)
		at = (at + 1) & index->mask;
	return at;
}

static void index_remove(sb_index_t *index, uint32_t hash, uint32_t row)
{
	uint32_t gap = index_at(index, hash, row);

	for (uint32_t at = (gap + 1) & index->mask;
	     index->slots[at].row != SB_NONE; at = (at + 1) & index->mask) {
		uint32_t home = index->slots[at].hash & index->mask;

		/* It may move into the gap unless its home lies behind it. */
		if (((at - home) & index->mask) < ((at - gap) & index->mask))
			continue;
		index->slots[gap] = index->slots[at];
		gap = at;
	}
	index->slots[gap].row = SB_NONE;
}

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
	free(payers->index.slots);
	free(payers->order);
	memset(payers, 0, sizeof(*payers));
}

extern sb_payer_t *sb_payers_find(const sb_payers_t *payers, uint32_t id)
{
	const sb_index_t *index = &payers->index;
	uint32_t hash = hash_mix(id);

	if (!index->slots)
		return NULL;
	for (uint32_t at = hash & index->mask;
	     index->slots[at].row != SB_NONE; at = (at + 1) & index->mask)
		if (index->slots[at].hash == hash &&
		    payers->rows[index->slots[at].row]->id == id)
			return payers->rows[index->slots[at].row];
	return NULL;
}

/* RET: 0, or -1 without memory. */
static int payers_reserve(sb_payers_t *payers)
{
	struct sb_payer_order *order;

	if (index_reserve(&payers->index, payers->count + 1))
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
	index_insert(&payers->index, hash_mix(id), payer->row);
	return payer;
}

extern void sb_payers_remove(sb_payers_t *payers, sb_payer_t *payer)
{
	sb_payer_t *last = payers->rows[--payers->count];

	index_remove(&payers->index, hash_mix(payer->id), payer->row);
	if (last != payer) {
		uint32_t at = index_at(&payers->index, hash_mix(last->id),
				       last->row);

		payers->index.slots[at].row = payer->row;
		payers->rows[payer->row] = last;
		last->row = payer->row;
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
	free(attempts->index.slots);
	memset(attempts, 0, sizeof(*attempts));
}

extern int sb_attempts_copy(sb_attempts_t *to, const sb_attempts_t *from,
			    const sb_payers_t *payers)
{
	size_t slots = (from->index.mask + 1) * sizeof(*from->index.slots);

	if (!from->count)
		return 0;
	to->rows = malloc(from->count * sizeof(*from->rows));
	to->index.slots = malloc(slots);
	if (!to->rows || !to->index.slots)
		return -1;
	memcpy(to->rows, from->rows, from->count * sizeof(*from->rows));
	memcpy(to->index.slots, from->index.slots, slots);
	to->index.mask = from->index.mask;
	to->count = to->room = from->count;
	for (uint32_t i = 0; i < to->count; i++) {
		if (to->rows[i].payer)
			to->rows[i].payer =
				payers->rows[to->rows[i].payer->row];
	}
	return 0;
}

static uint32_t run_hash(const sb_run_t *run)
{
	return attempt_hash(run->charged.attempt.job_id,
			    run->charged.attempt.start);
}

extern sb_run_t *sb_attempts_find(const sb_attempts_t *attempts,
				  uint32_t job_id, int64_t start)
{
	const sb_index_t *index = &attempts->index;
	uint32_t hash = attempt_hash(job_id, start);

	if (!index->slots)
		return NULL;
	for (uint32_t at = hash & index->mask;
	     index->slots[at].row != SB_NONE; at = (at + 1) & index->mask) {
		sb_run_t *run = &attempts->rows[index->slots[at].row];

		if (index->slots[at].hash == hash &&
		    run->charged.attempt.job_id == job_id &&
		    run->charged.attempt.start == start)
			return run;
	}
	return NULL;
}

extern sb_run_t *sb_attempts_add(sb_attempts_t *attempts, uint32_t job_id,
				 int64_t start)
{
	sb_run_t *run;

	if (rows_reserve((void **) &attempts->rows, &attempts->room,
			 attempts->count, sizeof(*attempts->rows)) ||
	    index_reserve(&attempts->index, attempts->count + 1))
		return NULL;
	run = &attempts->rows[attempts->count];
	memset(run, 0, sizeof(*run));
	run->charged.attempt.job_id = job_id;
	run->charged.attempt.start = start;
	run->next = run->prev = SB_NONE;
	index_insert(&attempts->index, run_hash(run), attempts->count++);
	return run;
}

extern void sb_attempts_remove(sb_attempts_t *attempts, uint32_t row)
{
	sb_run_t *run = &attempts->rows[row];
	uint32_t last = --attempts->count;

	sb_attempts_pay(attempts, run, NULL);
	index_remove(&attempts->index, run_hash(run), row);
	if (row == last)
		return;
	*run = attempts->rows[last];
	attempts->index.slots[index_at(&attempts->index, run_hash(run),
				       last)].row = row;
	if (run->next != SB_NONE)
		attempts->rows[run->next].prev = row;
	if (run->prev != SB_NONE)
		attempts->rows[run->prev].next = row;
	else if (run->payer)
		run->payer->first = row;
}

extern void sb_attempts_pay(sb_attempts_t *attempts, sb_run_t *run,
			    sb_payer_t *payer)
{
	uint32_t row = run - attempts->rows;

	if (run->next != SB_NONE)
		attempts->rows[run->next].prev = run->prev;
	if (run->prev != SB_NONE)
		attempts->rows[run->prev].next = run->next;
	else if (run->payer)
		run->payer->first = run->next;
	run->payer = payer;
	run->prev = SB_NONE;
	run->next = payer ? payer->first : SB_NONE;
	if (run->next != SB_NONE)
		attempts->rows[run->next].prev = row;
	if (payer)
		payer->first = row;
}
