/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "limits.h"
#include "measure.h"
#include "timespan.h"

static const report_column_t columns[MEASURES] = {
	[MEASURE_DELIVERED] = { "delivered_owed", "Delivered / owed",
				REPORT_SHARE },
	[MEASURE_TEAMS] = { "teams", "Teams owed something", REPORT_COUNT },
	[MEASURE_TEAMS_95] = { "teams_95", "Teams with 95 % of it",
			       REPORT_COUNT },
	[MEASURE_WORST] = { "worst", "Worst team", REPORT_SHARE },
	[MEASURE_OCCUPANCY] = { "occupancy", "Occupancy", REPORT_SHARE },
	[MEASURE_IMPACT] = { "impact", "Work not lost", REPORT_SHARE },
	[MEASURE_UNALLOCATED] = { "unallocated", "Unallocated", REPORT_SHARE },
	[MEASURE_DEBUG_P50] = { "debug_p50", "Debug jobs' wait, median",
				REPORT_SECONDS },
	[MEASURE_DEBUG_P90] = { "debug_p90", "Debug jobs' wait, p90",
				REPORT_SECONDS },
	[MEASURE_INTERACTIVE_P90] = { "interactive_p90",
				      "Interactive jobs' wait, p90",
				      REPORT_SECONDS },
	[MEASURE_OTHER_P50] = { "other_p50", "Other jobs' wait, median",
				REPORT_SECONDS },
	[MEASURE_OTHER_P90] = { "other_p90", "Other jobs' wait, p90",
				REPORT_SECONDS },
	[MEASURE_LARGE_P50] = { "large_p50", "Large jobs' wait, median",
				REPORT_SECONDS },
	[MEASURE_LARGE_P90] = { "large_p90", "Large jobs' wait, p90",
				REPORT_SECONDS },
	[MEASURE_LARGE_MAX] = { "large_max", "Large jobs' wait, longest",
				REPORT_SECONDS },
	[MEASURE_FREE_P90] = { "free_p90", "Free jobs' wait, p90",
			       REPORT_SECONDS },
	[MEASURE_PREEMPTIONS] = { "preemptions", "Preemptions", REPORT_COUNT },
	[MEASURE_STARTED] = { "preemptors_started",
			      "whose preemptor started", REPORT_SHARE },
	[MEASURE_LOST] = { "lost", "GPU-hours lost to them", REPORT_HOURS },
	[MEASURE_COMPLETED] = { "completed", "Jobs completed", REPORT_COUNT },
	[MEASURE_TIMEOUTS] = { "timeouts", "at their time limit",
			       REPORT_COUNT },
	[MEASURE_UNFINISHED] = { "unfinished", "not finished", REPORT_COUNT },
	[MEASURE_REFUSED] = { "refused", "refused", REPORT_COUNT },
	[MEASURE_GPUS] = { "gpus_occupancy", "GPUs allocated", REPORT_SHARE },
	[MEASURE_CPUS] = { "cpus_occupancy", "CPUs allocated", REPORT_SHARE },
	[MEASURE_MEMORY] = { "mem_occupancy", "Memory allocated",
			     REPORT_SHARE },
};

/* From the sheet of waits: row and column by name. */
static const struct {
	measure_t measure;
	const char *row, *column;
} waits[] = {
	{ MEASURE_DEBUG_P50, "debug", "p50" },
	{ MEASURE_DEBUG_P90, "debug", "p90" },
	{ MEASURE_INTERACTIVE_P90, "interactive", "p90" },
	{ MEASURE_OTHER_P50, "other", "p50" },
	{ MEASURE_OTHER_P90, "other", "p90" },
	{ MEASURE_LARGE_P50, "large", "p50" },
	{ MEASURE_LARGE_P90, "large", "p90" },
	{ MEASURE_LARGE_MAX, "large", "max" },
	{ MEASURE_FREE_P90, "free", "p90" },
};

extern const report_column_t *measure_column(measure_t measure)
{
	return &columns[measure];
}

extern bool measure_is_extra(measure_t measure)
{
	return measure >= MEASURE_GPUS;
}

static double wait_of(const report_sheet_t *sheet, const char *row,
		      const char *column)
{
	size_t r = 0, c = 0;

	for (; r < report_sheet_rows(sheet); r++) {
		const char *text = report_sheet_text(sheet, r, 0);

		if (text && !strcmp(text, row))
			break;
	}
	for (; c < report_sheet_columns(sheet); c++) {
		if (!strcmp(report_sheet_column(sheet, c)->name, column))
			break;
	}
	return r < report_sheet_rows(sheet) ? report_sheet_value(sheet, r, c) :
		NAN;
}

static void take_totals(const replay_t *replay, double values[MEASURES])
{
	const report_totals_t *totals = report_totals(replay->report);

	values[MEASURE_DELIVERED] = totals->delivered_owed;
	values[MEASURE_TEAMS] = (double)totals->teams;
	values[MEASURE_TEAMS_95] = (double)totals->teams_95;
	values[MEASURE_WORST] = totals->worst;
	values[MEASURE_OCCUPANCY] = totals->occupancy;
	values[MEASURE_IMPACT] = totals->impact;
	values[MEASURE_UNALLOCATED] = totals->unallocated;
	values[MEASURE_PREEMPTIONS] = (double)totals->preemptions;
	values[MEASURE_STARTED] = totals->preemptors_known ?
		(double)totals->preemptors_started /
		(double)totals->preemptors_known : NAN;
	values[MEASURE_LOST] = totals->lost_preempted;
}

extern void measure_take(const replay_t *replay, double values[MEASURES])
{
	const report_sheet_t *sheet = report_sheet(replay->report,
						   REPORT_SHEET_WAITS);

	take_totals(replay, values);
	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++)
		values[waits[i].measure] = wait_of(sheet, waits[i].row,
						   waits[i].column);
	values[MEASURE_COMPLETED] = (double)replay->figures.completed;
	values[MEASURE_TIMEOUTS] = (double)replay->figures.timeouts;
	values[MEASURE_UNFINISHED] = (double)replay->figures.unfinished;
	values[MEASURE_REFUSED] = (double)replay->figures.refused;
	values[MEASURE_GPUS] = replay->gpus;
	values[MEASURE_CPUS] = replay->cpus;
	values[MEASURE_MEMORY] = replay->mem;
}

extern char *measure_text(measure_t measure, double value, char *buf,
			  size_t size)
{
	switch (isfinite(value) ? columns[measure].kind : REPORT_TEXT) {
	case REPORT_SHARE:
		/* Not all is not all, however little is missing. */
		if (value < 1 && value >= 0.9995)
			value = 0.999;
		snprintf(buf, size, "%.1f %%", 100 * value);
		break;
	case REPORT_SECONDS:
		sb_timespan_format((int64_t)(value + 0.5), buf, size);
		break;
	case REPORT_COUNT:
		/* Means of seeds are no whole numbers. */
		snprintf(buf, size, value == floor(value) ? "%.0f" : "%.1f",
			 value);
		break;
	case REPORT_HOURS:
	case REPORT_GPUS:
	case REPORT_TIME:
		snprintf(buf, size, "%.0f", value);
		break;
	case REPORT_TEXT:
		snprintf(buf, size, "-");
		break;
	}
	return buf;
}
