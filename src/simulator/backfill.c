/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "attempt.h"
#include "backfill.h"
#include "agenda.h"
#include "preempt.h"
#include "reservation.h"
#include "schedule.h"

/*
 * Jobs of one lane are often alike, and within a pass nothing gets easier: who
 * could not preempt his way in speaks for those behind him who need as much.
 */
typedef struct {
	uint32_t pass;
	need_t need;
	int64_t limit;
} vain_t;

#define CLAIMS 4

struct backfill {
	vain_t *vain;		/* by lane and claim */
	uint32_t pass;
};

extern int backfill_open(sim_t *sim)
{
	sim->agenda = agenda_create(sim);
	sim->backfill = calloc(1, sizeof(*sim->backfill));
	if (sim->backfill)
		sim->backfill->vain = calloc(CLAIMS *
			(size_t) sim->queue.lane_count, sizeof(vain_t));
	return sim->agenda && sim->backfill && sim->backfill->vain ? 0 : -1;
}

extern void backfill_close(sim_t *sim)
{
	agenda_destroy(sim->agenda);
	if (sim->backfill)
		free(sim->backfill->vain);
	free(sim->backfill);
	sim->agenda = NULL;
	sim->backfill = NULL;
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

static vain_t *vain_of(sim_t *sim, uint32_t number)
{
	return &sim->backfill->vain[CLAIMS * sim->jobs[number].lane +
				    sim->rules->claim(sim, number)];
}

static bool in_vain(sim_t *sim, uint32_t number)
{
	const need_t *need = &sim->jobs[number].need;
	const vain_t *vain = vain_of(sim, number);

	return vain->pass == sim->backfill->pass &&
	       vain->need.nodes <= need->nodes &&
	       vain->need.type == need->type &&
	       vain->need.gpus <= need->gpus &&
	       vain->need.host.cpus <= need->host.cpus &&
	       vain->need.host.mem <= need->host.mem &&
	       vain->limit <= sim->jobs[number].limit;
}

static void note_vain(sim_t *sim, uint32_t number)
{
	*vain_of(sim, number) = (vain_t) {
		.pass = sim->backfill->pass,
		.need = sim->jobs[number].need,
		.limit = sim->jobs[number].limit,
	};
}

/* RET: 1 when that is all for this job, 0, or -1. */
static int reserved_job(sim_t *sim, uint32_t number)
{
	int rc = schedule_inside(sim, number);

	return !rc && reservation_binds(sim, number) ? 1 : rc;
}

/* RET: 0, or -1. */
static int backfill_job(sim_t *sim, uint32_t number)
{
	const sim_job_t *job = &sim->jobs[number];
	machine_t *machine = &sim->machine;
	bool may = preempt_possible(sim, number) && !in_vain(sim, number);
	int rc = 0;

	if (may || machine_may_fit(machine, &job->need)) {
		agenda_open_now(sim, job->limit);
		if (machine_place(machine, sim->agenda->open,
				  sim->agenda->hosts, &job->need))
			return attempt_start(sim, number);
	}
	if (may)
		rc = preempt_for(sim, number, sim->agenda->open,
				 sim->agenda->hosts, sim->agenda->usable);
	if (rc < 0)
		return -1;
	if (may && !rc)
		note_vain(sim, number);
	/* Others leave for it: nobody else gets these nodes. */
	if (rc)
		return agenda_add(sim, machine->chosen, job->need.nodes,
				sim->now, sim->now + job->limit);
	return plan_job(sim, number);
}

/* RET: somebody in the queue might still get this node now. */
static bool is_live(const sim_t *sim, uint32_t node)
{
	const machine_t *machine = &sim->machine;
	uint32_t gpus = machine->open[node];

	if (!machine->usable[node])
		return false;
	if (sim->rules->may)
		gpus += sim->prey[node];
	return gpus >= sim_least_gpus(sim) &&
	       sim->agenda->barred[node] > sim->now + sim_least_limit(sim);
}

/*
 * Plans matter only for what can start now: when no node is left on which
 * anything could, the pass may end. IN/OUT node: nodes before it are not. A
 * node that is not live stays so, but for limits of those that have started.
 */
static bool any_live(const sim_t *sim, uint32_t *node)
{
	while (*node < sim->machine.count && !is_live(sim, *node))
		(*node)++;
	return *node < sim->machine.count;
}

extern int backfill_pass(sim_t *sim)
{
	uint32_t tested = 0, live = 0;
	int rc;

	sim->figures.backfill_passes++;
	agenda_begin(sim);
	sim->backfill->pass++;
	if (reservation_plan(sim))
		return -1;
	for (uint32_t job = queue_first(&sim->queue); job != QUEUE_END;
	     job = queue_next(&sim->queue)) {
		if (tested++ >= sim->options->bf_max_job_test)
			break;
		if (sim->rules->closed && sim->rules->closed(sim, job))
			continue;
		rc = sim->reservations ? reserved_job(sim, job) : 0;
		if (rc < 0)
			return -1;
		if (rc)
			continue;
		if (!any_live(sim, &live)) {
			if (reservation_begun(sim))
				continue;
			break;
		}
		if (backfill_job(sim, job))
			return -1;
	}
	return 0;
}
