/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reservation - nodes kept for somebody, as with scontrol create reservation
 * and Flags=IGNORE_JOBS: from when it is made on nobody else starts on its
 * nodes whose time limit reaches into it. When it begins, jobs on them that
 * are past their minimum are requeued, the others when they are.
 *
 * Nodes are chosen as Slurm does: those that no running job's limit keeps
 * beyond the begin; if these are too few, those of running jobs, one job after
 * the other; none of another reservation at that time.
 *
 * engine_options_t.reservations are for an account: its jobs may start in it,
 * or anywhere (Flags=MAGNETIC). With reserve_nodes an admin makes one for each
 * job of so many nodes or more that does not declare 0, one at a time, in order
 * of submission: reserve_lead ahead, as long as the job's limit and that again,
 * at least an hour.
 * The job then waits for it (--reservation), and it is over with the job.
 *
 * RET of int: 0, or -1: the replay ends (err).
 */
#ifndef SB_SIM_RESERVATION_H
#define SB_SIM_RESERVATION_H

#include "sim.h"

/* RET: 0, or -1 without memory. Nothing is there without reservations. */
extern int reservation_open(sim_t *sim);
extern void reservation_close(sim_t *sim);

/* When one is next to be made, begins or ends, or SIM_NEVER. */
extern int64_t reservation_due(const sim_t *sim);
/* Do what is due: once in every second that is looked at, after the events. */
extern int reservation_step(sim_t *sim);

/* A job has been submitted. */
extern int reservation_ask(sim_t *sim, uint32_t job);
/* Its protection has ended. */
extern int reservation_unprotected(sim_t *sim, uint32_t job);

/* RET: it waits for a reservation of its own, whatever else is free. */
extern bool reservation_binds(const sim_t *sim, uint32_t job);
/* RET: one has begun: its nodes are for some, though closed to the others. */
extern bool reservation_begun(const sim_t *sim);

/* What nodes have to give, as for machine_place(), and which may be used. */
typedef struct {
	const uint16_t *open;
	const host_t *hosts;	/* NULL: without bound */
	const bool *usable;
} room_t;

/*
 * Where may it start now? Outside of reservations that are not for it, or
 * inside of one that has begun (RET: false: there is none for it).
 * IN/OUT room: as of the machine; then without the other nodes, in arrays that
 * live until the next call. The same where nothing is reserved.
 */
extern void reservation_outside(sim_t *sim, uint32_t job, room_t *room);
extern bool reservation_inside(sim_t *sim, uint32_t job, room_t *room);

/* What is reserved is planned: after agenda_begin(). */
extern int reservation_plan(sim_t *sim);

#endif
