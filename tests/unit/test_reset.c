/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_reset - dates of PriorityUsageResetPeriod, in a zone with summer time
 * (29 March to 25 October 2026).
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reset.h"
#include "suite.h"

static int64_t at(const char *text)
{
	struct tm tm = { .tm_isdst = -1 };

	ck_assert_int_eq(sscanf(text, "%d-%d-%d %d:%d:%d", &tm.tm_year,
				&tm.tm_mon, &tm.tm_mday, &tm.tm_hour,
				&tm.tm_min, &tm.tm_sec), 6);
	tm.tm_year -= 1900;
	tm.tm_mon--;
	return mktime(&tm);
}

static const struct {
	sb_reset_t period;
	const char *last, *now, *due;
} dates[] = {
	{ SB_RESET_DAILY, "2026-06-10 11:12:13", "2026-06-10 11:12:13",
	  "2026-06-11 00:00:00" },
	{ SB_RESET_DAILY, "2026-06-10 00:00:00", "2026-06-10 00:00:00",
	  "2026-06-11 00:00:00" },
	{ SB_RESET_DAILY, "2026-06-10 23:59:59", "2026-06-11 00:00:00",
	  "2026-06-11 00:00:00" },
	{ SB_RESET_DAILY, "2026-12-31 12:00:00", "2026-12-31 12:00:01",
	  "2027-01-01 00:00:00" },
	/* The last that was missed; one second later the next counts. */
	{ SB_RESET_DAILY, "2026-06-10 11:12:13", "2026-06-20 08:00:00",
	  "2026-06-20 00:00:00" },
	{ SB_RESET_DAILY, "2026-06-10 11:12:13", "2026-06-20 00:00:00",
	  "2026-06-19 00:00:00" },
	{ SB_RESET_DAILY, "2026-06-10 11:12:13", "2026-06-20 00:00:01",
	  "2026-06-20 00:00:00" },
	{ SB_RESET_DAILY, "2026-06-10 11:12:13", "2026-06-12 00:00:00",
	  "2026-06-11 00:00:00" },
	/* A day of 23 hours and one of 25, which Slurm takes for 24. */
	{ SB_RESET_DAILY, "2026-03-29 01:00:00", "2026-03-29 01:00:00",
	  "2026-03-30 01:00:00" },
	{ SB_RESET_DAILY, "2026-10-25 01:00:00", "2026-10-25 01:00:00",
	  "2026-10-25 23:00:00" },

	/* 7 June 2026 is a Sunday. */
	{ SB_RESET_WEEKLY, "2026-06-10 11:12:13", "2026-06-10 11:12:13",
	  "2026-06-14 00:00:00" },
	{ SB_RESET_WEEKLY, "2026-06-07 00:00:00", "2026-06-07 00:00:00",
	  "2026-06-14 00:00:00" },
	{ SB_RESET_WEEKLY, "2026-06-13 23:59:59", "2026-06-13 23:59:59",
	  "2026-06-14 00:00:00" },
	{ SB_RESET_WEEKLY, "2026-06-10 11:12:13", "2026-07-01 00:00:00",
	  "2026-06-28 00:00:00" },

	{ SB_RESET_MONTHLY, "2026-06-10 11:12:13", "2026-06-10 11:12:13",
	  "2026-07-01 00:00:00" },
	{ SB_RESET_MONTHLY, "2026-06-01 00:00:00", "2026-06-01 00:00:00",
	  "2026-07-01 00:00:00" },
	{ SB_RESET_MONTHLY, "2026-01-31 11:12:13", "2026-01-31 11:12:13",
	  "2026-02-01 00:00:00" },
	{ SB_RESET_MONTHLY, "2026-12-31 23:59:59", "2026-12-31 23:59:59",
	  "2027-01-01 00:00:00" },
	{ SB_RESET_MONTHLY, "2028-02-29 12:00:00", "2028-02-29 12:00:00",
	  "2028-03-01 00:00:00" },
	{ SB_RESET_MONTHLY, "2026-03-15 12:00:00", "2026-03-15 12:00:00",
	  "2026-04-01 00:00:00" },
	/* Months that were missed are not skipped. */
	{ SB_RESET_MONTHLY, "2026-01-10 11:12:13", "2026-06-10 11:12:13",
	  "2026-02-01 00:00:00" },

	{ SB_RESET_QUARTERLY, "2026-01-01 00:00:00", "2026-01-01 00:00:00",
	  "2026-04-01 00:00:00" },
	{ SB_RESET_QUARTERLY, "2026-03-31 23:59:59", "2026-03-31 23:59:59",
	  "2026-04-01 00:00:00" },
	{ SB_RESET_QUARTERLY, "2026-04-01 00:00:00", "2026-04-01 00:00:00",
	  "2026-07-01 00:00:00" },
	{ SB_RESET_QUARTERLY, "2026-08-31 12:00:00", "2026-08-31 12:00:00",
	  "2026-10-01 00:00:00" },
	{ SB_RESET_QUARTERLY, "2026-11-30 12:00:00", "2026-11-30 12:00:00",
	  "2027-01-01 00:00:00" },

	{ SB_RESET_YEARLY, "2026-01-01 00:00:00", "2026-01-01 00:00:00",
	  "2027-01-01 00:00:00" },
	{ SB_RESET_YEARLY, "2026-12-31 23:59:59", "2026-12-31 23:59:59",
	  "2027-01-01 00:00:00" },
};

START_TEST(due)
{
	int64_t got = sb_reset_after(at(dates[_i].last), at(dates[_i].now),
				     dates[_i].period);
	int64_t due = at(dates[_i].due);
	time_t when = got;

	ck_assert_msg(got == due, "after %s, at %s: %s, not %s",
		      dates[_i].last, dates[_i].now, ctime(&when),
		      dates[_i].due);
}
END_TEST

START_TEST(never)
{
	int64_t now = at("2026-06-10 11:12:13");

	ck_assert_int_eq(sb_reset_after(now, now, SB_RESET_NEVER), 0);
	ck_assert_int_eq(sb_reset_after(now, now, SB_RESET_NOW), 0);
	ck_assert_int_eq(sb_reset_after(now, now, (sb_reset_t) 77), 0);
	/* No year has room for this. */
	ck_assert_int_eq(sb_reset_after(INT64_MAX, now, SB_RESET_DAILY), 0);
}
END_TEST

/* One call after another never stands still and comes up to now. */
START_TEST(catches_up)
{
	int64_t last = at("2020-02-03 04:05:06");
	int64_t now = at("2026-06-10 11:12:13");
	sb_reset_t period = (sb_reset_t) _i;
	int calls = 0;

	for (;;) {
		int64_t due = sb_reset_after(last, now, period);

		ck_assert_int_gt(due, last);
		if (due > now)
			break;
		last = due;
		ck_assert_int_le(++calls, 100);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("reset");
	TCase *tc = tcase_create("all");

	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	suite_add_tcase(s, tc);
	tcase_add_loop_test(tc, due, 0, sizeof(dates) / sizeof(dates[0]));
	tcase_add_test(tc, never);
	tcase_add_loop_test(tc, catches_up, SB_RESET_DAILY,
			    SB_RESET_YEARLY + 1);
	return suite_run(s);
}
