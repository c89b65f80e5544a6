/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_sim_hosts - nodes with CPUs and memory: placements, plans and charges
 * that were computed by hand, and random replays in which nothing is ever
 * taken twice.
 */
#include <check.h>
#include <string.h>

#include "generate.h"
#include "nodes.h"
#include "rng.h"
#include "settings.h"
#include "sim_case.h"
#include "suite.h"

#define HOUR 3600

static engine_pool_t pools[2];

/* Accounts a, b, each with a user, of equal shares. */
enum { ROOT, A, A1, B, B1 };

static void setup(void)
{
	workload = workload_create();
	for (int i = 0; i < 2; i++) {
		int32_t account = workload_assoc(workload, ROOT, i ? "b" : "a",
						 false, &err);

		workload_assoc(workload, account, "1", true, &err);
	}
	pools[0] = (engine_pool_t) {
		.nodes = 1, .gpus = 8, .type = -1, .cpus = 16,
		.mem_mb = 1600,
	};
	options = engine_options_default;
	options.pools = pools;
	options.pool_count = 1;
	options.policy = ENGINE_FIFO;
}

static workload_job_t *job(uint32_t assoc, int64_t submit, int64_t runtime,
			   uint32_t gpus, uint32_t cpus, uint64_t mem_mb)
{
	workload_job_t asked = {
		.id = (uint32_t) workload->job_count + 1, .assoc = assoc,
		.submit = submit, .runtime = runtime, .limit = -1,
		.min_runtime = -1, .checkpoint = -1,
		.wait = WORKLOAD_UNKNOWN, .gpus = gpus, .cpus = cpus,
		.mem_mb = mem_mb, .type = -1, .requeueable = true,
	};

	ck_assert_int_eq(workload_add(workload, &asked, &err), 0);
	return &workload->jobs[workload->job_count - 1];
}

static void replay(void)
{
	const engine_observer_t observer = { .run = on_run };

	replay_for(&observer);
}

static void starts(uint32_t number, int64_t start, uint32_t node)
{
	const engine_run_t *run = run_of(number, 0);

	ck_assert_int_eq(run->start, start);
	ck_assert_uint_eq(run->node[0], node);
}

/* ---------------------------------------------------------------- placing */

/* Two jobs on a node of 8 GPUs, 16 CPUs, 1600 MB: when does the second start,
 * when the first has 100 s? */
static const struct {
	uint32_t gpus, cpus, mem;
	uint32_t gpus2, cpus2, mem2;
	int64_t start;
} pairs[] = {
	{ 1, 12, 100, 1, 4, 100, 1 },
	{ 1, 12, 100, 1, 5, 100, 100 },
	{ 1, 1, 1000, 1, 1, 600, 1 },
	{ 1, 1, 1000, 1, 1, 601, 100 },
	{ 4, 4, 100, 4, 4, 100, 1 },
	{ 4, 4, 100, 5, 4, 100, 100 },
	/* without GPUs, with all the CPUs or the memory */
	{ 0, 16, 100, 1, 1, 100, 100 },
	{ 0, 15, 100, 1, 1, 100, 1 },
	{ 0, 1, 1600, 1, 1, 1, 100 },
	{ 0, 8, 100, 0, 8, 100, 1 },
	{ 0, 8, 100, 0, 9, 100, 100 },
	/* 4 of 8 GPUs go with 8 CPUs and 800 MB */
	{ 4, 0, 0, 0, 8, 800, 1 },
	{ 4, 0, 0, 0, 9, 800, 100 },
	{ 4, 0, 0, 0, 8, 801, 100 },
	{ 4, 2, 0, 4, 14, 0, 1 },
	/* and a CPU with 100 MB */
	{ 0, 4, 0, 0, 1, 1200, 1 },
	{ 0, 4, 0, 0, 1, 1201, 100 },
	{ 0, 0, 100, 0, 15, 100, 100 },
};

START_TEST(two_on_a_node)
{
	/* A job without GPUs that says nothing has one CPU. */
	int64_t start = pairs[_i].start;

	if (!pairs[_i].gpus && !pairs[_i].cpus)
		start = 1;
	job(A1, 0, 100, pairs[_i].gpus, pairs[_i].cpus, pairs[_i].mem);
	job(A1, 1, 10, pairs[_i].gpus2, pairs[_i].cpus2, pairs[_i].mem2);
	replay();
	starts(0, 0, 0);
	starts(1, start, 0);
}
END_TEST

/* Free GPUs say node 0 is the tightest, free CPUs say node 1. */
START_TEST(tightest_by_cpus)
{
	pools[0].nodes = 2;
	pools[0].cpus = 64;
	job(A1, 0, 1000, 6, 6, 1);	/* node 0: 2 GPUs, 58 CPUs left */
	job(A1, 1, 1000, 4, 40, 1);	/* node 1: 4 GPUs, 24 CPUs left */
	job(A1, 2, 10, 1, 1, 1);
	replay();
	starts(1, 1, 1);
	starts(2, 2, 1);
	/* Without CPUs it is the other one. */
	pools[0].cpus = pools[0].mem_mb = 0;
	replay();
	starts(2, 2, 0);
}
END_TEST

/* GPUs are on 4 nodes, 4 of whose 16 CPUs are taken on node 1: the stretch of
 * 2 and 3 has fewer free CPUs than 0 to 3 together. */
START_TEST(stretches)
{
	pools[0].nodes = 4;
	job(A1, 0, 1000, 0, 16, 1);			/* node 0 */
	job(A1, 1, 1000, 0, 16, 1);			/* node 1 */
	job(A1, 2, 1000, 16, 0, 0);			/* 2 and 3 */
	replay();
	starts(0, 0, 0);
	starts(1, 1, 1);
	starts(2, 2, 2);
	ck_assert_uint_eq(run_of(2, 0)->node[1], 3);
	ck_assert_uint_eq(run_of(2, 0)->cpus, 32);
	ck_assert_uint_eq(run_of(2, 0)->mem_mb, 3200);
	ck_assert_double_eq(run_of(2, 0)->dominant, 0.5);
	ck_assert_double_eq(run_of(0, 0)->dominant, 0.25);
}
END_TEST

/* On 2 nodes of 8 GPUs, 16 CPUs, 1600 MB: how many nodes, and CPUs of all? */
static const struct {
	uint32_t nodes, gpus, cpus;
	uint64_t mem;
	uint32_t has_nodes, has_gpus, has_cpus, has_mem;	/* 0: refused */
} shapes[] = {
	{ 0, 1, 1, 100, 1, 1, 1, 100 },
	{ 2, 2, 3, 101, 2, 2, 4, 102 },		/* rounded up */
	{ 2, 1, 8, 0, 1, 1, 8, 200 },		/* a GPU is on one node */
	{ 0, 2, 17, 100, 2, 2, 18, 100 },	/* more CPUs than one has */
	{ 0, 2, 2, 1601, 2, 2, 2, 1602 },	/* or memory */
	{ 0, 1, 17, 100, 0, 0, 0, 0 },
	{ 0, 1, 1, 1601, 0, 0, 0, 0 },
	{ 1, 2, 17, 100, 0, 0, 0, 0 },
	{ 0, 12, 0, 0, 2, 16, 32, 3200 },	/* whole nodes */
	{ 2, 12, 0, 0, 2, 12, 24, 2400 },
	{ 0, 17, 1, 1, 0, 0, 0, 0 },
	{ 0, 0, 17, 1, 2, 0, 18, 2 },
	{ 2, 0, 2, 1, 2, 0, 2, 2 },
	{ 2, 0, 1, 1, 1, 0, 1, 1 },		/* a CPU is on one node */
	{ 0, 0, 33, 1, 0, 0, 0, 0 },
	{ 0, 0, 32, 3200, 2, 0, 32, 3200 },
	{ 0, 0, 2, 3201, 0, 0, 0, 0 },
	{ 0, 8, UINT32_MAX, 1, 0, 0, 0, 0 },
	{ 0, 8, 1, UINT64_MAX, 0, 0, 0, 0 },
	{ 65536, 0, UINT32_MAX, UINT64_MAX, 0, 0, 0, 0 },
};

START_TEST(shape)
{
	const engine_run_t *run;

	pools[0].nodes = 2;
	job(A1, 0, 10, shapes[_i].gpus, shapes[_i].cpus, shapes[_i].mem)->
		nodes = shapes[_i].nodes;
	replay();
	run = run_of(0, 0);
	ck_assert_int_eq(run->refused, !shapes[_i].has_nodes);
	if (run->refused)
		return;
	ck_assert_uint_eq(run->nodes, shapes[_i].has_nodes);
	ck_assert_uint_eq(run->gpus, shapes[_i].has_gpus);
	ck_assert_uint_eq(run->cpus, shapes[_i].has_cpus);
	ck_assert_uint_eq(run->mem_mb, shapes[_i].has_mem);
	ck_assert_double_eq(figures.cpus, 10.0 * shapes[_i].has_cpus);
	ck_assert_double_eq(figures.mem, 10.0 * shapes[_i].has_mem);
}
END_TEST

/* Without a bound on memory nobody needs any; nodes without GPUs take jobs
 * without. */
START_TEST(kinds_of_nodes)
{
	pools[0].mem_mb = 0;
	pools[1] = (engine_pool_t) {
		.nodes = 1, .gpus = 0, .type = -1, .cpus = 4,
	};
	options.pool_count = 2;
	job(A1, 0, 1000, 8, 16, 1 << 20);
	job(A1, 1, 1000, 0, 4, 1 << 20);
	job(A1, 2, 10, 1, 1, 1);
	replay();
	starts(0, 0, 0);
	starts(1, 1, 1);
	starts(2, 1000, 0);
	ck_assert_uint_eq(run_of(0, 0)->mem_mb, 0);
}
END_TEST

/*
 * 8 of 16 CPUs are taken until 1000; a job of 16 is planned there (960 by
 * bf_resolution). At 30, the first pass, a job of 600 s passes it by; one with
 * a limit of 2000 s would delay it. GPUs there are enough all the time.
 */
START_TEST(backfill_by_cpus)
{
	job(A1, 0, 1000, 1, 8, 100)->limit = 1000;
	job(A1, 10, 500, 1, 16, 100)->limit = 500;
	job(A1, 20, 300, 1, 4, 100)->limit = 600;
	job(A1, 25, 100, 1, 4, 100)->limit = 2000;
	replay();
	starts(1, 1000, 0);
	starts(2, 30, 0);
	starts(3, 1500, 0);
}
END_TEST

/* The same on two nodes, by memory: the second has nothing free until 1000. */
START_TEST(backfill_of_two)
{
	pools[0].nodes = 2;
	job(A1, 0, 2000, 1, 1, 1600)->limit = 2000;	/* node 0 */
	job(A1, 1, 1000, 1, 1, 1000)->limit = 1000;	/* node 1 */
	job(A1, 10, 500, 2, 2, 2000)->limit = 500;	/* both, at 2000 */
	workload->jobs[2].nodes = 2;
	job(A1, 20, 300, 1, 1, 601)->limit = 600;	/* does not fit yet */
	job(A1, 25, 300, 1, 1, 600)->limit = 600;
	job(A1, 26, 300, 1, 1, 1)->limit = 2000;
	replay();
	starts(2, 2000, 0);
	starts(3, 1001, 1);
	starts(4, 30, 1);
	starts(5, 2000, 0);
}
END_TEST

/* B gets A's memory, and nothing is said of GPUs, when A has had his time. */
START_TEST(preemption_by_memory)
{
	const engine_run_t *run;

	options.policy = ENGINE_BUDGET;
	set("window=1d");
	job(A1, 0, 10 * HOUR, 1, 1, 1600)->min_runtime = HOUR;
	job(B1, 60, HOUR, 1, 1, 1)->min_runtime = HOUR;
	replay();
	run = run_of(0, 0);
	ck_assert_int_eq(run->outcome, ENGINE_PREEMPTED);
	ck_assert_int_eq(run->end, HOUR);
	ck_assert_int_eq(run_of(1, 0)->start, HOUR + 5);
}
END_TEST

/* Who does not make room stays: A's small job has what B does not need. */
START_TEST(preemption_of_enough)
{
	options.policy = ENGINE_BUDGET;
	pools[0].nodes = 2;
	set("window=1d");
	job(A1, 0, 10 * HOUR, 1, 16, 1)->min_runtime = HOUR;
	job(A1, 1, 10 * HOUR, 0, 16, 1)->min_runtime = HOUR;
	job(B1, 60, HOUR, 8, 9, 1)->min_runtime = HOUR;
	replay();
	ck_assert_uint_eq(figures.preemptions, 1);
}
END_TEST

/* A failed node loses jobs without GPUs, too. */
START_TEST(failed_node)
{
	const engine_outage_t outages[] = {
		{ 50, 0, ENGINE_NODE_FAIL }, { 60, 0, ENGINE_NODE_RESUME },
	};

	options.outages = outages;
	options.outage_count = 2;
	options.requeue_delay = 0;
	job(A1, 0, 100, 0, 16, 1);
	replay();
	ck_assert_int_eq(run_of(0, 0)->outcome, ENGINE_NODE_FAILED);
	ck_assert_int_eq(run_of(0, 0)->end, 50);
	ck_assert_int_ge(run_of(0, 1)->start, 60);
	ck_assert_int_eq(run_of(0, 1)->outcome, ENGINE_COMPLETED);
}
END_TEST

/* A reservation of nodes without GPUs is of those that are free in time, not of
 * one where somebody is protected for long. */
START_TEST(reserved_without_gpus)
{
	pools[0].gpus = 0;
	pools[0].nodes = 3;
	pools[1] = (engine_pool_t) {
		.nodes = 1, .gpus = 8, .type = -1, .cpus = 1, .mem_mb = 1,
	};
	options.pool_count = 2;
	options.policy = ENGINE_BUDGET;
	options.reserve_nodes = 2;
	options.reserve_lead = 200;
	set("preempt=shadow");
	job(A1, 0, 10 * HOUR, 0, 16, 1)->min_runtime = 8 * HOUR;
	job(A1, 0, 150, 0, 16, 1)->limit = 150;
	job(A1, 0, 150, 0, 16, 1)->limit = 150;
	job(B1, 60, 100, 0, 32, 1)->min_runtime = 60;
	replay();
	starts(3, 260, 1);
	ck_assert_uint_eq(run_of(3, 0)->node[1], 2);
}
END_TEST

/* ---------------------------------------------------------------- charges */

/* 2 nodes of 8 GPUs, 16 CPUs, 1600 MB: what is charged per second? */
static const struct {
	const char *words;
	uint32_t gpus, cpus, mem;
	double rate;
} charges[] = {
	{ "", 2, 4, 100, 2 },
	{ "", 0, 16, 1600, 0 },
	{ "charge=gpu,CPU=9", 2, 4, 100, 2 },
	{ "charge=sum", 2, 4, 100, 4 },		/* CPUs, as Slurm does */
	{ "charge=max", 2, 4, 100, 4 },
	{ "weights=CPU=1,Mem=0.01,GRES/gpu=2", 2, 4, 100, 4 + 1 + 4 },
	{ "weights=cpu=1,mem=0.01,gres/GPU=2,node=3", 2, 4, 100,
	  4 + 1 + 4 + 3 },
	{ "weights=CPU=1,Mem=10.24G,GRES/gpu=2", 2, 4, 100, 4 + 1 + 4 },
	{ "weights=Mem=1T", 2, 4, 1600, 0 },
	{ "weights=Mem=1024K", 2, 4, 1, 1048576 },
	{ "charge=max,weights=CPU=1,Mem=0.01,GRES/gpu=2", 2, 4, 100, 4 },
	{ "charge=max,weights=CPU=1,Mem=0.01,GRES/gpu=2", 2, 5, 100, 5 },
	{ "charge=max,weights=CPU=1,Mem=0.01,GRES/gpu=2", 2, 4, 1000, 10 },
	{ "charge=max,weights=CPU=1,Mem=0.01,Node=11", 2, 4, 1000, 11 },
	/* what is behind the point is cut off, at the end */
	{ "weights=CPU=0.5,GRES/gpu=1", 0, 1, 100, 0 },
	{ "weights=CPU=0.5,GRES/gpu=1.5", 1, 1, 100, 2 },
	{ "charge=max,weights=CPU=0.5,GRES/gpu=1", 0, 15, 100, 7 },
	/* 16 GPUs, 32 CPUs, 3200 MB in all */
	{ "charge=drf", 2, 1, 100, 2 },
	{ "charge=drf", 2, 16, 100, 8 },
	{ "charge=drf", 2, 1, 1600, 8 },
	{ "charge=drf", 0, 1, 1, 0.5 },
	/* a later word replaces an earlier one; new weights begin anew */
	{ "weights=CPU=7,weights=GRES/gpu=3", 2, 4, 100, 6 },
	{ "weights=CPU=7,CPU=2", 2, 4, 100, 8 },
	{ "weights=CPU=7,charge=drf,charge=gpu", 2, 4, 100, 2 },
};

START_TEST(charge)
{
	settings_t settings;

	settings_begin(&settings, NULL, 1);
	ck_assert_msg(!settings_add(&settings, charges[_i].words, &err),
		      "%s", err.text);
	options.charge = settings.engine.charge;
	options.weights = settings.engine.weights;
	pools[0].nodes = 2;
	job(A1, 0, 10, charges[_i].gpus, charges[_i].cpus, charges[_i].mem);
	replay();
	ck_assert_double_eq(run_of(0, 0)->rate, charges[_i].rate);
}
END_TEST

/* MAX_TRES with weights that make all of a node's parts worth the same is
 * dominant share, times a number, on nodes that are alike. */
START_TEST(max_is_drf)
{
	const char *words[] = {
		"charge=max,weights=CPU=500,Mem=5,GRES/gpu=1000", "charge=drf",
	};
	double rate[2];

	pools[0].nodes = 2;
	rng_state = (uint64_t) _i;
	job(A1, 0, 10, (uint32_t) rng(9),
	    1 + (uint32_t) rng(16), 1 + rng(1600));
	for (int i = 0; i < 2; i++) {
		settings_t settings;

		settings_begin(&settings, NULL, 1);
		ck_assert_int_eq(settings_add(&settings, words[i], &err), 0);
		options.charge = settings.engine.charge;
		options.weights = settings.engine.weights;
		replay();
		rate[i] = run_of(0, 0)->rate;
	}
	ck_assert_double_eq_tol(rate[0], 1000 * rate[1], 1);
}
END_TEST

static const char *const words_bad[] = {
	"charge=", "charge=all", "charge", "count=cpu", "count=", "weights=",
	"weights", "weights=CPU", "weights=CPU=", "weights=CPU=x",
	"weights=CPU=-1", "weights=CPU=1G", "weights=Mem=G", "weights=Mem=1X",
	"weights=Mem=1GG", "weights=CPU=1e3", "weights=CPU=9999999999",
	"weights=gpu=1", "weights=GRES/gpu:h100=1", "weights=license/a=1",
	"CPU=nan", "Mem=", "GRES/gpu=.", "weights=billing=1",
	"weights=CPU=00000000000000000000000000000000001",
};

START_TEST(words_refused)
{
	settings_t settings;

	settings_begin(&settings, NULL, 1);
	ck_assert_int_eq(settings_add(&settings, words_bad[_i], &err), -1);
	ck_assert_uint_gt(strlen(err.text), 10);
}
END_TEST

/* ---------------------------------------------------------------- options */

static const struct {
	engine_pool_t one, two;
	const char *words, *reason;
} clusters_bad[] = {
	{ { 1, 8, -1, 1, 16, 0 }, { 1, 8, -1, 1, 0, 0 }, "", "have CPUs" },
	{ { 1, 8, -1, 1, 16, 9 }, { 1, 8, -1, 1, 16, 0 }, "", "have memory" },
	{ { 1, 8, -1, 1, 0, 9 }, { 1, 8, -1, 1, 0, 9 }, "", "how many CPUs" },
	{ { 1, 0, -1, 1, 16, 9 }, { 1, 0, -1, 1, 16, 9 }, "", "has GPUs" },
	{ { 1, 0, -1, 1, 0, 0 }, { 1, 8, -1, 1, 0, 0 }, "", "GPUs of a node" },
	{ { 1, 8, -1, 1, 2049, 9 }, { 1, 8, -1, 1, 1, 9 }, "", "CPUs of a node" },
	{ { 1, 8, -1, 1, 9, 1 << 29 }, { 1, 8, -1, 1, 1, 9 }, "", "MB of a node" },
	{ { 1, 8, -1, 1, 0, 0 }, { 1, 8, -1, 1, 0, 0 }, "charge=sum",
	  "are charged" },
	{ { 1, 8, -1, 1, 9, 0 }, { 1, 8, -1, 1, 9, 0 }, "weights=Mem=1",
	  "are charged" },
};

START_TEST(options_refused)
{
	settings_t settings;

	settings_begin(&settings, NULL, 1);
	ck_assert_int_eq(settings_add(&settings, clusters_bad[_i].words, &err),
			 0);
	options.charge = settings.engine.charge;
	options.weights = settings.engine.weights;
	pools[0] = clusters_bad[_i].one;
	pools[1] = clusters_bad[_i].two;
	options.pool_count = 2;
	ck_assert_int_eq(engine_run(workload, &options, NULL, NULL, &err), -1);
	ck_assert_msg(strstr(err.text, clusters_bad[_i].reason) != NULL,
		      "%s", err.text);
}
END_TEST

START_TEST(nodes_text)
{
	nodes_t nodes;

	ck_assert_msg(!nodes_parse("64x8:h100:CPUs=128:RealMemory=2T@1.5,2x0:realmemory=500000:cpus=64",
				   workload, &nodes, &err), "%s", err.text);
	ck_assert_uint_eq(nodes.gpus, 512);
	ck_assert_uint_eq(nodes.cpus, 128);
	ck_assert_uint_eq(nodes.mem_mb, 2 << 20);
	ck_assert_int_eq(nodes.pools[0].type, 0);
	ck_assert_double_eq(nodes.pools[0].weight, 1.5);
	ck_assert_uint_eq(nodes.pools[1].gpus, 0);
	ck_assert_uint_eq(nodes.pools[1].cpus, 64);
	ck_assert_uint_eq(nodes.pools[1].mem_mb, 500000);
	ck_assert_int_eq(nodes.pools[1].type, -1);
}
END_TEST

static const char *const nodes_bad[] = {
	"8x8:CPUs=0", "8x8:CPUs=", "8x8:CPUs=x", "8x8:CPUs=2049",
	"8x8:CPUs=1:CPUs=1", "8x8:CPUs=1:h100", "8x8:h100:b200",
	"8x8:CPUs=1:RealMemory=0", "8x8:CPUs=1:RealMemory=1Q",
	"8x8:CPUs=1:RealMemory=257T", "8x8:CPUs=1:RealMemory=T",
	"8x8:CPUs=1:RealMemory=-1", "8x8:CPUs=1:RealMemory=1.5T",
	"8x8:CPUs=1:RealMemory=1:RealMemory=1", "8x8:Gres=1", "8x8:CPUs=1:",
	"8x8::CPUs=1", "8x0:RealMemory=1", "8x8@1:CPUs=1",
	"8x8:CPUs=99999999999999999999", "8x8:=1", "8x8:CPU=1",
	/* not of one kind alone */
	"8x8:CPUs=1,8x8", "8x8:CPUs=1:RealMemory=1,8x8:CPUs=1",
	"8x8:RealMemory=1", "8x0:CPUs=1",
};

START_TEST(nodes_refused)
{
	nodes_t nodes;

	ck_assert_msg(nodes_parse(nodes_bad[_i], workload, &nodes, &err) == -1,
		      "taken: %s", nodes_bad[_i]);
}
END_TEST

/* ---------------------------------------------------------------- random */

static uint32_t pick(uint32_t below)
{
	return (uint32_t) rng(below);
}

static void random_workload(int jobs)
{
	static const int64_t minimums[] = { -1, 0, 60, 600, 900 };
	int64_t submit = 0;

	for (int i = 0; i < jobs; i++) {
		int64_t runtime = 1 << (1 + pick(12));
		workload_job_t *last;

		submit += pick(300);
		last = job(pick(2) ? A1 : B1, submit, runtime,
			   pick(3) ? pick(9) : pick(20), pick(3) * pick(17),
			   pick(3) * pick(1601));
		if (pick(3))
			last->limit = runtime + pick(2000);
		last->min_runtime = minimums[pick(5)];
		last->checkpoint = 30;
		last->nodes = pick(3) ? 0 : pick(4);
	}
}

/* What runs on a node when this run starts, all runs looked at. */
static void check_node(size_t run, uint32_t node)
{
	uint64_t gpus = 0, cpus = 0, mem = 0;

	for (size_t i = 0; i < run_count; i++) {
		if (!runs[i].node || runs[i].start > runs[run].start ||
		    runs[i].end <= runs[run].start)
			continue;
		for (uint32_t k = 0; k < runs[i].nodes; k++) {
			if (runs[i].node[k] != node)
				continue;
			gpus += runs[i].gpus / runs[i].nodes;
			cpus += runs[i].cpus / runs[i].nodes;
			mem += runs[i].mem_mb / runs[i].nodes;
		}
	}
	ck_assert_uint_le(gpus, pools[0].gpus);
	ck_assert_uint_le(cpus, pools[0].cpus);
	ck_assert_uint_le(mem, pools[0].mem_mb);
}

START_TEST(random_replays)
{
	double cpus = 0, mem = 0;

	rng_state = (uint64_t) _i;
	pools[0].nodes = 1 + pick(4);
	options.policy = (engine_policy_t) (_i % ENGINE_POLICIES);
	options.qos_preempt = pick(2);
	options.grace_time = pick(2) * 45;
	options.kill_time = pick(2) * 7;
	options.charge = (engine_charge_t) pick(4);
	options.weights = (engine_weights_t) { 1, 0.01, 0, 2 };
	set("gang_nodes=2,gang_wait=1:00:00,window=6:00:00");
	random_workload(150);
	replay();
	for (size_t i = 0; i < run_count; i++) {
		double seconds = (double) (runs[i].end - runs[i].start);

		if (runs[i].start < 0)
			continue;
		ck_assert_uint_gt(runs[i].cpus, 0);
		cpus += (double) runs[i].cpus * seconds;
		mem += (double) runs[i].mem_mb * seconds;
		for (uint32_t k = 0; k < runs[i].nodes; k++)
			check_node(i, runs[i].node[k]);
	}
	ck_assert_double_eq(cpus, figures.cpus);
	ck_assert_double_eq(mem, figures.mem);
	ck_assert_uint_eq(figures.completed + figures.timeouts +
			  figures.refused, 150);
}
END_TEST

/* ---------------------------------------------------------------- generated */

/* What a job may have on nodes of 8 GPUs, 128 CPUs and 2 TB: its team says. */
static void check_flavour(const generate_t *spec, const workload_t *made,
			  const workload_job_t *asked)
{
	const char *team = made->assocs[made->assocs[asked->assoc].parent].name;
	double gpus = asked->gpus / 8.0;
	double cpus = asked->cpus / (double) spec->node_cpus;
	double mem = (double) asked->mem_mb / spec->node_mem;

	ck_assert_uint_ge(asked->cpus, asked->nodes);
	ck_assert_double_le(gpus, asked->nodes);
	ck_assert_double_le(cpus, asked->nodes);
	ck_assert_double_le(mem, asked->nodes);
	if (strstr(team, "-nogpu")) {
		ck_assert_uint_eq(asked->gpus, 0);
		ck_assert_double_eq_tol(mem, cpus / 4, 1e-6);
	} else if (strstr(team, "-cpu")) {
		ck_assert(cpus >= gpus && cpus >= mem);
	} else if (strstr(team, "-mem")) {
		ck_assert(mem >= gpus && mem >= cpus);
	} else {
		ck_assert_double_eq_tol(cpus, gpus / 2, 1e-6);
		ck_assert_double_eq_tol(mem, gpus / 2, 1e-6);
	}
}

START_TEST(flavours)
{
	generate_t spec;
	workload_t *made;
	int teams[3] = { 0 };

	ck_assert_int_eq(generate_parse("mixed,days=2", &spec, &err), 0);
	made = generate_workload(&spec, (uint64_t) _i, &err);
	ck_assert_msg(made != NULL, "%s", err.text);
	for (size_t i = 0; i < made->assoc_count; i++) {
		teams[0] += strstr(made->assocs[i].name, "-cpu") != NULL;
		teams[1] += strstr(made->assocs[i].name, "-mem") != NULL;
		teams[2] += strstr(made->assocs[i].name, "-nogpu") != NULL;
	}
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(teams[i], 3);
	for (size_t i = 0; i < made->job_count; i++)
		check_flavour(&spec, made, &made->jobs[i]);
	workload_destroy(made);
}
END_TEST

/* CPUs beside the GPUs change nothing else of what is drawn. */
START_TEST(same_draws)
{
	generate_t spec;
	workload_t *with, *without;

	ck_assert_int_eq(generate_parse("month-s2,days=2", &spec, &err), 0);
	without = generate_workload(&spec, 3, &err);
	spec.node_cpus = 128;
	with = generate_workload(&spec, 3, &err);
	ck_assert_uint_eq(with->job_count, without->job_count);
	for (size_t i = 0; i < with->job_count; i++) {
		const workload_job_t *one = &with->jobs[i];
		const workload_job_t *two = &without->jobs[i];

		ck_assert_uint_eq(one->gpus, two->gpus);
		ck_assert_int_eq(one->submit, two->submit);
		ck_assert_int_eq(one->runtime, two->runtime);
		ck_assert_uint_eq(two->cpus, 0);
		ck_assert_uint_eq(two->nodes, 0);
	}
	workload_destroy(with);
	workload_destroy(without);
}
END_TEST

static const char *const specs_bad[] = {
	"mixed,cpu_heavy=0.5,mem_heavy=0.5", "month-s1,cpu_only=0.1",
	"month-s1,cpu_heavy=0.1", "month-s1,node_cpus=8,mem_heavy=0.1",
	"month-s1,node_mem=8", "mixed,node_cpus=0", "mixed,node_cpus=2049",
	"mixed,cpu_only=1.1", "mix",
};

START_TEST(specs_refused)
{
	generate_t spec;

	ck_assert_msg(generate_parse(specs_bad[_i], &spec, &err) == -1,
		      "taken: %s", specs_bad[_i]);
}
END_TEST

#define COUNT(table) (int) (sizeof(table) / sizeof(*(table)))

static void add_tests(TCase *tc)
{
	tcase_add_loop_test(tc, two_on_a_node, 0, COUNT(pairs));
	tcase_add_test(tc, tightest_by_cpus);
	tcase_add_test(tc, stretches);
	tcase_add_loop_test(tc, shape, 0, COUNT(shapes));
	tcase_add_test(tc, kinds_of_nodes);
	tcase_add_test(tc, backfill_by_cpus);
	tcase_add_test(tc, backfill_of_two);
	tcase_add_test(tc, preemption_by_memory);
	tcase_add_test(tc, preemption_of_enough);
	tcase_add_test(tc, failed_node);
	tcase_add_test(tc, reserved_without_gpus);
	tcase_add_loop_test(tc, charge, 0, COUNT(charges));
	tcase_add_loop_test(tc, max_is_drf, 0, 50);
	tcase_add_loop_test(tc, words_refused, 0, COUNT(words_bad));
	tcase_add_loop_test(tc, options_refused, 0, COUNT(clusters_bad));
	tcase_add_test(tc, nodes_text);
	tcase_add_loop_test(tc, nodes_refused, 0, COUNT(nodes_bad));
	tcase_add_loop_test(tc, random_replays, 0, 40);
	tcase_add_loop_test(tc, flavours, 0, 4);
	tcase_add_test(tc, same_draws);
	tcase_add_loop_test(tc, specs_refused, 0, COUNT(specs_bad));
}

int main(void)
{
	Suite *suite = suite_create("sim_hosts");
	TCase *tc = tcase_create("all");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	add_tests(tc);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
