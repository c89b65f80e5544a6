/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "events.h"

static bool event_before(const event_t *a, const event_t *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	if (a->kind != b->kind)
		return a->kind < b->kind;
	if (a->subject != b->subject)
		return a->subject < b->subject;
	return a->attempt < b->attempt;
}

static int events_grow(events_t *events)
{
	size_t room = events->room ? events->room * 2 : 1024;
	event_t *heap;

	if (room > SIZE_MAX / sizeof(*heap))
		return -1;
	heap = realloc(events->heap, room * sizeof(*heap));
	if (!heap)
		return -1;
	events->heap = heap;
	events->room = room;
	return 0;
}

extern int events_add(events_t *events, const event_t *event)
{
	size_t i = events->count;

	if (i == events->room && events_grow(events))
		return -1;
	events->count++;
	for (; i && event_before(event, &events->heap[(i - 1) / 2]);
	     i = (i - 1) / 2)
		events->heap[i] = events->heap[(i - 1) / 2];
	events->heap[i] = *event;
	return 0;
}

extern const event_t *events_first(const events_t *events)
{
	return events->count ? &events->heap[0] : NULL;
}

extern void events_pop(events_t *events)
{
	const event_t *last;
	size_t i = 0, child;

	if (!events->count)
		return;
	last = &events->heap[--events->count];
	while ((child = 2 * i + 1) < events->count) {
		if (child + 1 < events->count &&
		    event_before(&events->heap[child + 1],
				 &events->heap[child]))
			child++;
		if (!event_before(&events->heap[child], last))
			break;
		events->heap[i] = events->heap[child];
		i = child;
	}
	events->heap[i] = *last;
}

extern void events_free(events_t *events)
{
	free(events->heap);
	*events = (events_t) { 0 };
}
