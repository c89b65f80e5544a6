/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "attempt.h"
#include "preempt.h"
#include "schedule.h"

extern int schedule_job(sim_t *sim, uint32_t number)
{
	machine_t *machine = &sim->machine;
	const need_t *need = &sim->jobs[number].need;

	if (machine_may_fit(machine, need) &&
	    machine_place(machine, machine->open, machine->host_open, need))
		return attempt_start(sim, number) ? -1 : 1;
	if (preempt_for(sim, number, machine->open, machine->host_open,
			machine->usable) < 0)
		return -1;
	return 0;
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
		/* Nobody behind it in its partition. */
		if (!rc)
			break;
	}
	return 0;
}
