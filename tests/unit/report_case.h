/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_case - what the tests of the report share.
 */
#ifndef TEST_REPORT_CASE_H
#define TEST_REPORT_CASE_H

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "suite.h"

#define HOUR 3600
#define BEGIN INT64_C(1790812800)

__attribute__((unused))
static const report_run_t plain = {
	.job = 1, .eligible = BEGIN, .start = BEGIN, .end = BEGIN + HOUR,
	.gpus = 8, .nodes = 1, .minimum = REPORT_UNKNOWN,
	.limit = REPORT_UNKNOWN, .outcome = REPORT_COMPLETED,
	.usage = REPORT_UNKNOWN, .lost = REPORT_UNKNOWN,
};

/* The value of a column in the row that a text begins. */
__attribute__((unused))
static double figure(const report_t *report, report_sheet_id_t id,
		     const char *row, const char *column)
{
	const report_sheet_t *sheet = report_sheet(report, id);

	for (size_t r = 0; r < report_sheet_rows(sheet); r++) {
		if (strcmp(report_sheet_text(sheet, r, 0), row))
			continue;
		for (size_t c = 0; c < report_sheet_columns(sheet); c++)
			if (!strcmp(report_sheet_column(sheet, c)->name,
				    column))
				return report_sheet_value(sheet, r, c);
	}
	return NAN;
}

__attribute__((unused))
static void is_close(double got, double wanted, const char *what)
{
	double scale = fabs(wanted) > 1 ? fabs(wanted) : 1;

	if (isnan(got) && isnan(wanted))
		return;
	if (!(fabs(got - wanted) <= 1e-6 * scale))
		ck_abort_msg("%s: %.9g, not %.9g", what, got, wanted);
}

#endif
