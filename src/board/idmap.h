/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * idmap - association id -> index in an array. Open addressing, filled once,
 * read by many threads.
 */
#ifndef SB_IDMAP_H
#define SB_IDMAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint32_t mask;		/* slots - 1, slots is a power of 2 */
	uint32_t *keys;		/* 0: free */
	uint32_t *values;
} idmap_t;

#define IDMAP_NONE UINT32_MAX

/* IN ids: count of them, none 0, each once (a later one wins). RET: 0 or -1
 * without memory. */
extern int idmap_fill(idmap_t *map, const uint32_t *ids, size_t count);
/* RET: the index, or IDMAP_NONE. A zeroed map is empty. */
extern uint32_t idmap_find(const idmap_t *map, uint32_t id);
extern void idmap_free(idmap_t *map);

#endif
