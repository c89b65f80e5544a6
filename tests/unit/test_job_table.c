/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_job_table - against a plain array that cannot be wrong; the order of
 * rows; what a sweep leaves.
 */
#include <check.h>
#include <stdlib.h>

#include "job_table.h"
#include "rng.h"
#include "suite.h"

#define IDS 20000
#define STEPS 200000

typedef struct {
	uint32_t job_id;
	uint32_t seen;
	uint64_t value;
} row_t;

static bool stays(const void *row, uint32_t seen)
{
	return ((const row_t *) row)->seen == seen;
}

START_TEST(empty)
{
	sb_job_table_t table = SB_JOB_TABLE(row_t);

	ck_assert_ptr_null(sb_job_table_find(&table, 0));
	ck_assert_ptr_null(sb_job_table_find(&table, 1));
	ck_assert_ptr_null(sb_job_table_add(&table, 0));
	sb_job_table_sweep(&table, stays, 1);
	sb_job_table_clear(&table);
	sb_job_table_free(&table);
	sb_job_table_free(&table);
	ck_assert_uint_eq(table.width, sizeof(row_t));
}
END_TEST

START_TEST(bounds)
{
	static const uint32_t ids[] = { 1, UINT32_MAX, UINT32_MAX - 1, 2 };
	sb_job_table_t table = SB_JOB_TABLE(row_t);

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		row_t *row = sb_job_table_add(&table, ids[i]);

		ck_assert_ptr_nonnull(row);
		ck_assert_uint_eq(row->job_id, ids[i]);
		ck_assert_uint_eq(row->value, 0);
		row->value = ids[i];
		ck_assert_ptr_eq(sb_job_table_add(&table, ids[i]), row);
		ck_assert_ptr_eq(sb_job_table_row(&table, i), row);
	}
	ck_assert_uint_eq(table.used, sizeof(ids) / sizeof(*ids));
	ck_assert_uint_eq((uintptr_t) table.rows % 64, 0);
	sb_job_table_clear(&table);
	ck_assert_ptr_null(sb_job_table_find(&table, 1));
	/* What stood there before does not shine through. */
	ck_assert_uint_eq(((row_t *) sb_job_table_add(&table, 2))->value, 0);
	sb_job_table_free(&table);
}
END_TEST

/* All rows are those of the array, in the order in which they came. */
static void compare(const sb_job_table_t *table, const row_t *array,
		    const uint32_t *order, size_t count)
{
	ck_assert_uint_eq(table->used, count);
	for (size_t i = 0; i < count; i++) {
		const row_t *row = sb_job_table_row(table, i);

		ck_assert_uint_eq(row->job_id, order[i]);
		ck_assert_uint_eq(row->value, array[order[i]].value);
		ck_assert_ptr_eq(sb_job_table_find(table, order[i]), row);
	}
}

/* The same sweep of the array. RET: how many are left in order. */
static size_t sweep(row_t *array, uint32_t *order, size_t count, uint32_t seen)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		if (array[order[i]].seen == seen)
			order[left++] = order[i];
		else
			array[order[i]] = (row_t) { 0 };
	}
	return left;
}

START_TEST(as_an_array)
{
	sb_job_table_t table = SB_JOB_TABLE(row_t);
	row_t *array = calloc(IDS, sizeof(*array));
	uint32_t *order = calloc(IDS, sizeof(*order)), seen = 1;
	size_t count = 0, sweeps = 0;

	ck_assert_ptr_nonnull(array);
	ck_assert_ptr_nonnull(order);
	for (int step = 0; step < STEPS; step++) {
		uint32_t id = 1 + (uint32_t) rng(IDS - 1);
		row_t *row = sb_job_table_add(&table, id);

		ck_assert_ptr_nonnull(row);
		ck_assert_uint_eq(row->value, array[id].value);
		if (!array[id].value)
			order[count++] = id;
		array[id].seen = row->seen = seen;
		array[id].value = row->value = step + 1;
		if ((uint32_t) rng(STEPS / 20))
			continue;
		sb_job_table_sweep(&table, stays, seen);
		if (table.used < count) {
			count = sweep(array, order, count, seen);
			sweeps++;
		}
		compare(&table, array, order, count);
		seen++;
	}
	ck_assert_uint_gt(sweeps, 3);
	compare(&table, array, order, count);
	sb_job_table_free(&table);
	free(order);
	free(array);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("job_table");
	TCase *tcase = tcase_create("job_table");

	tcase_add_test(tcase, empty);
	tcase_add_test(tcase, bounds);
	tcase_add_test(tcase, as_an_array);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
