/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sums - from what was counted to what it comes to.
 */
#include <math.h>
#include <stdlib.h>

#include "limits.h"
#include "tally.h"

#define GOOD 0.95	/* of what a team is owed: it got its budget */

static double quotient(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

extern double report_available(const report_t *report, size_t hour)
{
	double up = report_series_at(&report->total, hour) -
		    report_series_at(&report->down, hour) -
		    report_series_at(&report->planned, hour);

	return up > 0 ? up / SB_HOUR : 0;
}

extern double report_owed(const report_t *report, const report_row_t *row,
			  size_t hour)
{
	double asked = report_series_at(&row->charged, hour) +
		       report_series_at(&row->pending, hour);

	return fmin(row->allocation * report_available(report, hour),
		    asked / SB_HOUR);
}

/* Everything below an account is the account's too: last row first, as
 * parents come before their children. */
static int roll_up(report_t *report)
{
	for (size_t i = report->row_count; i-- > 0;) {
		report_row_t *row = &report->rows[i], *above;

		report_series_close(&row->charged, &report->period);
		report_series_close(&row->pending, &report->period);
		if (row->parent < 0)
			continue;
		above = &report->rows[row->parent];
		for (size_t s = 0; s < REPORT_SUMS; s++)
			above->sums[s] += row->sums[s];
	}
	for (size_t i = report->row_count; i-- > 0;) {
		report_row_t *row = &report->rows[i], *above;

		if (row->parent < 0)
			continue;
		above = &report->rows[row->parent];
		if ((row->charged.value && report_series_open(
			     &above->charged, &report->period)) ||
		    (row->pending.value && report_series_open(
			     &above->pending, &report->period)))
			return -1;
		report_series_close(&above->charged, &report->period);
		report_series_close(&above->pending, &report->period);
		report_series_merge(&above->charged, &row->charged,
				    &report->period);
		report_series_merge(&above->pending, &row->pending,
				    &report->period);
	}
	return 0;
}

/* Rows so that what is below an account follows it. */
static int put_in_order(report_t *report)
{
	size_t count = report->row_count, done = 0;
	int32_t *first = malloc((count + 1) * sizeof(*first));
	int32_t *next = malloc((count + 1) * sizeof(*next));
	int32_t at = -1;

	report->order = calloc(count + 1, sizeof(*report->order));
	if (!first || !next || !report->order) {
		free(first);
		free(next);
		return -1;
	}
	for (size_t i = 0; i <= count; i++)
		first[i] = -1;
	/* first[count]: those without a parent */
	for (size_t i = count; i-- > 0;) {
		int32_t above = report->rows[i].parent;

		next[i] = first[above < 0 ? (int32_t) count : above];
		first[above < 0 ? (int32_t) count : above] = (int32_t) i;
	}
	at = first[count];
	while (at >= 0) {
		report->order[done++] = (size_t) at;
		if (first[at] >= 0) {
			at = first[at];
			continue;
		}
		while (at >= 0 && next[at] < 0)
			at = report->rows[at].parent;
		at = at < 0 ? -1 : next[at];
	}
	free(first);
	free(next);
	return 0;
}

static void sum_row(report_t *report, report_row_t *row)
{
	double asked = report_series_sum(&row->pending, &report->period);
	double got = report_series_sum(&row->charged, &report->period);

	row->delivered = got / SB_HOUR;
	row->demand = (got + asked) / SB_HOUR;
	row->budget = row->allocation * report->totals.available;
	row->owed = 0;
	if (!(row->allocation > 0) || !(row->demand > 0))
		return;
	for (size_t h = 0; h < report->period.hours; h++)
		row->owed += report_owed(report, row, h);
}

static void sum_capacity(report_t *report)
{
	report_totals_t *totals = &report->totals;

	for (size_t h = 0; h < report->period.hours; h++) {
		double total = report_series_at(&report->total, h);
		double planned = report_series_at(&report->planned, h);
		double down = report_series_at(&report->down, h);

		planned = fmin(planned, total);
		totals->total += total / SB_HOUR;
		totals->planned += planned / SB_HOUR;
		totals->down += fmin(down, total - planned) / SB_HOUR;
		totals->available += report_available(report, h);
		for (size_t c = 0; c < REPORT_CLASSES; c++)
			totals->allocated +=
				report_series_at(&report->running[c], h) /
				SB_HOUR;
		totals->free += report_series_at(
			&report->running[REPORT_FREE], h) / SB_HOUR;
	}
}

/* What all accounts without a parent have together. */
static double whole(const report_t *report, report_sum_t sum)
{
	double all = 0;

	for (size_t i = 0; i < report->row_count; i++)
		if (report->rows[i].parent < 0)
			all += report->rows[i].sums[sum];
	return all;
}

static void sum_teams(report_t *report)
{
	report_totals_t *totals = &report->totals;

	totals->worst = NAN;
	for (size_t i = 0; i < report->row_count; i++) {
		const report_row_t *row = &report->rows[i];

		if (!row->is_team || !(row->owed > 0))
			continue;
		totals->teams++;
		totals->owed += row->owed;
		totals->delivered += fmin(row->delivered, row->owed);
		totals->teams_95 += row->delivered >= GOOD * row->owed;
		totals->worst = fmin(totals->worst,
				     row->delivered / row->owed);
	}
	totals->delivered_owed = quotient(totals->delivered, totals->owed);
}

extern int report_sums(report_t *report)
{
	report_totals_t *totals = &report->totals;
	double known, lost;

	if (put_in_order(report) || roll_up(report))
		return -1;
	sum_capacity(report);
	for (size_t i = 0; i < report->row_count; i++)
		sum_row(report, &report->rows[i]);
	sum_teams(report);
	totals->lost_preempted = whole(report, REPORT_SUM_LOST_PREEMPTED) /
				 SB_HOUR;
	totals->lost_failed = whole(report, REPORT_SUM_LOST_FAILED) / SB_HOUR;
	totals->ended_failed = whole(report, REPORT_SUM_ENDED_FAILED) /
			       SB_HOUR;
	totals->availability = quotient(totals->available, totals->total);
	totals->occupancy = quotient(totals->allocated, totals->available);
	lost = totals->lost_preempted + totals->lost_failed;
	totals->impact = 1 - quotient(lost, totals->allocated);
	known = whole(report, REPORT_SUM_USAGE_TIME) / SB_HOUR;
	totals->utilisation = quotient(whole(report, REPORT_SUM_USAGE) /
				       SB_HOUR, known);
	totals->utilisation_known = quotient(known, totals->allocated);
	totals->unallocated = quotient(totals->free, totals->allocated);
	totals->preemptions = (size_t) whole(report, REPORT_SUM_PREEMPTED);
	totals->preemptors_known = report->preemptors_known;
	totals->preemptors_started = report->preemptors_started;
	totals->runs = report->runs;
	totals->refused = report->refused;
	return 0;
}

extern int report_finish(report_t *report, sb_err_t *err)
{
	report_sheet_t *(*const makers[REPORT_SHEETS])(const report_t *) = {
		[REPORT_SHEET_PYRAMID] = report_make_pyramid,
		[REPORT_SHEET_TEAMS] = report_make_teams,
		[REPORT_SHEET_WAITS] = report_make_waits,
		[REPORT_SHEET_WAITS_ACCOUNT] = report_make_waits_account,
		[REPORT_SHEET_WAITS_SIZE] = report_make_waits_size,
		[REPORT_SHEET_PREEMPTIONS] = report_make_preemptions,
		[REPORT_SHEET_SQUATTING] = report_make_squatting,
		[REPORT_SHEET_INFLATION] = report_make_inflation,
		[REPORT_SHEET_DRAINING] = report_make_draining,
		[REPORT_SHEET_HOURS] = report_make_hours,
		[REPORT_SHEET_NOTES] = report_make_notes,
	};

	if (report->finished)
		return sb_err_set(err, "the report is finished");
	/* Also when it fails: what was closed takes no more. */
	report->finished = true;
	for (size_t c = 0; c < REPORT_CLASSES; c++)
		report_series_close(&report->running[c], &report->period);
	report_series_close(&report->pending, &report->period);
	report_series_close(&report->total, &report->period);
	report_series_close(&report->down, &report->period);
	report_series_close(&report->planned, &report->period);
	if (report_sums(report))
		return sb_err_set(err, "out of memory");
	for (size_t s = 0; s < REPORT_SHEETS; s++) {
		report->sheets[s] = makers[s](report);
		if (!report->sheets[s])
			return sb_err_set(err, "out of memory");
	}
	report->ready = true;
	return 0;
}
