/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_cells - nothing, bounds, and against plain arrays that cannot be wrong.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "rng.h"
#include "suite.h"

#define KEYS 3000
#define STEPS 100000
#define WIDTH 3

START_TEST(empty)
{
	sb_cells_t cells = { .width = WIDTH }, none = { 0 };

	ck_assert_ptr_null(sb_cells_find(&cells, 0));
	ck_assert_ptr_null(sb_cells_find(&cells, 1));
	ck_assert_ptr_null(sb_cells_add(&cells, 0));
	ck_assert_ptr_null(sb_cells_add(&none, 1));
	sb_cells_free(&cells);
	sb_cells_free(&cells);
	ck_assert_uint_eq(cells.width, WIDTH);
}
END_TEST

START_TEST(bounds)
{
	static const uint64_t keys[] = {
		1, UINT32_MAX, 1ULL << 32, (1ULL << 32) | 1, UINT64_MAX,
	};
	const size_t count = sizeof(keys) / sizeof(*keys);
	sb_cells_t cells = { .width = WIDTH };

	for (size_t i = 0; i < count; i++) {
		uint64_t *sums = sb_cells_add(&cells, keys[i]);

		ck_assert_ptr_nonnull(sums);
		for (int n = 0; n < WIDTH; n++)
			ck_assert_uint_eq(sums[n], 0);
		sums[WIDTH - 1] = keys[i];
		ck_assert_ptr_eq(sb_cells_add(&cells, keys[i]), sums);
	}
	ck_assert_uint_eq(cells.used, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(sb_cells_find(&cells, keys[i])[WIDTH - 1],
				  keys[i]);
	ck_assert_ptr_null(sb_cells_find(&cells, 2));
	sb_cells_free(&cells);
	ck_assert_ptr_null(sb_cells_find(&cells, 1));
}
END_TEST

/* Too many sums for an address: refused, not too little memory taken. */
START_TEST(too_wide)
{
	sb_cells_t cells = { .width = SIZE_MAX / 1024 };

	ck_assert_ptr_null(sb_cells_add(&cells, 1));
	ck_assert_uint_eq(cells.used, 0);
	sb_cells_free(&cells);
}
END_TEST

/* Ids from 1, and addresses. */
static uint64_t key_of(size_t i)
{
	return (i & 1) ? i : 0x8000555500000000ULL + i * 32;
}

START_TEST(random_steps)
{
	static uint64_t plain[KEYS][WIDTH];
	static int present[KEYS];
	sb_cells_t cells = { .width = WIDTH };
	size_t count = 0;

	rng_state = 7;
	for (int step = 0; step < STEPS; step++) {
		size_t i = 1 + rng(KEYS - 1);
		int n = (int) rng(WIDTH);
		uint64_t *sums = sb_cells_find(&cells, key_of(i));

		ck_assert_int_eq(sums != NULL, present[i]);
		if (sums)
			ck_assert_mem_eq(sums, plain[i], sizeof(plain[i]));
		sums = sb_cells_add(&cells, key_of(i));
		ck_assert_ptr_nonnull(sums);
		count += !present[i];
		present[i] = 1;
		sums[n] += (uint64_t) step;
		plain[i][n] += (uint64_t) step;
	}
	ck_assert_uint_eq(cells.used, count);
	for (size_t i = 1; i < KEYS; i++) {
		if (present[i])
			ck_assert_mem_eq(sb_cells_find(&cells, key_of(i)),
					 plain[i], sizeof(plain[i]));
	}
	sb_cells_free(&cells);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cells");
	TCase *tcase = tcase_create("cells");

	tcase_add_test(tcase, empty);
	tcase_add_test(tcase, bounds);
	tcase_add_test(tcase, too_wide);
	tcase_add_test(tcase, random_steps);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
