/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "candidates.h"

extern int candidates_add(candidates_t *candidates, const uint32_t *jobs,
			  uint32_t count)
{
	size_t room = candidates->room;

	while (room < candidates->count + count)
		room = room ? room * 2 : 256;
	if (room > candidates->room) {
		candidate_t *list = realloc(candidates->list,
					    room * sizeof(*list));

		if (!list)
			return -1;
		candidates->list = list;
		candidates->room = room;
	}
	for (uint32_t i = 0; i < count; i++)
		candidates->list[candidates->count++].job = jobs[i];
	return 0;
}

extern void candidates_free(candidates_t *candidates)
{
	free(candidates->list);
	*candidates = (candidates_t) { 0 };
}

/* In a heap of so many, first on top: this one moves down to its place. */
static void sink(candidate_t *heap, size_t count, size_t i)
{
	candidate_t moved = heap[i];
	size_t child;

	while ((child = 2 * i + 1) < count) {
		if (child + 1 < count &&
		    candidate_before(&heap[child + 1], &heap[child]))
			child++;
		if (!candidate_before(&heap[child], &moved))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = moved;
}

extern void candidates_heap(candidates_t *candidates)
{
	for (size_t i = candidates->count / 2; i-- > 0;)
		sink(candidates->list, candidates->count, i);
}

/* Those taken stand behind the heap, backwards. */
extern const candidate_t *candidates_pop(candidates_t *candidates, size_t gone)
{
	size_t last = candidates->count - gone - 1;
	candidate_t first = candidates->list[0];

	candidates->list[0] = candidates->list[last];
	sink(candidates->list, last, 0);
	candidates->list[last] = first;
	return &candidates->list[last];
}

extern void candidates_popped(candidates_t *candidates, size_t gone)
{
	candidate_t *tail = candidates->list + candidates->count - gone;

	for (size_t i = 0; i < gone / 2; i++) {
		candidate_t other = tail[i];

		tail[i] = tail[gone - 1 - i];
		tail[gone - 1 - i] = other;
	}
	if (gone)
		memmove(candidates->list, tail, gone * sizeof(*tail));
}
