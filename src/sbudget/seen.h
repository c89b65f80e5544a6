/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seen - what is remembered of records by their number, in a hash that grows.
 */
#ifndef SB_SEEN_H
#define SB_SEEN_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
	struct seen_slot *slots;
	size_t room, count;	/* room: a power of 2, or 0 */
	unsigned int shift;	/* 64 less the bits of room */
} seen_t;

/* RET: what is remembered, NULL: nothing; valid until the next seen_put().
 * IN key: 0 is never remembered. */
extern int64_t *seen_find(const seen_t *seen, uint64_t key);

/* Remember, in place of what was. RET: 0, or -1 without memory. */
extern int seen_put(seen_t *seen, uint64_t key, int64_t value);

/* All zero is an empty one, before and behind. */
extern void seen_free(seen_t *seen);

#endif
