/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "attempt.h"
#include "preempt.h"
#include "reservation.h"
#include "schedule.h"

/* Where it may have what nodes have to give. */
static int try_job(sim_t *sim, uint32_t number, const room_t *room)
{
	machine_t *machine = &sim->machine;
	const need_t *need = &sim->jobs[number].need;

	if (machine_may_fit(machine, need) &&
	    machine_place(machine, room->open, room->hosts, need))
		return attempt_start(sim, number) ? -1 : 1;
	if (preempt_for(sim, number, room->open, room->hosts,
			room->usable) < 0)
		return -1;
	return 0;
}

static room_t room_now(const sim_t *sim)
{
	return (room_t) {
		.open = sim->machine.open, .hosts = sim->machine.host_open,
		.usable = sim->machine.usable,
	};
}

extern int schedule_inside(sim_t *sim, uint32_t number)
{
	room_t room = room_now(sim);

	return reservation_inside(sim, number, &room) ?
	       try_job(sim, number, &room) : 0;
}

extern int schedule_job(sim_t *sim, uint32_t number)
{
	room_t room = room_now(sim);
	int rc = schedule_inside(sim, number);

	if (rc || reservation_binds(sim, number))
		return rc;
	reservation_outside(sim, number, &room);
	return try_job(sim, number, &room);
}

extern int schedule_main(sim_t *sim, bool full)
{
	uint32_t depth = 0;
	int rc;

	sim->figures.main_passes++;
	sim->main_stale = false;
	for (uint32_t job = queue_first(&sim->queue); job != QUEUE_END;
	     job = queue_next(&sim->queue)) {
		if (!full && depth++ > sim->options->queue_depth)
			break;
		/* Who may not start does not hold up the others. */
		if (sim->rules->closed && sim->rules->closed(sim, job))
			continue;
		rc = schedule_job(sim, job);
		if (rc < 0)
			return -1;
		/* Nobody behind it in its partition, but who waits for a
		 * reservation holds up nobody outside. */
		if (!rc && !reservation_binds(sim, job))
			break;
	}
	return 0;
}
