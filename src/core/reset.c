/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reset - dates of PriorityUsageResetPeriod.
 */
#include <time.h>

#include "limits.h"
#include "reset.h"

/* Months of a period, 0: it is not one of months. */
static int months_of(sb_reset_t period)
{
	switch (period) {
	case SB_RESET_MONTHLY:
		return 1;
	case SB_RESET_QUARTERLY:
		return 3;
	case SB_RESET_YEARLY:
		return 12;
	default:
		return 0;
	}
}

/* RET: midnight of the first of the period of months behind the day's. */
static int64_t next_first(struct tm *day, int months)
{
	day->tm_mday = 1;
	/* mktime() makes a new year of a 13th month. */
	day->tm_mon = (day->tm_mon / months + 1) * months;
	return mktime(day);
}

/* As Slurm does it, which knows days of 24 hours only. */
static int64_t next_days(struct tm *day, int days, int64_t step, int64_t now)
{
	int64_t due = mktime(day) + days * (int64_t) SB_DAY;

	if (due + step < now)
		due += (now - due - 1) / step * step;
	return due;
}

extern int64_t sb_reset_after(int64_t last, int64_t now, sb_reset_t period)
{
	time_t when = last;
	struct tm day;

	if (!localtime_r(&when, &day))
		return 0;
	day.tm_sec = day.tm_min = day.tm_hour = 0;
	day.tm_isdst = -1;
	if (months_of(period))
		return next_first(&day, months_of(period));
	if (period == SB_RESET_DAILY)
		return next_days(&day, 1, SB_DAY, now);
	if (period == SB_RESET_WEEKLY)
		return next_days(&day, 7 - day.tm_wday, 7 * SB_DAY, now);
	return 0;
}
