/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"

#define SECONDS_OF_DAY 86400.0

extern int print_begin(print_grid_t *grid, size_t rows, size_t columns)
{
	grid->rows = rows;
	grid->columns = columns;
	grid->cells = calloc(rows * columns + 1, sizeof(*grid->cells));
	return grid->cells ? 0 : -1;
}

extern int print_set(print_grid_t *grid, size_t row, size_t column,
		     const char *text)
{
	char *copy = strdup(text);
	char **cell = &grid->cells[row * grid->columns + column];

	if (!copy)
		return -1;
	for (char *c = copy; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	}
	free(*cell);
	*cell = copy;
	return 0;
}

extern void print_free(print_grid_t *grid)
{
	for (size_t i = 0; grid->cells && i < grid->rows * grid->columns; i++)
		free(grid->cells[i]);
	free(grid->cells);
	grid->cells = NULL;
}

/* Characters, not bytes of UTF-8. */
static int width_of(const char *text)
{
	int width = 0;

	for (; text && *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static int column_width(const print_grid_t *grid, size_t column)
{
	int most = 0;

	for (size_t row = 0; row < grid->rows; row++) {
		int width = width_of(grid->cells[row * grid->columns +
						 column]);

		if (width > most)
			most = width;
	}
	return most;
}

extern void print_grid(const print_grid_t *grid)
{
	int widths[256];
	size_t columns = grid->columns < 256 ? grid->columns : 256;

	for (size_t c = 0; c < columns; c++)
		widths[c] = column_width(grid, c);
	for (size_t row = 0; row < grid->rows; row++) {
		for (size_t c = 0; c < columns; c++) {
			const char *text = grid->cells[row * grid->columns + c];
			int pad = widths[c] - width_of(text);

			if (c)
				printf("  %*s%s", pad, "", text ? text : "");
			else
				printf("%s%*s", text ? text : "",
				       columns > 1 ? pad : 0, "");
		}
		putchar('\n');
	}
}

/* ---------------------------------------------------------------- workload */

/* The end of a word that is counted. */
#define S(count) ((count) == 1 ? "" : "s")

static void count_assocs(const workload_t *workload, size_t *accounts,
			 size_t *users)
{
	*accounts = *users = 0;
	for (size_t i = 1; i < workload->assoc_count; i++) {
		if (!workload->assocs[i].user)
			(*accounts)++;
		else if (strcmp(workload->assocs[i].name, WORKLOAD_NOBODY))
			(*users)++;
	}
}

extern void print_workload(const load_t *load)
{
	const workload_t *workload = load->workload;
	int64_t last = workload->jobs[workload->job_count - 1].submit;
	size_t accounts, users, nodes = 0;

	count_assocs(workload, &accounts, &users);
	for (size_t i = 0; i < load->nodes.count; i++)
		nodes += load->nodes.pools[i].nodes;
	printf("%zu job%s of %zu user%s in %zu account%s over %.1f days, on %llu GPUs of %zu node%s\n",
	       workload->job_count, S(workload->job_count), users, S(users),
	       accounts, S(accounts),
	       (double)last / SECONDS_OF_DAY,
	       (unsigned long long)load->nodes.gpus, nodes, S(nodes));
}

extern void print_notes(const load_t *load)
{
	const workload_t *workload = load->workload;
	char row[256];

	if (!workload->note_count && !load->tally.total)
		return;
	printf("\nAssumed and left out\n\n");
	for (size_t i = 0; i < workload->note_count; i++)
		printf("- %s\n", workload->notes[i]);
	for (size_t i = 0; i < load->tally.row_count; i++)
		printf("- left out: %s\n",
		       tally_text(&load->tally.rows[i], row, sizeof(row)));
}

/* ---------------------------------------------------------------- sheets */

static int fill_row(print_grid_t *grid, const report_sheet_t *sheet,
		    size_t row)
{
	char buf[64], cell[320];

	for (size_t c = 0; c < grid->columns; c++) {
		unsigned depth = c ? 0 : report_sheet_depth(sheet, row);

		snprintf(cell, sizeof(cell), "%*s%s", (int)depth, "",
			 report_sheet_cell(sheet, row, c, buf, sizeof(buf)));
		if (print_set(grid, row + 1, c, cell))
			return -1;
	}
	return 0;
}

extern int print_sheet(const report_sheet_t *sheet)
{
	size_t rows = report_sheet_rows(sheet);
	print_grid_t grid;
	int rc = print_begin(&grid, rows + 1, report_sheet_columns(sheet));

	for (size_t c = 0; !rc && c < grid.columns; c++)
		rc = print_set(&grid, 0, c,
			       report_sheet_column(sheet, c)->head);
	for (size_t row = 0; !rc && row < rows; row++)
		rc = fill_row(&grid, sheet, row);
	if (!rc) {
		printf("\n%s\n\n", report_sheet_title(sheet));
		print_grid(&grid);
	}
	print_free(&grid);
	return rc;
}
