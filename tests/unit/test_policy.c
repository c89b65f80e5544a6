/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_policy - the rules of preemption from tables, the order of victims and
 * of the queue. Random worlds are in test_eviction.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "policy.h"
#include "rng.h"
#include "suite.h"

#define P SB_SHARES_PARENT

static const sb_params_t params = {
	.preempt_margin = 0.10, .burst = 2, .gang_nodes = 4,
	.gang_wait = 4 * SB_HOUR, .debug_runtime = 15 * SB_MINUTE,
};

/*
 * over and under are accounts with budgets 50:50 and ratios 1.5 and 0.5;
 * even has a tenth of each. Users of over: o1 (over 1), o2 (under, 0.25 of
 * o1), o3 (close to o1), op (parent). idle is under and runs 2.4 times its
 * burst. unfunded has one user.
 */
enum { ROOT, OVER, UNDER, EVEN, IDLE, UNFUNDED, O1, O2, O3, OP, U1, E1, I1, N1,
       NODES };

static sb_tree_node_t nodes[NODES];
static const sb_tree_view_t tree = { nodes, NODES };

static void node_set(int n, int parent, uint32_t shares, bool user,
		     uint64_t usage)
{
	nodes[n] = (sb_tree_node_t) { .parent = parent, .shares = shares,
				      .user = user, .own_usage = usage };
}

static void setup(void)
{
	sb_err_t err = { "" };

	node_set(ROOT, SB_NO_PARENT, 1, false, 0);
	node_set(OVER, ROOT, 35, false, 0);
	node_set(UNDER, ROOT, 35, false, 0);
	node_set(EVEN, ROOT, 20, false, 0);
	node_set(IDLE, ROOT, 10, false, 0);
	node_set(UNFUNDED, ROOT, 0, false, 0);
	node_set(O1, OVER, 1, true, 240);
	node_set(O2, OVER, 1, true, 60);
	node_set(O3, OVER, 1, true, 225);
	node_set(OP, OVER, P, true, 75);
	node_set(U1, UNDER, 1, true, 200);
	node_set(E1, EVEN, 1, true, 196);
	node_set(I1, IDLE, 1, true, 4);
	node_set(N1, UNFUNDED, 1, true, 0);
	nodes[I1].own_running = 48;	/* of 2 x 0.1 x 100 */
	ck_assert_msg(!sb_tree_compute(nodes, NODES, 100, 2, NULL, &err),
		      "%s", err.text);
	ck_assert_double_eq_tol(nodes[OVER].ratio_window, 1.714, 1e-3);
	ck_assert_double_eq_tol(nodes[UNDER].ratio, 0.571, 1e-3);
	ck_assert_double_eq_tol(nodes[EVEN].ratio, 0.98, 1e-3);
	ck_assert_double_eq_tol(nodes[IDLE].ratio, 2.4, 1e-9);
	ck_assert_double_eq_tol(nodes[IDLE].ratio_window, 0.04, 1e-12);
}

static sb_party_t job(int32_t node)
{
	return (sb_party_t) {
		.node = node, .class = SB_CLASS_ALLOCATED, .nodes = 1,
		.funded = node != N1, .gpus = 8, .min_runtime = SB_HOUR,
		.ran = 2 * SB_HOUR, .requeueable = true,
	};
}

static sb_verdict_t ask(const sb_party_t *v, const sb_party_t *p)
{
	return sb_policy_may_preempt(&params, tree, v, p, NULL);
}

START_TEST(pairs)
{
	static const struct {
		int v, p;
		sb_verdict_t want;
	} t[] = {
		{ O1, U1, SB_MAY_BUDGET },
		{ OP, U1, SB_MAY_BUDGET },
		{ U1, O1, SB_NOT_OVER },
		{ E1, U1, SB_NOT_OVER },
		{ O1, E1, SB_NOT_UNDER },
		{ O1, I1, SB_NOT_UNDER },	/* burst */
		{ I1, U1, SB_NOT_OVER },	/* no burst on this side */
		{ O1, N1, SB_NOT_UNFUNDED },
		{ N1, O1, SB_MAY_FREE },
		{ N1, N1, SB_NOT_UNFUNDED },
		{ O1, O1, SB_NOT_SAME },
		{ O1, O2, SB_MAY_COLLEAGUE },
		{ O2, O1, SB_NOT_MARGIN },
		{ O1, O3, SB_NOT_MARGIN },
		{ O3, O1, SB_NOT_MARGIN },
		{ O3, O2, SB_MAY_COLLEAGUE },
		{ O1, OP, SB_NOT_COMPARABLE },
		{ OP, O2, SB_NOT_COMPARABLE },
		{ OVER, O1, SB_NOT_COMPARABLE },
		{ O1, ROOT, SB_NOT_COMPARABLE },
		{ -1, U1, SB_NOT_UNKNOWN },
		{ O1, -1, SB_NOT_UNKNOWN },
		{ O1, NODES, SB_NOT_UNKNOWN },
		{ INT32_MIN, INT32_MAX, SB_NOT_UNKNOWN },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		sb_party_t v = job(t[i].v), p = job(t[i].p);

		ck_assert_str_eq(sb_verdict_name(ask(&v, &p)),
				 sb_verdict_name(t[i].want));
		/* Nothing takes a protected job, of whichever class. */
		v.protected_left = 1;
		p.nodes = 64;
		p.blocked_wait = INT64_MAX;
		for (int class = 0; class < 3; class++) {
			v.class = class;
			ck_assert_int_eq(ask(&v, &p), SB_NOT_PROTECTED);
		}
	}
}
END_TEST

START_TEST(no_tree)
{
	sb_party_t v = job(O1), p = job(U1);
	sb_tree_view_t none = { NULL, NODES }, empty = { nodes, 0 };

	ck_assert_int_eq(sb_policy_may_preempt(&params, none, &v, &p, NULL),
			 SB_NOT_UNKNOWN);
	ck_assert_int_eq(sb_policy_may_preempt(&params, empty, &v, &p, NULL),
			 SB_NOT_UNKNOWN);
	v.class = SB_CLASS_UNALLOCATED;
	ck_assert_int_eq(sb_policy_may_preempt(&params, none, &v, &p, NULL),
			 SB_MAY_FREE);
	ck_assert_uint_lt(sb_policy_victim_prio(none, &v),
			  sb_policy_victim_prio(none, &p));
}
END_TEST

START_TEST(classes)
{
	sb_party_t v = job(U1), p = job(O1);

	v.class = SB_CLASS_UNALLOCATED;
	ck_assert_int_eq(ask(&v, &p), SB_MAY_FREE);
	p.node = U1;			/* one's own filler */
	ck_assert_int_eq(ask(&v, &p), SB_MAY_FREE);
	p.class = SB_CLASS_UNDECLARED;
	ck_assert_int_eq(ask(&v, &p), SB_MAY_FREE);
	p.class = SB_CLASS_UNALLOCATED;
	ck_assert_int_eq(ask(&v, &p), SB_NOT_UNALLOCATED);
	v.exempt = true;
	ck_assert_int_eq(ask(&v, &p), SB_NOT_EXEMPT);
	p.class = SB_CLASS_ALLOCATED;
	ck_assert_int_eq(ask(&v, &p), SB_NOT_EXEMPT);
	v = job(O1);
	p = job(U1);
	v.class = p.class = SB_CLASS_UNDECLARED;
	ck_assert_int_eq(ask(&v, &p), SB_MAY_BUDGET);
	v.funded = false;		/* lost its budget while it ran */
	ck_assert_int_eq(ask(&v, &p), SB_MAY_FREE);
}
END_TEST

START_TEST(not_requeueable)
{
	sb_party_t v = job(O1), p = job(U1);
	sb_params_t spare = params;
	sb_verdict_t why = SB_MAY_FREE;

	v.requeueable = false;
	ck_assert_int_eq(ask(&v, &p), SB_MAY_BUDGET);
	ck_assert(!sb_policy_spared(&params, &v, NULL));
	spare.not_requeueable_spare = true;
	ck_assert_int_eq(sb_policy_may_preempt(&spare, tree, &v, &p, NULL),
			 SB_NOT_REQUEUEABLE);
	ck_assert(sb_policy_spared(&spare, &v, &why));
	ck_assert_int_eq(why, SB_NOT_REQUEUEABLE);
	p.class = SB_CLASS_UNALLOCATED;
	ck_assert_int_eq(sb_policy_may_preempt(&spare, tree, &v, &p, NULL),
			 SB_NOT_UNALLOCATED);
	p = job(U1);
	v.class = SB_CLASS_UNALLOCATED;
	ck_assert_int_eq(sb_policy_may_preempt(&spare, tree, &v, &p, NULL),
			 SB_MAY_FREE);
	ck_assert(!sb_policy_spared(&spare, &v, &why));
	v.protected_left = 1;
	ck_assert(sb_policy_spared(&spare, &v, &why));
	ck_assert_int_eq(why, SB_NOT_PROTECTED);
	v.protected_left = 0;
	v.exempt = true;
	ck_assert(sb_policy_spared(&spare, &v, &why));
	ck_assert_int_eq(why, SB_NOT_EXEMPT);
}
END_TEST

START_TEST(grounds)
{
	sb_party_t v = job(O1), p = job(U1);
	sb_grounds_t g;

	sb_policy_may_preempt(&params, tree, &v, &p, &g);
	ck_assert_int_eq(g.branch_preemptee, OVER);
	ck_assert_int_eq(g.branch_preemptor, UNDER);
	ck_assert_double_eq(g.ratio_preemptee, nodes[OVER].ratio_window);
	ck_assert_double_eq(g.ratio_preemptor, nodes[UNDER].ratio);
	p = job(I1);
	sb_policy_may_preempt(&params, tree, &v, &p, &g);
	ck_assert_double_eq_tol(g.ratio_preemptor, 2.4, 1e-9);
	v.protected_left = 5;
	sb_policy_may_preempt(&params, tree, &v, &p, &g);
	ck_assert_int_eq(g.branch_preemptee, -1);
	ck_assert_int_eq(g.branch_preemptor, -1);
	ck_assert_double_eq(g.ratio_preemptee, 0);
}
END_TEST

START_TEST(gang)
{
	sb_party_t v = job(E1), p = job(U1);
	sb_params_t off = params;

	p.nodes = 4;
	p.blocked_wait = 4 * SB_HOUR;
	ck_assert_int_eq(ask(&v, &p), SB_MAY_GANG);
	p.blocked_wait--;
	ck_assert_int_eq(ask(&v, &p), SB_NOT_OVER);
	p.blocked_wait = INT64_MAX;
	p.nodes = 3;
	ck_assert_int_eq(ask(&v, &p), SB_NOT_OVER);
	p.nodes = 4;
	off.gang_wait = 0;
	ck_assert_int_eq(sb_policy_may_preempt(&off, tree, &v, &p, NULL),
			 SB_NOT_OVER);
	v.node = I1;			/* a better branch */
	ck_assert_int_eq(ask(&v, &p), SB_NOT_OVER);
	v.node = U1;			/* itself */
	ck_assert_int_eq(ask(&v, &p), SB_NOT_SAME);
	v.node = O1;			/* colleagues within the margin */
	p.node = O3;
	ck_assert_int_eq(ask(&v, &p), SB_MAY_GANG);
	p.node = OP;
	ck_assert_int_eq(ask(&v, &p), SB_NOT_COMPARABLE);
	p.node = E1;			/* not under by the margin */
	ck_assert_int_eq(ask(&v, &p), SB_MAY_GANG);
}
END_TEST

/* The clock that blocked_wait is read from. */
START_TEST(gang_clock)
{
	static const struct {
		uint32_t nodes;
		int64_t wait, from, now, seconds;
	} table[] = {
		{ 4, SB_HOUR, 100, 103, 3 },
		{ 64, 1, 100, 101, 1 },
		{ 4, SB_HOUR, 100, 100, 0 },
		{ 4, SB_HOUR, 103, 100, 0 },	/* clock set back */
		{ 3, SB_HOUR, 100, 103, 0 },	/* not large */
		{ 0, SB_HOUR, 100, 103, 0 },
		{ 4, 0, 100, 103, 0 },		/* gang_wait=0: off */
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		sb_params_t own = params;

		own.gang_wait = table[i].wait;
		ck_assert_int_eq(sb_policy_blocked_for(&own, table[i].nodes,
						       table[i].from,
						       table[i].now),
				 table[i].seconds);
	}
}
END_TEST

START_TEST(drain)
{
	static const struct {
		int64_t declared, left;
		bool requeueable, interactive, on, leaves;
	} table[] = {
		{ SB_HOUR, 0, true, false, true, true },
		{ 0, 0, true, false, true, true },
		{ SB_HOUR, -5, true, false, true, true },
		{ SB_HOUR, 1, true, false, true, false },
		{ -1, 0, true, false, true, false },
		{ SB_HOUR, 0, false, false, true, false },
		{ SB_HOUR, 0, true, true, true, false },
		{ SB_HOUR, 0, true, false, false, false },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		sb_params_t own = params;
		sb_party_t party = {
			.protected_left = table[i].left,
			.requeueable = table[i].requeueable,
			.interactive = table[i].interactive,
		};

		own.drain_requeue = table[i].on;
		ck_assert_int_eq(sb_policy_leaves_drain(&own,
							table[i].declared,
							&party),
				 table[i].leaves);
	}
}
END_TEST

START_TEST(debug)
{
	sb_party_t v = job(O2), p = job(O1);
	sb_params_t off = params;

	p.min_runtime = 15 * SB_MINUTE;
	ck_assert_int_eq(ask(&v, &p), SB_MAY_DEBUG);
	v.node = O1;			/* one's own */
	ck_assert_int_eq(ask(&v, &p), SB_MAY_DEBUG);
	v.node = OP;
	ck_assert_int_eq(ask(&v, &p), SB_MAY_DEBUG);
	v.node = U1;			/* another account's: never */
	ck_assert_int_eq(ask(&v, &p), SB_NOT_OVER);
	v = job(O2);
	v.nodes = 4;
	ck_assert_int_eq(ask(&v, &p), SB_MAY_DEBUG);
	v.nodes = 5;
	ck_assert_int_eq(ask(&v, &p), SB_NOT_MARGIN);
	v = job(O2);
	v.interactive = true;
	ck_assert_int_eq(ask(&v, &p), SB_NOT_MARGIN);
	v = job(O2);
	v.min_runtime = 5 * SB_MINUTE;	/* debug itself */
	ck_assert_int_eq(ask(&v, &p), SB_NOT_MARGIN);
	v = job(O2);
	p.min_runtime++;
	ck_assert_int_eq(ask(&v, &p), SB_NOT_MARGIN);
	p.min_runtime = 0;
	p.class = SB_CLASS_UNDECLARED;
	ck_assert_int_eq(ask(&v, &p), SB_NOT_MARGIN);
	p = job(O1);
	p.min_runtime = 60;
	p.nodes = 2;
	ck_assert_int_eq(ask(&v, &p), SB_NOT_MARGIN);
	p.nodes = 1;
	off.debug_runtime = 0;
	ck_assert_int_eq(sb_policy_may_preempt(&off, tree, &v, &p, NULL),
			 SB_NOT_MARGIN);
}
END_TEST

/* A short cut must never say what the rules do not, and must not be taken
 * never either. */
START_TEST(outlook)
{
	int count[3] = { 0 }, mixed = 0;

	ck_assert_int_eq(sb_policy_outlook(&params, tree, -1, false,
					   &(sb_party_t) { 0 }),
			 SB_OUTLOOK_NEVER);
	for (int round = 0; round < 200000; round++) {
		sb_params_t p = params;
		sb_party_t v = job(rng(NODES + 2) - 1), t = job(rng(NODES));
		sb_outlook_t outlook;
		bool may;

		p.not_requeueable_spare = rng(2);
		v.class = rng(3);
		v.funded = v.node >= 0 && v.node < NODES &&
			   nodes[v.node].funded;
		v.nodes = rng(8);
		v.interactive = rng(2);
		v.requeueable = rng(2);
		v.exempt = !rng(5);
		v.min_runtime = rng(2) ? rng(2 * SB_HOUR) : 0;
		v.protected_left = rng(3) ? 0 : 10;
		t.class = rng(3);
		t.funded = rng(4);
		t.nodes = rng(8);
		t.min_runtime = rng(2) ? rng(2 * SB_HOUR) : 0;
		t.blocked_wait = rng(8 * SB_HOUR);
		outlook = sb_policy_outlook(&p, tree, v.node, v.class ==
					    SB_CLASS_UNALLOCATED, &t);
		may = sb_verdict_may(sb_policy_may_preempt(&p, tree, &v, &t,
							   NULL));
		if (outlook == SB_OUTLOOK_NEVER)
			ck_assert(!may);
		else if (outlook == SB_OUTLOOK_UNLESS_SPARED)
			ck_assert_int_eq(may, !sb_policy_spared(&p, &v, NULL));
		else
			mixed += may;
		count[outlook]++;
	}
	ck_assert_int_gt(count[SB_OUTLOOK_NEVER], 50000);
	ck_assert_int_gt(count[SB_OUTLOOK_UNLESS_SPARED], 20000);
	ck_assert_int_gt(count[SB_OUTLOOK_DEPENDS], 20);
	/* It does depend. */
	ck_assert_int_gt(mixed, 5);
	ck_assert_int_lt(mixed, count[SB_OUTLOOK_DEPENDS] - 5);
}
END_TEST

START_TEST(names)
{
	for (int a = SB_MAY_FREE; a <= SB_NOT_RULE; a++) {
		ck_assert_str_ne(sb_verdict_name(a), "unknown");
		for (int b = SB_MAY_FREE; b < a; b++)
			ck_assert_str_ne(sb_verdict_name(a),
					 sb_verdict_name(b));
	}
	ck_assert_str_eq(sb_verdict_name(1000), "unknown");
	ck_assert(sb_verdict_may(SB_MAY_RULE));
	ck_assert(!sb_verdict_may(SB_NOT_PROTECTED));
}
END_TEST

START_TEST(victim_costs)
{
	static const struct {
		int64_t ran, min;
		double gpus, want;
	} t[] = {
		{ 3600, 3600, 1, 600 },
		{ 3700, 3600, 1, 700 },
		{ 7300, 3600, 8, 5600 },
		{ 7300, 0, 1, 7900 },
		{ -5, 60, 1, 600 },
		{ 100, -60, 1, 700 },
		{ 100, 60, 0, 0 },
		{ 100, 60, -1, 0 },
		{ 100, 60, NAN, 0 },
		{ 100, 60, INFINITY, 0 },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		sb_party_t v = job(O1);

		v.ran = t[i].ran;
		v.min_runtime = t[i].min;
		v.gpus = t[i].gpus;
		ck_assert_double_eq(sb_policy_victim_cost(&v), t[i].want);
		sb_policy_victim_prio(tree, &v);
	}
}
END_TEST

static sb_party_t random_job(void)
{
	sb_party_t v = job(rng(NODES + 2) - 1);

	v.class = rng(3);
	v.funded = rng(3);
	v.ran = rng(1ULL << rng(24));
	v.min_runtime = rng(3) ? rng(8 * SB_HOUR) : 0;
	v.gpus = rng(1ULL << rng(15)) / (rng(2) ? 1. : 4.);
	return v;
}

static int victim_class(const sb_party_t *v)
{
	return v->class == SB_CLASS_UNALLOCATED ? 0 : v->funded ? 2 : 1;
}

START_TEST(victim_order)
{
	sb_party_t a = job(O1), b = job(U1);

	ck_assert_uint_lt(sb_policy_victim_prio(tree, &a),
			  sb_policy_victim_prio(tree, &b));
	b.node = O2;			/* one account: no difference */
	ck_assert_uint_eq(sb_policy_victim_prio(tree, &a),
			  sb_policy_victim_prio(tree, &b));
	b.node = OP;
	ck_assert_uint_eq(sb_policy_victim_prio(tree, &a),
			  sb_policy_victim_prio(tree, &b));
	/* Same cost, in other sizes. */
	a.ran = 0;
	b.gpus = 4;
	b.ran = 600;
	ck_assert_uint_gt(sb_policy_victim_prio(tree, &a),
			  sb_policy_victim_prio(tree, &b));
	/* The account counts before the size, the cost before the account. */
	for (int ran = 0; ran < 20000; ran += 7) {
		a = job(O1);
		b = job(U1);
		a.min_runtime = b.min_runtime = 0;
		a.gpus = 8192;
		a.ran = ran;
		b.gpus = 1;
		b.ran = 8192LL * (ran + 600) - 600;
		ck_assert_uint_lt(sb_policy_victim_prio(tree, &a),
				  sb_policy_victim_prio(tree, &b));
		b.ran -= b.ran / 50;
		ck_assert_uint_gt(sb_policy_victim_prio(tree, &a),
				  sb_policy_victim_prio(tree, &b));
	}
	for (int round = 0; round < 200000; round++) {
		double cost_a, cost_b;
		uint32_t prio_a, prio_b;

		a = random_job();
		b = random_job();
		cost_a = sb_policy_victim_cost(&a);
		cost_b = sb_policy_victim_cost(&b);
		prio_a = sb_policy_victim_prio(tree, &a);
		prio_b = sb_policy_victim_prio(tree, &b);
		if (victim_class(&a) < victim_class(&b))
			ck_assert_uint_lt(prio_a, prio_b);
		else if (victim_class(&a) == victim_class(&b) &&
			 cost_a < cost_b * 0.99 - 1)
			ck_assert_uint_lt(prio_a, prio_b);
	}
}
END_TEST

START_TEST(queue_is_strict_weak)
{
	sb_party_t a = job(O1), b = job(N1), c = job(U1);

	c.class = SB_CLASS_UNALLOCATED;
	ck_assert(sb_policy_queue_before(&a, &b));
	ck_assert(sb_policy_queue_before(&b, &c));
	ck_assert(sb_policy_queue_before(&a, &c));
	for (int round = 0; round < 200000; round++) {
		bool ab, ba, bc, cb, ac, ca;

		a = random_job();
		b = random_job();
		c = random_job();
		ab = sb_policy_queue_before(&a, &b);
		ba = sb_policy_queue_before(&b, &a);
		bc = sb_policy_queue_before(&b, &c);
		cb = sb_policy_queue_before(&c, &b);
		ac = sb_policy_queue_before(&a, &c);
		ca = sb_policy_queue_before(&c, &a);
		ck_assert(!sb_policy_queue_before(&a, &a));
		ck_assert(!(ab && ba));
		ck_assert(!(ab && bc) || ac);
		ck_assert(ab || ba || bc || cb || (!ac && !ca));
		/* Whom a may evict at sight never stands before it. */
		if (ask(&a, &b) == SB_MAY_FREE)
			ck_assert(sb_policy_queue_before(&b, &a));
	}
}
END_TEST

/* Random trees with transparent accounts, users who stand for their account,
 * and everything unfunded now and then. */
static size_t random_tree(sb_tree_node_t *list, size_t most)
{
	static const uint32_t shares[] = { 0, 1, 1, 2, 5, SB_SHARES_PARENT };
	size_t count = 2 + rng(most - 1);
	sb_err_t err = { "" };

	for (size_t i = 0; i < count; i++) {
		int32_t parent = i ? (int32_t) rng(i) : SB_NO_PARENT;

		while (parent > 0 && list[parent].user)
			parent = list[parent].parent;
		list[i] = (sb_tree_node_t) {
			.parent = parent, .shares = shares[rng(6)],
			.user = i && rng(3), .own_usage = rng(4) * 100,
			.own_running = (double) rng(8),
		};
	}
	ck_assert_int_eq(sb_tree_compute(list, count, 40, rng(2) * 2.0, NULL,
					 &err), 0);
	return count;
}

static sb_party_t random_party(const sb_tree_node_t *list, size_t count)
{
	sb_party_t party = random_job();

	party.node = (int32_t) rng(count + 1);
	party.funded = (size_t) party.node < count && list[party.node].funded;
	party.nodes = (uint32_t) (1 + rng(6));
	party.blocked_wait = (int64_t) rng(6 * SB_HOUR);
	party.interactive = !rng(4);
	return party;
}

/* The root's own jobs have no account, and debug jobs there have colleagues. */
START_TEST(root_is_not_hopeless)
{
	sb_tree_node_t root = { .parent = SB_NO_PARENT, .shares = 1 };
	sb_tree_view_t view = { &root, 1 };
	sb_prey_t prey = { .any = false };
	sb_party_t taker = {
		.class = SB_CLASS_ALLOCATED, .funded = true, .nodes = 1,
		.min_runtime = 60,
	}, victim = {
		.class = SB_CLASS_UNDECLARED, .funded = true, .nodes = 1,
	};

	ck_assert_int_eq(sb_tree_compute(&root, 1, 0, 0, NULL, NULL), 0);
	ck_assert(sb_policy_hopeless(&params, view, &prey, &taker));
	sb_policy_prey_add(view, &prey, &victim);
	ck_assert_int_eq(sb_policy_may_preempt(&params, view, &victim, &taker,
					       NULL), SB_MAY_DEBUG);
	ck_assert(!sb_policy_hopeless(&params, view, &prey, &taker));
}
END_TEST

/* Who is called hopeless may indeed take nobody; with one claim and
 * association all get the same answers. */
START_TEST(hopeless_is_never_wrong)
{
	sb_tree_node_t list[24];
	sb_prey_t prey[24];
	sb_party_t victims[12], taker, twin;
	size_t hopeless = 0, able = 0;

	for (int round = 0; round < 20000; round++) {
		sb_tree_view_t view = { list, random_tree(list, 23) };
		size_t many = rng(12);
		bool may = false;

		memset(prey, 0, sizeof(prey));
		for (size_t i = 0; i < many; i++) {
			do
				victims[i] = random_party(list, view.count);
			while ((size_t) victims[i].node == view.count);
			sb_policy_prey_add(view, prey, &victims[i]);
		}
		taker = random_party(list, view.count);
		twin = random_party(list, view.count);
		twin.node = taker.node;
		twin.funded = taker.funded;
		twin.class = taker.class;
		for (size_t i = 0; i < many; i++) {
			bool is = sb_verdict_may(sb_policy_may_preempt(
				&params, view, &victims[i], &taker, NULL));

			may |= is;
			if (sb_policy_claim(&params, &twin) ==
			    sb_policy_claim(&params, &taker))
				ck_assert_int_eq(is, sb_verdict_may(
					sb_policy_may_preempt(&params, view,
						&victims[i], &twin, NULL)));
		}
		if (sb_policy_hopeless(&params, view, prey, &taker)) {
			ck_assert(!may);
			hopeless++;
		}
		able += may;
	}
	/* The test is about both. */
	ck_assert_uint_gt(hopeless, 2000);
	ck_assert_uint_gt(able, 1000);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("policy");
	Suite *suite = suite_create("policy");

	rng_state = 20261129;
	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, pairs);
	tcase_add_test(tc, no_tree);
	tcase_add_test(tc, classes);
	tcase_add_test(tc, not_requeueable);
	tcase_add_test(tc, grounds);
	tcase_add_test(tc, gang);
	tcase_add_test(tc, gang_clock);
	tcase_add_test(tc, drain);
	tcase_add_test(tc, debug);
	tcase_add_test(tc, outlook);
	tcase_add_test(tc, names);
	tcase_add_test(tc, victim_costs);
	tcase_add_test(tc, victim_order);
	tcase_add_test(tc, queue_is_strict_weak);
	tcase_add_test(tc, root_is_not_hopeless);
	tcase_add_test(tc, hopeless_is_never_wrong);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
