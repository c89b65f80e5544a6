/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_order - bands of priorities: bounds, monotone in rank and factors,
 * columns that add up.
 */
#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "order.h"
#include "rng.h"
#include "suite.h"

START_TEST(make)
{
	static const struct {
		uint32_t ranks;
		double max_factors;
		uint32_t want_ranks;
		uint32_t want_band;
		double want_scale;	/* -1: within (0, 1) */
	} t[] = {
		{ 0, 0, 1, 2147483647, 1 },
		{ 1, 0, 1, 2147483647, 1 },
		{ 3, 1000, 3, 1073741823, 1 },
		{ 3, 536870911.5, 3, 1073741823, 1 },
		{ 3, 536870912, 3, 1073741823, -1 },
		{ 3, 2 * 1073741823., 3, 1073741823, 0.25 },
		{ 1000000, 2147, 1000000, 4294, 1 },
		{ 1000000, 2148, 1000000, 4294, -1 },
		{ 1000000, 1e12, 1000000, 4294, 2147e-12 },
		{ 2147483646, 1, 2147483646, 2, 1 },
		{ 2147483647, 1, 2147483647, 1, 0.5 },
		{ UINT32_MAX, 1, 2147483647, 1, 0.5 },
		{ 9, -5, 9, 429496729, 1 },
		{ 9, NAN, 9, 429496729, 1 },
		{ 9, -INFINITY, 9, 429496729, 1 },
		{ 9, DBL_MAX, 9, 429496729, -1 },
		{ UINT32_MAX, INFINITY, 2147483647, 1, -1 },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		sb_order_t o = sb_order_make(t[i].ranks, t[i].max_factors);

		ck_assert_uint_eq(o.ranks, t[i].want_ranks);
		ck_assert_uint_eq(o.band, t[i].want_band);
		ck_assert(o.scale > 0 && o.scale <= 1);
		if (t[i].want_scale < 0)
			ck_assert(o.scale < 1);
		else
			ck_assert_double_eq_tol(o.scale, t[i].want_scale,
						1e-15);
	}
}
END_TEST

START_TEST(bands)
{
	sb_order_t o = sb_order_make(3, 100);

	ck_assert_uint_eq(sb_order_low(&o, 0, true), 1);
	ck_assert_uint_eq(sb_order_low(&o, 2, true), 1);
	ck_assert_uint_eq(sb_order_high(&o, 2, true), 1073741823);
	ck_assert_uint_eq(sb_order_low(&o, 3, false), 1073741824);
	ck_assert_uint_eq(sb_order_high(&o, 3, false), 2147483646);
	ck_assert_uint_eq(sb_order_low(&o, 1, false), 3221225470);
	ck_assert_uint_eq(sb_order_high(&o, 1, false), 4294967292);
	/* Unknown ranks are last, not best. */
	ck_assert_uint_eq(sb_order_low(&o, 0, false), 1073741824);
	ck_assert_uint_eq(sb_order_low(&o, 4, false), 1073741824);
	ck_assert_uint_eq(sb_order_low(&o, UINT32_MAX, false), 1073741824);
	ck_assert_double_eq(sb_order_base(&o, 3, false),
			    1073741824. + 1073741823 / 4);
}
END_TEST

START_TEST(bands_tile_the_range)
{
	static const uint32_t ranks[] = { 1, 2, 3, 7, 1000, 65535, 999999,
					  1000000, 2147483646, 2147483647 };

	for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks); i++) {
		sb_order_t o = sb_order_make(ranks[i], 1e9);
		uint32_t n = ranks[i];

		ck_assert_uint_ge(sb_order_low(&o, n, true), 1);
		ck_assert_uint_eq(sb_order_high(&o, n, true) + 1,
				  sb_order_low(&o, n, false));
		ck_assert_uint_gt(sb_order_high(&o, 1, false),
				  sb_order_low(&o, n, true));
		for (uint32_t r = n; r > 1 && r + 1000 > n; r--)
			ck_assert_uint_eq(sb_order_high(&o, r, false) + 1,
					  sb_order_low(&o, r - 1, false));
	}
}
END_TEST

START_TEST(priorities)
{
	static const struct {
		double factors;
		int64_t offset;
		int64_t want;		/* relative to the band's base */
		int64_t want_clamped;
	} t[] = {
		{ 0, 0, 0, 0 },
		{ 100, 0, 100, 0 },
		{ 99.99, 0, 99, 0 },
		{ 100, 50, 150, 0 },
		{ 100, -150, -50, 0 },
		{ NAN, 5, 5, 0 },
		{ -7, 5, 5, 0 },
		{ INFINITY, 5, 5, 0 },
		{ -INFINITY, 5, 5, 0 },
		{ 0, 322122546, 322122546, 0 },
		{ 0, 322122547, 322122546, -1 },
		{ 0, -107374182, -107374182, 0 },
		{ 0, -107374183, -107374182, 1 },
		{ 0, 2147483648, 322122546, -1825361102 },
		{ 0, -2147483648, -107374182, 2040109466 },
		{ 1000, 2147483648, 322122546, -1825362102 },
		{ 0, INT64_MAX, 322122546, 322122546 - (1LL << 62) },
		{ 0, INT64_MIN, -107374182, (1LL << 62) - 107374182 },
		{ 1e300, 0, 322122546, 322122546 - 1000000000000000 },
	};
	sb_order_t o = sb_order_make(9, 1000);	/* band 429496729 */

	ck_assert_double_eq(o.scale, 1);
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		int64_t clamped = 99, base;
		uint32_t p;

		base = (int64_t) sb_order_base(&o, 4, false);
		p = sb_order_priority(&o, 4, false, t[i].factors, t[i].offset,
				      &clamped);
		ck_assert_int_eq((int64_t) p - base, t[i].want);
		ck_assert_int_eq(clamped, t[i].want_clamped);
		ck_assert_uint_eq(p, sb_order_priority(&o, 4, false,
						       t[i].factors,
						       t[i].offset, NULL));
	}
}
END_TEST

static sb_order_t random_order(double *max_factors)
{
	*max_factors = (double) rng(1ULL << rng(40)) + rng(100) / 100.0;
	return sb_order_make(1 + rng(1ULL << rng(21)), *max_factors);
}

START_TEST(random_priorities)
{
	for (int round = 0; round < 100000; round++) {
		double max, factors, columns;
		sb_order_t o = random_order(&max);
		uint32_t rank = rng(o.ranks + 2ULL), p;
		int64_t offset = (int64_t) rng(1ULL << 32) - (1LL << 31);
		int64_t clamped;
		bool unallocated = !rng(4);

		if (rng(2))
			offset = (int64_t) rng(200) - 100;
		factors = rng(4) ? max * rng(1000) / 999 :
			  (double) rng(1000000000000ULL);
		p = sb_order_priority(&o, rank, unallocated, factors, offset,
				      &clamped);
		ck_assert_uint_ge(p, 1);
		ck_assert_uint_ge(p, sb_order_low(&o, rank, unallocated));
		ck_assert_uint_le(p, sb_order_high(&o, rank, unallocated));
		columns = sb_order_base(&o, rank, unallocated) +
			  o.scale * factors + (double) offset +
			  (double) clamped;
		ck_assert(columns - p > -1e-3 && columns - p < 1 + 1e-3);
		/* Factors in their bound never need to be clamped alone. */
		if (factors <= max)
			ck_assert(offset != 0 || !clamped);
		if (!clamped)
			continue;
		ck_assert(p == sb_order_low(&o, rank, unallocated) ||
			  p == sb_order_high(&o, rank, unallocated));
	}
}
END_TEST

START_TEST(monotone)
{
	for (int round = 0; round < 100000; round++) {
		double max, f1, f2;
		sb_order_t o = random_order(&max);
		uint32_t r1 = 1 + rng(o.ranks), r2 = 1 + rng(o.ranks);
		int64_t o1 = (int64_t) rng(1ULL << 32) - (1LL << 31);
		int64_t o2 = (int64_t) rng(1ULL << 32) - (1LL << 31);

		f1 = (double) rng(1000000000000ULL) * rng(3);
		f2 = (double) rng(1000000000000ULL) * rng(3);
		/* Nothing crosses a rank. */
		if (r1 < r2)
			ck_assert_uint_gt(
				sb_order_priority(&o, r1, false, f1, o1, NULL),
				sb_order_priority(&o, r2, false, f2, o2, NULL));
		ck_assert_uint_gt(
			sb_order_priority(&o, r1, false, f1, o1, NULL),
			sb_order_priority(&o, r2, true, f2, o2, NULL));
		/* More factors, or more offset: never lower. */
		if (f1 <= f2)
			ck_assert_uint_le(
				sb_order_priority(&o, r1, false, f1, o1, NULL),
				sb_order_priority(&o, r1, false, f2, o1, NULL));
		if (o1 <= o2)
			ck_assert_uint_le(
				sb_order_priority(&o, r1, false, f1, o1, NULL),
				sb_order_priority(&o, r1, false, f1, o2, NULL));
	}
}
END_TEST

/* Typical nice and site reach both ways without being clamped, whatever the
 * other factors are. */
START_TEST(room_both_ways)
{
	sb_order_t o = sb_order_make(1000, 5e6);

	for (uint32_t rank = 1; rank <= 1000; rank++) {
		for (double f = 0; f <= 5e6; f += 1e6) {
			int64_t up, down;

			sb_order_priority(&o, rank, false, f, 1000000, &up);
			sb_order_priority(&o, rank, false, f, -1000000, &down);
			ck_assert(!up && !down);
		}
	}
}
END_TEST

START_TEST(fair_share)
{
	sb_order_t o = sb_order_make(4, 0);

	ck_assert_double_eq(sb_order_fair_share(&o, 1), 1);
	ck_assert_double_eq(sb_order_fair_share(&o, 2), 0.75);
	ck_assert_double_eq(sb_order_fair_share(&o, 4), 0.25);
	ck_assert_double_eq(sb_order_fair_share(&o, 0), 0.25);
	ck_assert_double_eq(sb_order_fair_share(&o, 5), 0.25);
	o = sb_order_make(UINT32_MAX, 0);
	ck_assert(sb_order_fair_share(&o, UINT32_MAX) > 0);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("order");
	Suite *suite = suite_create("order");

	rng_state = 20261129;
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, make);
	tcase_add_test(tc, bands);
	tcase_add_test(tc, bands_tile_the_range);
	tcase_add_test(tc, priorities);
	tcase_add_test(tc, random_priorities);
	tcase_add_test(tc, monotone);
	tcase_add_test(tc, room_both_ways);
	tcase_add_test(tc, fair_share);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
