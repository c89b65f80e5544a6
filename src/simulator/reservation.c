/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "booking.h"
#include "ending.h"
#include "reservation.h"

/* At least so long it may begin late, seconds: whoever is protected, or takes
 * his time to go. */
#define SLACK_MIN SB_HOUR

extern int reservation_open(sim_t *sim)
{
	const engine_options_t *options = sim->options;
	struct reservations *all;
	size_t nodes = sim->machine.count;

	if (!options->reservation_count && !options->reserve_nodes)
		return 0;
	sim->reservations = all = calloc(1, sizeof(*all));
	if (!all)
		return -1;
	all->list = calloc(options->reservation_count + 1, sizeof(*all->list));
	all->taken_from = calloc(nodes, sizeof(*all->taken_from));
	all->open = calloc(nodes, sizeof(*all->open));
	all->usable = calloc(nodes, sizeof(*all->usable));
	all->mine = calloc(nodes, sizeof(*all->mine));
	if (sim->machine.host_size)
		all->hosts = calloc(nodes, sizeof(*all->hosts));
	if ((sim->machine.host_size && !all->hosts) ||
	    !all->list || !all->taken_from || !all->open || !all->usable ||
	    !all->mine)
		return -1;
	for (size_t i = 0; i < nodes; i++)
		all->taken_from[i] = SIM_NEVER;
	for (size_t i = 0; i < options->reservation_count; i++) {
		const engine_reservation_t *asked = &options->reservations[i];

		all->list[i] = (booking_t) {
			.made = asked->made, .begin = asked->start,
			.end = asked->start + asked->duration,
			.assoc = asked->assoc, .job = ENGINE_NONE,
			.wanted = asked->nodes,
		};
	}
	all->count = options->reservation_count;
	all->own = &all->list[all->count++];
	all->own->stage = BOOKING_OVER;
	return 0;
}

extern void reservation_close(sim_t *sim)
{
	struct reservations *all = sim->reservations;

	if (!all)
		return;
	for (size_t i = 0; all->list && i < all->count; i++)
		free(all->list[i].nodes);
	free(all->list);
	free(all->asking);
	free(all->taken_from);
	free(all->open);
	free(all->hosts);
	free(all->usable);
	free(all->mine);
	free(all);
	sim->reservations = NULL;
}

/* Past its minimum: it is requeued, or cancelled where it cannot be. */
static int clear_job(sim_t *sim, const booking_t *booking, uint32_t number)
{
	const workload_job_t *asked = sim_asked(sim, number);
	const sim_job_t *job = &sim->jobs[number];

	if (booking_is_for(sim, booking, number) ||
	    sim->now < job->start + job->granted ||
	    (sim->params->not_requeueable_spare &&
	     (!asked->requeueable || asked->interactive)))
		return 0;
	return ending_evict(sim, number, ENGINE_PREEMPTED, booking->job);
}

static int begin(sim_t *sim, booking_t *booking)
{
	const machine_t *machine = &sim->machine;

	booking->stage = BOOKING_BEGUN;
	sim->main_now = true;
	sim->changed = true;
	for (uint32_t i = 0; i < booking->count; i++) {
		uint32_t node = booking->nodes[i];
		const uint32_t *jobs = machine_jobs(machine, node);

		/* From behind: who leaves moves those behind it. */
		for (uint32_t j = machine->job_count[node]; j-- > 0;)
			if (clear_job(sim, booking, jobs[j]))
				return -1;
	}
	return 0;
}

extern int reservation_unprotected(sim_t *sim, uint32_t job)
{
	const struct reservations *all = sim->reservations;
	const sim_job_t *running = &sim->jobs[job];

	for (size_t i = 0; all && i < all->count; i++) {
		const booking_t *booking = &all->list[i];

		for (uint32_t j = 0; booking->stage == BOOKING_BEGUN &&
		     j < booking->count; j++)
			for (uint32_t k = 0; k < running->need.nodes; k++)
				if (sim_nodes(running)[k] == booking->nodes[j])
					return clear_job(sim, booking, job);
	}
	return 0;
}

/* RET: it still waits. */
static bool is_waiting(const sim_t *sim, uint32_t job)
{
	uint8_t state = sim->jobs[job].state;

	return state == STATE_PENDING || state == STATE_DELAYED;
}

/* RET: there is a first one that asks; those that ask no more are dropped. */
static bool somebody_asks(sim_t *sim)
{
	struct reservations *all = sim->reservations;

	while (all->ask_next < all->ask_count &&
	       !is_waiting(sim, all->asking[all->ask_next]))
		all->ask_next++;
	return all->ask_next < all->ask_count;
}

static int ask(sim_t *sim, uint32_t job)
{
	struct reservations *all = sim->reservations;

	if (all->ask_count == all->ask_room) {
		size_t room = all->ask_room ? 2 * all->ask_room : 64;
		uint32_t *asking = realloc(all->asking,
					   room * sizeof(*asking));

		if (!asking)
			return sim_no_memory(sim);
		all->asking = asking;
		all->ask_room = room;
	}
	all->asking[all->ask_count++] = job;
	return 0;
}

extern int reservation_ask(sim_t *sim, uint32_t number)
{
	const sim_job_t *job = &sim->jobs[number];
	uint32_t least = sim->options->reserve_nodes;

	if (!sim->reservations || !least || job->need.nodes < least ||
	    job->class == SB_CLASS_UNALLOCATED ||
	    (sim->options->reserve_under && job->standing >= 1))
		return 0;
	return ask(sim, number);
}

static int make_own(sim_t *sim)
{
	struct reservations *all = sim->reservations;
	uint32_t number = all->asking[all->ask_next++];
	const sim_job_t *job = &sim->jobs[number];
	int64_t lead = sim->options->reserve_lead;

	if (!lead)
		lead = sim->params->min_runtime_max;
	*all->own = (booking_t) {
		.begin = sim->now + lead, .assoc = -1, .job = number,
		.end = sim->now + lead + job->limit +
			(job->limit > SLACK_MIN ? job->limit : SLACK_MIN),
		.wanted = job->need.nodes, .nodes = all->own->nodes,
	};
	return booking_make(sim, all->own);
}

/* RET: its job has had an idle cluster for long: something else, a limit of its
 * account, keeps it from starting. */
static bool is_vain(const sim_t *sim, const booking_t *booking)
{
	return booking->stage == BOOKING_BEGUN && !sim->machine.taken &&
	       !events_first(&sim->events) &&
	       sim->now >= booking->begin + SLACK_MIN;
}

/* RET: its job has no more use for it. */
static bool is_used_up(const sim_t *sim, const booking_t *booking)
{
	if (booking->job == ENGINE_NONE)
		return false;
	if (is_vain(sim, booking))
		return true;
	return booking_is_there(booking) &&
	       sim->jobs[booking->job].state == STATE_OVER;
}

static int over(sim_t *sim, booking_t *booking)
{
	booking->stage = BOOKING_OVER;
	booking_changed(sim);
	/* It may ask again, unless it did not start on an idle cluster. */
	if (booking->job != ENGINE_NONE && is_waiting(sim, booking->job) &&
	    (sim->machine.taken || events_first(&sim->events)))
		return ask(sim, booking->job);
	return 0;
}

extern int reservation_step(sim_t *sim)
{
	struct reservations *all = sim->reservations;

	for (size_t i = 0; all && i < all->count; i++) {
		booking_t *booking = &all->list[i];

		if (booking_is_there(booking) && (booking->end <= sim->now ||
					  is_used_up(sim, booking)) &&
		    over(sim, booking))
			return -1;
		if (booking->stage == BOOKING_AHEAD &&
		    booking->made <= sim->now && booking_make(sim, booking))
			return -1;
		if (booking->stage == BOOKING_MADE &&
		    booking->begin <= sim->now && begin(sim, booking))
			return -1;
	}
	if (all && all->own->stage == BOOKING_OVER && somebody_asks(sim))
		return make_own(sim);
	return 0;
}

extern int64_t reservation_due(const sim_t *sim)
{
	const struct reservations *all = sim->reservations;
	int64_t due = SIM_NEVER;

	for (size_t i = 0; all && i < all->count; i++) {
		const booking_t *booking = &all->list[i];
		int64_t next = SIM_NEVER;

		if (booking->stage == BOOKING_AHEAD)
			next = booking->made;
		else if (booking->stage == BOOKING_MADE)
			next = booking->begin;
		else if (booking->stage == BOOKING_BEGUN)
			next = booking->end;
		/* See is_vain(). */
		if (booking->stage == BOOKING_BEGUN &&
		    sim->now < booking->begin + SLACK_MIN &&
		    next > booking->begin + SLACK_MIN)
			next = booking->begin + SLACK_MIN;
		if (next < due)
			due = next;
	}
	return due;
}
