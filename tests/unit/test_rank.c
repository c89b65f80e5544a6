/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_rank - tied ranks: fixtures, and random trees against a naive recursive
 * reference that compares fractions instead of ratios.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rng.h"
#include "suite.h"
#include "tree_case.h"

#define N_MAX 40

/* ---- fixtures ----------------------------------------------------------- */

/* Institute, program, project, researcher: the better branch first at every
 * level, though its researcher r2 alone has used more than anybody. */
START_TEST(four_levels)
{
	node_t n[] = {
		account(-1, 1),
		account(0, 60), account(0, 40),		/* 1, 2 institutes */
		account(1, 50), account(1, 50),		/* 3, 4 of 1 */
		account(2, 1),				/* 5 of 2 */
		account(3, 70), account(3, 30),		/* 6, 7 of 3 */
		account(4, 1), account(5, 1),		/* 8 of 4, 9 of 5 */
		user(6, 1, 10), user(6, 1, 20),		/* 10, 11 */
		user(7, 1, 0),				/* 12 */
		user(8, 1, 25),				/* 13 */
		user(9, 3, 35), user(9, 1, 10),		/* 14, 15 */
	};
	static const uint32_t rank[] = { 1, 1, 5, 2, 1, 5, 3, 2, 1, 5,
					 3, 4, 2, 1, 6, 5 };

	ck_assert_uint_eq(compute(n, 16, 0, 0), 6);
	for (int i = 0; i < 16; i++)
		ck_assert_msg(n[i].rank == rank[i], "node %d has rank %u", i,
			      n[i].rank);
	ck_assert_double_eq_tol(n[7].allocation, 0.6 * 0.5 * 0.3, 1e-12);
	ck_assert_uint_eq(n[1].usage, 55);
}
END_TEST

START_TEST(fresh_cluster_ties)
{
	node_t n[] = { account(-1, 1), account(0, 35), account(0, 20),
		       account(1, 7), user(3, 1, 0), user(2, 5, 0),
		       user(2, 3, 0), user(0, 1, 0) };

	ck_assert_uint_eq(compute(n, 8, 10, 2), 1);
	for (int i = 0; i < 8; i++)
		ck_assert_uint_eq(n[i].rank, 1);
	ck_assert_double_eq(n[1].ratio, 0);
	ck_assert_double_eq(n[1].usage_share, 0);
}
END_TEST

/* u and accounts A, B are tied at 1; A's and B's users are one list. */
START_TEST(user_tied_with_accounts)
{
	node_t n[] = { account(-1, 1),
		       user(0, 10, 10), account(0, 20), account(0, 30),
		       user(2, 1, 4), user(2, 1, 16),	/* 0.4, 1.6 */
		       user(3, 1, 6), user(3, 1, 24),	/* 0.4, 1.6 */
		       account(0, 40), user(8, 1, 41),	/* worse */
		       account(0, 1) };			/* nobody, unused */

	ck_assert_uint_eq(compute(n, 11, 0, 0), 3);
	ck_assert_uint_eq(n[1].rank, 1);
	ck_assert_uint_eq(n[2].rank, 1);
	ck_assert_uint_eq(n[4].rank, 1);
	ck_assert_uint_eq(n[6].rank, 1);
	ck_assert_uint_eq(n[5].rank, 2);
	ck_assert_uint_eq(n[7].rank, 2);
	ck_assert_uint_eq(n[9].rank, 3);
	ck_assert_uint_eq(n[10].rank, 0);
}
END_TEST

/* ---- the naive reference ------------------------------------------------ */

/* Recursive, quadratic, from the definition; no ratio is ever divided. */
typedef unsigned __int128 u128_t;

typedef struct {
	const node_t *n;
	int count;
	bool exact;		/* compare fractions; else the computed ratio */
	uint32_t rank[N_MAX];
} model_t;

static u128_t model_load(const model_t *m, int i)
{
	u128_t sum = (u128_t) m->n[i].own_usage + m->n[i].own_committed;

	for (int c = 0; c < m->count; c++)
		if (m->n[c].parent == i)
			sum += model_load(m, c);
	return sum;
}

static bool model_transparent(const model_t *m, int i)
{
	return !m->n[i].user && m->n[i].shares == P && m->n[i].parent >= 0;
}

static int model_place(const model_t *m, int i)
{
	int up = m->n[i].parent;

	return up >= 0 && model_transparent(m, up) ? model_place(m, up) : up;
}

static bool model_funded(const model_t *m, int i)
{
	int up = model_place(m, i);

	return up < 0 || (m->n[i].shares && model_funded(m, up));
}

/* Smaller sorts first: -1 leads, 0 goes by usage * total shares / shares. */
static int model_class(const model_t *m, int i)
{
	if (!model_funded(m, i))
		return 1;
	return m->n[i].user && m->n[i].shares == P ? -1 : 0;
}

static void model_fraction(const model_t *m, int i, u128_t *num, u128_t *den)
{
	u128_t total = 0, shares = 0;

	for (int c = 0; c < m->count; c++) {
		if (model_place(m, c) != model_place(m, i) ||
		    m->n[c].shares == P)
			continue;
		total += model_load(m, c);
		shares += m->n[c].shares;
	}
	*num = total ? model_load(m, i) * shares : 0;
	*den = total ? total * m->n[i].shares : 1;
}

static int model_cmp(const model_t *m, int a, int b)
{
	int class_a = model_class(m, a), class_b = model_class(m, b);
	u128_t an, ad, bn, bd;

	if (class_a != class_b || class_a)
		return class_a - class_b;
	if (!m->exact)
		return (m->n[a].ratio > m->n[b].ratio) -
		       (m->n[a].ratio < m->n[b].ratio);
	model_fraction(m, a, &an, &ad);
	model_fraction(m, b, &bn, &bd);
	return (an * bd > bn * ad) - (an * bd < bn * ad);
}

/* Rank everybody below a set of accounts; RET: number of ranks given. */
static uint32_t model_rank(model_t *m, const bool *accounts, uint32_t base)
{
	bool todo[N_MAX] = { false };
	uint32_t given = 0;

	for (int i = 0; i < m->count; i++)
		todo[i] = model_place(m, i) >= 0 && !model_transparent(m, i) &&
			  accounts[model_place(m, i)];
	for (;;) {
		bool below[N_MAX] = { false };
		bool users = false;
		uint32_t more;
		int best = -1;

		for (int i = 0; i < m->count; i++)
			if (todo[i] && (best < 0 || model_cmp(m, i, best) < 0))
				best = i;
		if (best < 0)
			return given;
		for (int i = 0; i < m->count; i++) {
			if (!todo[i] || (i != best && model_cmp(m, i, best)))
				continue;
			below[i] = !m->n[i].user;
			if (m->n[i].user) {
				m->rank[i] = base + given + 1;
				users = true;
			}
		}
		for (int i = 0; i < m->count; i++)
			if (m->rank[i] == base + given + 1 || below[i])
				todo[i] = false;
		more = model_rank(m, below, base + given);
		given += users && !more ? 1 : more;
	}
}

/* ---- random trees ------------------------------------------------------- */

static int random_tree(node_t *n, bool small)
{
	int count = 1 + rng(N_MAX);
	bool idle = !rng(8);

	n[0] = account(-1, rng(3));
	for (int i = 1; i < count; i++) {
		int parent;

		do
			parent = rng(i);
		while (n[parent].user);
		n[i] = account(parent, rng(8) ? 1 + rng(small ? 4 : P - 2) : 0);
		n[i].user = rng(5) > 1;
		if (!rng(6))
			n[i].shares = P;
		if (!idle && rng(3))
			n[i].own_usage = rng(small ? 6 : 1ULL << 62);
		if (!idle && !rng(3))
			n[i].own_committed = rng(small ? 3 : 1ULL << 62);
		if (!rng(2))
			n[i].own_running = rng(9) / 4.0 + 0.001;
	}
	return count;
}

static void check_dense(const node_t *n, int count, uint32_t ranks)
{
	bool seen[N_MAX + 1] = { false };

	for (int i = 0; i < count; i++) {
		ck_assert_uint_le(n[i].rank, ranks);
		ck_assert(!n[i].user || n[i].rank);
		seen[n[i].rank] = true;
	}
	for (uint32_t r = 1; r <= ranks; r++)
		ck_assert(seen[r]);
}

static bool is_under(const node_t *n, int i, int top)
{
	while (i >= 0 && i != top)
		i = n[i].fs_parent;
	return i == top;
}

/* All under a strictly better sibling outranks all under the worse. */
static void check_monotone(const model_t *m)
{
	for (int a = 1; a < m->count; a++) {
		for (int b = 1; b < m->count; b++) {
			if (model_place(m, a) != model_place(m, b) ||
			    model_transparent(m, a) ||
			    model_transparent(m, b) || model_cmp(m, a, b) >= 0)
				continue;
			for (int i = 1; i < m->count; i++)
				for (int j = 1; j < m->count; j++)
					if (m->n[i].user && m->n[j].user &&
					    is_under(m->n, i, a) &&
					    is_under(m->n, j, b))
						ck_assert(m->n[i].rank <
							  m->n[j].rank);
		}
	}
}

static void check_against_model(const node_t *n, int count, bool exact)
{
	model_t m = { .n = n, .count = count, .exact = exact };
	bool all[N_MAX] = { false };

	for (int i = 0; i < count; i++)
		all[i] = n[i].parent < 0;
	model_rank(&m, all, 0);
	for (int i = 0; i < count; i++) {
		uint32_t best = 0;

		for (int j = 0; j < count; j++) {
			int up = j;

			while (up >= 0 && up != i)
				up = n[up].parent;
			if (up == i && m.rank[j] &&
			    (!best || m.rank[j] < best))
				best = m.rank[j];
		}
		ck_assert_uint_eq(n[i].rank, best);
		ck_assert_int_eq(n[i].fs_parent, model_place(&m, i));
		ck_assert(n[i].funded == (model_transparent(&m, i) ?
			  n[n[i].fs_parent].funded : model_funded(&m, i)));
	}
	check_monotone(&m);
}

/* The same tree in another order of the array: the same answer per node. */
static void check_permuted(const node_t *n, int count, double cap, double burst,
			   uint32_t ranks)
{
	node_t other[N_MAX];
	int at[N_MAX];

	for (int i = 0; i < count; i++)
		at[i] = i;
	for (int i = count - 1; i > 0; i--) {
		int j = rng(i + 1), t = at[i];

		at[i] = at[j];
		at[j] = t;
	}
	for (int i = 0; i < count; i++) {
		other[at[i]] = n[i];
		other[at[i]].rank = 77;
		if (n[i].parent >= 0)
			other[at[i]].parent = at[n[i].parent];
	}
	ck_assert_uint_eq(compute(other, count, cap, burst), ranks);
	for (int i = 0; i < count; i++) {
		const node_t *o = &other[at[i]];

		ck_assert_uint_eq(o->rank, n[i].rank);
		ck_assert(o->ratio == n[i].ratio &&
			  o->ratio_window == n[i].ratio_window &&
			  o->running == n[i].running &&
			  o->usage == n[i].usage &&
			  o->allocation == n[i].allocation);
	}
}

START_TEST(random_small)
{
	for (int round = 0; round < 1500; round++) {
		node_t n[N_MAX];
		int count = random_tree(n, true);
		uint32_t ranks = compute(n, count, 0, 0);

		check_dense(n, count, ranks);
		check_against_model(n, count, true);
		check_permuted(n, count, 0, 0, ranks);
	}
}
END_TEST

START_TEST(random_large_with_burst)
{
	for (int round = 0; round < 1500; round++) {
		node_t n[N_MAX];
		int count = random_tree(n, round & 1);
		uint32_t ranks = compute(n, count, 4, 2);

		check_dense(n, count, ranks);
		check_against_model(n, count, false);
		check_permuted(n, count, 4, 2, ranks);
	}
}
END_TEST

/* ---- a tree that is kept ------------------------------------------------ */

static void check_same(const node_t *a, const node_t *b, int count)
{
	for (int i = 0; i < count; i++)
		ck_assert_msg(a[i].usage == b[i].usage &&
			      a[i].committed == b[i].committed &&
			      a[i].running == b[i].running &&
			      a[i].budget_share == b[i].budget_share &&
			      a[i].usage_share == b[i].usage_share &&
			      a[i].allocation == b[i].allocation &&
			      a[i].ratio_window == b[i].ratio_window &&
			      a[i].ratio == b[i].ratio &&
			      a[i].funded == b[i].funded &&
			      a[i].fs_parent == b[i].fs_parent &&
			      a[i].rank == b[i].rank, "node %d of %d", i,
			      count);
}

/* Somebody starts, ends, or is charged; now and then all are, or it is undone.
 * Not a number is a number that never equals itself. */
static void disturb(node_t *n, int count, bool small)
{
	int times = rng(6) ? (int) rng(4) : count;

	while (times-- > 0) {
		node_t *node = &n[rng(count)];

		if (rng(2))
			node->own_usage = rng(small ? 6 : 1ULL << 62);
		if (!rng(3))
			node->own_committed = rng(small ? 3 : 1ULL << 62);
		if (!rng(3))
			node->own_running = rng(3) ? rng(9) / 4.0 : 0;
		if (!rng(40))
			node->own_running = NAN;
	}
}

/* Updates say what a computation from the start says. */
START_TEST(kept_is_computed)
{
	static const double capacities[] = { 4, 4, 4, 0, 40, INFINITY, NAN };
	static const double bursts[] = { 2, 2, 2, 0, 1, NAN };

	for (int round = 0; round < 600; round++) {
		node_t n[N_MAX], other[N_MAX];
		int count = random_tree(n, round & 1);
		double cap = 4, burst = 2;
		sb_tree_t *tree = sb_tree_create(n, count, NULL);

		ck_assert_ptr_nonnull(tree);
		for (int i = 0; i < 30; i++) {
			uint32_t ranks = sb_tree_update(tree, cap, burst);

			memcpy(other, n, sizeof(other));
			for (int j = 0; j < count; j++)
				other[j] = (node_t) {
					.parent = n[j].parent,
					.shares = n[j].shares,
					.user = n[j].user,
					.own_usage = n[j].own_usage,
					.own_committed = n[j].own_committed,
					.own_running = n[j].own_running,
				};
			ck_assert_uint_eq(compute(other, count, cap, burst),
					  ranks);
			check_same(n, other, count);
			disturb(n, count, round & 1);
			if (!rng(4))
				cap = capacities[rng(7)];
			if (!rng(4))
				burst = bursts[rng(6)];
		}
		sb_tree_destroy(tree);
	}
}
END_TEST

/* Long lists, in order, in the wrong order, and in none. */
START_TEST(kept_and_large)
{
	const int count = 3000;
	node_t *n = calloc(count, sizeof(*n));
	sb_tree_t *tree;

	ck_assert_ptr_nonnull(n);
	n[0] = account(-1, 1);
	for (int i = 1; i < count; i++)
		n[i] = user(0, 1, i);
	tree = sb_tree_create(n, count, NULL);
	ck_assert_ptr_nonnull(tree);
	ck_assert_uint_eq(sb_tree_update(tree, 0, 0), count - 1);
	for (int i = 1; i < count; i++) {
		ck_assert_uint_eq(n[i].rank, i);
		n[i].own_usage = count - i;
	}
	ck_assert_uint_eq(sb_tree_update(tree, 0, 0), count - 1);
	for (int i = 1; i < count; i++)
		ck_assert_uint_eq(n[i].rank, count - i);
	n[1].own_usage = 0;
	ck_assert_uint_eq(sb_tree_update(tree, 0, 0), count - 1);
	ck_assert_uint_eq(n[1].rank, 1);
	ck_assert_uint_eq(n[count - 1].rank, 2);
	for (int i = 1; i < count; i++)
		n[i].own_usage = rng(1 << 20);
	sb_tree_update(tree, 0, 0);
	for (int i = 2; i < count; i++)
		ck_assert((n[i].rank < n[i - 1].rank) ==
			  (n[i].own_usage < n[i - 1].own_usage));
	sb_tree_destroy(tree);
	free(n);
}
END_TEST

/* Two accounts stay tied while their users change places with those of the
 * other: in each list alone nothing is another. */
START_TEST(kept_and_tied)
{
	node_t n[] = { account(-1, 1), account(0, 1), account(0, 1),
		       user(1, 1, 20), user(1, 1, 40),
		       user(2, 1, 10), user(2, 1, 50) };
	static const uint32_t before[] = { 1, 2, 1, 2, 3, 1, 4 };
	static const uint32_t after[] = { 1, 1, 2, 1, 4, 2, 3 };
	sb_tree_t *tree = sb_tree_create(n, 7, NULL);

	ck_assert_ptr_nonnull(tree);
	ck_assert_uint_eq(sb_tree_update(tree, 0, 0), 4);
	for (int i = 0; i < 7; i++)
		ck_assert_uint_eq(n[i].rank, before[i]);
	n[3].own_usage = 10;
	n[4].own_usage = 50;
	n[5].own_usage = 20;
	n[6].own_usage = 40;
	ck_assert_uint_eq(sb_tree_update(tree, 0, 0), 4);
	for (int i = 0; i < 7; i++)
		ck_assert_uint_eq(n[i].rank, after[i]);
	sb_tree_destroy(tree);
}
END_TEST

START_TEST(kept_bounds)
{
	node_t n[] = { account(-1, 1), account(1, 1) };
	sb_err_t err = { "" };

	ck_assert_ptr_null(sb_tree_create(NULL, 1, NULL));
	ck_assert_ptr_null(sb_tree_create(n, 0, &err));
	ck_assert_str_eq(err.text, "no associations");
	ck_assert_ptr_null(sb_tree_create(n, 2, &err));
	ck_assert_str_ne(err.text, "no associations");
	sb_tree_destroy(NULL);
}
END_TEST

/* Quadratic copying of merged lists would take minutes. */
START_TEST(large_and_tied)
{
	const int count = 200000;
	node_t *n = calloc(count, sizeof(*n));

	ck_assert_ptr_nonnull(n);
	n[0] = account(-1, 1);
	for (int i = 1; i < count; i++) {
		/* A comb: every account has a user and an account. */
		int parent = i < 250 ? i - 1 : (int) rng(250);

		n[i] = i < 250 ? account(parent, 1) : user(parent, 1, 0);
	}
	ck_assert_uint_eq(compute(n, count, 4, 2), 1);
	for (int i = 1; i < count; i++)
		n[i].parent = 0;
	ck_assert_uint_eq(compute(n, count, 4, 2), 1);
	for (int i = 250; i < count; i++)
		n[i].own_usage = i;
	ck_assert_uint_eq(compute(n, count, 4, 2), count - 250);
	ck_assert_uint_eq(n[count - 1].rank, count - 250);
	free(n);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("rank");
	Suite *suite = suite_create("rank");

	rng_state = 20261129;
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, four_levels);
	tcase_add_test(tc, fresh_cluster_ties);
	tcase_add_test(tc, user_tied_with_accounts);
	tcase_add_test(tc, random_small);
	tcase_add_test(tc, random_large_with_burst);
	tcase_add_test(tc, kept_bounds);
	tcase_add_test(tc, kept_and_tied);
	tcase_add_test(tc, kept_is_computed);
	tcase_add_test(tc, kept_and_large);
	tcase_add_test(tc, large_and_tied);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
