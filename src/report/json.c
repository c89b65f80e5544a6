/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json.h"
#include "tally.h"

extern int report_json_put(json_object *object, const char *name,
			   json_object *value)
{
	/* json-c takes NULL for null: only our own makers know a lack of
	 * memory, and they say so by a return value. */
	if (!object || json_object_object_add(object, name, value)) {
		json_object_put(value);
		return -1;
	}
	return 0;
}

extern int report_json_real(json_object *object, const char *name,
			    double value, int decimals)
{
	char text[64];
	json_object *real;

	if (!isfinite(value))
		return report_json_put(object, name, NULL);
	snprintf(text, sizeof(text), "%.*f", decimals, value);
	real = json_object_new_double_s(value, text);
	return real ? report_json_put(object, name, real) : -1;
}

extern int report_json_text(json_object *object, const char *name,
			    const char *text)
{
	char *clean = report_clean(text);
	json_object *string = clean ? json_object_new_string(clean) : NULL;

	free(clean);
	return string ? report_json_put(object, name, string) : -1;
}

static int put_cell(json_object *object, const report_sheet_t *sheet,
		    size_t row, size_t c)
{
	const report_column_t *column = report_sheet_column(sheet, c);
	const char *text = report_sheet_text(sheet, row, c);

	switch (column->kind) {
	case REPORT_TEXT:
		if (!text)
			return report_json_put(object, column->name, NULL);
		return report_json_text(object, column->name, text);
	case REPORT_SHARE:
		return report_json_real(object, column->name,
					report_sheet_value(sheet, row, c), 6);
	case REPORT_HOURS:
	case REPORT_GPUS:
		return report_json_real(object, column->name,
					report_sheet_value(sheet, row, c), 4);
	default:
		return report_json_real(object, column->name,
					report_sheet_value(sheet, row, c), 0);
	}
}

/* RET: an array of objects, NULL without memory. */
static json_object *sheet_json(const report_sheet_t *sheet)
{
	json_object *array = json_object_new_array();

	for (size_t r = 0; array && r < report_sheet_rows(sheet); r++) {
		json_object *object = json_object_new_object();
		int failed = !object;

		for (size_t c = 0; !failed && c < report_sheet_columns(sheet);
		     c++)
			failed = put_cell(object, sheet, r, c);
		if (failed || json_object_array_add(array, object)) {
			json_object_put(object);
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

extern json_object *report_json_totals(const report_t *report)
{
	const report_totals_t *t = &report->totals;
	const struct {
		const char *name;
		double value;
		int decimals;
	} all[] = {
		{ "total_hours", t->total, 4 },
		{ "down_hours", t->down, 4 },
		{ "planned_hours", t->planned, 4 },
		{ "available_hours", t->available, 4 },
		{ "allocated_hours", t->allocated, 4 },
		{ "unallocated_hours", t->free, 4 },
		{ "lost_preempted_hours", t->lost_preempted, 4 },
		{ "lost_failed_hours", t->lost_failed, 4 },
		{ "ended_failed_hours", t->ended_failed, 4 },
		{ "availability", t->availability, 6 },
		{ "occupancy", t->occupancy, 6 },
		{ "impact", t->impact, 6 },
		{ "utilisation", t->utilisation, 6 },
		{ "utilisation_known", t->utilisation_known, 6 },
		{ "owed_hours", t->owed, 4 },
		{ "delivered_hours", t->delivered, 4 },
		{ "delivered_owed", t->delivered_owed, 6 },
		{ "worst", t->worst, 6 },
		{ "teams", (double) t->teams, 0 },
		{ "teams_95", (double) t->teams_95, 0 },
		{ "unallocated", t->unallocated, 6 },
		{ "preemptions", (double) t->preemptions, 0 },
		{ "preemptors_known", (double) t->preemptors_known, 0 },
		{ "preemptors_started", (double) t->preemptors_started, 0 },
		{ "runs", (double) t->runs, 0 },
		{ "refused", (double) t->refused, 0 },
	};
	json_object *totals = json_object_new_object();

	for (size_t i = 0; totals && i < sizeof(all) / sizeof(all[0]); i++) {
		if (report_json_real(totals, all[i].name, all[i].value,
				     all[i].decimals)) {
			json_object_put(totals);
			return NULL;
		}
	}
	return totals;
}

/* RET: 0, or -1 without memory. */
static int put_all(json_object *root, const report_t *report, bool hours)
{
	json_object *part;

	if (report_json_real(root, "from", (double) report->period.from, 0) ||
	    report_json_real(root, "until", (double) report->period.until, 0) ||
	    report_json_text(root, "unit", report->unit))
		return -1;
	part = report_json_totals(report);
	if (!part || report_json_put(root, "totals", part))
		return -1;
	for (size_t s = 0; s < REPORT_SHEETS; s++) {
		if (s == REPORT_SHEET_HOURS && !hours)
			continue;
		part = sheet_json(report->sheets[s]);
		if (!part || report_json_put(root, report_sheet_name(s), part))
			return -1;
	}
	return 0;
}

extern json_object *report_json(const report_t *report, bool hours,
				sb_err_t *err)
{
	json_object *root;

	if (!report->ready) {
		sb_err_set(err, "the report is not finished");
		return NULL;
	}
	root = json_object_new_object();
	if (root && !put_all(root, report, hours))
		return root;
	json_object_put(root);
	sb_err_set(err, "out of memory");
	return NULL;
}
