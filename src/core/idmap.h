/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * idmap - id (of an association, of a job) -> index in an array. Open
 * addressing, linear probing, no tombstones: a removal closes its gap.
 */
#ifndef SB_CORE_IDMAP_H
#define SB_CORE_IDMAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint32_t id;
	uint32_t value;		/* SB_IDMAP_NONE: the slot is free */
} sb_idmap_slot_t;

/* All of 0 is an empty map. */
typedef struct {
	uint32_t mask;		/* slots - 1, slots is a power of 2 */
	uint32_t count;
	sb_idmap_slot_t *slots;
} sb_idmap_t;

#define SB_IDMAP_NONE UINT32_MAX

/* Room for so many ids. RET: 0, or -1 without memory, nothing changed. */
extern int sb_idmap_reserve(sb_idmap_t *map, size_t count);
/* A value that is there is replaced. IN value: not SB_IDMAP_NONE. The map has
 * room for one more. */
extern void sb_idmap_put(sb_idmap_t *map, uint32_t id, uint32_t value);
/* Nothing happens when it is not there. */
extern void sb_idmap_remove(sb_idmap_t *map, uint32_t id);
/* IN ids: count of them, each once (a later one wins); map: empty. RET: 0 or -1
 * without memory. */
extern int sb_idmap_fill(sb_idmap_t *map, const uint32_t *ids, size_t count);
/* Into an empty map. RET: 0 or -1 without memory. */
extern int sb_idmap_copy(sb_idmap_t *to, const sb_idmap_t *from);
/* RET: the index, or SB_IDMAP_NONE. */
extern uint32_t sb_idmap_find(const sb_idmap_t *map, uint32_t id);
extern void sb_idmap_free(sb_idmap_t *map);

#endif
