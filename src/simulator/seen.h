/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seen - numbers that have come, each with an index: open addressing, grows.
 */
#ifndef SB_SIM_SEEN_H
#define SB_SIM_SEEN_H

#include <stddef.h>
#include <stdint.h>

/* Begin with zeros. */
typedef struct {
	uint64_t *keys;
	uint32_t *values;	/* index + 1, 0: free */
	size_t slots, count;
} seen_t;

/*
 * IN index: of this number, below UINT32_MAX, if it is new.
 * RET: the index that it has (a smaller one: it was there), or -1 without
 * memory.
 */
extern int64_t seen_add(seen_t *seen, uint64_t number, uint32_t index);
extern void seen_free(seen_t *seen);

#endif
