/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cells.h"

#define FIRST_SLOTS 256		/* a power of 2 */

static size_t slot_of(const sb_cells_t *cells, uint64_t key)
{
	size_t mask = cells->slots - 1;
	/* Addresses differ in the middle, ids at the end. */
	size_t slot = ((key * 0x9e3779b97f4a7c15ULL) >> 32) & mask;

	while (cells->keys[slot] && cells->keys[slot] != key)
		slot = (slot + 1) & mask;
	return slot;
}

static uint64_t *sums_of(const sb_cells_t *cells, size_t slot)
{
	return cells->sums + slot * cells->width;
}

static int cells_alloc(sb_cells_t *cells, size_t slots)
{
	*cells = (sb_cells_t) { .width = cells->width };
	if (!cells->width ||
	    slots > SIZE_MAX / sizeof(uint64_t) / cells->width)
		return -1;
	cells->keys = calloc(slots, sizeof(*cells->keys));
	cells->sums = calloc(slots * cells->width, sizeof(*cells->sums));
	if (!cells->keys || !cells->sums) {
		sb_cells_free(cells);
		return -1;
	}
	cells->slots = slots;
	return 0;
}

/* RET: 0, or -1 without memory and nothing changed. */
static int grow(sb_cells_t *cells)
{
	sb_cells_t more = { .width = cells->width };

	if (cells->slots > SIZE_MAX / 2 ||
	    cells_alloc(&more, cells->slots ? cells->slots * 2 : FIRST_SLOTS))
		return -1;
	for (size_t i = 0; i < cells->slots; i++) {
		size_t slot;

		if (!cells->keys[i])
			continue;
		slot = slot_of(&more, cells->keys[i]);
		more.keys[slot] = cells->keys[i];
		memcpy(sums_of(&more, slot), sums_of(cells, i),
		       cells->width * sizeof(*cells->sums));
	}
	more.used = cells->used;
	sb_cells_free(cells);
	*cells = more;
	return 0;
}

extern uint64_t *sb_cells_find(const sb_cells_t *cells, uint64_t key)
{
	size_t slot;

	if (!cells->slots || !key)
		return NULL;
	slot = slot_of(cells, key);
	return cells->keys[slot] ? sums_of(cells, slot) : NULL;
}

extern uint64_t *sb_cells_add(sb_cells_t *cells, uint64_t key)
{
	uint64_t *sums = sb_cells_find(cells, key);
	size_t slot;

	if (sums || !key)
		return sums;
	if (cells->used >= cells->slots / 2 && grow(cells))
		return NULL;
	slot = slot_of(cells, key);
	cells->keys[slot] = key;
	cells->used++;
	return sums_of(cells, slot);
}

extern void sb_cells_free(sb_cells_t *cells)
{
	free(cells->keys);
	free(cells->sums);
	*cells = (sb_cells_t) { .width = cells->width };
}
