/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "idmap.h"

static uint32_t slot_of(const sb_idmap_t *map, uint32_t id)
{
	uint32_t slot = (id * 2654435761U) & map->mask;

	while (map->keys[slot] && (map->keys[slot] != id))
		slot = (slot + 1) & map->mask;
	return slot;
}

extern int sb_idmap_fill(sb_idmap_t *map, const uint32_t *ids, size_t count)
{
	size_t slots = 16;

	while (slots < count * 2)
		slots *= 2;
	map->mask = slots - 1;
	map->keys = calloc(slots, sizeof(*map->keys));
	map->values = malloc(slots * sizeof(*map->values));
	if (!map->keys || !map->values) {
		sb_idmap_free(map);
		return -1;
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t slot = slot_of(map, ids[i]);

		map->keys[slot] = ids[i];
		map->values[slot] = i;
	}
	return 0;
}

extern uint32_t sb_idmap_find(const sb_idmap_t *map, uint32_t id)
{
	uint32_t slot;

	if (!map->keys || !id)
		return SB_IDMAP_NONE;
	slot = slot_of(map, id);
	return map->keys[slot] ? map->values[slot] : SB_IDMAP_NONE;
}

extern void sb_idmap_free(sb_idmap_t *map)
{
	free(map->keys);
	free(map->values);
	map->keys = NULL;
	map->values = NULL;
	map->mask = 0;
}
