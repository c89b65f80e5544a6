/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine - replays a workload on a cluster under a policy, second by second
 * of a virtual clock, as slurmctld would: placement, main scheduler, backfill,
 * preemption, requeue. Who runs, who is preempted and what is charged is
 * decided by the same core as in the plugins. doc/simulator.md says what is
 * modelled and what is not.
 *
 * Nothing here is random: the same workload and options give the same calls of
 * the observer, in the same order. Times are those of the workload: seconds
 * since its origin. A partition is all nodes; jobs of a GPU type use its nodes.
 */
#ifndef SB_SIM_ENGINE_H
#define SB_SIM_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract.h"
#include "err.h"
#include "params.h"
#include "workload.h"

/* Most nodes, and GPUs of one. */
#define ENGINE_NODES_MAX 65536
#define ENGINE_NODE_GPUS_MAX 64
/* Most CPUs of one, and memory, MB: 256 TB. */
#define ENGINE_NODE_CPUS_MAX 2048
#define ENGINE_NODE_MEM_MAX (1 << 28)
/* No job, no node. */
#define ENGINE_NONE UINT32_MAX

/* Equal nodes, numbered on behind those of the pool before. */
typedef struct {
	uint32_t nodes;
	uint32_t gpus;		/* of each */
	int16_t type;		/* index in workload.types, -1: none */
	double weight;		/* charge of a GPU per second, as
				 * TRESBillingWeights; 0: 1 */
	uint32_t cpus;		/* of each; 0: as many as anybody wants, then
				 * jobs without GPUs take no place. All pools
				 * have some, or none */
	uint32_t mem_mb;	/* same; not without CPUs */
} engine_pool_t;

typedef enum {
	ENGINE_BUDGET,		/* priority/budget and preempt/minruntime */
	ENGINE_MULTIFACTOR,	/* stock Fair Tree; see exempt_time */
	ENGINE_FIFO,		/* by submission */
	ENGINE_PRIORITY,	/* everybody HIGH: by submission, and at most
				 * so many GPUs for an account at a time */
	ENGINE_POLICIES
} engine_policy_t;

/* What is charged for a job, per second. */
typedef enum {
	ENGINE_CHARGE_GPU,	/* its GPUs, each with the weight of its pool */
	ENGINE_CHARGE_SUM,	/* TRESBillingWeights */
	ENGINE_CHARGE_MAX,	/* and PriorityFlags=MAX_TRES */
	ENGINE_CHARGE_DRF	/* its dominant share of the cluster, times the
				 * cluster's GPUs: no Slurm has that */
} engine_charge_t;

/* TRESBillingWeights; GPUs also have the weight of their pool. */
typedef struct {
	double cpu, mem, node, gpu;	/* memory: of a MB */
} engine_weights_t;

/* Something that happens to a node. */
typedef enum {
	ENGINE_NODE_DRAIN,	/* takes no more jobs */
	ENGINE_NODE_FAIL,	/* and loses those it has */
	ENGINE_NODE_RESUME
} engine_change_t;

typedef struct {
	int64_t time;
	uint32_t node;
	engine_change_t change;
} engine_outage_t;

/* As scontrol create reservation makes one with Flags=IGNORE_JOBS,MAGNETIC. */
typedef struct {
	int64_t made;
	int64_t start;		/* StartTime */
	int64_t duration;
	uint32_t nodes;		/* NodeCnt */
	int32_t assoc;		/* Accounts: it and those below */
} engine_reservation_t;

typedef struct {
	const engine_pool_t *pools;
	size_t pool_count;
	const engine_outage_t *outages;	/* in any order */
	size_t outage_count;
	const engine_reservation_t *reservations;
	size_t reservation_count;

	engine_policy_t policy;
	const sb_params_t *params;	/* PriorityParameters; NULL: defaults */
	int64_t calc_period;	/* PriorityCalcPeriod, 300 */
	engine_charge_t charge;
	engine_weights_t weights;	/* of ENGINE_CHARGE_SUM and _MAX */
	int64_t half_life;	/* PriorityDecayHalfLife, 7 days: multifactor */
	bool qos_preempt;	/* multifactor: preempt/qos, where declared 0 is
				 * a low QOS that all others preempt */
	int64_t exempt_time;	/* PreemptExemptTime, 0 */
	double account_limit;	/* priority: GPUs of an account at a time, as
				 * multiple of its budget's share, 2 */

	int64_t grace_time;	/* GraceTime: warning of an evicted job, 0 */
	int64_t kill_time;	/* until an evicted or overdue job has gone, 5;
				 * its nodes are COMPLETING meanwhile */
	int64_t epilog_time;	/* same, of a job that ends by itself, 0 */
	int64_t requeue_delay;	/* begin time of a requeued job, 120 */
	int64_t restart_time;	/* lost at each start but the first, 0 */
	int64_t default_limit;	/* of a job without, 0: UNLIMITED */

	int64_t sched_interval;	/* 60 */
	int64_t batch_sched_delay;	/* 3 */
	uint32_t queue_depth;	/* default_queue_depth, 100 */
	bool backfill;		/* SchedulerType=sched/backfill, true */
	int64_t bf_interval;	/* 30 */
	int64_t bf_window;	/* seconds, 1 day */
	int64_t bf_resolution;	/* 60 */
	uint32_t bf_max_job_test;	/* 500 */
	uint32_t bf_max_job_assoc;	/* 0: no limit */

	uint32_t reserve_nodes;	/* an admin makes a reservation for each job of
				 * so many nodes, see reservation.h; 0: none */
	int64_t reserve_lead;	/* begins so long after, 0: min_runtime_max */
	bool reserve_under;	/* only for teams below their budget */

	int64_t until;		/* stop then; 0: when all jobs have ended */
} engine_options_t;

extern const engine_options_t engine_options_default;

typedef enum {
	ENGINE_COMPLETED,
	ENGINE_TIMEOUT,		/* reached its time limit */
	ENGINE_PREEMPTED,	/* for another job: requeued, or not where it
				 * could not be (final) */
	ENGINE_DRAINED,		/* requeued from a node that drains */
	ENGINE_NODE_FAILED,
	ENGINE_OPEN		/* the replay ended before it did */
} engine_end_t;

/* One attempt of a job, or its wait when it has none (start < 0: still waits
 * at the end, or could never run: refused). */
typedef struct {
	uint32_t job;		/* index in the workload */
	uint32_t attempt;	/* 0, 1, ... */
	int64_t eligible;	/* its wait began */
	int64_t start;		/* -1: none */
	int64_t end;		/* of its allocation; of an OPEN one the end of
				 * the replay */
	uint32_t gpus, nodes;	/* it had, or asks for */
	uint64_t cpus, mem_mb;	/* same, where nodes have them, else 0 */
	double dominant;	/* largest part of the cluster's GPUs, CPUs or
				 * memory that this is, 0 .. 1 */
	const uint32_t *node;	/* which: nodes of them, NULL without; for the
				 * call only */
	sb_class_t class;
	int64_t granted;	/* protection, seconds */
	double rate;		/* charge per second, unallocated as if not */
	engine_end_t outcome;
	bool final;		/* the job's last */
	bool refused;		/* could never run here, or undeclared=reject */
	uint32_t by;		/* PREEMPTED: job it made room for, else
				 * ENGINE_NONE */
	int64_t lost;		/* run time that has to be run again */
	int64_t drained;	/* seconds that a node of it was draining */
	double standing;	/* its account's charges in the window against
				 * its budget when it was submitted, 1: it has
				 * had what it is owed; -1: not known */
} engine_run_t;

/* How many GPUs the cluster has from this time on. */
typedef struct {
	int64_t time;
	uint32_t total;
	uint32_t down;		/* of them on failed or drained idle nodes */
} engine_capacity_t;

/* What happens, as it happens. Members may be NULL. RET: 0 to go on. */
typedef struct {
	void *arg;
	int (*run)(void *arg, const engine_run_t *run);
	int (*capacity)(void *arg, const engine_capacity_t *capacity);
	/* Every `progress_jobs` ends of jobs. */
	int (*progress)(void *arg, int64_t now, size_t ended, size_t jobs);
	size_t progress_jobs;
} engine_observer_t;

/* What a replay came to, GPU-seconds where no unit is given. */
typedef struct {
	int64_t until;		/* when it ended */
	uint64_t starts;
	uint64_t completed, timeouts, refused, unfinished;	/* jobs */
	uint64_t misfits;	/* of the refused: no nodes could hold them */
	uint64_t preemptions;	/* attempts */
	uint64_t drained, failed;	/* same */
	double allocated;	/* by all attempts */
	double free;		/* of it unallocated */
	double cpus, mem;	/* allocated CPU-seconds, MB-seconds, where
				 * nodes have CPUs */
	double lost;		/* had to be run again */
	double wait;		/* sum of waits of first starts, seconds */
	uint64_t events, main_passes, backfill_passes, rank_passes,
		 ledger_passes;
} engine_figures_t;

/*
 * Replay.
 * IN workload: sorted; unknown limits, minimums and checkpoints mean: none,
 * undeclared, and the declared minimum (undeclared jobs start from nothing).
 * IN observer: may be NULL. OUT figures: may be NULL.
 * RET: 0, or -1 with err (options out of range, no memory, the observer said
 * stop).
 * Memory: the workload's, and about as much again. Time: see doc/simulator.md.
 */
extern int engine_run(const workload_t *workload,
		      const engine_options_t *options,
		      const engine_observer_t *observer,
		      engine_figures_t *figures, sb_err_t *err);

/* RET: 0, or -1 with err: what in them is out of range. */
extern int engine_options_check(const engine_options_t *options,
				sb_err_t *err);

/* "budget" | "multifactor" | ...; "completed" | ...; never NULL. */
extern const char *engine_policy_name(engine_policy_t policy);
extern const char *engine_end_name(engine_end_t end);

#endif
