/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * series - GPU-seconds per hour of a period, filled by rectangles.
 *
 * A rectangle of any length costs four additions: its first and last hour get
 * their parts, and what lies between is noted as a step at either end. The sum
 * of the steps is taken once, by report_series_close(). Whole numbers, exact.
 */
#ifndef SB_REPORT_SERIES_H
#define SB_REPORT_SERIES_H

#include <stddef.h>
#include <stdint.h>

/* [from, until), in hours from `from`; the last may be short. */
typedef struct {
	int64_t from, until;
	size_t hours;
} report_period_t;

typedef struct {
	int64_t *value;		/* hours; NULL: nothing yet */
	int64_t *step;		/* hours; NULL once closed */
} report_series_t;

/* Seconds of an hour, 3600 but for a short last one. */
extern int64_t report_period_length(const report_period_t *period,
				    size_t hour);
/* Cut [*from, *until) to the period. RET: seconds that are left, or 0. */
extern int64_t report_period_cut(const report_period_t *period, int64_t *from,
				 int64_t *until);

/* RET: 0, or -1 without memory. Nothing to do when it is open. */
extern int report_series_open(report_series_t *series,
			      const report_period_t *period);
/* Add gpus between two times that report_period_cut() left. Must be open. */
extern void report_series_add(report_series_t *series,
			      const report_period_t *period, int64_t from,
			      int64_t until, int64_t gpus);
/* Values are right from here on; no more can be added. */
extern void report_series_close(report_series_t *series,
				const report_period_t *period);
/* Add the values of one closed series to another, which must be closed and
 * have values. */
extern void report_series_merge(report_series_t *into,
				const report_series_t *series,
				const report_period_t *period);
/* GPU-seconds in an hour, in all hours; 0 without values. */
extern double report_series_at(const report_series_t *series, size_t hour);
extern double report_series_sum(const report_series_t *series,
				const report_period_t *period);
extern void report_series_free(report_series_t *series);

#endif
