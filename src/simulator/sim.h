/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim - the state of a replay: what the parts of the engine share.
 */
#ifndef SB_SIM_SIM_H
#define SB_SIM_SIM_H

#include "contract.h"
#include "crowd.h"
#include "engine.h"
#include "events.h"
#include "machine.h"
#include "rules.h"
#include "queue.h"

typedef enum {
	STATE_NEW,		/* not submitted */
	STATE_PENDING,		/* in the queue */
	STATE_DELAYED,		/* requeued, its begin time is to come */
	STATE_RUNNING,
	STATE_OVER
} sim_state_t;

/* Of one job, what changes; workload_job_t has the rest. */
typedef struct {
	need_t need;
	uint8_t state;
	uint8_t class;		/* sb_class_t: by its declaration, then as
				 * signed */
	bool warned;		/* evicted, in its grace time */
	bool crowded;		/* in the crowd: may be preempted */
	uint8_t outcome;	/* engine_end_t, if nobody stops it */
	uint32_t lane;
	uint32_t attempt;	/* counts up at each end: makes its events
				 * stale */
	uint32_t evictions;
	uint32_t by;		/* job that it makes room for */
	int64_t limit;		/* as the scheduler sees it */
	int64_t wanted;		/* grant if it started now */
	int64_t eligible;
	int64_t start;
	int64_t end;		/* when it will end by itself */
	int64_t expected;	/* when it must have ended: start + limit */
	int64_t granted;	/* protection of this attempt, seconds */
	int64_t unprotected;	/* from here on it may be preempted */
	int64_t done;		/* run time that an eviction does not undo */
	int64_t blocked;	/* clock of gang_wait */
	int64_t took;		/* when it last had others evicted, or -1 */
	double rate;		/* charge per second */
	float standing;		/* see engine_run_t */
	uint32_t *nodes;	/* need.nodes of them ... */
	uint32_t node;		/* ... or this one */
	uint32_t group, place;	/* in the crowd */
	uint32_t next, prev;	/* running jobs of its association */
} sim_job_t;

typedef struct sim {
	const workload_t *workload;
	const engine_options_t *options;
	const sb_params_t *params;
	const engine_observer_t *observer;
	const rules_t *rules;
	void *rules_data;
	engine_figures_t figures;

	int64_t now;
	machine_t machine;
	events_t events;
	queue_t queue;
	crowd_t crowd;
	sim_job_t *jobs;
	size_t submitted;	/* jobs of the workload so far */
	size_t ended;
	uint32_t *running;	/* by association: first of its list */
	/* Of those in the queue: of gang_nodes nodes or more, by GPUs of a
	 * node, by the logarithm of their limit. */
	uint32_t large_pending;
	uint32_t pending_gpus[ENGINE_NODE_GPUS_MAX + 1];
	uint32_t pending_limits[64];
	uint16_t *prey;		/* GPUs of the crowd, by node */

	/* Timers: when something is next due, or never. */
	int64_t last_main, last_backfill;
	int64_t clock;		/* up to here gang clocks have run */
	uint64_t rank_version;	/* counts up with each pass */
	int64_t last_rank;
	int64_t rank_tick;	/* ranks are to be of this instant ... */
	bool rank_stale;	/* ... and are older */
	bool main_asked;	/* a submission waits for batch_sched_delay */
	bool main_now;		/* an end, or our wake */
	bool main_stale, backfill_stale;
	bool changed;		/* in this second */
	int64_t last_change;
	struct agenda *agenda;	/* agenda.c */
	struct backfill *backfill;	/* backfill.c */
	struct victims *victims;	/* preempt.c */
	struct reservations *reservations;	/* NULL: there are none */
	uint64_t told_down;	/* capacity.down of the last call */
	sb_err_t *err;
} sim_t;

#define SIM_NEVER INT64_MAX

static inline const workload_job_t *sim_asked(const sim_t *sim, uint32_t job)
{
	return &sim->workload->jobs[job];
}

static inline const uint32_t *sim_nodes(const sim_job_t *job)
{
	return job->nodes ? job->nodes : &job->node;
}

/* RET: -1; the replay ends with this message. */
extern int sim_no_memory(sim_t *sim);

/* RET: 0, or -1 without memory. */
extern int sim_at(sim_t *sim, int64_t time, event_kind_t kind,
		  uint32_t subject);

/* Into and out of the list of its association's running jobs. */
extern void sim_list(sim_t *sim, uint32_t job);
extern void sim_unlist(sim_t *sim, uint32_t job);

/* RET: true when all that is counted agrees: for test builds. */
extern bool sim_check(const sim_t *sim);

/* It joins the queue (1), or leaves it (-1). */
extern void sim_count_pending(sim_t *sim, const sim_job_t *job, int by);
/* RET: no limit in the queue is below this. */
extern int64_t sim_least_limit(const sim_t *sim);
/* RET: no job in the queue needs fewer GPUs of a node. */
extern uint32_t sim_least_gpus(const sim_t *sim);

#endif
