/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "agenda.h"
#include "booking.h"
#include "reservation.h"

extern void booking_changed(sim_t *sim)
{
	struct reservations *all = sim->reservations;

	for (uint32_t i = 0; i < sim->machine.count; i++)
		all->taken_from[i] = SIM_NEVER;
	for (size_t i = 0; i < all->count; i++) {
		const booking_t *booking = &all->list[i];

		for (uint32_t j = 0; booking_is_there(booking) &&
		     j < booking->count; j++)
			if (booking->begin < all->taken_from[booking->nodes[j]])
				all->taken_from[booking->nodes[j]] =
					booking->begin;
	}
	sim->changed = true;
	sim->main_now = true;
}

/* Nodes that are not reserved by another at that time, in usable. */
static void find_open(sim_t *sim, const booking_t *booking)
{
	struct reservations *all = sim->reservations;
	const machine_t *machine = &sim->machine;

	for (uint32_t i = 0; i < machine->count; i++)
		all->usable[i] = !machine->drained[i] && !machine->failed[i];
	for (size_t i = 0; i < all->count; i++) {
		const booking_t *other = &all->list[i];

		if (other == booking || !booking_is_there(other) ||
		    other->end <= booking->begin ||
		    other->begin >= booking->end)
			continue;
		for (uint32_t j = 0; j < other->count; j++)
			all->usable[other->nodes[j]] = false;
	}
}

/* RET: none of its jobs' limits reaches beyond the begin. */
static bool is_clear(const sim_t *sim, uint32_t node, int64_t begin)
{
	const machine_t *machine = &sim->machine;

	for (uint32_t i = 0; i < machine->job_count[node]; i++)
		if (sim->jobs[machine_jobs(machine, node)[i]].expected > begin)
			return false;
	return true;
}

/* The clear ones, then those of running jobs until they suffice. */
static void narrow(sim_t *sim, const booking_t *booking)
{
	struct reservations *all = sim->reservations;
	uint32_t left = booking->wanted;

	for (uint32_t i = 0; i < sim->machine.count; i++) {
		all->mine[i] = all->usable[i] && is_clear(sim, i,
							  booking->begin);
		left -= all->mine[i] && left;
	}
	for (uint32_t job = 0; left && job < sim->submitted; job++) {
		const sim_job_t *running = &sim->jobs[job];

		if (running->state != STATE_RUNNING ||
		    running->expected <= booking->begin)
			continue;
		for (uint32_t i = 0; i < running->need.nodes; i++) {
			uint32_t node = sim_nodes(running)[i];

			left -= all->usable[node] && !all->mine[node] && left;
			all->mine[node] = all->usable[node];
		}
	}
}

/* Of a node what there is, or nothing. */
static void keep_node(struct reservations *all, const room_t *room,
		      uint32_t node, bool keep)
{
	all->open[node] = keep ? room->open[node] : 0;
	all->usable[node] = keep && room->usable[node];
	if (room->hosts)
		all->hosts[node] = keep ? room->hosts[node] : (host_t) { 0 };
}

/* Only those that are its own have something to give, when nobody is there.
 * RET: how many have enough. */
static uint32_t open_own(sim_t *sim, const need_t *need)
{
	struct reservations *all = sim->reservations;
	const room_t room = {
		.open = sim->machine.size, .usable = all->mine,
		.hosts = sim->machine.host_size,
	};
	uint32_t found = 0;

	for (uint32_t i = 0; i < sim->machine.count; i++) {
		keep_node(all, &room, i, all->mine[i]);
		found += all->mine[i] && all->open[i] >= need->gpus &&
			 (need->type < 0 ||
			  need->type == sim->machine.type[i]) &&
			 (!room.hosts || machine_hosts(&all->hosts[i], need));
	}
	return found;
}

extern int booking_make(sim_t *sim, booking_t *booking)
{
	need_t need = { .gpus = 1, .type = -1 };
	uint32_t found;

	if (booking->job != ENGINE_NONE)
		need = sim->jobs[booking->job].need;
	find_open(sim, booking);
	narrow(sim, booking);
	found = open_own(sim, &need);
	/* What is down makes it smaller. */
	need.nodes = found < booking->wanted ? found : booking->wanted;
	booking->stage = BOOKING_MADE;
	booking->count = 0;
	free(booking->nodes);
	booking->nodes = malloc((need.nodes + 1) * sizeof(*booking->nodes));
	if (!booking->nodes)
		return sim_no_memory(sim);
	if (machine_place(&sim->machine, sim->reservations->open,
			  sim->reservations->hosts, &need)) {
		memcpy(booking->nodes, sim->machine.chosen,
		       need.nodes * sizeof(*booking->nodes));
		booking->count = need.nodes;
	}
	booking_changed(sim);
	return 0;
}

/* ---------------------------------------------------------------- whose */

static bool is_below(const sim_t *sim, uint32_t assoc, int32_t account)
{
	for (int32_t i = (int32_t) assoc; i >= 0;
	     i = sim->workload->assocs[i].parent)
		if (i == account)
			return true;
	return false;
}

extern bool booking_is_for(const sim_t *sim, const booking_t *booking,
			   uint32_t job)
{
	if (booking->job != ENGINE_NONE)
		return booking->job == job;
	return is_below(sim, sim_asked(sim, job)->assoc, booking->assoc);
}

extern bool reservation_binds(const sim_t *sim, uint32_t job)
{
	const struct reservations *all = sim->reservations;

	return all && booking_is_there(all->own) && all->own->job == job;
}

extern bool reservation_begun(const sim_t *sim)
{
	const struct reservations *all = sim->reservations;

	for (size_t i = 0; all && i < all->count; i++)
		if (all->list[i].stage == BOOKING_BEGUN)
			return true;
	return false;
}

static room_t kept_room(const struct reservations *all, const room_t *room)
{
	return (room_t) {
		.open = all->open, .usable = all->usable,
		.hosts = room->hosts ? all->hosts : NULL,
	};
}

extern void reservation_outside(sim_t *sim, uint32_t job, room_t *room)
{
	struct reservations *all = sim->reservations;
	int64_t end = sim->now + sim->jobs[job].limit;

	if (!all)
		return;
	for (uint32_t i = 0; i < sim->machine.count; i++)
		keep_node(all, room, i, end <= all->taken_from[i]);
	*room = kept_room(all, room);
}

extern bool reservation_inside(sim_t *sim, uint32_t job, room_t *room)
{
	struct reservations *all = sim->reservations;
	int64_t end = sim->now + sim->jobs[job].limit;
	const booking_t *found = NULL;

	for (size_t i = 0; all && i < all->count; i++)
		if (all->list[i].stage == BOOKING_BEGUN &&
		    end <= all->list[i].end &&
		    booking_is_for(sim, &all->list[i], job))
			found = &all->list[i];
	if (!found)
		return false;
	for (uint32_t i = 0; i < sim->machine.count; i++)
		keep_node(all, room, i, false);
	for (uint32_t i = 0; i < found->count; i++)
		keep_node(all, room, found->nodes[i], true);
	*room = kept_room(all, room);
	return true;
}

extern int reservation_plan(sim_t *sim)
{
	const struct reservations *all = sim->reservations;

	for (size_t i = 0; all && i < all->count; i++) {
		const booking_t *booking = &all->list[i];

		if (booking_is_there(booking) &&
		    agenda_add(sim, booking->nodes, booking->count,
			       booking->begin, booking->end))
			return -1;
	}
	return 0;
}

