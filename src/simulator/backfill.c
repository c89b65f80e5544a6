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
#define UNPLACED_ROW (ENGINE_NODE_GPUS_MAX + 1)

struct backfill {
	vain_t *vain;		/* by lane and claim */
	uint32_t pass;
	vain_t *unplaced;	/* the same of who found no nodes now: by GPU
				 * type and GPUs of a node; pass is scene */
	uint32_t scene;		/* counts up where nodes may have come free */
	uint32_t *order;	/* jobs that this pass will look at */
	bool moved;		/* somebody has started or left since it was
				 * last asked who might still */
	uint32_t least_gpus;	/* no job in the queue needs less */
	int64_t least_limit;
};

/* Most jobs of a pass. */
static size_t most_tested(const sim_t *sim)
{
	size_t jobs = sim->workload->job_count;

	return jobs < sim->options->bf_max_job_test ? jobs :
		sim->options->bf_max_job_test;
}

extern int backfill_open(sim_t *sim)
{
	struct backfill *backfill = calloc(1, sizeof(*backfill));

	sim->agenda = agenda_create(sim);
	sim->backfill = backfill;
	if (!backfill)
		return -1;
	backfill->vain = calloc(CLAIMS * (size_t) sim->queue.lane_count,
				sizeof(*backfill->vain));
	backfill->unplaced = calloc(UNPLACED_ROW *
				    (sim->workload->type_count + 1),
				    sizeof(*backfill->unplaced));
	backfill->order = calloc(most_tested(sim) + 1,
				 sizeof(*backfill->order));
	return sim->agenda && backfill->vain && backfill->unplaced &&
	       backfill->order ? 0 : -1;
}

extern void backfill_close(sim_t *sim)
{
	agenda_destroy(sim->agenda);
	if (sim->backfill) {
		free(sim->backfill->vain);
		free(sim->backfill->unplaced);
		free(sim->backfill->order);
	}
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

/* RET: who failed in this pass (or scene) needed no more than this job. */
static bool says(const vain_t *vain, uint32_t pass, const sim_job_t *job)
{
	return vain->pass == pass &&
	       vain->need.nodes <= job->need.nodes &&
	       vain->need.type == job->need.type &&
	       vain->need.gpus <= job->need.gpus &&
	       vain->need.host.cpus <= job->need.host.cpus &&
	       vain->need.host.mem <= job->need.host.mem &&
	       vain->limit <= job->limit;
}

static bool in_vain(sim_t *sim, uint32_t number)
{
	return says(vain_of(sim, number), sim->backfill->pass,
		    &sim->jobs[number]);
}

static vain_t *unplaced_of(sim_t *sim, const sim_job_t *job)
{
	return &sim->backfill->unplaced[UNPLACED_ROW * (job->need.type + 1) +
					job->need.gpus];
}

static void note_vain(sim_t *sim, uint32_t number)
{
	*vain_of(sim, number) = (vain_t) {
		.pass = sim->backfill->pass,
		.need = sim->jobs[number].need,
		.limit = sim->jobs[number].limit,
	};
}

/* What no start of this pass has changed yet. */
static void note_queue(sim_t *sim)
{
	sim->backfill->least_gpus = sim_least_gpus(sim);
	sim->backfill->least_limit = sim_least_limit(sim);
}

/* RET: 1 when that is all for this job, 0, or -1. */
static int reserved_job(sim_t *sim, uint32_t number)
{
	int rc = schedule_inside(sim, number);

	sim->backfill->scene++;
	note_queue(sim);
	return !rc && reservation_binds(sim, number) ? 1 : rc;
}

static int start_job(sim_t *sim, uint32_t number)
{
	if (attempt_start(sim, number))
		return -1;
	sim->backfill->moved = true;
	note_queue(sim);
	return 0;
}

/* RET: 0, or -1. */
static int backfill_job(sim_t *sim, uint32_t number)
{
	const sim_job_t *job = &sim->jobs[number];
	machine_t *machine = &sim->machine;
	bool may = preempt_possible(sim, number) && !in_vain(sim, number);
	bool fits = machine_may_fit(machine, &job->need) &&
		    !says(unplaced_of(sim, job), sim->backfill->scene, job);
	int rc = 0;

	if (may || fits)
		agenda_open_now(sim, job->limit);
	if (fits && machine_place(machine, sim->agenda->open,
				  sim->agenda->hosts, &job->need))
		return start_job(sim, number);
	if (fits)
		*unplaced_of(sim, job) = (vain_t) {
			.pass = sim->backfill->scene, .need = job->need,
			.limit = job->limit,
		};
	if (may)
		rc = preempt_for(sim, number, sim->agenda->open,
				 sim->agenda->hosts, sim->agenda->usable);
	if (rc < 0)
		return -1;
	if (may && !rc)
		note_vain(sim, number);
	if (!rc)
		return plan_job(sim, number);
	/* Others leave for it: nobody else gets these nodes. */
	sim->backfill->moved = true;
	sim->backfill->scene++;
	return agenda_add(sim, machine->chosen, job->need.nodes, sim->now,
			  sim->now + job->limit);
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
	return gpus >= sim->backfill->least_gpus &&
	       sim->agenda->barred[node] > sim->now +
					   sim->backfill->least_limit;
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

/*
 * For the same reason: behind the last job that could start or preempt, if no
 * plan were in its way, nothing is left to do. While nobody starts or leaves
 * nobody else could. Who has a reservation may start where nobody else may.
 * RET: its place and one, `from`: none is left.
 */
static uint32_t find_last(sim_t *sim, uint32_t from, uint32_t count)
{
	const uint32_t *order = sim->backfill->order;

	sim->backfill->moved = false;
	while (count > from && !sim->reservations) {
		uint32_t job = order[count - 1];

		if (machine_may_fit(&sim->machine, &sim->jobs[job].need) ||
		    (preempt_possible(sim, job) && !in_vain(sim, job)))
			break;
		count--;
	}
	return count;
}

/* RET: how many jobs of the queue are in backfill.order. */
static uint32_t list_jobs(sim_t *sim)
{
	uint32_t count = 0;

	for (uint32_t job = queue_first(&sim->queue);
	     job != QUEUE_END && count < sim->options->bf_max_job_test;
	     job = queue_next(&sim->queue))
		sim->backfill->order[count++] = job;
	return count;
}

extern int backfill_pass(sim_t *sim)
{
	struct backfill *backfill = sim->backfill;
	uint32_t count = list_jobs(sim), last, live = 0;
	int rc;

	sim->figures.backfill_passes++;
	agenda_begin(sim);
	backfill->pass++;
	backfill->scene++;
	note_queue(sim);
	if (reservation_plan(sim))
		return -1;
	last = find_last(sim, 0, count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t job = backfill->order[i];

		if (i >= last && backfill->moved)
			last = find_last(sim, i, count);
		if (i >= last)
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
