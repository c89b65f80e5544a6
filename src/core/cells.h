/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cells - rows of sums by a 64-bit key: what is added up beside the sums that
 * everybody sees.
 *
 * Not thread safe: the owner locks.
 */
#ifndef SB_CORE_CELLS_H
#define SB_CORE_CELLS_H

#include <stddef.h>
#include <stdint.h>

/* Open addressing. { .width = n } is an empty one. */
typedef struct {
	size_t width;		/* sums per cell */
	size_t slots;		/* a power of 2, or 0 */
	size_t used;
	uint64_t *keys;		/* 0: free */
	uint64_t *sums;		/* width for each slot */
} sb_cells_t;

/* RET: the sums of this key, NULL: there are none (there are none of key 0).
 * They stand until the next add. */
extern uint64_t *sb_cells_find(const sb_cells_t *cells, uint64_t key);
/* RET: the same, new ones of zeros when there are none; NULL without memory,
 * and of key 0. */
extern uint64_t *sb_cells_add(sb_cells_t *cells, uint64_t key);
/* An empty one again. */
extern void sb_cells_free(sb_cells_t *cells);

#endif
