/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * booking - which nodes a reservation has, and who may start there. Inside of
 * reservation.
 */
#ifndef SB_SIM_BOOKING_H
#define SB_SIM_BOOKING_H

#include "sim.h"

typedef enum { BOOKING_AHEAD, BOOKING_MADE, BOOKING_BEGUN,
	       BOOKING_OVER } booking_stage_t;

typedef struct {
	booking_stage_t stage;
	int64_t made, begin, end;
	int32_t assoc;		/* whose, or -1 */
	uint32_t job;		/* whose, or ENGINE_NONE */
	uint32_t wanted;	/* nodes */
	uint32_t *nodes;
	uint32_t count;
} booking_t;

struct reservations {
	booking_t *list;	/* those of the options, then the admin's */
	size_t count;
	booking_t *own;		/* the admin's, of whom there is one */
	uint32_t *asking;	/* jobs that want one, in order */
	size_t ask_count, ask_room, ask_next;
	int64_t *taken_from;	/* by node: begin of the first, or never */
	uint16_t *open;		/* scratch, by node */
	host_t *hosts;		/* same, NULL: without bound */
	bool *usable, *mine;	/* same */
};

/* It is made and not over. */
static inline bool booking_is_there(const booking_t *booking)
{
	return booking->stage == BOOKING_MADE ||
	       booking->stage == BOOKING_BEGUN;
}

/* Choose its nodes. RET: 0, or -1: the replay ends (err). */
extern int booking_make(sim_t *sim, booking_t *booking);

/* One has come or gone: who may start where is another. */
extern void booking_changed(sim_t *sim);

/* RET: the job may start there. */
extern bool booking_is_for(const sim_t *sim, const booking_t *booking,
			   uint32_t job);

#endif
