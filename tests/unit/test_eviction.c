/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_eviction - the policy of preemption in random worlds, six million steps,
 * a million of them decisions: trees, budgets, jobs and times change at random,
 * and every decision is held against the rules written down a second time.
 * Branches that evict each other in turn would turn up here.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "policy.h"
#include "rng.h"
#include "suite.h"

#define P SB_SHARES_PARENT
#define STEPS 6000000
#define WORLD_STEPS 2000
#define NODES 24
#define JOBS 40
#define PAST 64

typedef struct {
	bool used, running, fresh;	/* fresh: started at this instant */
	sb_party_t party;
	int64_t granted;
} job_t;

/* Who evicted whom at this instant, by branch. */
typedef struct {
	int32_t victim, winner;
} past_t;

typedef struct {
	sb_params_t params;
	sb_tree_node_t nodes[NODES];
	job_t jobs[JOBS];
	past_t past[PAST];
	int count, past_count;
	double capacity;
	long asked, evictions[SB_MAY_DEBUG + 1];
} world_t;

static sb_tree_view_t view(const world_t *w)
{
	return (sb_tree_view_t) { w->nodes, w->count };
}

/* ---- the world ---------------------------------------------------------- */

/* Running and committed of every association from its jobs; commitment of
 * fresh ones only when asked for. */
static void recompute(world_t *w, bool with_fresh)
{
	sb_err_t err = { "" };

	for (int i = 0; i < w->count; i++)
		w->nodes[i].own_running = w->nodes[i].own_committed = 0;
	for (int i = 0; i < JOBS; i++) {
		const job_t *j = &w->jobs[i];
		sb_tree_node_t *n = &w->nodes[j->party.node];

		if (!j->used || !j->running ||
		    j->party.class == SB_CLASS_UNALLOCATED)
			continue;
		n->own_running += j->party.gpus;
		if (w->params.commitment && (with_fresh || !j->fresh))
			n->own_committed += j->party.gpus *
					    j->party.protected_left;
	}
	ck_assert_msg(!sb_tree_compute(w->nodes, w->count, w->capacity,
				       w->params.burst, NULL, &err), "%s",
		      err.text);
	for (int i = 0; i < JOBS; i++) {
		sb_party_t *p = &w->jobs[i].party;

		p->funded = w->nodes[p->node].funded;
	}
}

/* Something changed that is not an eviction: a new instant. */
static void new_instant(world_t *w)
{
	w->past_count = 0;
	for (int i = 0; i < JOBS; i++)
		w->jobs[i].fresh = false;
	recompute(w, true);
}

static uint32_t random_shares(void)
{
	return rng(12) ? 1 + rng(20) : rng(2) ? 0 : P;
}

static void new_world(world_t *w)
{
	static const double margins[] = { 0, 0.05, 0.1, 0.1, 0.3, 0.9 };

	w->params = (sb_params_t) {
		.commitment = rng(2), .preempt_margin = margins[rng(6)],
		.burst = rng(3), .gang_nodes = 2 + rng(4),
		.gang_wait = rng(3) * SB_HOUR,
		.debug_runtime = rng(4) * 5 * SB_MINUTE,
		.not_requeueable_spare = rng(2),
	};
	w->capacity = 8 << rng(4);
	w->count = 3 + rng(NODES - 3);
	for (int i = 0; i < w->count; i++) {
		int parent = i ? (int) rng(i) : SB_NO_PARENT;

		while (parent > 0 && w->nodes[parent].user)
			parent--;
		w->nodes[i] = (sb_tree_node_t) {
			.parent = parent, .shares = random_shares(),
			.user = i > 1 && rng(3),
			.own_usage = rng(2) ? rng(1000000) : 0,
		};
	}
	memset(w->jobs, 0, sizeof(w->jobs));
	new_instant(w);
}

static void submit(world_t *w, job_t *j)
{
	int32_t n = rng(w->count);

	for (int tries = 0; tries < 20 && !w->nodes[n].user; tries++)
		n = rng(w->count);
	*j = (job_t) { .used = true };
	j->party = (sb_party_t) {
		.node = n, .class = rng(4) ? SB_CLASS_ALLOCATED : rng(3),
		.nodes = 1 + rng(6), .gpus = 1 + rng(16),
		.requeueable = rng(6), .exempt = !rng(10),
		.interactive = !rng(6), .funded = w->nodes[n].funded,
		.blocked_wait = rng(3) * SB_HOUR,
	};
	if (j->party.class == SB_CLASS_ALLOCATED)
		j->party.min_runtime = 60 * (1 + rng(rng(3) ? 20 : 480));
}

static void start(job_t *j)
{
	j->running = j->fresh = true;
	j->party.ran = 0;
	j->granted = j->party.funded ? j->party.min_runtime : 0;
	j->party.protected_left = j->granted;
}

static void stop(job_t *j)
{
	j->running = false;
	j->party.protected_left = 0;
	j->party.ran = 0;
}

static void pass_time(world_t *w, int64_t seconds)
{
	for (int i = 0; i < JOBS; i++) {
		sb_party_t *p = &w->jobs[i].party;

		if (!w->jobs[i].used || !w->jobs[i].running)
			continue;
		p->ran += seconds;
		p->protected_left = p->ran < w->jobs[i].granted ?
				    w->jobs[i].granted - p->ran : 0;
		if (p->class != SB_CLASS_UNALLOCATED)
			w->nodes[p->node].own_usage += p->gpus * seconds;
	}
	for (int i = 0; i < w->count; i++)
		if (!rng(4))
			w->nodes[i].own_usage -= w->nodes[i].own_usage / 16;
}

/* ---- the rules, a second time ------------------------------------------- */

static int path_up(const world_t *w, int32_t n, int32_t *path)
{
	int length = 0;

	for (; n >= 0; n = w->nodes[n].parent)
		if (w->nodes[n].user || w->nodes[n].shares != P ||
		    w->nodes[n].parent < 0)
			path[length++] = n;
	return length;
}

/* Branches of a and b by their paths from the root. */
static bool split(const world_t *w, int32_t a, int32_t b, int32_t *branch_a,
		  int32_t *branch_b)
{
	int32_t path_a[NODES], path_b[NODES];
	int i = path_up(w, a, path_a), j = path_up(w, b, path_b);

	while (i > 0 && j > 0 && path_a[i - 1] == path_b[j - 1]) {
		i--;
		j--;
	}
	if (!i || !j)
		return false;
	*branch_a = path_a[i - 1];
	*branch_b = path_b[j - 1];
	return true;
}

static bool rule_by_ratio(const world_t *w, const sb_party_t *v,
			  const sb_party_t *p)
{
	double margin = w->params.preempt_margin, rv, rp;
	const sb_tree_node_t *nv, *np;
	int32_t bv, bp;

	if (!split(w, v->node, p->node, &bv, &bp))
		return false;
	nv = &w->nodes[bv];
	np = &w->nodes[bp];
	if (nv->shares == P || np->shares == P)
		return false;
	rv = nv->ratio_window;
	rp = np->ratio;
	if (w->params.gang_wait && p->blocked_wait >= w->params.gang_wait &&
	    p->nodes >= w->params.gang_nodes && rp < rv)
		return true;
	if (nv->user && np->user)
		return rp < (1 - margin) * rv;
	return rv > 1 && rp < 1 - margin;
}

static bool rule_debug(const world_t *w, const sb_party_t *v,
		       const sb_party_t *p)
{
	int64_t most = w->params.debug_runtime;
	bool v_debug = v->nodes == 1 && v->class == SB_CLASS_ALLOCATED &&
		       v->min_runtime <= most;

	return p->class == SB_CLASS_ALLOCATED && p->min_runtime <= most &&
	       p->nodes == 1 && !v_debug && !v->interactive && v->nodes <= 4 &&
	       w->nodes[v->node].parent == w->nodes[p->node].parent;
}

static bool rules_allow(const world_t *w, const sb_party_t *v,
			const sb_party_t *p)
{
	bool v_free = v->class == SB_CLASS_UNALLOCATED || !v->funded;
	bool p_free = p->class == SB_CLASS_UNALLOCATED || !p->funded;

	if (v->protected_left || v->exempt || p_free)
		return false;
	if (v_free)
		return true;
	if (w->params.not_requeueable_spare && !v->requeueable)
		return false;
	return rule_by_ratio(w, v, p) || rule_debug(w, v, p);
}

/* ---- properties --------------------------------------------------------- */

static bool by_ratio(sb_verdict_t verdict)
{
	return verdict == SB_MAY_BUDGET || verdict == SB_MAY_COLLEAGUE ||
	       verdict == SB_MAY_GANG;
}

/* The strongest job that the evicted one's branch can send, against the
 * weakest of the winner's: it may not strike back. */
static void check_no_return(const world_t *w, const sb_party_t *victim,
			    const sb_party_t *winner, bool gang)
{
	sb_party_t strong = { .node = victim->node, .funded = true,
			      .nodes = gang ? UINT32_MAX : 1,
			      .blocked_wait = gang ? INT64_MAX : 0 };
	sb_party_t weak = { .node = winner->node, .funded = true, .nodes = 1,
			    .requeueable = true };
	sb_verdict_t verdict;

	verdict = sb_policy_may_preempt(&w->params, view(w), &weak, &strong,
					NULL);
	ck_assert_msg(!sb_verdict_may(verdict), "strikes back: %s",
		      sb_verdict_name(verdict));
}

/* With its commitment too, as long as that stays under the bound which
 * policy.h names. */
static void check_bound(world_t *w, const job_t *victim, const job_t *winner,
			const sb_grounds_t *g)
{
	double level = 0, margin = w->params.preempt_margin, commits;
	int32_t place = w->nodes[g->branch_preemptee].fs_parent;

	for (int i = 1; i < w->count; i++)
		if (w->nodes[i].fs_parent == place && w->nodes[i].shares != P)
			level += (double) w->nodes[i].usage +
				 w->nodes[i].committed;
	commits = 0;
	for (int i = 0; i < JOBS; i++)
		if (w->jobs[i].used && w->jobs[i].fresh)
			commits += w->jobs[i].party.gpus * w->jobs[i].granted;
	if (commits > 0.999 * level * margin / (1 - margin))
		return;
	recompute(w, true);
	check_no_return(w, &victim->party, &winner->party, false);
	recompute(w, false);
}

static void remember(world_t *w, const sb_grounds_t *g)
{
	for (int i = 0; i < w->past_count; i++)
		ck_assert_msg(w->past[i].victim != g->branch_preemptor ||
			      w->past[i].winner != g->branch_preemptee,
			      "branches %d and %d evict each other",
			      (int) g->branch_preemptor,
			      (int) g->branch_preemptee);
	if (w->past_count < PAST)
		w->past[w->past_count++] = (past_t) { g->branch_preemptee,
						      g->branch_preemptor };
}

static void try_eviction(world_t *w, job_t *victim, job_t *winner)
{
	sb_grounds_t g;
	sb_verdict_t verdict;

	w->asked++;
	verdict = sb_policy_may_preempt(&w->params, view(w), &victim->party,
					&winner->party, &g);
	ck_assert_msg(sb_verdict_may(verdict) ==
		      rules_allow(w, &victim->party, &winner->party),
		      "the rules disagree with %s", sb_verdict_name(verdict));
	if (!sb_verdict_may(verdict))
		return;
	ck_assert(!victim->party.protected_left);
	w->evictions[verdict]++;
	if (by_ratio(verdict)) {
		check_no_return(w, &victim->party, &winner->party, true);
		remember(w, &g);
	}
	stop(victim);
	start(winner);
	recompute(w, false);
	if (by_ratio(verdict))
		check_no_return(w, &victim->party, &winner->party, true);
	if (verdict == SB_MAY_BUDGET)
		check_bound(w, victim, winner, &g);
}

static void step(world_t *w)
{
	job_t *a = &w->jobs[rng(JOBS)], *b = &w->jobs[rng(JOBS)];
	uint64_t what = rng(40);

	if (what == 0) {
		w->nodes[1 + rng(w->count - 1)].shares = random_shares();
		new_instant(w);
	} else if (what < 3) {
		pass_time(w, 1 + rng(2 * SB_HOUR));
		new_instant(w);
	} else if (what == 3 && a->used && a->running) {
		a->used = false;
		new_instant(w);
	} else if (!a->used) {
		submit(w, a);
		if (rng(2)) {
			start(a);
			new_instant(w);
		}
	} else if (a->running && b->used && !b->running) {
		try_eviction(w, a, b);
	}
}

START_TEST(random_worlds)
{
	static world_t w;

	for (int i = 0; i < STEPS; i++) {
		if (i % WORLD_STEPS == 0)
			new_world(&w);
		step(&w);
	}
	/* It is no proof if nothing happened. */
	ck_assert_int_gt(w.asked, 1000000);
	for (int i = 0; i <= SB_MAY_DEBUG; i++)
		ck_assert_msg(w.evictions[i] > 300, "%s only %ld times",
			      sb_verdict_name(i), w.evictions[i]);
}
END_TEST

/* ---- the margin --------------------------------------------------------- */

#define HOURS (30 * 24)
#define WINDOW (7 * 24)
#define GPUS 16

/* May a user of account `winner` (0 or 1) take a job of the other's? */
static bool takes(const sb_params_t *params, const sb_tree_node_t *nodes,
		  int winner)
{
	sb_party_t v = { .node = 4 - winner, .funded = true, .gpus = 1,
			 .nodes = 1, .requeueable = true };
	sb_party_t p = v;

	p.node = 3 + winner;
	return sb_verdict_may(sb_policy_may_preempt(
		params, (sb_tree_view_t) { nodes, 5 }, &v, &p, NULL));
}

/*
 * Two accounts, 50:50, both with endless 1-GPU jobs of an hour, and a real
 * sliding window in which they took turns by the hour. Every hour each takes
 * what it may. RET: how often the direction turned round in a month.
 */
static int turns(double margin)
{
	sb_params_t params = { .preempt_margin = margin };
	int used[HOURS], first = GPUS, last = -1, turned = 0;
	uint64_t sum = WINDOW / 2 * GPUS;

	for (int hour = 0; hour < HOURS; hour++) {
		sb_tree_node_t n[] = {
			{ .parent = -1 }, { .parent = 0, .shares = 1 },
			{ .parent = 0, .shares = 1 },
			{ .parent = 1, .shares = 1, .user = true,
			  .own_usage = sum },
			{ .parent = 2, .shares = 1, .user = true,
			  .own_usage = WINDOW * GPUS - sum },
		};

		ck_assert(!sb_tree_compute(n, 5, GPUS, 0, NULL, NULL));
		for (int winner = 0; winner < 2; winner++) {
			int wants = winner ? 0 : GPUS;

			if (first == wants || !takes(&params, n, winner))
				continue;
			turned += last == !winner;
			last = winner;
			first = wants;
		}
		used[hour] = first;
		sum += first;
		sum -= hour >= WINDOW ? used[hour - WINDOW] :
		       hour & 1 ? GPUS : 0;
	}
	return turned;
}

START_TEST(margin_stops_turning)
{
	ck_assert_int_gt(turns(0), 100);
	ck_assert_int_lt(turns(0.1), 40);
	ck_assert_int_gt(turns(0.1), 0);	/* but both get their share */
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("eviction");
	Suite *suite = suite_create("eviction");

	rng_state = 20261129;
	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, random_worlds);
	tcase_add_test(tc, margin_stops_turning);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
