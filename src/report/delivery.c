/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delivery - sheets of what the cluster had and who got it: the pyramid, the
 * accounts, the hours.
 */
#include <math.h>

#include "limits.h"
#include "tally.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static double hours_of(const report_row_t *row, report_sum_t sum)
{
	return row->sums[sum] / SB_HOUR;
}

/* ---- pyramid ------------------------------------------------------------ */

static const report_column_t pyramid_columns[] = {
	{ "level", "Level", REPORT_TEXT },
	{ "hours", "GPU-hours", REPORT_HOURS },
	{ "share", "Share", REPORT_SHARE },
	{ "of", "of", REPORT_TEXT },
};

static void add_level(report_sheet_t *sheet, unsigned depth, const char *level,
		      double hours, double whole, const char *of)
{
	report_sheet_row(sheet, depth);
	report_sheet_set_text(sheet, 0, level);
	report_sheet_set(sheet, 1, hours);
	if (of) {
		report_sheet_set(sheet, 2, whole > 0 ? hours / whole : NAN);
		report_sheet_set_text(sheet, 3, of);
	}
}

extern report_sheet_t *report_make_pyramid(const report_t *report)
{
	const report_totals_t *t = &report->totals;
	double lost = t->lost_preempted + t->lost_failed;
	double known = t->utilisation_known * t->allocated;
	report_sheet_t *sheet = report_sheet_create(pyramid_columns,
						    COUNT(pyramid_columns));

	if (!sheet)
		return NULL;
	add_level(sheet, 0, "installed", t->total, 0, NULL);
	add_level(sheet, 1, "down", t->down, t->total, "installed");
	add_level(sheet, 1, "maintenance", t->planned, t->total, "installed");
	add_level(sheet, 0, "available", t->available, t->total, "installed");
	add_level(sheet, 0, "allocated", t->allocated, t->available,
		  "available");
	add_level(sheet, 1, "budgeted", t->allocated - t->free, t->allocated,
		  "allocated");
	add_level(sheet, 1, "unallocated", t->free, t->allocated, "allocated");
	add_level(sheet, 0, "kept", t->allocated - lost, t->allocated,
		  "allocated");
	add_level(sheet, 1, "lost to preemption", t->lost_preempted,
		  t->allocated, "allocated");
	add_level(sheet, 1, "lost to failed nodes", t->lost_failed,
		  t->allocated, "allocated");
	add_level(sheet, 1, "ended in failure of the job", t->ended_failed,
		  t->allocated, "allocated");
	add_level(sheet, 0, "busy, where known", t->utilisation * known, known,
		  "GPU-hours with known utilisation");
	if (isfinite(t->occupancy))
		report_sheet_set_title(sheet, "%.1f %% of what was up was "
				       "allocated", t->occupancy * 100);
	else
		report_sheet_set_title(sheet, "What the cluster had");
	return report_sheet_done(sheet);
}

/* ---- accounts ----------------------------------------------------------- */

enum {
	ACCOUNT, TEAM, BUDGET_SHARE, BUDGET, DEMAND, OWED, DELIVERED,
	DELIVERED_OWED, FREE, UNALLOCATED, UNDECLARED, CLASS_UNKNOWN, RUNS
};

static const report_column_t account_columns[] = {
	[ACCOUNT] = { "account", "Account", REPORT_TEXT },
	[TEAM] = { "team", "Team", REPORT_TEXT },
	[BUDGET_SHARE] = { "budget_share", "Budget", REPORT_SHARE },
	[BUDGET] = { "budget_hours", "Budget GPU-h", REPORT_HOURS },
	[DEMAND] = { "demand_hours", "Demand GPU-h", REPORT_HOURS },
	[OWED] = { "owed_hours", "Owed GPU-h", REPORT_HOURS },
	[DELIVERED] = { "delivered_hours", "Delivered GPU-h", REPORT_HOURS },
	[DELIVERED_OWED] = { "delivered_owed", "Delivered / owed",
			     REPORT_SHARE },
	[FREE] = { "unallocated_hours", "Unallocated GPU-h", REPORT_HOURS },
	[UNALLOCATED] = { "unallocated_share", "Unallocated", REPORT_SHARE },
	[UNDECLARED] = { "undeclared_hours", "Undeclared GPU-h",
			 REPORT_HOURS },
	[CLASS_UNKNOWN] = { "class_unknown_hours", "Class unknown GPU-h",
			    REPORT_HOURS },
	[RUNS] = { "runs", "Runs", REPORT_COUNT },
};

static void add_account(report_sheet_t *sheet, const report_row_t *row)
{
	double free_hours = hours_of(row, REPORT_SUM_FREE);
	double all = row->delivered + free_hours;

	report_sheet_row(sheet, row->depth);
	report_sheet_set_text(sheet, ACCOUNT, row->name);
	report_sheet_set_text(sheet, TEAM, row->is_team ? "yes" : "no");
	report_sheet_set(sheet, BUDGET_SHARE, row->allocation);
	report_sheet_set(sheet, BUDGET, row->budget);
	report_sheet_set(sheet, DEMAND, row->demand);
	report_sheet_set(sheet, OWED, row->owed);
	report_sheet_set(sheet, DELIVERED, row->delivered);
	report_sheet_set(sheet, DELIVERED_OWED,
			 row->owed > 0 ? row->delivered / row->owed : NAN);
	report_sheet_set(sheet, FREE, free_hours);
	report_sheet_set(sheet, UNALLOCATED, all > 0 ? free_hours / all : NAN);
	report_sheet_set(sheet, UNDECLARED,
			 hours_of(row, REPORT_SUM_UNDECLARED));
	report_sheet_set(sheet, CLASS_UNKNOWN,
			 hours_of(row, REPORT_SUM_CLASS_UNKNOWN));
	report_sheet_set(sheet, RUNS, row->sums[REPORT_SUM_RUNS]);
}

extern report_sheet_t *report_make_teams(const report_t *report)
{
	const report_totals_t *t = &report->totals;
	report_sheet_t *sheet = report_sheet_create(account_columns,
						    COUNT(account_columns));

	if (!sheet)
		return NULL;
	for (size_t i = 0; i < report->row_count; i++) {
		const report_row_t *row = &report->rows[report->order[i]];

		if (row->allocation > 0 || row->demand > 0 ||
		    row->sums[REPORT_SUM_RUNS] > 0)
			add_account(sheet, row);
	}
	if (t->teams)
		report_sheet_set_title(sheet, "%zu of %zu teams got 95 %% or "
				       "more of what they were owed; the worst "
				       "got %.1f %%", t->teams_95, t->teams,
				       t->worst * 100);
	else
		report_sheet_set_title(sheet, "No team was owed anything");
	return report_sheet_done(sheet);
}

/* ---- hours -------------------------------------------------------------- */

enum { TIME, TOTAL, AVAILABLE, CHARGED, UNCHARGED, PENDING, TEAMS_OWED };

static const report_column_t hour_columns[] = {
	[TIME] = { "time", "Hour", REPORT_TIME },
	[TOTAL] = { "installed", "Installed", REPORT_GPUS },
	[AVAILABLE] = { "available", "Available", REPORT_GPUS },
	[CHARGED] = { "budgeted", "Budgeted", REPORT_GPUS },
	[UNCHARGED] = { "unallocated", "Unallocated", REPORT_GPUS },
	[PENDING] = { "pending", "Pending", REPORT_GPUS },
	[TEAMS_OWED] = { "owed", "Owed", REPORT_GPUS },
};

static double owed_to_teams(const report_t *report, size_t hour)
{
	double owed = 0;

	for (size_t i = 0; i < report->row_count; i++)
		if (report->rows[i].is_team)
			owed += report_owed(report, &report->rows[i], hour);
	return owed;
}

extern report_sheet_t *report_make_hours(const report_t *report)
{
	const report_period_t *period = &report->period;
	report_sheet_t *sheet = report_sheet_create(hour_columns,
						    COUNT(hour_columns));

	if (!sheet)
		return NULL;
	for (size_t h = 0; h < period->hours; h++) {
		double length = (double) report_period_length(period, h);
		double charged = 0;

		for (size_t c = 0; c < REPORT_CLASSES; c++)
			if (c != REPORT_FREE)
				charged += report_series_at(
					&report->running[c], h);
		report_sheet_row(sheet, 0);
		report_sheet_set(sheet, TIME, (double) period->from +
				 (double) h * SB_HOUR);
		report_sheet_set(sheet, TOTAL,
				 report_series_at(&report->total, h) / length);
		report_sheet_set(sheet, AVAILABLE, report_available(report, h) *
				 SB_HOUR / length);
		report_sheet_set(sheet, CHARGED, charged / length);
		report_sheet_set(sheet, UNCHARGED,
				 report_series_at(
					 &report->running[REPORT_FREE], h) /
				 length);
		report_sheet_set(sheet, PENDING,
				 report_series_at(&report->pending, h) /
				 length);
		report_sheet_set(sheet, TEAMS_OWED, owed_to_teams(report, h) *
				 SB_HOUR / length);
	}
	report_sheet_set_title(sheet, "Hour by hour");
	return report_sheet_done(sheet);
}
