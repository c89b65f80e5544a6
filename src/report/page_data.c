/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json.h"
#include "limits.h"
#include "page_data.h"

/* Points of a chart as wide as the page, and of a small one. */
#define WIDE 240
#define SMALL 90

/* Hours that one point of a chart stands for. */
static const size_t steps[] = { 1, 2, 3, 4, 6, 8, 12, 24, 48, 72, 168 };

/* Marks of the waits' curves, seconds: about five to a factor of ten, and
 * those that axes are labelled with. */
static const uint32_t marks[] = {
	1,	2,	3,	5,	7,	10,	15,	20,	30,
	45,	60,	90,	120,	180,	300,	420,	600,	900,
	1200,	1800,	2700,	3600,	5400,	7200,	10800,	14400,	21600,
	28800,	43200,	64800,	86400,	129600, 172800, 259200, 345600, 604800,
	1209600
};
#define MARKS (sizeof(marks) / sizeof(marks[0]))

static size_t step_of(const report_t *report, size_t points)
{
	size_t n = sizeof(steps) / sizeof(steps[0]);

	for (size_t i = 0; i < n; i++)
		if (report->period.hours <= steps[i] * points)
			return steps[i];
	return steps[n - 1];
}

/* Value of something in an hour: GPU-seconds. */
typedef double (*curve_t)(const report_t *report, const void *arg, size_t hour);

static double series_value(const report_t *report, const void *arg,
			   size_t hour)
{
	(void) report;
	return report_series_at(arg, hour);
}

static double available_value(const report_t *report, const void *arg,
			      size_t hour)
{
	(void) arg;
	return report_available(report, hour) * SB_HOUR;
}

static double charged_value(const report_t *report, const void *arg,
			    size_t hour)
{
	double sum = 0;

	(void) arg;
	for (size_t c = 0; c < REPORT_CLASSES; c++)
		if (c != REPORT_FREE)
			sum += report_series_at(&report->running[c], hour);
	return sum;
}

static double budget_value(const report_t *report, const void *arg,
			   size_t hour)
{
	const report_row_t *row = arg;

	return row->allocation * report_available(report, hour) * SB_HOUR;
}

static double owed_value(const report_t *report, const void *arg, size_t hour)
{
	return report_owed(report, arg, hour) * SB_HOUR;
}

/* Append a number to an array. RET: 0, or -1 without memory. */
static int push(json_object *array, double value, const char *format)
{
	char text[64];
	json_object *real;

	snprintf(text, sizeof(text), format, value);
	real = json_object_new_double_s(value, text);
	if (real && !json_object_array_add(array, real))
		return 0;
	json_object_put(real);
	return -1;
}

/* Averages over the steps of the charts, GPUs. */
static int put_curve(json_object *object, const char *name,
		     const report_t *report, size_t points, curve_t curve,
		     const void *arg)
{
	size_t step = step_of(report, points), hours = report->period.hours;
	json_object *array = json_object_new_array();
	int failed = !array;

	for (size_t h = 0; h < hours && !failed; h += step) {
		double sum = 0, length = 0;

		for (size_t i = h; i < h + step && i < hours; i++) {
			sum += curve(report, arg, i);
			length += (double) report_period_length(
				&report->period, i);
		}
		failed = push(array, sum / length, "%.2f");
	}
	if (failed) {
		json_object_put(array);
		return -1;
	}
	return report_json_put(object, name, array);
}

static json_object *cluster_data(const report_t *report)
{
	json_object *object = json_object_new_object();

	if (!put_curve(object, "installed", report, WIDE, series_value,
		       &report->total) &&
	    !put_curve(object, "available", report, WIDE, available_value, NULL) &&
	    !put_curve(object, "budgeted", report, WIDE, charged_value, NULL) &&
	    !put_curve(object, "unallocated", report, WIDE, series_value,
		       &report->running[REPORT_FREE]) &&
	    !put_curve(object, "pending", report, WIDE, series_value,
		       &report->pending))
		return object;
	json_object_put(object);
	return NULL;
}

/* ---- teams -------------------------------------------------------------- */

static int compare_rows(const void *a, const void *b)
{
	const report_row_t *x = *(const report_row_t *const *) a;
	const report_row_t *y = *(const report_row_t *const *) b;

	if (x->allocation != y->allocation)
		return x->allocation < y->allocation ? 1 : -1;
	return (x > y) - (x < y);
}

static bool is_drawn(const report_row_t *row)
{
	return row->is_team && (row->owed > 0 || row->delivered > 0);
}

extern size_t report_page_teams(const report_t *report)
{
	size_t count = 0;

	for (size_t i = 0; i < report->row_count; i++)
		count += is_drawn(&report->rows[i]);
	return count < REPORT_CHARTS_MAX ? count : REPORT_CHARTS_MAX;
}

static json_object *team_data(const report_t *report, const report_row_t *row)
{
	json_object *object = json_object_new_object();
	double ratio = row->owed > 0 ? row->delivered / row->owed : NAN;

	if (object && !report_json_text(object, "name", row->name) &&
	    !report_json_real(object, "share", row->allocation, 6) &&
	    !report_json_real(object, "budget_hours", row->budget, 2) &&
	    !report_json_real(object, "owed_hours", row->owed, 2) &&
	    !report_json_real(object, "delivered_hours", row->delivered, 2) &&
	    !report_json_real(object, "ratio", ratio, 6) &&
	    !put_curve(object, "used", report, SMALL, series_value, &row->charged) &&
	    !put_curve(object, "owed", report, SMALL, owed_value, row) &&
	    !put_curve(object, "budget", report, SMALL, budget_value, row))
		return object;
	json_object_put(object);
	return NULL;
}

/* Teams as they are drawn, the largest budget first. RET: malloc'ed array
 * owned by the caller, NULL without memory. */
static const report_row_t **drawn_teams(const report_t *report, size_t *count)
{
	const report_row_t **rows = calloc(report->row_count + 1,
					   sizeof(*rows));

	*count = 0;
	if (!rows)
		return NULL;
	for (size_t i = 0; i < report->row_count; i++)
		if (is_drawn(&report->rows[i]))
			rows[(*count)++] = &report->rows[i];
	qsort(rows, *count, sizeof(*rows), compare_rows);
	if (*count > REPORT_CHARTS_MAX)
		*count = REPORT_CHARTS_MAX;
	return rows;
}

static json_object *teams_data(const report_t *report)
{
	size_t count;
	const report_row_t **rows = drawn_teams(report, &count);
	json_object *array = rows ? json_object_new_array() : NULL;

	for (size_t i = 0; array && i < count; i++) {
		json_object *team = team_data(report, rows[i]);

		if (!team || json_object_array_add(array, team)) {
			json_object_put(team);
			json_object_put(array);
			array = NULL;
		}
	}
	free(rows);
	return array;
}

/* ---- waits -------------------------------------------------------------- */

/* Those that have ended, by class. */
static uint32_t group_started(const report_wait_t *wait, const void *arg)
{
	return wait->open ? UINT32_MAX : report_group_class(wait, arg);
}

/* The share of jobs that had started at each mark; those that still wait are
 * in none. IN started: count of waits, sorted. */
static json_object *curve_data(size_t jobs, const uint32_t *sorted,
			       size_t started)
{
	json_object *array = json_object_new_array();
	size_t at = 0;

	for (size_t m = 0; array && m < MARKS; m++) {
		while (at < started && sorted[at] <= marks[m])
			at++;
		if (push(array, (double) at / (double) jobs, "%.4f")) {
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

static json_object *wait_data(size_t class, size_t jobs,
			      const uint32_t *sorted, size_t started)
{
	json_object *object = json_object_new_object();
	json_object *curve = curve_data(jobs, sorted, started);

	if (object && curve &&
	    !report_json_text(object, "name", report_wait_class_name(class)) &&
	    !report_json_real(object, "jobs", (double) jobs, 0)) {
		if (!report_json_put(object, "curve", curve))
			return object;
		curve = NULL;
	}
	json_object_put(curve);
	json_object_put(object);
	return NULL;
}

static json_object *waits_data(const report_t *report)
{
	report_spread_t all[REPORT_WAIT_CLASSES], started[REPORT_WAIT_CLASSES];
	uint32_t *sorted = NULL;
	size_t at = 0;
	json_object *array = json_object_new_array();

	if (report_waits_spread(&report->waits, report_group_class, NULL,
				REPORT_WAIT_CLASSES, all, NULL) ||
	    report_waits_spread(&report->waits, group_started, NULL,
				REPORT_WAIT_CLASSES, started, &sorted)) {
		json_object_put(array);
		return NULL;
	}
	for (size_t c = 0; array && c < REPORT_WAIT_CLASSES; c++) {
		json_object *class;

		if (!all[c].count)
			continue;
		class = wait_data(c, all[c].count, sorted + at,
				  started[c].count);
		at += started[c].count;
		if (!class || json_object_array_add(array, class)) {
			json_object_put(class);
			json_object_put(array);
			array = NULL;
		}
	}
	free(sorted);
	return array;
}

static json_object *marks_data(void)
{
	json_object *array = json_object_new_array();

	for (size_t m = 0; array && m < MARKS; m++) {
		if (push(array, marks[m], "%.0f")) {
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

/* ---- bars --------------------------------------------------------------- */

/* [lane, team as drawn or -1, from, until] */
static int put_bar(json_object *array, const report_bar_t *bar, double team)
{
	json_object *four = json_object_new_array();

	if (four && !push(four, bar->lane, "%.0f") &&
	    !push(four, team, "%.0f") &&
	    !push(four, (double) bar->from, "%.0f") &&
	    !push(four, (double) bar->until, "%.0f") &&
	    !json_object_array_add(array, four))
		return 0;
	json_object_put(four);
	return -1;
}

static json_object *bars_data(const report_t *report)
{
	size_t count;
	const report_row_t **rows = drawn_teams(report, &count);
	double *drawn = calloc(report->row_count + 1, sizeof(*drawn));
	json_object *array = rows && drawn ? json_object_new_array() : NULL;

	for (size_t i = 0; array && i < report->row_count; i++)
		drawn[i] = -1;
	for (size_t i = 0; array && i < count; i++)
		drawn[rows[i] - report->rows] = (double) i;
	for (size_t i = 0; array && i < report->bar_count; i++) {
		const report_bar_t *bar = &report->bars[i];
		int32_t team = bar->account < 0 ?
			-1 : report->rows[bar->account].team;

		if (put_bar(array, bar, team < 0 ? -1 : drawn[team])) {
			json_object_put(array);
			array = NULL;
		}
	}
	free(drawn);
	free(rows);
	return array;
}

extern json_object *report_page_data(const report_t *report,
				     const report_page_t *page)
{
	json_object *data = json_object_new_object();
	json_object *(*const makers[])(const report_t *) = {
		report_json_totals, cluster_data, teams_data, waits_data,
		bars_data
	};
	const char *const names[] = {
		"totals", "cluster", "teams", "waits", "bars"
	};
	json_object *part;
	int failed = !data;

	failed = failed || report_json_text(data, "unit", report->unit) ||
		 report_json_text(data, "zone",
				  page->zone ? page->zone : "UTC") ||
		 report_json_real(data, "relative", page->relative, 0) ||
		 report_json_real(data, "from", (double) report->period.from,
				  0) ||
		 report_json_real(data, "until", (double) report->period.until,
				  0) ||
		 report_json_real(data, "step", (double)
				  step_of(report, WIDE) * SB_HOUR, 0) ||
		 report_json_real(data, "small_step", (double)
				  step_of(report, SMALL) * SB_HOUR, 0);
	for (size_t i = 0; !failed && i < sizeof(makers) / sizeof(*makers);
	     i++) {
		part = makers[i](report);
		failed = !part || report_json_put(data, names[i], part);
	}
	part = failed ? NULL : marks_data();
	if (part && !report_json_put(data, "marks", part))
		return data;
	json_object_put(data);
	return NULL;
}
