/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_pace - a look each second, until looks take a hundredth of the time.
 */
#include <check.h>
#include <stdlib.h>

#include "pace.h"
#include "suite.h"

static const struct {
	int64_t cost, pause;
} vectors[] = {
	{ INT64_MIN, 1000000 },
	{ -1, 1000000 },
	{ 0, 1000000 },
	{ 1, 1000000 },
	{ 10000, 1000000 },
	{ 10001, 1000100 },
	{ 33000, 3300000 },
	{ 599999, 59999900 },
	{ 600000, 60000000 },
	{ INT64_MAX, 60000000 },
};

START_TEST(pauses)
{
	ck_assert_int_eq(sb_pace(vectors[_i].cost), vectors[_i].pause);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pace");
	TCase *tcase = tcase_create("pace");

	tcase_add_loop_test(tcase, pauses, 0,
			    sizeof(vectors) / sizeof(vectors[0]));
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
