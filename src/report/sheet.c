/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tally.h"
#include "timespan.h"

typedef struct {
	double value;
	char *text;		/* of a text column, may be NULL */
} cell_t;

struct report_sheet {
	const report_column_t *columns;
	size_t column_count;
	cell_t *cells;		/* row after row */
	unsigned *depths;
	size_t rows, cell_room, depth_room;
	char title[256];
	bool spoilt;
};

static const char *const names[REPORT_SHEETS] = {
	[REPORT_SHEET_PYRAMID] = "pyramid",
	[REPORT_SHEET_TEAMS] = "accounts",
	[REPORT_SHEET_WAITS] = "waits",
	[REPORT_SHEET_WAITS_ACCOUNT] = "waits_by_account",
	[REPORT_SHEET_WAITS_SIZE] = "waits_by_size",
	[REPORT_SHEET_PREEMPTIONS] = "preemptions",
	[REPORT_SHEET_SQUATTING] = "squatting",
	[REPORT_SHEET_INFLATION] = "inflation",
	[REPORT_SHEET_DRAINING] = "draining",
	[REPORT_SHEET_HOURS] = "hours",
	[REPORT_SHEET_NOTES] = "notes",
};

/* ---- filling ------------------------------------------------------------ */

extern report_sheet_t *report_sheet_create(const report_column_t *columns,
					   size_t count)
{
	report_sheet_t *sheet = calloc(1, sizeof(*sheet));

	if (!sheet)
		return NULL;
	sheet->columns = columns;
	sheet->column_count = count;
	return sheet;
}

extern void report_sheet_row(report_sheet_t *sheet, unsigned depth)
{
	size_t used = sheet->rows * sheet->column_count;

	for (size_t c = 0; c < sheet->column_count && !sheet->spoilt; c++) {
		if (report_grow((void **) &sheet->cells, &sheet->cell_room,
				used + c, sizeof(*sheet->cells)))
			sheet->spoilt = true;
		else
			sheet->cells[used + c] = (cell_t) { NAN, NULL };
	}
	if (!sheet->spoilt &&
	    report_grow((void **) &sheet->depths, &sheet->depth_room,
			sheet->rows, sizeof(*sheet->depths)))
		sheet->spoilt = true;
	if (!sheet->spoilt)
		sheet->depths[sheet->rows++] = depth;
}

/* The cell of the last row. RET: NULL when the sheet is spoilt. */
static cell_t *last_cell(report_sheet_t *sheet, size_t column)
{
	if (sheet->spoilt || !sheet->rows || column >= sheet->column_count)
		return NULL;
	return &sheet->cells[(sheet->rows - 1) * sheet->column_count + column];
}

extern void report_sheet_set_text(report_sheet_t *sheet, size_t column,
				  const char *text)
{
	cell_t *cell = last_cell(sheet, column);

	if (!cell)
		return;
	free(cell->text);
	cell->text = strdup(text);
	sheet->spoilt = !cell->text;
}

extern void report_sheet_set(report_sheet_t *sheet, size_t column,
			     double value)
{
	cell_t *cell = last_cell(sheet, column);

	if (cell)
		cell->value = value;
}

extern void report_sheet_set_title(report_sheet_t *sheet, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(sheet->title, sizeof(sheet->title), fmt, ap);
	va_end(ap);
}

extern report_sheet_t *report_sheet_done(report_sheet_t *sheet)
{
	if (sheet && sheet->spoilt) {
		report_sheet_destroy(sheet);
		return NULL;
	}
	return sheet;
}

extern void report_sheet_destroy(report_sheet_t *sheet)
{
	if (!sheet)
		return;
	for (size_t i = 0; i < sheet->rows * sheet->column_count; i++)
		free(sheet->cells[i].text);
	free(sheet->cells);
	free(sheet->depths);
	free(sheet);
}

/* ---- reading ------------------------------------------------------------ */

extern const report_sheet_t *report_sheet(const report_t *report,
					  report_sheet_id_t id)
{
	if (!report->ready || (unsigned) id >= REPORT_SHEETS)
		return NULL;
	return report->sheets[id];
}

extern const char *report_sheet_name(report_sheet_id_t id)
{
	return (unsigned) id < REPORT_SHEETS ? names[id] : "unknown";
}

extern const char *report_sheet_title(const report_sheet_t *sheet)
{
	return sheet->title;
}

extern size_t report_sheet_rows(const report_sheet_t *sheet)
{
	return sheet->rows;
}

extern size_t report_sheet_columns(const report_sheet_t *sheet)
{
	return sheet->column_count;
}

extern const report_column_t *report_sheet_column(const report_sheet_t *sheet,
						  size_t column)
{
	return column < sheet->column_count ? &sheet->columns[column] : NULL;
}

static const cell_t *find_cell(const report_sheet_t *sheet, size_t row,
			       size_t column)
{
	if (row >= sheet->rows || column >= sheet->column_count)
		return NULL;
	return &sheet->cells[row * sheet->column_count + column];
}

extern const char *report_sheet_text(const report_sheet_t *sheet, size_t row,
				     size_t column)
{
	const cell_t *cell = find_cell(sheet, row, column);

	return cell ? cell->text : NULL;
}

extern double report_sheet_value(const report_sheet_t *sheet, size_t row,
				 size_t column)
{
	const cell_t *cell = find_cell(sheet, row, column);

	return cell ? cell->value : NAN;
}

extern unsigned report_sheet_depth(const report_sheet_t *sheet, size_t row)
{
	return row < sheet->rows ? sheet->depths[row] : 0;
}

extern const char *report_sheet_cell(const report_sheet_t *sheet, size_t row,
				     size_t column, char *buf, size_t size)
{
	const cell_t *cell = find_cell(sheet, row, column);

	if (cell && sheet->columns[column].kind == REPORT_TEXT)
		return cell->text ? cell->text : "-";
	return report_show(cell ? sheet->columns[column].kind : REPORT_COUNT,
			   cell ? cell->value : NAN, buf, size);
}
