/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine - the virtual clock. One second at a time: ranks of the tick before,
 * what happens, then the schedulers, as the timers of slurmctld have them.
 */
#include <assert.h>
#include <stdlib.h>

#include "agenda.h"
#include "attempt.h"
#include "backfill.h"
#include "ending.h"
#include "news.h"
#include "preempt.h"
#include "ranks.h"
#include "reservation.h"
#include "schedule.h"
#include "watch.h"

const engine_options_t engine_options_default = {
	.policy = ENGINE_BUDGET,
	.calc_period = 5 * SB_MINUTE,
	.weights = { .cpu = 1 },	/* as Slurm does without any */
	.half_life = 7 * SB_DAY,
	.account_limit = 2,
	.kill_time = 5,
	.requeue_delay = 2 * SB_MINUTE,
	.sched_interval = 60,
	.batch_sched_delay = 3,
	.queue_depth = 100,
	.backfill = true,
	.bf_interval = 30,
	.bf_window = SB_DAY,
	.bf_resolution = 60,
	.bf_max_job_test = 500,
};

static const rules_t *rules_of(engine_policy_t policy)
{
	switch (policy) {
	case ENGINE_BUDGET:
		return &rules_budget;
	case ENGINE_MULTIFACTOR:
		return &rules_multifactor;
	case ENGINE_FIFO:
		return &rules_fifo;
	case ENGINE_PRIORITY:
		return &rules_priority;
	case ENGINE_POLICIES:
		break;
	}
	return NULL;
}

/* --------------------------------------------------------------- events */

static int node_changes(sim_t *sim, const engine_outage_t *outage)
{
	machine_t *machine = &sim->machine;
	const uint32_t *jobs = machine_jobs(machine, outage->node);

	machine_change(machine, outage->node, outage->change, sim->now);
	agenda_touch_node(sim, outage->node);
	sim->changed = true;
	sim->main_now = true;
	while (outage->change == ENGINE_NODE_FAIL &&
	       machine->job_count[outage->node])
		if (ending_now(sim, jobs[0], ENGINE_NODE_FAILED))
			return -1;
	return watch_drain(sim, outage->node);
}

/* Nobody tells slurmctld that a begin time has come, or a protection ended;
 * our watcher does the latter. */
static int job_event(sim_t *sim, const event_t *event)
{
	uint32_t job = event->subject;

	if (event->attempt != sim->jobs[job].attempt)
		return 0;
	switch ((event_kind_t) event->kind) {
	case EVENT_END:
		return ending_now(sim, job, sim->jobs[job].outcome);
	case EVENT_GRACE:
		return ending_now(sim, job, ENGINE_PREEMPTED);
	case EVENT_CLEAR:
		return ending_clear(sim, job);
	case EVENT_ELIGIBLE:
		return attempt_eligible(sim, job);
	case EVENT_PROTECTED:
		if (attempt_unprotect(sim, job) ||
		    reservation_unprotected(sim, job))
			return -1;
		/* It has gone. */
		if (event->attempt != sim->jobs[job].attempt)
			return 0;
		sim->main_now = true;
		sim->backfill_stale = true;
		return watch_unprotected(sim, job);
	case EVENT_OUTAGE:
		break;
	}
	return 0;
}

static int happen(sim_t *sim)
{
	const event_t *first;
	event_t event;
	int rc;

	while ((first = events_first(&sim->events)) &&
	       first->time <= sim->now) {
		event = *first;
		events_pop(&sim->events);
		sim->figures.events++;
		if (event.kind == EVENT_OUTAGE)
			rc = node_changes(sim, &sim->options->
					  outages[event.subject]);
		else
			rc = job_event(sim, &event);
		if (rc)
			return -1;
	}
	return news_capacity(sim);
}

/* -------------------------------------------------------------- submits */

static int submit(sim_t *sim)
{
	const workload_t *workload = sim->workload;
	uint32_t job;

	while (sim->submitted < workload->job_count &&
	       workload->jobs[sim->submitted].submit <= sim->now) {
		job = (uint32_t) sim->submitted++;
		if (!sim->queue.count && ranks_catch_up(sim))
			return -1;
		if (attempt_submit(sim, job))
			return -1;
		if (sim->jobs[job].state != STATE_PENDING)
			continue;
		sim->main_asked = true;
		/* slurmctld tries a job at once if none has more priority. */
		if (queue_best(&sim->queue) == job &&
		    !(sim->rules->closed && sim->rules->closed(sim, job)) &&
		    schedule_job(sim, job) < 0)
			return -1;
	}
	return 0;
}

/* ----------------------------------------------------------- schedulers */

static int64_t main_due(const sim_t *sim)
{
	int64_t interval = sim->options->sched_interval, due = SIM_NEVER;

	if (!sim->queue.count)
		return SIM_NEVER;
	if (sim->main_now)
		return sim->now;
	if (sim->main_asked)
		due = sim->last_main + sim->options->batch_sched_delay;
	if (sim->main_stale && sim->now - sim->now % interval + interval < due)
		due = sim->now - sim->now % interval + interval;
	return due;
}

static int64_t backfill_due(const sim_t *sim)
{
	if (!sim->options->backfill || !sim->queue.count ||
	    !sim->backfill_stale)
		return SIM_NEVER;
	return sim->last_backfill + sim->options->bf_interval;
}

static int run_main(sim_t *sim)
{
	bool full = sim->main_stale &&
		    sim->now % sim->options->sched_interval == 0;

	if (!sim->queue.count || !(full || main_due(sim) <= sim->now))
		return 0;
	if (!sim->main_now || full)
		sim->last_main = sim->now;
	sim->main_now = sim->main_asked = false;
	return schedule_main(sim, full);
}

static int run_backfill(sim_t *sim)
{
	if (backfill_due(sim) > sim->now)
		return 0;
	sim->last_backfill = sim->now;
	sim->backfill_stale = false;
	return backfill_pass(sim);
}

/* While nobody waits backfill takes note of what has changed, too. */
static void idle_backfill(sim_t *sim)
{
	int64_t due = sim->last_backfill + sim->options->bf_interval;

	if (due <= sim->last_change)
		due = sim->last_change + 1;
	if (!sim->backfill_stale || due > sim->now)
		return;
	sim->last_backfill = due;
	sim->backfill_stale = false;
}

/* What has changed is seen by the plugins' next tick. */
static void note_change(sim_t *sim)
{
	if (!sim->changed)
		return;
	sim->changed = false;
	sim->rank_stale = true;
	sim->rank_tick = sim->now + 1;
	sim->main_stale = true;
	sim->backfill_stale = true;
	sim->last_change = sim->now;
}

static int step(sim_t *sim, int64_t now)
{
	sim->now = now;
	if (sim->queue.count) {
		if (ranks_catch_up(sim))
			return -1;
		watch_clock(sim);
	} else {
		sim->clock = now;
		idle_backfill(sim);
	}
	if (happen(sim) || submit(sim) || reservation_step(sim))
		return -1;
	note_change(sim);
	if (run_main(sim) || run_backfill(sim))
		return -1;
	note_change(sim);
	if (!sim->queue.count)
		sim->main_now = sim->main_asked = false;
	assert(sim_check(sim));
	return 0;
}

static int64_t next_time(const sim_t *sim)
{
	const event_t *event = events_first(&sim->events);
	int64_t next = event ? event->time : SIM_NEVER, due;

	if (sim->submitted < sim->workload->job_count &&
	    sim->workload->jobs[sim->submitted].submit < next)
		next = sim->workload->jobs[sim->submitted].submit;
	due = reservation_due(sim);
	if (due < next)
		next = due;
	if (!sim->queue.count)
		return next;
	due = main_due(sim);
	if (due < next)
		next = due;
	due = backfill_due(sim);
	if (due < next)
		next = due;
	due = ranks_due(sim);
	if (due < next)
		next = due;
	due = watch_due(sim);
	if (due < next)
		next = due;
	return next > sim->now ? next : sim->now;
}

/* RET: nothing will happen any more: who waits now waits for ever. */
static bool is_stuck(const sim_t *sim)
{
	return !events_first(&sim->events) && !sim->machine.taken &&
	       reservation_due(sim) == SIM_NEVER &&
	       sim->submitted == sim->workload->job_count &&
	       !sim->main_stale && !sim->backfill_stale && !sim->main_now &&
	       !sim->main_asked;
}

static int replay(sim_t *sim)
{
	int64_t until = sim->options->until, next;

	for (;;) {
		next = next_time(sim);
		if (next == SIM_NEVER || is_stuck(sim))
			break;
		if (until && next > until)
			break;
		if (step(sim, next))
			return -1;
	}
	if (until)
		sim->now = until;
	sim->figures.until = sim->now;
	return ending_open(sim);
}

static int open_all(sim_t *sim)
{
	const workload_t *workload = sim->workload;
	size_t assocs = workload->assoc_count;

	sim->jobs = calloc(workload->job_count + 1, sizeof(*sim->jobs));
	sim->running = calloc(assocs + 1, sizeof(*sim->running));
	if (!sim->jobs || !sim->running ||
	    machine_fill(&sim->machine, sim->options))
		return sim_no_memory(sim);
	sim->prey = calloc(sim->machine.count, sizeof(*sim->prey));
	if (!sim->prey ||
	    queue_open(&sim->queue, (uint32_t) (2 * assocs)) ||
	    crowd_open(&sim->crowd, (uint32_t) assocs) ||
	    preempt_open(sim) || backfill_open(sim) || reservation_open(sim))
		return sim_no_memory(sim);
	for (size_t i = 0; i < assocs; i++)
		sim->running[i] = ENGINE_NONE;
	for (size_t i = 0; i < sim->options->outage_count; i++)
		if (sim_at(sim, sim->options->outages[i].time, EVENT_OUTAGE,
			   (uint32_t) i))
			return -1;
	sim->rank_stale = true;
	sim->told_down = UINT64_MAX;
	if (sim->rules->open(sim, sim->err))
		return -1;
	return ranks_make(sim, 0);
}

static void close_all(sim_t *sim)
{
	sim->rules->close(sim);
	backfill_close(sim);
	reservation_close(sim);
	preempt_close(sim);
	crowd_close(&sim->crowd);
	queue_close(&sim->queue);
	events_free(&sim->events);
	for (size_t i = 0; sim->jobs && i < sim->submitted; i++)
		free(sim->jobs[i].nodes);
	machine_free(&sim->machine);
	free(sim->running);
	free(sim->prey);
	free(sim->jobs);
}

extern int engine_run(const workload_t *workload,
		      const engine_options_t *options,
		      const engine_observer_t *observer,
		      engine_figures_t *figures, sb_err_t *err)
{
	sim_t sim = {
		.workload = workload, .options = options,
		.observer = observer, .err = err,
		.params = options->params,
	};
	sb_params_t *params = NULL;
	int rc = -1;

	if (engine_options_check(options, err))
		return -1;
	if (!sim.params)
		sim.params = params = sb_params_create();
	if (!sim.params)
		return sb_err_set(err, "no memory");
	sim.rules = rules_of(options->policy);
	if (!open_all(&sim) && !replay(&sim))
		rc = 0;
	if (figures)
		*figures = sim.figures;
	close_all(&sim);
	sb_params_destroy(params);
	return rc;
}
