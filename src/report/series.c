/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "limits.h"
#include "series.h"

extern int64_t report_period_length(const report_period_t *period, size_t hour)
{
	int64_t begin = period->from + (int64_t) hour * SB_HOUR;
	int64_t left = period->until - begin;

	return left < SB_HOUR ? left : SB_HOUR;
}

extern int64_t report_period_cut(const report_period_t *period, int64_t *from,
				 int64_t *until)
{
	if (*from < period->from)
		*from = period->from;
	if (*until > period->until)
		*until = period->until;
	return *until > *from ? *until - *from : 0;
}

extern int report_series_open(report_series_t *series,
			      const report_period_t *period)
{
	if (series->value)
		return 0;
	series->value = calloc(period->hours, sizeof(*series->value));
	series->step = calloc(period->hours, sizeof(*series->step));
	if (series->value && series->step)
		return 0;
	report_series_free(series);
	return -1;
}

extern void report_series_add(report_series_t *series,
			      const report_period_t *period, int64_t from,
			      int64_t until, int64_t gpus)
{
	size_t first = (size_t) ((from - period->from) / SB_HOUR);
	size_t last = (size_t) ((until - 1 - period->from) / SB_HOUR);
	int64_t begin = period->from + (int64_t) last * SB_HOUR;

	if (first == last) {
		series->value[first] += gpus * (until - from);
		return;
	}
	series->value[first] += gpus * (period->from - from +
					(int64_t) (first + 1) * SB_HOUR);
	series->step[first + 1] += gpus;
	series->step[last] -= gpus;
	series->value[last] += gpus * (until - begin);
}

extern void report_series_close(report_series_t *series,
				const report_period_t *period)
{
	int64_t running = 0;

	if (!series->value || !series->step)
		return;
	/* A short last hour is never in the middle of a rectangle. */
	for (size_t h = 0; h < period->hours; h++) {
		running += series->step[h];
		series->value[h] += running * SB_HOUR;
	}
	free(series->step);
	series->step = NULL;
}

extern void report_series_merge(report_series_t *into,
				const report_series_t *series,
				const report_period_t *period)
{
	if (!series->value)
		return;
	for (size_t h = 0; h < period->hours; h++)
		into->value[h] += series->value[h];
}

extern double report_series_at(const report_series_t *series, size_t hour)
{
	return series->value ? (double) series->value[hour] : 0;
}

extern double report_series_sum(const report_series_t *series,
				const report_period_t *period)
{
	double sum = 0;

	for (size_t h = 0; series->value && h < period->hours; h++)
		sum += (double) series->value[h];
	return sum;
}

extern void report_series_free(report_series_t *series)
{
	free(series->value);
	free(series->step);
	*series = (report_series_t) { 0 };
}
