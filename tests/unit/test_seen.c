/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_seen - what was put is found, nothing else, however many there are.
 */
#include <check.h>
#include <stdlib.h>

#include "seen.h"
#include "suite.h"

/* Keys of a plain array, which cannot be wrong. */
#define KEYS 20000
#define PUTS 60000

static uint64_t seed = 1;

static uint64_t draw(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return seed >> 33;
}

START_TEST(empty)
{
	seen_t seen = { 0 };

	ck_assert_ptr_null(seen_find(&seen, 0));
	ck_assert_ptr_null(seen_find(&seen, 1));
	ck_assert_int_eq(seen_put(&seen, 0, 5), 0);
	ck_assert_ptr_null(seen_find(&seen, 0));
	ck_assert_uint_eq(seen.count, 0);
	seen_free(&seen);
	seen_free(&seen);
}
END_TEST

/* IN _i: how keys are spread: in a row, far apart, at the end of the range. */
START_TEST(as_an_array)
{
	static const uint64_t steps[] = { 1, UINT64_C(1) << 44, UINT64_MAX };
	int64_t *values = calloc(KEYS, sizeof(*values));
	seen_t seen = { 0 };
	size_t count = 0;

	ck_assert_ptr_nonnull(values);
	for (int i = 0; i < PUTS; i++) {
		size_t key = draw() % KEYS;

		count += !values[key];
		values[key] = i + 1;
		ck_assert_int_eq(seen_put(&seen, (key + 1) * steps[_i], i + 1),
				 0);
	}
	ck_assert_uint_eq(seen.count, count);
	for (size_t key = 0; key < KEYS; key++) {
		int64_t *found = seen_find(&seen, (key + 1) * steps[_i]);

		ck_assert_int_eq(found ? *found : 0, values[key]);
	}
	ck_assert_ptr_null(seen_find(&seen, (KEYS + 1) * steps[_i]));
	seen_free(&seen);
	free(values);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("seen");
	TCase *tcase = tcase_create("seen");

	tcase_add_test(tcase, empty);
	tcase_add_loop_test(tcase, as_an_array, 0, 3);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
