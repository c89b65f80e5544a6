/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_tree - sums, shares, ratios and branches of the budget tree. The order
 * of ranks has its own program, test_rank.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rng.h"
#include "suite.h"
#include "tree_case.h"


/* ---- bad input ---------------------------------------------------------- */

START_TEST(bad_trees)
{
	static const struct {
		const char *what;
		const char *says;
		size_t count;
		node_t n[4];
	} t[] = {
		{ "empty", "no associations", 0, { { 0 } } },
		{ "no root", "no root", 1, { { .parent = 0 } } },
		{ "two roots", "roots", 2, { { .parent = -1 },
					     { .parent = -1 } } },
		{ "user root", "user", 1, { { .parent = -1, .user = true } } },
		{ "parent below range", "parent -2", 2,
		  { { .parent = -1 }, { .parent = -2 } } },
		{ "parent above range", "parent 2", 2,
		  { { .parent = -1 }, { .parent = 2 } } },
		{ "parent far out", "parent", 2,
		  { { .parent = -1 }, { .parent = INT32_MAX } } },
		{ "own parent", "cycle", 2, { { .parent = -1 },
					      { .parent = 1 } } },
		{ "cycle of two, one below", "3 associations", 4,
		  { { .parent = -1 }, { .parent = 2 }, { .parent = 1 },
		    { .parent = 2 } } },
		{ "below a user", "below user", 3,
		  { { .parent = -1 }, { .parent = 0, .user = true },
		    { .parent = 1, .user = true } } },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		node_t n[4];
		sb_err_t err = { "" };

		memcpy(n, t[i].n, sizeof(n));
		ck_assert_msg(sb_tree_compute(n, t[i].count, 8, 2, NULL,
					      &err) == -1, "%s", t[i].what);
		ck_assert_msg(strstr(err.text, t[i].says) != NULL, "%s: %s",
			      t[i].what, err.text);
		ck_assert_int_eq(sb_tree_compute(n, t[i].count, 8, 2, NULL,
						 NULL), -1);
	}
	ck_assert_int_eq(sb_tree_compute(NULL, 3, 8, 2, NULL, NULL), -1);
}
END_TEST

START_TEST(depth_bound)
{
	node_t n[SB_TREE_DEPTH_MAX + 2] = { account(-1, 1) };
	uint32_t ranks = 0;
	int32_t a, b;
	int last;

	for (last = 1; last <= SB_TREE_DEPTH_MAX; last++)
		n[last] = account(last - 1, 1);
	last--;
	n[last] = user(last - 1, 1, 5);
	ck_assert_int_eq(sb_tree_compute(n, last + 1, 0, 0, &ranks, NULL), 0);
	ck_assert_uint_eq(ranks, 1);
	ck_assert_uint_eq(n[0].rank, 1);
	ck_assert_uint_eq(n[0].usage, 5);
	ck_assert(!sb_tree_branches(n, last, 0, &a, &b));

	n[last] = account(last - 1, 1);
	n[last + 1] = user(last, 1, 5);
	ck_assert_int_eq(sb_tree_compute(n, last + 2, 0, 0, &ranks, NULL), -1);
}
END_TEST

/* ---- fixtures ----------------------------------------------------------- */

START_TEST(three_projects)
{
	node_t n[] = { account(-1, 1), account(0, 35), account(0, 20),
		       account(0, 45), user(1, 1, 28), user(2, 1, 25),
		       user(3, 1, 47) };

	ck_assert_uint_eq(compute(n, 7, 100, 0), 3);
	ck_assert_double_eq_tol(n[1].ratio, 0.800, 1e-12);
	ck_assert_double_eq_tol(n[2].ratio, 1.250, 1e-12);
	ck_assert_double_eq_tol(n[3].ratio, 1.0444, 1e-4);
	ck_assert_uint_eq(n[4].rank, 1);
	ck_assert_uint_eq(n[6].rank, 2);
	ck_assert_uint_eq(n[5].rank, 3);
	ck_assert_double_eq_tol(n[5].allocation, 0.20, 1e-12);
	ck_assert_double_eq_tol(n[2].usage_share, 0.25, 1e-12);
	ck_assert(n[0].funded && n[0].ratio == 1 && n[0].allocation == 1);
	ck_assert_int_eq(n[0].fs_parent, SB_NO_PARENT);
}
END_TEST

START_TEST(unfunded_is_last_and_one_tie)
{
	node_t n[] = { account(-1, 1),
		       account(0, 5), user(1, 1, 1000),
		       account(0, 0), user(3, 9, 0), user(3, P, 3),
		       account(3, 4), user(6, 2, 8),
		       user(0, 0, 0), account(0, 1), user(9, 1, 0) };

	ck_assert_uint_eq(compute(n, 11, 5, 2), 3);
	ck_assert_uint_eq(n[10].rank, 1);
	ck_assert_uint_eq(n[2].rank, 2);
	for (int i = 3; i <= 8; i++) {
		ck_assert_uint_eq(n[i].rank, 3);
		ck_assert(!n[i].funded && n[i].allocation == 0);
		ck_assert_double_eq(n[i].ratio, SB_RATIO_UNFUNDED);
		ck_assert_double_eq(n[i].ratio_window, SB_RATIO_UNFUNDED);
	}
}
END_TEST

START_TEST(all_shares_zero)
{
	node_t n[] = { account(-1, 1), user(0, 0, 1), user(0, 0, 2) };

	ck_assert_uint_eq(compute(n, 3, 5, 2), 1);
	ck_assert(!n[1].funded && !n[2].funded && n[0].funded);
	ck_assert_double_eq(n[1].budget_share, 0);
	ck_assert_double_eq_tol(n[2].usage_share, 2 / 3.0, 1e-15);
}
END_TEST

/* 2 is transparent: 3 and 4 compete with 1. Its deleted users' 100 count for
 * the root only. */
START_TEST(transparent_account)
{
	node_t n[] = { account(-1, 1), user(0, 2, 30), account(0, P),
		       user(2, 1, 5), user(2, 1, 25), account(2, P),
		       user(5, 1, 10) };

	n[2].own_usage = 100;
	ck_assert_uint_eq(compute(n, 7, 0, 0), 4);
	ck_assert_uint_eq(n[3].rank, 1);	/* (5 / 70) / (1 / 5) */
	ck_assert_uint_eq(n[6].rank, 2);
	ck_assert_uint_eq(n[1].rank, 3);
	ck_assert_uint_eq(n[4].rank, 4);
	ck_assert_uint_eq(n[2].rank, 1);
	ck_assert_uint_eq(n[5].rank, 2);
	ck_assert_uint_eq(n[2].usage, 140);
	ck_assert_int_eq(n[6].fs_parent, 0);
	ck_assert_double_eq_tol(n[3].ratio, 25 / 70.0, 1e-15);
	ck_assert_double_eq(n[2].ratio, n[0].ratio);
}
END_TEST

/* Users with Fairshare=parent lead their account and use up nothing there. */
START_TEST(parent_users)
{
	node_t n[] = { account(-1, 1), account(0, 1), account(0, 3),
		       user(1, P, 50), user(1, P, 0), user(1, 1, 0),
		       user(1, 1, 10), user(2, 1, 40) };

	n[3].own_running = 4;
	ck_assert_uint_eq(compute(n, 8, 16, 2), 4);
	ck_assert_uint_eq(n[7].rank, 1);
	ck_assert_uint_eq(n[3].rank, 2);
	ck_assert_uint_eq(n[4].rank, 2);
	ck_assert_uint_eq(n[5].rank, 3);
	ck_assert_uint_eq(n[6].rank, 4);
	ck_assert_double_eq(n[3].ratio, n[1].ratio);
	ck_assert_double_eq(n[4].budget_share, 0.25);
	ck_assert_double_eq(n[4].usage_share, 0.6);
	ck_assert_double_eq(n[4].allocation, 0.25);
	ck_assert_double_eq(n[5].budget_share, 0.5);
	ck_assert_double_eq(n[6].ratio, 2);
	ck_assert_uint_eq(n[3].usage, 50);
}
END_TEST

START_TEST(commitment_and_burst)
{
	node_t n[] = { account(-1, 1), account(0, 1), account(0, 3),
		       user(1, 1, 10), user(2, 1, 10) };

	n[4].own_committed = 20;
	n[3].own_running = 12;
	ck_assert_uint_eq(compute(n, 5, 16, 2), 2);
	ck_assert_double_eq(n[1].ratio_window, 1);
	ck_assert_double_eq(n[2].ratio_window, 1);
	ck_assert_uint_eq(n[0].committed, 20);
	ck_assert_double_eq(n[1].ratio, 1.5);	/* 12 / (2 x 0.25 x 16) */
	ck_assert_double_eq(n[0].running, 12);
	ck_assert_uint_eq(n[4].rank, 1);
	ck_assert_uint_eq(n[3].rank, 2);
	n[4].own_running = 0.0016;		/* thousandths count */
	compute(n, 5, 16, 2);
	ck_assert_double_eq(n[2].running, 0.002);
	n[4].own_running = 0;
	/* Off: a tie again. */
	ck_assert_uint_eq(compute(n, 5, 16, 0), 1);
	ck_assert_uint_eq(compute(n, 5, 0, 2), 1);
	ck_assert_uint_eq(compute(n, 5, NAN, 2), 1);
	ck_assert_uint_eq(compute(n, 5, INFINITY, 2), 1);
	ck_assert_uint_eq(compute(n, 5, 16, NAN), 1);
}
END_TEST

/* a x b x c and c x a x b are not always the same double. */
START_TEST(burst_ties_across_paths)
{
	for (int round = 0; round < 2000; round++) {
		uint32_t f[] = { 1 + rng(99), 1 + rng(99), 1 + rng(99) };
		node_t n[14] = { account(-1, 1), account(0, 300) };

		for (int i = 0; i < 3; i++) {
			uint32_t x = f[i], y = f[(i + 2) % 3];

			/* Each level: the path's account and its rest. */
			n[2 + i] = account(i ? 1 + i : 0, i ? x : 3 * x);
			n[5 + i] = account(i ? 4 + i : 0, i ? y : 3 * y);
			n[8 + i] = account(i ? 1 + i : 1, 100 - x);
			n[11 + i] = account(i ? 4 + i : 1, 100 - y);
		}
		n[1].shares = 900 - n[2].shares - n[5].shares;
		n[4].own_running = n[7].own_running = 1.7;
		compute(n, 14, 7, 2);
		ck_assert(n[4].ratio > 0 && n[4].ratio == n[7].ratio);
	}
}
END_TEST

START_TEST(hostile_numbers)
{
	static const double running[] = { NAN, -1, INFINITY, -INFINITY, 1e300,
					  1e-300, 0 };
	node_t n[9] = { account(-1, 7), account(0, P - 1) };

	for (int i = 0; i < 7; i++) {
		n[2 + i] = user(i & 1, P - 1 - (i & 1), UINT64_MAX);
		n[2 + i].own_committed = UINT64_MAX - i;
		n[2 + i].own_running = running[i];
	}
	n[8].own_usage = n[8].own_committed = 0;
	n[7].shares = 1;
	compute(n, 9, 1e-300, 1);
	ck_assert_double_eq(n[2].running, 0);
	ck_assert_double_eq(n[3].running, 0);
	ck_assert_double_eq(n[4].running, 1e12);
	ck_assert_double_eq(n[7].running, 0);
	for (int i = 0; i < 9; i++) {
		ck_assert(isfinite(n[i].ratio) && isfinite(n[i].running));
		ck_assert(n[i].ratio <= SB_RATIO_MAX && n[i].ratio >= 0);
		ck_assert(n[i].usage <= SB_USAGE_MAX);
		ck_assert(n[i].budget_share <= 1 && n[i].usage_share <= 1);
	}
	compute(n, 9, 1e300, 1e300);
	ck_assert_double_eq(n[8].ratio, 0);
	ck_assert_uint_eq(n[0].usage, SB_USAGE_MAX);
}
END_TEST

/* Multiples of one fraction tie exactly, small or near the bounds. */
START_TEST(exact_ties)
{
	node_t n[60];

	for (int round = 0; round < 2000; round++) {
		uint64_t scale = 1 + rng(1ULL << rng(30));

		n[0] = account(-1, 1);
		for (int i = 1; i < 60; i++) {
			uint32_t s = 1 + rng(1ULL << rng(32));

			n[i] = user(0, s, (uint64_t) s * scale);
			if (i > 40)
				n[i].own_committed = n[i].own_usage;
		}
		ck_assert_uint_eq(compute(n, 60, 0, 0), 2);
		ck_assert(n[1].ratio < n[59].ratio);
		ck_assert(n[1].ratio == n[40].ratio);
	}
}
END_TEST

/* One point of usage near the middle of 53 bits still makes a difference;
 * quotients agree with long double. */
START_TEST(exact_ratios)
{
	for (int round = 0; round < 20000; round++) {
		uint64_t a = rng(1ULL << rng(63)), b = rng(1ULL << rng(63));
		uint32_t s = 1 + rng(1ULL << rng(32));
		uint32_t t = 1 + rng(1ULL << rng(32));
		node_t n[] = { account(-1, 1), user(0, s, a), user(0, t, b) };
		long double want = 0;

		if (s == P || t == P)
			continue;
		compute(n, 3, 0, 0);
		if (a + b)
			want = (long double) a / ((long double) a + b) *
			       ((long double) s + t) / s;
		if (want > SB_RATIO_MAX)
			want = SB_RATIO_MAX;
		ck_assert(fabsl(n[1].ratio - want) <= want * 0x1p-52L);
	}
	for (uint64_t u = 1ULL << 50; u < (1ULL << 50) + 1000; u++) {
		node_t n[] = { account(-1, 1), user(0, 1, u),
			       user(0, 1, u + 1) };

		ck_assert_uint_eq(compute(n, 3, 0, 0), 2);
		ck_assert_uint_eq(n[1].rank, 1);
	}
}
END_TEST

/* 0 root; 1, 2 accounts; 3 transparent in 1, user 4 in 3; 5 a user of 1;
 * 6 account in 2 with user 7; 8 a user of the root. */
START_TEST(branches)
{
	node_t n[] = { account(-1, 1), account(0, 1), account(0, 1),
		       account(1, P), user(3, 1, 0), user(1, 1, 0),
		       account(2, 1), user(6, 1, 0), user(0, 1, 0) };
	static const struct {
		int32_t a, b, want_a, want_b;	/* -1: none */
	} t[] = {
		{ 4, 7, 1, 2 }, { 7, 4, 2, 1 }, { 4, 5, 4, 5 },
		{ 5, 6, 1, 2 }, { 8, 7, 8, 2 }, { 4, 8, 1, 8 },
		{ 1, 2, 1, 2 }, { 3, 7, 1, 2 }, { 6, 5, 2, 1 },
		{ 4, 4, -1, -1 }, { 4, 1, -1, -1 }, { 0, 7, -1, -1 },
		{ 7, 2, -1, -1 }, { 3, 4, -1, -1 }, { 3, 5, -1, -1 },
		{ -1, 4, -1, -1 }, { 4, -1, -1, -1 }, { 0, 0, -1, -1 },
	};

	compute(n, 9, 0, 0);
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		int32_t a = -1, b = -1;

		ck_assert_int_eq(sb_tree_branches(n, t[i].a, t[i].b, &a, &b),
				 t[i].want_a >= 0);
		ck_assert_int_eq(a, t[i].want_a);
		ck_assert_int_eq(b, t[i].want_b);
	}
	ck_assert(!sb_tree_branches(NULL, 0, 1, &n[0].parent, &n[0].parent));
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("tree");
	Suite *suite = suite_create("tree");

	rng_state = 20261129;
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, bad_trees);
	tcase_add_test(tc, depth_bound);
	tcase_add_test(tc, three_projects);
	tcase_add_test(tc, unfunded_is_last_and_one_tie);
	tcase_add_test(tc, all_shares_zero);
	tcase_add_test(tc, transparent_account);
	tcase_add_test(tc, parent_users);
	tcase_add_test(tc, commitment_and_burst);
	tcase_add_test(tc, burst_ties_across_paths);
	tcase_add_test(tc, hostile_numbers);
	tcase_add_test(tc, exact_ties);
	tcase_add_test(tc, exact_ratios);
	tcase_add_test(tc, branches);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
