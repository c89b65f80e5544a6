/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "queue.h"

extern int queue_open(queue_t *queue, uint32_t lanes)
{
	*queue = (queue_t) { .lane_count = lanes };
	queue->lanes = calloc((size_t) lanes + 1, sizeof(*queue->lanes));
	queue->filled = calloc((size_t) lanes + 1, sizeof(*queue->filled));
	queue->heads = calloc((size_t) lanes + 1, sizeof(*queue->heads));
	return queue->lanes && queue->filled && queue->heads ? 0 : -1;
}

extern void queue_close(queue_t *queue)
{
	for (uint32_t i = 0; queue->lanes && i < queue->lane_count; i++)
		free(queue->lanes[i].jobs);
	free(queue->lanes);
	free(queue->filled);
	free(queue->heads);
	*queue = (queue_t) { 0 };
}

/* RET: place of the first job that is not before this one. */
static uint32_t lane_find(const lane_t *lane, uint32_t job)
{
	uint32_t low = lane->begin, high = lane->end;

	/* Most come at the end, or leave from the front. */
	if (low == high || lane->jobs[low] >= job)
		return low;
	if (lane->jobs[high - 1] < job)
		return high;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (lane->jobs[middle] < job)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Room at the end: by moving to the front, or more of it. */
static int lane_make_room(lane_t *lane)
{
	uint32_t count = lane->end - lane->begin;
	size_t room = lane->room ? (size_t) lane->room * 2 : 16;
	uint32_t *jobs;

	if (lane->end < lane->room)
		return 0;
	if (lane->begin > lane->room / 2) {
		memmove(lane->jobs, lane->jobs + lane->begin,
			count * sizeof(*lane->jobs));
		lane->begin = 0;
		lane->end = count;
		return 0;
	}
	if (room > UINT32_MAX)
		return -1;
	jobs = realloc(lane->jobs, room * sizeof(*jobs));
	if (!jobs)
		return -1;
	lane->jobs = jobs;
	lane->room = (uint32_t) room;
	return 0;
}

extern int queue_add(queue_t *queue, uint32_t number, uint32_t job)
{
	lane_t *lane = &queue->lanes[number];
	uint32_t at;

	if (lane_make_room(lane))
		return -1;
	if (lane->begin == lane->end) {
		lane->place = queue->filled_count;
		queue->filled[queue->filled_count++] = number;
	}
	at = lane_find(lane, job);
	if (at == lane->begin && at) {
		lane->jobs[--lane->begin] = job;
	} else {
		memmove(lane->jobs + at + 1, lane->jobs + at,
			(lane->end - at) * sizeof(*lane->jobs));
		lane->jobs[at] = job;
		lane->end++;
	}
	queue->count++;
	return 0;
}

static void lane_emptied(queue_t *queue, lane_t *lane)
{
	uint32_t last = queue->filled[--queue->filled_count];

	queue->filled[lane->place] = last;
	queue->lanes[last].place = lane->place;
	lane->begin = lane->end = 0;
}

extern void queue_remove(queue_t *queue, uint32_t number, uint32_t job)
{
	lane_t *lane = &queue->lanes[number];
	uint32_t at = lane_find(lane, job);

	if (at == lane->begin) {
		lane->begin++;
	} else {
		memmove(lane->jobs + at, lane->jobs + at + 1,
			(lane->end - at - 1) * sizeof(*lane->jobs));
		lane->end--;
	}
	queue->count--;
	if (lane->begin == lane->end)
		lane_emptied(queue, lane);
}

extern bool queue_has(const queue_t *queue, uint32_t number, uint32_t job)
{
	const lane_t *lane = &queue->lanes[number];
	uint32_t at = lane_find(lane, job);

	return at < lane->end && lane->jobs[at] == job;
}

static bool head_before(const queue_head_t *a, const queue_head_t *b)
{
	if (a->class != b->class)
		return a->class < b->class;
	if (a->priority != b->priority)
		return a->priority > b->priority;
	return a->job < b->job;
}

static void heads_sink(queue_t *queue, uint32_t i)
{
	queue_head_t head = queue->heads[i];
	uint32_t child;

	while ((child = 2 * i + 1) < queue->head_count) {
		if (child + 1 < queue->head_count &&
		    head_before(&queue->heads[child + 1],
				&queue->heads[child]))
			child++;
		if (!head_before(&queue->heads[child], &head))
			break;
		queue->heads[i] = queue->heads[child];
		i = child;
	}
	queue->heads[i] = head;
}

static queue_head_t head_of(const queue_t *queue, uint32_t number)
{
	const lane_t *lane = &queue->lanes[number];

	return (queue_head_t) {
		.priority = lane->priority,
		.class = lane->class,
		.lane = number,
		.job = lane->jobs[lane->begin],
	};
}

/* The first is found by looking at all: of many walks nobody asks for more.
 * The heap is made for the second. */
extern uint32_t queue_first(queue_t *queue)
{
	queue_head_t *heads = queue->heads;
	uint32_t best = 0;

	queue->head_count = queue->filled_count;
	queue->heaped = false;
	if (!queue->head_count)
		return QUEUE_END;
	for (uint32_t i = 0; i < queue->filled_count; i++) {
		heads[i] = head_of(queue, queue->filled[i]);
		if (head_before(&heads[i], &heads[best]))
			best = i;
	}
	queue_head_t first = heads[best];

	heads[best] = heads[0];
	heads[0] = first;
	return first.job;
}

static void heads_heap(queue_t *queue)
{
	/* The first is on top already. */
	for (uint32_t i = queue->head_count / 2; i-- > 1;)
		heads_sink(queue, i);
	queue->heaped = true;
}

extern uint32_t queue_next(queue_t *queue)
{
	queue_head_t *head = &queue->heads[0];
	const lane_t *lane;

	if (!queue->head_count)
		return QUEUE_END;
	if (!queue->heaped)
		heads_heap(queue);
	lane = &queue->lanes[head->lane];
	/* What was removed has let the one behind it move up. */
	if (head->at < lane->end - lane->begin &&
	    lane->jobs[lane->begin + head->at] == head->job)
		head->at++;
	if (head->at < lane->end - lane->begin)
		head->job = lane->jobs[lane->begin + head->at];
	else
		*head = queue->heads[--queue->head_count];
	if (queue->head_count)
		heads_sink(queue, 0);
	return queue->head_count ? queue->heads[0].job : QUEUE_END;
}

extern uint32_t queue_best(const queue_t *queue)
{
	queue_head_t best = { .job = QUEUE_END };

	for (uint32_t i = 0; i < queue->filled_count; i++) {
		queue_head_t head = head_of(queue, queue->filled[i]);

		if (!i || head_before(&head, &best))
			best = head;
	}
	return best.job;
}

extern bool queue_check(const queue_t *queue)
{
	uint32_t count = 0, filled = 0;

	for (uint32_t i = 0; i < queue->lane_count; i++) {
		const lane_t *lane = &queue->lanes[i];

		for (uint32_t j = lane->begin; j + 1 < lane->end; j++)
			if (lane->jobs[j] >= lane->jobs[j + 1])
				return false;
		count += lane->end - lane->begin;
		filled += lane->end > lane->begin;
		if (lane->end > lane->begin &&
		    queue->filled[lane->place] != i)
			return false;
	}
	return count == queue->count && filled == queue->filled_count;
}
