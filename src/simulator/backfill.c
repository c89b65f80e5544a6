/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "attempt.h"
#include "backfill.h"
#include "agenda.h"
#include "preempt.h"

extern int backfill_open(sim_t *sim)
{
	sim->agenda = agenda_create(&sim->machine);
	return sim->agenda ? 0 : -1;
}

extern void backfill_close(sim_t *sim)
{
	agenda_destroy(sim->agenda);
	sim->agenda = NULL;
}

/* Keep nodes for a job that waits. RET: 0, or -1. */
static int plan_job(sim_t *sim, uint32_t number)
{
	const sim_job_t *job = &sim->jobs[number];
	int64_t latest = sim->now + sim->options->bf_window;
	int64_t start = agenda_earliest(sim, &job->need, job->limit, latest);

	if (start == SIM_NEVER)
		return 0;
	return agenda_add(sim, sim->machine.chosen, job->need.nodes, start,
			start + job->limit);
}

/* RET: 0, or -1. */
static int backfill_job(sim_t *sim, uint32_t number)
{
	const sim_job_t *job = &sim->jobs[number];
	machine_t *machine = &sim->machine;
	bool may = preempt_possible(sim, number);
	int rc = 0;

	if (may || machine_may_fit(machine, &job->need)) {
		agenda_open_now(sim, job->limit);
		if (machine_place(machine, sim->agenda->open, &job->need))
			return attempt_start(sim, number);
	}
	if (may)
		rc = preempt_for(sim, number, sim->agenda->open,
				 sim->agenda->usable);
	if (rc < 0)
		return -1;
	/* Others leave for it: nobody else gets these nodes. */
	if (rc)
		return agenda_add(sim, machine->chosen, job->need.nodes,
				sim->now, sim->now + job->limit);
	return plan_job(sim, number);
}

extern int backfill_pass(sim_t *sim)
{
	uint32_t tested = 0;

	sim->figures.backfill_passes++;
	agenda_begin(sim);
	for (uint32_t job = queue_first(&sim->queue); job != QUEUE_END;
	     job = queue_next(&sim->queue)) {
		if (tested++ >= sim->options->bf_max_job_test)
			break;
		if (sim->rules->closed && sim->rules->closed(sim, job))
			continue;
		if (backfill_job(sim, job))
			return -1;
	}
	return 0;
}
