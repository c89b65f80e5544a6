/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notes - the sheet of what is not known or was left out.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "limits.h"
#include "tally.h"

static const report_column_t columns[] = { { "note", "Note", REPORT_TEXT } };

static void add(report_sheet_t *sheet, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void add(report_sheet_t *sheet, const char *fmt, ...)
{
	char text[SB_ERR_SIZE + 256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	report_sheet_row(sheet, 0);
	report_sheet_set_text(sheet, 0, text);
}

static double whole(const report_t *report, report_sum_t sum)
{
	double all = 0;

	for (size_t i = 0; i < report->row_count; i++)
		if (report->rows[i].parent < 0)
			all += report->rows[i].sums[sum];
	return all / SB_HOUR;
}

static void add_classes(report_sheet_t *sheet, const report_t *report)
{
	double unknown = whole(report, REPORT_SUM_CLASS_UNKNOWN);

	if (!report->options.classes_known)
		add(sheet, "Declarations are not recorded "
		    "(AccountingStoreFlags has no job_comment): which jobs "
		    "were unallocated, and which minimum they declared, is not "
		    "known. All count as charged.");
	else if (unknown > 0)
		add(sheet, "Of %.1f %s-hours the class is not known. They "
		    "count as charged.", unknown, report->unit);
}

static void add_losses(report_sheet_t *sheet, const report_t *report)
{
	const report_totals_t *t = &report->totals;
	double ruled = whole(report, REPORT_SUM_LOST_RULED);

	if (ruled > 0)
		add(sheet, "What preemptions and failed nodes undid is not "
		    "recorded: %.1f %s-hours are what contracts say, run time "
		    "past the last whole minimum, all of it without a minimum. "
		    "Jobs with checkpoints lost less.", ruled, report->unit);
	if (t->preemptions > t->preemptors_known)
		add(sheet, "For %zu of %zu preemptions it is not known whether "
		    "the job they were for started.",
		    t->preemptions - t->preemptors_known, t->preemptions);
}

static void add_usage(report_sheet_t *sheet, const report_t *report)
{
	double known = report->totals.utilisation_known;

	if (!(known > 0))
		add(sheet, "No run has a recorded %s utilisation: neither how "
		    "busy they were nor who held them idle is known.",
		    report->unit);
	else if (known < 0.995)
		add(sheet, "%s utilisation is known for %.1f %% of the "
		    "allocated time.", report->unit, known * 100);
}

extern report_sheet_t *report_make_notes(const report_t *report)
{
	report_sheet_t *sheet = report_sheet_create(columns, 1);
	char *refusal = report_clean(report->refusal.text);

	if (!sheet || !refusal) {
		free(refusal);
		report_sheet_destroy(sheet);
		return NULL;
	}
	add(sheet, "Budgets are those at the time of the report, over the "
	    "whole period.");
	if (!report->capacity_known)
		add(sheet, "slurmdbd tells no capacity of the cluster for this "
		    "period, as before its first day: nothing is owed, and "
		    "there is no occupancy.");
	add_classes(sheet, report);
	add_losses(sheet, report);
	add_usage(sheet, report);
	if (report->refused)
		add(sheet, "%zu records cannot be and were left out, the last: "
		    "%s.", report->refused, refusal);
	if (report->bars_dropped)
		add(sheet, "%zu bars are not drawn: there are too many.",
		    report->bars_dropped);
	report_sheet_set_title(sheet, "What to know about these figures");
	free(refusal);
	return report_sheet_done(sheet);
}
