/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_pace - a look each second, until looks take a hundredth of the time; and
 * one when something happens.
 */
#include <check.h>
#include <stdlib.h>

#include "pace.h"
#include "suite.h"

static const struct {
	int64_t cost, pause;
} pause_vectors[] = {
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

static const struct {
	int64_t cost, now, event, pause;
} until_vectors[] = {
	/* Nothing is known to happen. */
	{ 0, 100000000, 0, 1000000 },
	{ 33000, 100000000, 0, 3300000 },
	{ INT64_MAX, 100999999, 0, 60000000 },
	/* In the next second, and in the one behind it */
	{ 0, 100000000, 101, 1010000 },
	{ 0, 100000001, 101, 1009999 },
	{ 0, 100500000, 101, 510000 },
	{ 0, 100999999, 101, 10001 },
	{ 0, 100000000, 102, 1000000 },
	{ 0, 100999999, 102, 1000000 },
	/* A long pause is cut short. */
	{ 33000, 100000000, 101, 1010000 },
	{ 33000, 100000000, 103, 3010000 },
	{ 33000, 100000000, 104, 3300000 },
	{ INT64_MAX, 100250000, 101, 760000 },
	{ INT64_MAX, 100250000, 160, 59760000 },
	{ INT64_MAX, 100250000, 161, 60000000 },
	/* A pause ends within a second, and what happens in that one is in it. */
	{ 33000, 100700000, 104, 3310000 },
	{ 33000, 100699999, 104, 3300000 },
	{ 33000, 100900000, 104, 3110000 },
	{ 19900, 100900000, 102, 1110000 },
	{ 19900, 100900000, 103, 1990000 },
	/* It has happened, or does now: whoever tells whole seconds may not
	 * have them yet. */
	{ 0, 100000000, 100, 10000 },
	{ 0, 100009999, 100, 1 },
	{ 0, 100010000, 100, 0 },
	{ 0, 100500000, 100, -490000 },
	{ INT64_MAX, 100000000, 99, -990000 },
	{ 0, 100000000, 1, -98990000 },
	{ 0, 100000000, -1, -100990000 },
	/* The clock was set back, or never set. */
	{ 0, 100000000, INT64_MAX, 1000000 },
	{ 0, 0, 1, 1010000 },
	{ 0, 0, 2, 1000000 },
	/* In our days */
	{ 0, INT64_C(1800000000750000), 1800000001, 260000 },
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

START_TEST(pauses)
{
	ck_assert_int_eq(sb_pace(pause_vectors[_i].cost),
			 pause_vectors[_i].pause);
}
END_TEST

START_TEST(pauses_until)
{
	ck_assert_int_eq(sb_pace_until(until_vectors[_i].cost,
				       until_vectors[_i].now,
				       until_vectors[_i].event),
			 until_vectors[_i].pause);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pace");
	TCase *tcase = tcase_create("pace");

	tcase_add_loop_test(tcase, pauses, 0, COUNT(pause_vectors));
	tcase_add_loop_test(tcase, pauses_until, 0, COUNT(until_vectors));
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
