/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue - jobs that wait, in the order in which schedulers look at them.
 *
 * A lane holds jobs that stand together: those of one association that are
 * charged, or its unallocated ones; in it the earlier submission goes first.
 * The lane has a class (lower first) and a priority (higher first); lanes that
 * tie are merged by submission.
 */
#ifndef SB_SIM_QUEUE_H
#define SB_SIM_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint32_t *jobs;		/* [begin, end) of room, ascending */
	uint32_t begin, end, room;
	uint32_t place;		/* in queue.filled, while not empty */
	int32_t class;
	double priority;
} lane_t;

/* Where a walk stands in one lane. */
typedef struct {
	double priority;
	int32_t class;
	uint32_t lane;
	uint32_t at;		/* from the lane's begin */
	uint32_t job;
} queue_head_t;

typedef struct {
	lane_t *lanes;
	uint32_t lane_count;
	uint32_t *filled;	/* lanes that are not empty */
	uint32_t filled_count;
	uint32_t count;		/* jobs */
	queue_head_t *heads;	/* of the walk: a heap */
	uint32_t head_count;
	bool heaped;		/* ... from the second job on */
} queue_t;

#define QUEUE_END UINT32_MAX

/* RET: 0, or -1 without memory. */
extern int queue_open(queue_t *queue, uint32_t lanes);
extern void queue_close(queue_t *queue);

extern int queue_add(queue_t *queue, uint32_t lane, uint32_t job);
/* It must be there. */
extern void queue_remove(queue_t *queue, uint32_t lane, uint32_t job);
extern bool queue_has(const queue_t *queue, uint32_t lane, uint32_t job);

/*
 * A walk, one at a time: the first job, then the one behind. While it lasts
 * the job that it gave last may be removed, and nothing be added.
 * RET: a job, or QUEUE_END.
 */
extern uint32_t queue_first(queue_t *queue);
extern uint32_t queue_next(queue_t *queue);

/* RET: the first job, without a walk. O(lanes). */
extern uint32_t queue_best(const queue_t *queue);
extern bool queue_check(const queue_t *queue);

#endif
