/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_nth - the n-th smallest of many is the n-th of them sorted.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "nth.h"
#include "rng.h"
#include "suite.h"

#define MOST 40

static int value_cmp(const void *a, const void *b)
{
	int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

	return (x > y) - (x < y);
}

START_TEST(nth_bounds)
{
	int64_t one[] = { 7 };
	int64_t ends[] = { INT64_MAX, INT64_MIN, 0, INT64_MAX };

	ck_assert_int_eq(nth_smallest(one, 1, 0), 7);
	ck_assert_int_eq(nth_smallest(ends, 4, 0), INT64_MIN);
	ck_assert_int_eq(nth_smallest(ends, 4, 1), 0);
	ck_assert_int_eq(nth_smallest(ends, 4, 3), INT64_MAX);
}
END_TEST

/* Few different values, and many; in order, and not. */
START_TEST(nth_sorted)
{
	int64_t values[MOST], sorted[MOST];
	uint32_t count;

	rng_state = (uint64_t) _i;
	count = 1 + (uint32_t) rng(MOST);
	for (uint32_t i = 0; i < count; i++)
		values[i] = (int64_t) rng(_i % 2 ? 3 : 1000) - 1;
	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), value_cmp);
	if (_i % 5 == 0)
		memcpy(values, sorted, count * sizeof(*values));
	for (uint32_t i = 0; i < count; i++)
		ck_assert_int_eq(nth_smallest(values, count, i), sorted[i]);
	/* They are the same, in another order. */
	qsort(values, count, sizeof(*values), value_cmp);
	ck_assert_mem_eq(values, sorted, count * sizeof(*values));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("nth");
	TCase *tcase = tcase_create("nth");

	tcase_add_test(tcase, nth_bounds);
	tcase_add_loop_test(tcase, nth_sorted, 0, 400);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
