/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events - what is due when: a binary heap. Events of one second come in the
 * order of their kinds, then of their jobs: the order of insertion does not
 * matter, so that a replay is the same whatever happened before.
 */
#ifndef SB_SIM_EVENTS_H
#define SB_SIM_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order in which those of one second happen: what frees nodes first. */
typedef enum {
	EVENT_END,		/* an attempt has run its time */
	EVENT_GRACE,		/* an evicted attempt's warning is over */
	EVENT_CLEAR,		/* nodes are no longer COMPLETING */
	EVENT_OUTAGE,		/* a node drains, fails, resumes */
	EVENT_ELIGIBLE,		/* a requeued job may start again */
	EVENT_PROTECTED		/* a protection ends */
} event_kind_t;

typedef struct {
	int64_t time;
	uint32_t kind;		/* event_kind_t */
	uint32_t subject;	/* job, or number of an outage */
	uint32_t attempt;	/* that it belongs to: stale when the job's
				 * counter has moved on */
} event_t;

typedef struct {
	event_t *heap;
	size_t count, room;
} events_t;

/* RET: 0, or -1 without memory. All of 0 is an empty heap. */
extern int events_add(events_t *events, const event_t *event);
/* RET: the next one, or NULL; until the next call. */
extern const event_t *events_first(const events_t *events);
extern void events_pop(events_t *events);
extern void events_free(events_t *events);

#endif
