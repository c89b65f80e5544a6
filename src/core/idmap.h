/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * idmap - association id -> index in an array. Open addressing, filled once,
 * read by many.
 */
#ifndef SB_CORE_IDMAP_H
#define SB_CORE_IDMAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint32_t mask;		/* slots - 1, slots is a power of 2 */
	uint32_t *keys;		/* 0: free */
	uint32_t *values;
} sb_idmap_t;

#define SB_IDMAP_NONE UINT32_MAX

/* IN ids: count of them, none 0, each once (a later one wins). RET: 0 or -1
 * without memory. */
extern int sb_idmap_fill(sb_idmap_t *map, const uint32_t *ids, size_t count);
/* RET: the index, or SB_IDMAP_NONE. A zeroed map is empty. */
extern uint32_t sb_idmap_find(const sb_idmap_t *map, uint32_t id);
extern void sb_idmap_free(sb_idmap_t *map);

#endif
