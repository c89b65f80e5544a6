/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "seen.h"

/* Where a number is, or would be. */
static size_t slot_of(const uint64_t *keys, const uint32_t *values,
		      size_t slots, uint64_t number)
{
	/* Ids come in runs: spread them by a golden ratio. */
	size_t slot = (number * 0x9e3779b97f4a7c15U >> 20) & (slots - 1);

	while (values[slot] && keys[slot] != number)
		slot = (slot + 1) & (slots - 1);
	return slot;
}

static int grow(seen_t *seen)
{
	size_t slots = seen->slots ? 2 * seen->slots : 1024;
	uint64_t *keys = malloc(slots * sizeof(*keys));
	uint32_t *values = calloc(slots, sizeof(*values));

	if (!keys || !values) {
		free(keys);
		free(values);
		return -1;
	}
	for (size_t i = 0; i < seen->slots; i++) {
		size_t slot;

		if (!seen->values[i])
			continue;
		slot = slot_of(keys, values, slots, seen->keys[i]);
		keys[slot] = seen->keys[i];
		values[slot] = seen->values[i];
	}
	free(seen->keys);
	free(seen->values);
	seen->keys = keys;
	seen->values = values;
	seen->slots = slots;
	return 0;
}

extern int64_t seen_add(seen_t *seen, uint64_t number, uint32_t index)
{
	size_t slot;

	if (2 * seen->count >= seen->slots && grow(seen))
		return -1;
	slot = slot_of(seen->keys, seen->values, seen->slots, number);
	if (!seen->values[slot]) {
		seen->keys[slot] = number;
		seen->values[slot] = index + 1;
		seen->count++;
	}
	return (int64_t)seen->values[slot] - 1;
}

extern void seen_free(seen_t *seen)
{
	free(seen->keys);
	free(seen->values);
	memset(seen, 0, sizeof(*seen));
}
