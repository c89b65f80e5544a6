/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "counts.h"

#define FIRST_ROOM 512		/* rows, a power of 2 */

static count_t *rows;
static size_t room;		/* a power of 2 */
static size_t used;
static uint32_t *slots;		/* 2 * room of them: number of a row, from 1;
				 * 0: free */

static size_t _slot(uint32_t job_id)
{
	size_t mask = room * 2 - 1;
	size_t slot = (job_id * 2654435761U) & mask;

	while (slots[slot] && (rows[slots[slot] - 1].job_id != job_id))
		slot = (slot + 1) & mask;
	return slot;
}

/* IN pass: keep what it has seen, 0: all. RET: 0, or -1 without memory. */
static int _rebuild(size_t new_room, uint32_t pass)
{
	count_t *old = rows;
	size_t count = used;
	count_t *new_rows = calloc(new_room, sizeof(*new_rows));
	uint32_t *new_slots = calloc(new_room * 2, sizeof(*new_slots));

	if (!new_rows || !new_slots) {
		free(new_rows);
		free(new_slots);
		return -1;
	}
	free(slots);
	rows = new_rows;
	slots = new_slots;
	room = new_room;
	used = 0;
	for (size_t i = 0; i < count; i++) {
		if (pass && (old[i].pass != pass))
			continue;
		rows[used] = old[i];
		slots[_slot(old[i].job_id)] = ++used;
	}
	free(old);
	return 0;
}

static count_t *_find(uint32_t job_id)
{
	size_t slot;

	if (!room || !job_id)
		return NULL;
	slot = _slot(job_id);
	return slots[slot] ? &rows[slots[slot] - 1] : NULL;
}

extern count_t *counts_find(uint32_t job_id, time_t start)
{
	count_t *count = _find(job_id);

	return (count && (count->start == start)) ? count : NULL;
}

extern count_t *counts_add(uint32_t job_id, time_t start)
{
	count_t *count = _find(job_id);

	if (count && (count->start == start))
		return count;
	if (!count) {
		if ((used == room) &&
		    _rebuild(room ? room * 2 : FIRST_ROOM, 0))
			return NULL;
		count = &rows[used];
		count->job_id = job_id;
		slots[_slot(job_id)] = ++used;
	}
	*count = (count_t) { .job_id = job_id, .start = start };
	return count;
}

extern void counts_remove(uint32_t job_id)
{
	count_t *count = _find(job_id);

	/* The row stays in the way of others until the next sweep: no start
	 * is 0, so nobody finds it. */
	if (count)
		*count = (count_t) { .job_id = job_id };
}

extern void counts_sweep(uint32_t pass)
{
	size_t stay = 0, new_room = FIRST_ROOM;

	for (size_t i = 0; i < used; i++) {
		if (rows[i].pass == pass)
			stay++;
		else
			rows[i] = (count_t) { .job_id = rows[i].job_id };
	}
	/* Few are worth keeping. */
	if (used - stay <= used / 4 + FIRST_ROOM / 2)
		return;
	while (new_room < stay)
		new_room *= 2;
	(void) _rebuild(new_room, pass);
}

extern void counts_rewind(time_t now)
{
	for (size_t i = 0; i < used; i++) {
		if (rows[i].charged_to > now)
			rows[i].charged_to = now;
	}
}

extern void counts_free(void)
{
	free(rows);
	free(slots);
	rows = NULL;
	slots = NULL;
	room = used = 0;
}
