/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_attempts - the tables of a ledger, and the map that finds their rows,
 * against plain arrays: what was put is found, nothing else, whatever was taken
 * away before.
 */
#include <check.h>
#include <stdlib.h>

#include "attempts.h"
#include "charge.h"
#include "idmap.h"
#include "rng.h"
#include "suite.h"

/* ---- idmap -------------------------------------------------------------- */

#define IDS 3000	/* below 2^12: see id_of() */
#define DEEDS 60000

/* How ids are spread: in a row, all with the same lower bits, from the end of
 * the range downwards (through 0). */
static uint32_t id_of(int spread, uint32_t n)
{
	return spread == 0 ? n : spread == 1 ? n << 20 : UINT32_MAX - n;
}

START_TEST(map)
{
	uint32_t want[IDS], count = 0;
	sb_idmap_t map = { 0 };

	rng_state = _i + 1;
	for (uint32_t n = 0; n < IDS; n++)
		want[n] = SB_IDMAP_NONE;
	ck_assert_uint_eq(sb_idmap_find(&map, 0), SB_IDMAP_NONE);
	sb_idmap_remove(&map, 1);
	for (uint32_t i = 0; i < DEEDS; i++) {
		uint32_t n = rng(IDS), id = id_of(_i, n);

		count -= want[n] != SB_IDMAP_NONE;
		if (rng(2)) {
			want[n] = i;
			ck_assert_int_eq(sb_idmap_reserve(&map, count + 1), 0);
			sb_idmap_put(&map, id, i);
		} else {
			want[n] = SB_IDMAP_NONE;
			sb_idmap_remove(&map, id);
		}
		count += want[n] != SB_IDMAP_NONE;
		ck_assert_uint_eq(map.count, count);
		n = rng(IDS);
		ck_assert_uint_eq(sb_idmap_find(&map, id_of(_i, n)), want[n]);
	}
	for (uint32_t n = 0; n < IDS; n++)
		ck_assert_uint_eq(sb_idmap_find(&map, id_of(_i, n)), want[n]);
	sb_idmap_free(&map);
	ck_assert_uint_eq(sb_idmap_find(&map, 1), SB_IDMAP_NONE);
}
END_TEST

START_TEST(map_is_full)
{
	sb_idmap_t map = { 0 };

	ck_assert_int_eq(sb_idmap_reserve(&map, SIZE_MAX), -1);
	ck_assert_int_eq(sb_idmap_reserve(&map, (size_t) 1 << 31), -1);
	ck_assert_ptr_null(map.slots);
}
END_TEST

/* ---- attempts ----------------------------------------------------------- */

#define JOBS 40
#define STARTS 25

static bool there[JOBS][STARTS];

static int64_t next_of(uint32_t job_id, int64_t start)
{
	for (int64_t s = start + 1; s < STARTS; s++)
		if (there[job_id][s])
			return s;
	return SB_TIME_MAX;
}

static void check_all(const sb_attempts_t *attempts, const sb_payers_t *payers)
{
	ck_assert(sb_attempts_check(attempts, payers));
	for (uint32_t j = 0; j < JOBS; j++)
		for (int64_t s = 0; s < STARTS; s++) {
			sb_run_t *run = sb_attempts_find(attempts, j, s);

			ck_assert_int_eq(run != NULL, there[j][s]);
			if (!run)
				continue;
			ck_assert_int_eq(sb_attempts_next_start(attempts, run),
					 next_of(j, s));
			ck_assert_uint_eq(run->charged.attempt.job_id, j);
			ck_assert_int_eq(run->charged.attempt.start, s);
		}
}

/* Attempts of few jobs in any order, with payers, added and taken away. */
START_TEST(attempts)
{
	sb_attempts_t attempts = { 0 };
	sb_payers_t payers = { 0 };

	rng_state = _i + 1;
	for (int i = 0; i < 4000; i++) {
		uint32_t j = rng(JOBS), s = rng(STARTS);
		sb_run_t *run = sb_attempts_find(&attempts, j, s);

		if (!run) {
			run = sb_attempts_add(&attempts, j, s);
			ck_assert_ptr_nonnull(run);
			sb_attempts_pay(&attempts, run,
					sb_payers_get(&payers, 1 + j % 3));
		} else
			sb_attempts_remove(&attempts, run - attempts.rows);
		there[j][s] = !there[j][s];
		if (i % 100 == 0)
			check_all(&attempts, &payers);
	}
	check_all(&attempts, &payers);
	for (uint32_t j = 0; j < JOBS; j++)
		for (uint32_t s = 0; s < STARTS; s++)
			there[j][s] = false;
	sb_attempts_clear(&attempts);
	sb_payers_clear(&payers);
	check_all(&attempts, &payers);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("attempts");
	TCase *tcase = tcase_create("attempts");

	tcase_add_loop_test(tcase, map, 0, 3);
	tcase_add_test(tcase, map_is_full);
	tcase_add_loop_test(tcase, attempts, 0, 3);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
