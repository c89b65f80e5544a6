/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "pacts.h"

#define FIRST_ROOM 512		/* rows, a power of 2 */

/* Rows stand in the order in which jobs were met, which is mostly that of the
 * job list: who asks about all of them goes through memory in one direction. */
static pact_t *rows;
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

/* Into a table of another size, only what `seen` has seen (0: all). */
static int _rebuild(size_t new_room, uint32_t seen)
{
	pact_t *old = rows;
	size_t count = used;
	pact_t *new_rows = aligned_alloc(PACT_ALIGN,
					 new_room * sizeof(*new_rows));
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
		if (seen && (old[i].seen != seen))
			continue;
		rows[used] = old[i];
		slots[_slot(old[i].job_id)] = used + 1;
		used++;
	}
	free(old);
	return 0;
}

extern pact_t *pacts_find(uint32_t job_id)
{
	size_t slot;

	if (!room || !job_id)
		return NULL;
	slot = _slot(job_id);
	return slots[slot] ? &rows[slots[slot] - 1] : NULL;
}

extern pact_t *pacts_add(uint32_t job_id)
{
	pact_t *pact = pacts_find(job_id);

	if (pact)
		return pact;
	if ((used == room) && _rebuild(room ? room * 2 : FIRST_ROOM, 0))
		return NULL;
	pact = &rows[used];
	memset(pact, 0, sizeof(*pact));
	pact->job_id = job_id;
	slots[_slot(job_id)] = ++used;
	return pact;
}

extern void pacts_sweep(uint32_t seen)
{
	size_t gone = 0, new_room = FIRST_ROOM;

	for (size_t i = 0; i < used; i++)
		gone += rows[i].seen != seen;
	/* Few are worth keeping; without memory so are many. */
	if ((gone <= FIRST_ROOM / 2) || (gone < used / 8))
		return;
	while (new_room < used - gone)
		new_room *= 2;
	(void) _rebuild(new_room, seen);
}

extern void pacts_free(void)
{
	free(rows);
	free(slots);
	rows = NULL;
	slots = NULL;
	room = used = 0;
}
