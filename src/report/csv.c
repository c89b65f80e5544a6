/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tally.h"

typedef struct {
	report_write_t write;
	void *arg;
	bool failed;
} csv_t;

static void put(csv_t *csv, const char *text, size_t length)
{
	if (!csv->failed && length && csv->write(csv->arg, text, length))
		csv->failed = true;
}

/* Quoted when it must be. A spreadsheet computes what begins like a formula,
 * and names are not ours. */
static void put_text(csv_t *csv, const char *text)
{
	bool formula = strchr("=+-@\t\r", text[0]) && text[0];
	const char *quote;

	if (!formula && !strpbrk(text, ",\"\r\n")) {
		put(csv, text, strlen(text));
		return;
	}
	put(csv, formula ? "\"'" : "\"", formula ? 2 : 1);
	while ((quote = strchr(text, '"'))) {
		put(csv, text, (size_t) (quote - text));
		put(csv, "\"\"", 2);
		text = quote + 1;
	}
	put(csv, text, strlen(text));
	put(csv, "\"", 1);
}

static void put_value(csv_t *csv, report_kind_t kind, double value)
{
	char text[64];

	if (!isfinite(value))
		return;
	switch (kind) {
	case REPORT_SHARE:
		snprintf(text, sizeof(text), "%.6f", value);
		break;
	case REPORT_HOURS:
	case REPORT_GPUS:
		snprintf(text, sizeof(text), "%.4f", value);
		break;
	default:
		snprintf(text, sizeof(text), "%.0f", value);
	}
	put(csv, text, strlen(text));
}

static void put_row(csv_t *csv, const report_sheet_t *sheet, size_t row)
{
	for (size_t c = 0; c < report_sheet_columns(sheet); c++) {
		const report_column_t *column = report_sheet_column(sheet, c);
		const char *text = report_sheet_text(sheet, row, c);

		if (c)
			put(csv, ",", 1);
		if (column->kind != REPORT_TEXT)
			put_value(csv, column->kind,
				  report_sheet_value(sheet, row, c));
		else if (text)
			put_text(csv, text);
	}
	put(csv, "\n", 1);
}

extern int report_csv(const report_sheet_t *sheet, report_write_t write,
		      void *arg, sb_err_t *err)
{
	csv_t csv = { .write = write, .arg = arg };

	for (size_t c = 0; c < report_sheet_columns(sheet); c++) {
		if (c)
			put(&csv, ",", 1);
		put_text(&csv, report_sheet_column(sheet, c)->name);
	}
	put(&csv, "\n", 1);
	for (size_t r = 0; r < report_sheet_rows(sheet) && !csv.failed; r++)
		put_row(&csv, sheet, r);
	return csv.failed ? sb_err_set(err, "cannot write the report") : 0;
}
