/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "idmap.h"

#define SLOTS_MIN 16U
/* Half of the slots of a 32-bit index */
#define COUNT_MAX (1U << 30)

/* Upper bits of a product: ids are runs of small numbers, or multiples of
 * one. */
static uint32_t home_of(const sb_idmap_t *map, uint32_t id)
{
	return (uint32_t) (id * UINT64_C(0x9e3779b97f4a7c15) >> 32) & map->mask;
}

/* The slot of this id, or the free one where it would be. */
static uint32_t slot_of(const sb_idmap_t *map, uint32_t id)
{
	uint32_t at = home_of(map, id);

	while (map->slots[at].value != SB_IDMAP_NONE && map->slots[at].id != id)
		at = (at + 1) & map->mask;
	return at;
}

extern int sb_idmap_reserve(sb_idmap_t *map, size_t count)
{
	sb_idmap_t bigger = { 0 };
	size_t size = SLOTS_MIN;

	if (count > COUNT_MAX)
		return -1;
	while (size / 2 < count)
		size *= 2;
	if (map->slots && map->mask + 1 >= size)
		return 0;
	bigger.mask = size - 1;
	bigger.slots = malloc(size * sizeof(*bigger.slots));
	if (!bigger.slots)
		return -1;
	memset(bigger.slots, 0xff, size * sizeof(*bigger.slots));
	for (size_t i = 0; map->slots && i <= map->mask; i++)
		if (map->slots[i].value != SB_IDMAP_NONE)
			sb_idmap_put(&bigger, map->slots[i].id,
				     map->slots[i].value);
	free(map->slots);
	*map = bigger;
	return 0;
}

extern void sb_idmap_put(sb_idmap_t *map, uint32_t id, uint32_t value)
{
	sb_idmap_slot_t *slot = &map->slots[slot_of(map, id)];

	map->count += slot->value == SB_IDMAP_NONE;
	*slot = (sb_idmap_slot_t) { .id = id, .value = value };
}

extern void sb_idmap_remove(sb_idmap_t *map, uint32_t id)
{
	uint32_t gap = map->slots ? slot_of(map, id) : 0;

	if (!map->slots || map->slots[gap].value == SB_IDMAP_NONE)
		return;
	for (uint32_t at = (gap + 1) & map->mask;
	     map->slots[at].value != SB_IDMAP_NONE; at = (at + 1) & map->mask) {
		uint32_t home = home_of(map, map->slots[at].id);

		/* It may move into the gap unless its home lies behind it. */
		if (((at - home) & map->mask) < ((at - gap) & map->mask))
			continue;
		map->slots[gap] = map->slots[at];
		gap = at;
	}
	map->slots[gap].value = SB_IDMAP_NONE;
	map->count--;
}

extern int sb_idmap_fill(sb_idmap_t *map, const uint32_t *ids, size_t count)
{
	if (sb_idmap_reserve(map, count))
		return -1;
	for (size_t i = 0; i < count; i++)
		sb_idmap_put(map, ids[i], i);
	return 0;
}

extern int sb_idmap_copy(sb_idmap_t *to, const sb_idmap_t *from)
{
	size_t size = ((size_t) from->mask + 1) * sizeof(*from->slots);

	if (!from->slots)
		return 0;
	to->slots = malloc(size);
	if (!to->slots)
		return -1;
	memcpy(to->slots, from->slots, size);
	to->mask = from->mask;
	to->count = from->count;
	return 0;
}

extern uint32_t sb_idmap_find(const sb_idmap_t *map, uint32_t id)
{
	return map->slots ? map->slots[slot_of(map, id)].value : SB_IDMAP_NONE;
}

extern void sb_idmap_free(sb_idmap_t *map)
{
	free(map->slots);
	memset(map, 0, sizeof(*map));
}
