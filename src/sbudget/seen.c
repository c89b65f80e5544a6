/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "seen.h"

/* Slots of the first one, bits. */
#define BITS_MIN 10

struct seen_slot {
	uint64_t key;		/* 0: free */
	int64_t value;
};

/* Numbers of records come in rows: spread them (Fibonacci hashing). */
static size_t _place(const seen_t *seen, uint64_t key)
{
	return (key * UINT64_C(0x9e3779b97f4a7c15)) >> seen->shift;
}

/* The slot of this key, or the free one where it belongs. */
static struct seen_slot *_slot(const seen_t *seen, uint64_t key)
{
	size_t at = _place(seen, key);

	while (seen->slots[at].key && (seen->slots[at].key != key))
		at = (at + 1) & (seen->room - 1);
	return &seen->slots[at];
}

static int _grow(seen_t *seen)
{
	seen_t larger = {
		.count = seen->count,
		.shift = seen->room ? seen->shift - 1 : 64 - BITS_MIN,
	};

	larger.room = (size_t) 1 << (64 - larger.shift);
	larger.slots = calloc(larger.room, sizeof(*larger.slots));
	if (!larger.slots)
		return -1;
	for (size_t i = 0; i < seen->room; i++) {
		if (seen->slots[i].key)
			*_slot(&larger, seen->slots[i].key) = seen->slots[i];
	}
	free(seen->slots);
	*seen = larger;
	return 0;
}

extern int64_t *seen_find(const seen_t *seen, uint64_t key)
{
	struct seen_slot *slot;

	if (!seen->room || !key)
		return NULL;
	slot = _slot(seen, key);
	return slot->key ? &slot->value : NULL;
}

extern int seen_put(seen_t *seen, uint64_t key, int64_t value)
{
	struct seen_slot *slot;

	if (!key)
		return 0;
	/* Half of it stays free. */
	if ((2 * seen->count >= seen->room) && _grow(seen))
		return -1;
	slot = _slot(seen, key);
	seen->count += !slot->key;
	*slot = (struct seen_slot) { key, value };
	return 0;
}

extern void seen_free(seen_t *seen)
{
	free(seen->slots);
	memset(seen, 0, sizeof(*seen));
}
