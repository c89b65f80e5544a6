/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "pacts.h"

#define FIRST_SIZE 1024		/* slots, a power of 2 */

static pact_t *slots;
static size_t size;
static size_t used;

static size_t _slot(const pact_t *table, size_t table_size, uint32_t job_id)
{
	size_t slot = (job_id * 2654435761U) & (table_size - 1);

	while (table[slot].job_id && (table[slot].job_id != job_id))
		slot = (slot + 1) & (table_size - 1);
	return slot;
}

/* Into a table of another size, only what `seen` has seen (0: all). */
static int _rebuild(size_t new_size, uint32_t seen)
{
	pact_t *table = calloc(new_size, sizeof(*table));

	if (!table)
		return -1;
	used = 0;
	for (size_t i = 0; i < size; i++) {
		if (!slots[i].job_id || (seen && (slots[i].seen != seen)))
			continue;
		table[_slot(table, new_size, slots[i].job_id)] = slots[i];
		used++;
	}
	free(slots);
	slots = table;
	size = new_size;
	return 0;
}

extern pact_t *pacts_find(uint32_t job_id)
{
	size_t slot;

	if (!size || !job_id)
		return NULL;
	slot = _slot(slots, size, job_id);
	return slots[slot].job_id ? &slots[slot] : NULL;
}

extern pact_t *pacts_add(uint32_t job_id)
{
	pact_t *pact = pacts_find(job_id);

	if (pact)
		return pact;
	if ((used * 2 >= size) &&
	    _rebuild(size ? size * 2 : FIRST_SIZE, 0))
		return NULL;
	pact = &slots[_slot(slots, size, job_id)];
	pact->job_id = job_id;
	used++;
	return pact;
}

extern void pacts_sweep(uint32_t seen)
{
	size_t gone = 0;

	for (size_t i = 0; i < size; i++)
		gone += slots[i].job_id && (slots[i].seen != seen);
	/* Few are worth keeping; without memory so are many. */
	if (gone > FIRST_SIZE / 4)
		(void) _rebuild(size, seen);
}

extern void pacts_free(void)
{
	free(slots);
	slots = NULL;
	size = used = 0;
}
