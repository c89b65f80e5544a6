/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_sim_engine - replays whose every start and end was computed by hand,
 * and random ones held against what must always hold.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "rng.h"
#include "sim_case.h"
#include "suite.h"
#include "tree.h"

#define HOUR 3600

static engine_pool_t pool;
static engine_capacity_t capacities[RUNS_MOST];
static size_t capacity_count;

/* Accounts a, b, c, each with users 1 and 2, all of equal shares. */
enum { ROOT, A, A1, A2, B, B1, B2, C, C1, C2 };

static void setup(void)
{
	static const char *const accounts[] = { "a", "b", "c" };

	workload = workload_create();
	for (int i = 0; i < 3; i++) {
		int32_t account = workload_assoc(workload, ROOT, accounts[i],
						 false, &err);

		ck_assert_int_eq(account, A + 3 * i);
		workload_assoc(workload, account, "1", true, &err);
		workload_assoc(workload, account, "2", true, &err);
	}
	pool = (engine_pool_t) { .nodes = 1, .gpus = 8, .type = -1 };
	options = engine_options_default;
	options.pools = &pool;
	options.pool_count = 1;
	options.policy = ENGINE_FIFO;
}

/* Hours would hide what seconds show: times are seconds. */
static void job(uint32_t assoc, int64_t submit, uint32_t gpus, int64_t runtime,
		int64_t limit, int64_t min_runtime)
{
	workload_job_t asked = {
		.id = (uint32_t) workload->job_count + 1, .assoc = assoc,
		.submit = submit, .runtime = runtime, .limit = limit,
		.min_runtime = min_runtime, .checkpoint = min_runtime,
		.wait = WORKLOAD_UNKNOWN, .gpus = gpus, .type = -1,
		.requeueable = true,
	};

	ck_assert_int_eq(workload_add(workload, &asked, &err), 0);
}

static int on_capacity(void *arg, const engine_capacity_t *capacity)
{
	(void) arg;
	ck_assert_uint_lt(capacity_count, RUNS_MOST);
	capacities[capacity_count++] = *capacity;
	return 0;
}

static void replay(void)
{
	const engine_observer_t observer = {
		.run = on_run, .capacity = on_capacity,
	};

	capacity_count = 0;
	replay_for(&observer);
}

static void ran(uint32_t number, uint32_t attempt, int64_t start, int64_t end,
		engine_end_t outcome)
{
	const engine_run_t *run = run_of(number, attempt);

	ck_assert_msg(run->start == start && run->end == end &&
		      run->outcome == outcome,
		      "job %u attempt %u: %lld..%lld %s, not %lld..%lld %s",
		      number, attempt, (long long) run->start,
		      (long long) run->end, engine_end_name(run->outcome),
		      (long long) start, (long long) end,
		      engine_end_name(outcome));
}

START_TEST(one_after_the_other)
{
	job(A1, 0, 8, 100, -1, -1);
	job(A1, 1, 8, 50, -1, -1);
	job(A1, 2, 8, 0, -1, -1);
	replay();
	ran(0, 0, 0, 100, ENGINE_COMPLETED);
	ran(1, 0, 100, 150, ENGINE_COMPLETED);
	ran(2, 0, 150, 150, ENGINE_COMPLETED);
	ck_assert_uint_eq(figures.completed, 3);
	ck_assert_double_eq(figures.allocated, 8 * 150);
	ck_assert_double_eq(figures.wait, 99 + 148);
	ck_assert_int_eq(figures.until, 150);
}
END_TEST

/* Tightest node, whole nodes for more than one has, neighbours first. */
START_TEST(placement)
{
	pool.nodes = 4;
	job(A1, 0, 5, 1000, -1, -1);	/* node 0 */
	job(A1, 1, 8, 1000, -1, -1);	/* node 1: the stretch 1-3 suffices */
	job(A1, 2, 3, 1000, -1, -1);	/* node 0 has 3 free: tightest */
	job(A1, 3, 12, 1000, -1, -1);	/* two whole nodes: 2 and 3 */
	job(A1, 4, 1, 10, -1, -1);	/* none left */
	replay();
	ck_assert_uint_eq(run_of(0, 0)->node[0], 0);
	ck_assert_uint_eq(run_of(1, 0)->node[0], 1);
	ck_assert_uint_eq(run_of(2, 0)->node[0], 0);
	ck_assert_uint_eq(run_of(3, 0)->nodes, 2);
	ck_assert_uint_eq(run_of(3, 0)->gpus, 16);
	ck_assert_uint_eq(run_of(3, 0)->node[0], 2);
	ck_assert_uint_eq(run_of(3, 0)->node[1], 3);
	ran(4, 0, 1000, 1010, ENGINE_COMPLETED);
}
END_TEST

/* Of neighbours the tighter, though it comes later. */
START_TEST(tightest_node)
{
	pool.nodes = 2;
	job(A1, 0, 8, 10, -1, -1);	/* node 0 */
	job(A1, 1, 5, 1000, -1, -1);	/* node 1 */
	job(A1, 20, 3, 10, -1, -1);
	replay();
	ck_assert_uint_eq(run_of(1, 0)->node[0], 1);
	ck_assert_uint_eq(run_of(2, 0)->node[0], 1);
}
END_TEST

/* Who goes first by cost but is not in the way stays: the job on node 0, which
 * another, protected, shares. */
START_TEST(spares_who_is_not_in_the_way)
{
	pool.nodes = 2;
	options.policy = ENGINE_BUDGET;
	job(A1, 0, 2, 10 * HOUR, -1, HOUR);		/* node 0 */
	job(A1, 1, 6, 10 * HOUR, -1, 5 * HOUR);	/* node 0 */
	job(A1, 2, 8, 10 * HOUR, -1, HOUR);		/* node 1 */
	job(B1, 60, 8, HOUR, -1, HOUR);
	replay();
	ran(2, 0, 2, HOUR + 2, ENGINE_PREEMPTED);
	ck_assert_int_gt(run_of(0, 0)->end, HOUR + 2);
	ran(3, 0, HOUR + 7, 2 * HOUR + 7, ENGINE_COMPLETED);
	ck_assert_uint_eq(figures.preemptions, 1);
}
END_TEST

/*
 * 4 of 8 GPUs are taken until 1000; a job of 8 is planned there (960 by
 * bf_resolution). At 30, the first pass, a job of 600 s passes it by; one with
 * a limit of 2000 s would delay it.
 */
START_TEST(backfill)
{
	job(A1, 0, 4, 1000, 1000, -1);
	job(A1, 10, 8, 500, 500, -1);
	job(A1, 20, 4, 300, 600, -1);
	job(A1, 25, 4, 100, 2000, -1);
	replay();
	ran(1, 0, 1000, 1500, ENGINE_COMPLETED);
	ran(2, 0, 30, 330, ENGINE_COMPLETED);
	ran(3, 0, 1500, 1600, ENGINE_COMPLETED);
	options.backfill = false;
	replay();
	ran(2, 0, 1500, 1800, ENGINE_COMPLETED);
	ran(3, 0, 1500, 1600, ENGINE_COMPLETED);
}
END_TEST

/* The last second of the limit counts: 930 from 30 on is 960. */
START_TEST(backfill_to_the_second)
{
	job(A1, 0, 4, 1000, 1000, -1);
	job(A1, 10, 8, 500, 500, -1);
	job(A1, 20, 2, 10, 929, -1);
	job(A1, 20, 2, 10, 930, -1);
	replay();
	ran(2, 0, 30, 40, ENGINE_COMPLETED);
	ran(3, 0, 1500, 1510, ENGINE_COMPLETED);
}
END_TEST

START_TEST(limits_and_what_never_fits)
{
	job(A1, 0, 8, 100, 60, -1);
	job(A1, 0, 9, 100, -1, -1);	/* two nodes of one */
	job(A1, 1, 0, 5, -1, -1);	/* needs no GPU */
	job(A1, 2, 8, 100, -1, -1);
	options.default_limit = 70;
	replay();
	ran(0, 0, 0, 60, ENGINE_TIMEOUT);
	ck_assert(run_of(1, 0)->refused && run_of(1, 0)->start == -1);
	ran(2, 0, 1, 6, ENGINE_COMPLETED);
	/* It took 5 s for the job that was overdue to go. */
	ran(3, 0, 65, 135, ENGINE_TIMEOUT);
	ck_assert_uint_eq(figures.timeouts, 2);
	ck_assert_uint_eq(figures.refused, 1);
}
END_TEST

/*
 * a has all, b comes: a's job goes to the second when its hour is over, b's
 * starts 5 s later, and a's goes on with what it had written.
 */
START_TEST(preemption_after_the_minimum)
{
	options.policy = ENGINE_BUDGET;
	job(A1, 0, 8, 10 * HOUR, -1, HOUR);
	job(B1, 60, 8, HOUR, -1, HOUR);
	replay();
	ran(0, 0, 0, HOUR, ENGINE_PREEMPTED);
	ck_assert_uint_eq(run_of(0, 0)->by, 1);
	ck_assert_int_eq(run_of(0, 0)->lost, 0);
	ck_assert_int_eq(run_of(0, 0)->granted, HOUR);
	ran(1, 0, HOUR + 5, 2 * HOUR + 5, ENGINE_COMPLETED);
	ran(0, 1, 2 * HOUR + 5, 11 * HOUR + 5, ENGINE_COMPLETED);
	ck_assert_uint_eq(figures.preemptions, 1);
}
END_TEST

/* Nobody is warned but for grace_time, and keeps his GPUs until it is over. */
START_TEST(grace)
{
	options.policy = ENGINE_BUDGET;
	options.grace_time = 30;
	job(A1, 0, 8, 10 * HOUR, -1, HOUR);
	job(B1, 60, 8, HOUR, -1, HOUR);
	replay();
	ran(0, 0, 0, HOUR + 30, ENGINE_PREEMPTED);
	ck_assert_int_eq(run_of(0, 0)->lost, 30);
	ran(1, 0, HOUR + 35, 2 * HOUR + 35, ENGINE_COMPLETED);
}
END_TEST

/* A job that ends during its warning was not preempted. */
START_TEST(grace_outlived)
{
	options.policy = ENGINE_BUDGET;
	options.grace_time = 30;
	job(A1, 0, 8, HOUR + 20, -1, HOUR);
	job(B1, 60, 8, HOUR, -1, HOUR);
	replay();
	ran(0, 0, 0, HOUR + 20, ENGINE_COMPLETED);
	ran(1, 0, HOUR + 20, 2 * HOUR + 20, ENGINE_COMPLETED);
	ck_assert_uint_eq(figures.preemptions, 0);
}
END_TEST

/* Within the margin nobody is preempted: b gets what a leaves. */
START_TEST(no_preemption)
{
	options.policy = ENGINE_BUDGET;
	job(A1, 0, 8, 10 * HOUR, -1, HOUR);
	job(A1, 60, 8, HOUR, -1, HOUR);	/* same association */
	replay();
	ran(0, 0, 0, 10 * HOUR, ENGINE_COMPLETED);
	ran(1, 0, 10 * HOUR, 11 * HOUR, ENGINE_COMPLETED);
}
END_TEST

/* Unallocated work goes at sight, is free, and starts from nothing. */
START_TEST(unallocated)
{
	options.policy = ENGINE_BUDGET;
	job(A1, 0, 8, 1000, -1, 0);
	job(A1, 100, 1, 50, -1, 60);
	replay();
	ran(0, 0, 0, 100, ENGINE_PREEMPTED);
	ck_assert_int_eq(run_of(0, 0)->lost, 100);
	ran(1, 0, 105, 155, ENGINE_COMPLETED);
	/* Eligible at 220, seen by the next pass of the main scheduler. */
	ck_assert_int_eq(run_of(0, 1)->eligible, 220);
	ran(0, 1, 240, 1240, ENGINE_COMPLETED);
	ck_assert_double_eq(figures.free, 8 * 1100);
	ck_assert_double_eq(figures.lost, 8 * 100);
}
END_TEST

/* A debug job takes a job of its own account, past its minimum. */
START_TEST(debug_exception)
{
	options.policy = ENGINE_BUDGET;
	job(A1, 0, 8, 2 * HOUR, -1, 1200);
	job(A1, 2000, 1, 200, -1, 300);
	replay();
	ran(0, 0, 0, 2000, ENGINE_PREEMPTED);
	ck_assert_int_eq(run_of(0, 0)->lost, 800);
	ran(1, 0, 2005, 2205, ENGINE_COMPLETED);
	ran(0, 1, 2205, 2205 + 2 * HOUR - 1200, ENGINE_COMPLETED);
	set("debug_runtime=0");
	replay();
	ran(0, 0, 0, 2 * HOUR, ENGINE_COMPLETED);
	ran(1, 0, 2 * HOUR, 2 * HOUR + 200, ENGINE_COMPLETED);
}
END_TEST

/*
 * Three accounts, a node each; c is behind, but not by the margin (its ratio is
 * 0.94 at 600 s), and wants two nodes. Its clock runs from the second behind
 * its submission: 600 s are over at 901, the main scheduler looks at 960.
 */
START_TEST(gang)
{
	pool.nodes = 3;
	options.policy = ENGINE_BUDGET;
	set("gang_nodes=2,gang_wait=10:00");
	job(A1, 0, 8, 10 * HOUR, -1, 300);
	job(B1, 0, 8, 10 * HOUR, -1, 300);
	job(C1, 50, 8, 10 * HOUR, -1, 300);
	job(C1, 300, 16, 100, -1, HOUR);
	replay();
	ran(0, 0, 0, 960, ENGINE_PREEMPTED);
	ran(1, 0, 0, 960, ENGINE_PREEMPTED);
	ck_assert_uint_eq(run_of(1, 0)->by, 3);
	ck_assert_int_eq(run_of(0, 0)->lost, 60);
	ran(3, 0, 965, 1065, ENGINE_COMPLETED);
	ran(2, 0, 50, 50 + 10 * HOUR, ENGINE_COMPLETED);
	set("gang_nodes=2,gang_wait=0");
	replay();
	ck_assert_int_gt(run_of(3, 0)->start, 960);
	ck_assert_uint_eq(figures.preemptions, 0);
}
END_TEST

/* preempt/qos: the low QOS goes after PreemptExemptTime. */
START_TEST(multifactor_qos)
{
	options.policy = ENGINE_MULTIFACTOR;
	options.qos_preempt = true;
	options.exempt_time = 600;
	job(A1, 0, 8, HOUR, -1, 0);
	job(B1, 60, 8, 100, -1, -1);
	replay();
	ran(0, 0, 0, 600, ENGINE_PREEMPTED);
	ran(1, 0, 605, 705, ENGINE_COMPLETED);
	options.qos_preempt = false;
	replay();
	ran(0, 0, 0, HOUR, ENGINE_COMPLETED);
	ran(1, 0, HOUR, HOUR + 100, ENGINE_COMPLETED);
}
END_TEST

/* Fair Tree: who has used less goes first, whoever came first. */
START_TEST(multifactor_order)
{
	options.policy = ENGINE_MULTIFACTOR;
	job(A1, 0, 8, HOUR, -1, -1);
	job(A1, 10, 8, 100, -1, -1);
	job(B1, 20, 8, 100, -1, -1);
	replay();
	ran(2, 0, HOUR, HOUR + 100, ENGINE_COMPLETED);
	ran(1, 0, HOUR + 100, HOUR + 200, ENGINE_COMPLETED);
	options.policy = ENGINE_FIFO;
	replay();
	ran(1, 0, HOUR, HOUR + 100, ENGINE_COMPLETED);
}
END_TEST

/* 16 GPUs, three accounts: a limit of 1.5 shares is 8 GPUs for each. Who is at
 * it holds up nobody. */
START_TEST(concurrent_limit)
{
	pool.nodes = 2;
	options.policy = ENGINE_PRIORITY;
	options.account_limit = 1.5;
	job(A1, 0, 8, 1000, -1, -1);
	job(A2, 10, 8, 100, -1, -1);
	job(B1, 20, 8, 100, -1, -1);
	replay();
	ran(2, 0, 20, 120, ENGINE_COMPLETED);
	ran(1, 0, 1000, 1100, ENGINE_COMPLETED);
	options.account_limit = 3;
	replay();
	ran(1, 0, 10, 110, ENGINE_COMPLETED);
	ran(2, 0, 110, 210, ENGINE_COMPLETED);
}
END_TEST

/*
 * Node 0 drains at 100: its job leaves when its minimum is over, at 600, and
 * goes on on node 1, which fails at 2000 and comes back at 3000.
 */
START_TEST(outages)
{
	const engine_outage_t list[] = {
		{ 100, 0, ENGINE_NODE_DRAIN },
		{ 2000, 1, ENGINE_NODE_FAIL },
		{ 3000, 1, ENGINE_NODE_RESUME },
	};

	pool.nodes = 2;
	options.policy = ENGINE_BUDGET;
	options.outages = list;
	options.outage_count = 3;
	job(A1, 0, 8, 3000, -1, 600);
	replay();
	ran(0, 0, 0, 600, ENGINE_DRAINED);
	ck_assert_int_eq(run_of(0, 0)->drained, 500);
	/* Eligible at 720: the main scheduler's full pass is then. */
	ran(0, 1, 720, 2000, ENGINE_NODE_FAILED);
	ck_assert_int_eq(run_of(0, 1)->lost, 80);
	/* 600 + 1200 are done. */
	ran(0, 2, 3000, 4200, ENGINE_COMPLETED);
	ck_assert_uint_eq(run_of(0, 1)->node[0], 1);
	/* All up; the drained node's job left at 600; node 1 too; back. */
	ck_assert_uint_eq(capacities[0].down, 0);
	ck_assert_uint_eq(capacities[1].down, 8);
	ck_assert_int_eq(capacities[1].time, 600);
	ck_assert_uint_eq(capacities[2].down, 16);
	ck_assert_uint_eq(capacities[3].down, 8);
	set("drain_requeue=no");
	replay();
	ran(0, 0, 0, 3000, ENGINE_COMPLETED);
}
END_TEST

START_TEST(stops_at_until)
{
	job(A1, 0, 8, 1000, -1, -1);
	job(A1, 1, 8, 1000, -1, -1);
	job(A1, 2000, 8, 1000, -1, -1);
	options.until = 500;
	replay();
	ran(0, 0, 0, 500, ENGINE_OPEN);
	ran(1, 0, -1, 500, ENGINE_OPEN);
	ck_assert_uint_eq(run_count, 2);
	ck_assert_uint_eq(figures.unfinished, 2);
}
END_TEST

START_TEST(refuses_bad_options)
{
	engine_options_t good = options;

	job(A1, 0, 1, 1, -1, -1);
	pool.gpus = ENGINE_NODE_GPUS_MAX + 1;
	ck_assert_int_eq(engine_run(workload, &options, NULL, NULL, &err), -1);
	pool.gpus = 0;
	ck_assert_int_eq(engine_run(workload, &options, NULL, NULL, NULL), -1);
	pool.gpus = 8;
	options.pool_count = 0;
	ck_assert_int_eq(engine_run(workload, &options, NULL, NULL, &err), -1);
	options = good;
	options.bf_interval = 0;
	ck_assert_int_eq(engine_run(workload, &options, NULL, NULL, &err), -1);
	options = good;
	options.policy = ENGINE_POLICIES;
	ck_assert_int_eq(engine_run(workload, &options, NULL, NULL, &err), -1);
	options = good;
	options.policy = ENGINE_BUDGET;
	set("order=weighted");
	ck_assert_int_eq(engine_run(workload, &options, NULL, NULL, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "order=weighted"));
	set("preempt_by=qos");
	ck_assert_int_eq(engine_run(workload, &options, NULL, NULL, &err), -1);
	options = good;
	ck_assert_int_eq(engine_run(workload, &options, NULL, NULL, &err), 0);
}
END_TEST

static int on_stop(void *arg, const engine_run_t *run)
{
	(void) run;
	return ++*(int *) arg == 2;
}

START_TEST(stops_when_told)
{
	int told = 0;
	const engine_observer_t observer = { .arg = &told, .run = on_stop };

	job(A1, 0, 8, 10, -1, -1);
	job(A1, 0, 8, 10, -1, -1);
	job(A1, 0, 8, 10, -1, -1);
	ck_assert_int_eq(engine_run(workload, &options, &observer, NULL, &err),
			 -1);
	ck_assert_int_eq(told, 2);
}
END_TEST

/* Shadow mode preempts nothing; undeclared=reject and what it has to. */
START_TEST(settings)
{
	options.policy = ENGINE_BUDGET;
	job(A1, 0, 8, 2 * HOUR, -1, HOUR);
	job(B1, 60, 8, HOUR, -1, -1);
	set("preempt=shadow");
	replay();
	ran(0, 0, 0, 2 * HOUR, ENGINE_COMPLETED);
	set("undeclared=reject");
	replay();
	ck_assert(run_of(1, 0)->refused);
	/* Over the cap: the cap. */
	set("min_runtime_max=30:00");
	replay();
	ran(0, 0, 0, HOUR / 2, ENGINE_PREEMPTED);
	ck_assert_int_eq(run_of(0, 0)->granted, HOUR / 2);
}
END_TEST

/* ---------------------------------------------------------------- reserved */

/* a has node 0; b's job wants both, and none is past the margin. */
static void ask_for_all(int64_t minimum, int64_t limit)
{
	pool.nodes = 2;
	options.policy = ENGINE_BUDGET;
	options.reserve_nodes = 2;
	options.reserve_lead = 2 * HOUR;
	set("preempt=shadow");
	job(A1, 0, 8, 10 * HOUR, -1, minimum);
	job(B1, 60, 16, 100, limit, 60);
}

/*
 * Made at 60 for 7260. A job of 7000 s may have the node that is free before,
 * one of 7191 s may not. a's leaves at 7260 and is eligible at 7380, when the
 * main scheduler looks at all.
 */
START_TEST(reserves_for_large_jobs)
{
	ask_for_all(HOUR, 1000);
	job(C1, 70, 4, 50, 7191, 50);
	job(C1, 70, 4, 50, 7000, 50);
	replay();
	ran(0, 0, 0, 7260, ENGINE_PREEMPTED);
	ck_assert_uint_eq(run_of(0, 0)->by, 1);
	ck_assert_int_eq(run_of(0, 0)->lost, 60);
	ran(1, 0, 7265, 7365, ENGINE_COMPLETED);
	ran(0, 1, 7380, 7380 + 8 * HOUR, ENGINE_COMPLETED);
	ran(2, 0, 7365, 7415, ENGINE_COMPLETED);
	ran(3, 0, 90, 140, ENGINE_COMPLETED);
}
END_TEST

START_TEST(reserved_nodes_wait_for_the_protected)
{
	ask_for_all(3 * HOUR, 4000);
	replay();
	ran(0, 0, 0, 3 * HOUR, ENGINE_PREEMPTED);
	ran(1, 0, 3 * HOUR + 5, 3 * HOUR + 105, ENGINE_COMPLETED);
}
END_TEST

/* A reservation of 4600 s that a protected job outlasts is over at 11860, and
 * the next begins two hours later. */
START_TEST(reserves_again)
{
	ask_for_all(3 * HOUR, 1000);
	workload->jobs[0].min_runtime = 4 * HOUR;
	replay();
	ran(0, 0, 0, 11860 + 2 * HOUR, ENGINE_PREEMPTED);
	ran(1, 0, 11865 + 2 * HOUR, 11965 + 2 * HOUR, ENGINE_COMPLETED);
}
END_TEST

/* Not for work that declares 0, for smaller jobs, nor, where only teams below
 * their budget get one, for one that has used all that was used. */
START_TEST(reserves_for_nobody_else)
{
	ask_for_all(HOUR, 1000);
	workload->jobs[1].min_runtime = 0;
	replay();
	ran(0, 0, 0, 10 * HOUR, ENGINE_COMPLETED);
	workload->jobs[1].min_runtime = 60;
	options.reserve_nodes = 3;
	replay();
	ran(0, 0, 0, 10 * HOUR, ENGINE_COMPLETED);
	options.reserve_nodes = 2;
	options.reserve_under = true;
	workload->jobs[1].assoc = A2;
	replay();
	ck_assert_double_ge(run_of(1, 0)->standing, 1);
	ran(0, 0, 0, 10 * HOUR, ENGINE_COMPLETED);
	workload->jobs[1].assoc = B1;
	replay();
	ck_assert_double_eq(run_of(1, 0)->standing, 0);
	ran(0, 0, 0, 7260, ENGINE_PREEMPTED);
}
END_TEST

/* Nobody waits but the one it is for, and nothing else happens. */
START_TEST(reserved_and_idle)
{
	pool.nodes = 2;
	options.reserve_nodes = 2;
	options.reserve_lead = HOUR;
	job(A1, 0, 16, 100, 1000, 60);
	job(A1, 5, 16, 100, 1000, 60);
	replay();
	/* It was best, and started at once. */
	ran(0, 0, 0, 100, ENGINE_COMPLETED);
	ran(1, 0, 5 + HOUR, 105 + HOUR, ENGINE_COMPLETED);
}
END_TEST

/* One for an account, made at 50 over a running job of another account: its
 * jobs may start elsewhere, too, and the next in it. */
START_TEST(reserved_for_an_account)
{
	const engine_reservation_t list[] = {
		{ .made = 50, .start = 1000, .duration = 500, .nodes = 2,
		  .assoc = B },
	};

	pool.nodes = 2;
	options.reservations = list;
	options.reservation_count = 1;
	job(A1, 0, 8, 3000, 4000, -1);
	job(B2, 60, 8, 100, 100, -1);
	job(A1, 70, 8, 100, 2000, -1);
	job(B1, 80, 16, 100, 200, -1);
	replay();
	ran(0, 0, 0, 1000, ENGINE_PREEMPTED);
	ck_assert_uint_eq(run_of(0, 0)->by, ENGINE_NONE);
	ran(1, 0, 60, 160, ENGINE_COMPLETED);
	/* Behind a's in the queue: backfill finds it. */
	ran(3, 0, 1030, 1130, ENGINE_COMPLETED);
	ran(2, 0, 1500, 1600, ENGINE_COMPLETED);
}
END_TEST

/* ---------------------------------------------------------------- random */

static const int users[] = { A1, A2, B1, B2, C1, C2 };

static void random_workload(int jobs)
{
	static const int64_t minimums[] = { -1, 0, 60, 600, 900, HOUR };
	int64_t submit = 0;

	for (int i = 0; i < jobs; i++) {
		int64_t runtime = (int64_t) rng(1 << (1 + rng(13)));
		int64_t limit = rng(3) ? runtime + (int64_t) rng(4000) - 60 :
				-1;
		workload_job_t *last;

		submit += (int64_t) rng(300);
		job(users[rng(6)], submit, rng(3) ? 1 + rng(8) : rng(28),
		    runtime, limit > 0 ? limit : -1, minimums[rng(6)]);
		last = &workload->jobs[workload->job_count - 1];
		last->checkpoint = rng(2) ? (int64_t) rng(700) : -1;
		last->interactive = !rng(9);
		last->requeueable = rng(9) > 0;
		/* Else a job that gets nowhere is evicted for ever. */
		if (last->min_runtime <= 0 && last->checkpoint <= 0)
			last->checkpoint = 30;
	}
}

/* No node has more jobs than GPUs at any instant. */
static void check_nodes(void)
{
	for (size_t i = 0; i < run_count; i++) {
		for (uint32_t k = 0; runs[i].node && k < runs[i].nodes; k++) {
			uint32_t node = runs[i].node[k], used = 0;

			for (size_t j = 0; j < run_count; j++) {
				if (!runs[j].node ||
				    runs[j].start > runs[i].start ||
				    runs[j].end <= runs[i].start)
					continue;
				for (uint32_t l = 0; l < runs[j].nodes; l++)
					if (runs[j].node[l] == node)
						used += runs[j].gpus /
							runs[j].nodes;
			}
			ck_assert_uint_le(used, pool.gpus);
		}
	}
}

/* Each job ends once, after attempts in order; what it ran and did not lose is
 * what it needed. */
static void check_jobs(void)
{
	for (uint32_t i = 0; i < workload->job_count; i++) {
		int64_t until = workload->jobs[i].submit, kept = 0;
		int finals = 0;
		uint32_t attempt = 0;

		for (size_t j = 0; j < run_count; j++) {
			const engine_run_t *run = &runs[j];

			if (run->job != i)
				continue;
			ck_assert_uint_eq(run->attempt, attempt++);
			ck_assert_int_ge(run->eligible, until);
			finals += run->final;
			if (run->refused)
				continue;
			ck_assert_int_ge(run->start, run->eligible);
			ck_assert_int_ge(run->lost, 0);
			kept += run->end - run->start - run->lost;
			until = run->end;
			if (run->outcome == ENGINE_PREEMPTED)
				ck_assert_int_ge(run->end - run->start,
						 run->granted);
			if (run->outcome == ENGINE_COMPLETED)
				ck_assert_int_eq(kept,
						 workload->jobs[i].runtime);
		}
		ck_assert_int_eq(finals, 1);
	}
}

static void check_figures(void)
{
	double allocated = 0, lost = 0;

	for (size_t i = 0; i < run_count; i++) {
		if (runs[i].start < 0)
			continue;
		allocated += (double) runs[i].gpus *
			     (double) (runs[i].end - runs[i].start);
		lost += (double) runs[i].gpus * (double) runs[i].lost;
	}
	ck_assert_double_eq(allocated, figures.allocated);
	ck_assert_double_eq(lost, figures.lost);
}

/* From when it is made on nobody else starts who could still be there. */
static void check_reserved(const engine_reservation_t *asked)
{
	for (size_t i = 0; i < run_count; i++) {
		const workload_job_t *of = &workload->jobs[runs[i].job];
		int64_t end = of->limit > 0 ? runs[i].start + of->limit :
			INT64_MAX;

		if (runs[i].start < asked->made || !runs[i].node ||
		    of->assoc == A1 || of->assoc == A2)
			continue;
		ck_assert(runs[i].start >= asked->start + asked->duration ||
			  end <= asked->start);
	}
}

/* Reservations of all nodes, and an admin who makes more. */
START_TEST(random_reservations)
{
	engine_reservation_t list[2];

	rng_state = 1000 + (uint64_t) _i;
	pool.nodes = 1 + (uint32_t) rng(4);
	options.policy = (engine_policy_t) (_i % ENGINE_POLICIES);
	options.grace_time = (int64_t) rng(2) * 45;
	options.backfill = rng(4) > 0;
	for (int i = 0; i < 2; i++)
		list[i] = (engine_reservation_t) {
			.made = (int64_t) rng(2000) + 10000 * i,
			.start = 3000 + (int64_t) rng(2000) + 10000 * i,
			.duration = 1 + (int64_t) rng(5000),
			.nodes = pool.nodes, .assoc = A,
		};
	options.reservations = list;
	options.reservation_count = 2;
	set("window=6:00:00");
	random_workload(150);
	replay();
	check_reserved(&list[0]);
	check_reserved(&list[1]);
	check_nodes();
	check_jobs();
	options.reserve_nodes = 1 + (uint32_t) rng(3);
	options.reserve_lead = (int64_t) rng(2000);
	options.reserve_under = rng(2);
	replay();
	check_nodes();
	check_jobs();
	check_figures();
}
END_TEST

START_TEST(random_replays)
{
	static engine_run_t before[RUNS_MOST];
	size_t count;

	rng_state = (uint64_t) _i;
	pool.nodes = 1 + (uint32_t) rng(4);
	options.policy = (engine_policy_t) (_i % ENGINE_POLICIES);
	options.qos_preempt = rng(2);
	options.exempt_time = (int64_t) rng(2) * 300;
	options.grace_time = (int64_t) rng(2) * 45;
	options.kill_time = (int64_t) rng(2) * 7;
	options.epilog_time = (int64_t) rng(2) * 2;
	options.backfill = rng(4) > 0;
	set("gang_nodes=2,gang_wait=1:00:00,window=6:00:00");
	random_workload(150);
	replay();
	check_nodes();
	check_jobs();
	check_figures();
	/* And once more, to the same second. */
	memcpy(before, runs, run_count * sizeof(*runs));
	count = run_count;
	replay();
	ck_assert_uint_eq(count, run_count);
	for (size_t i = 0; i < count; i++)
		ck_assert(before[i].job == runs[i].job &&
			  before[i].start == runs[i].start &&
			  before[i].end == runs[i].end);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("engine");
	Suite *suite = suite_create("sim_engine");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, one_after_the_other);
	tcase_add_test(tc, placement);
	tcase_add_test(tc, tightest_node);
	tcase_add_test(tc, spares_who_is_not_in_the_way);
	tcase_add_test(tc, backfill);
	tcase_add_test(tc, backfill_to_the_second);
	tcase_add_test(tc, limits_and_what_never_fits);
	tcase_add_test(tc, preemption_after_the_minimum);
	tcase_add_test(tc, grace);
	tcase_add_test(tc, grace_outlived);
	tcase_add_test(tc, no_preemption);
	tcase_add_test(tc, unallocated);
	tcase_add_test(tc, debug_exception);
	tcase_add_test(tc, gang);
	tcase_add_test(tc, multifactor_qos);
	tcase_add_test(tc, multifactor_order);
	tcase_add_test(tc, concurrent_limit);
	tcase_add_test(tc, outages);
	tcase_add_test(tc, stops_at_until);
	tcase_add_test(tc, refuses_bad_options);
	tcase_add_test(tc, stops_when_told);
	tcase_add_test(tc, settings);
	tcase_add_loop_test(tc, random_replays, 0, 40);
	suite_add_tcase(suite, tc);
	tc = tcase_create("reserved");
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, reserves_for_large_jobs);
	tcase_add_test(tc, reserved_nodes_wait_for_the_protected);
	tcase_add_test(tc, reserves_again);
	tcase_add_test(tc, reserves_for_nobody_else);
	tcase_add_test(tc, reserved_and_idle);
	tcase_add_test(tc, reserved_for_an_account);
	tcase_add_loop_test(tc, random_reservations, 0, 40);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
