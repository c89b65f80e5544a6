/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print - tables for people, on standard output.
 */
#ifndef SB_SIM_PRINT_H
#define SB_SIM_PRINT_H

#include "load.h"
#include "sheet.h"

/* A grid of texts, row after row; the first row and the first column name the
 * others. Columns but the first are aligned to the right. */
typedef struct {
	char **cells;
	size_t rows, columns;
} print_grid_t;

/* RET: 0, or -1 without memory. */
extern int print_begin(print_grid_t *grid, size_t rows, size_t columns);
/* Copied; what a terminal would obey is replaced. */
extern int print_set(print_grid_t *grid, size_t row, size_t column,
		     const char *text);
extern void print_grid(const print_grid_t *grid);
extern void print_free(print_grid_t *grid);

/* "63,601 jobs of 13 accounts ..., 640 GPUs on 80 nodes, 55.9 days". */
extern void print_workload(const load_t *load);
/* What was assumed and left out. */
extern void print_notes(const load_t *load);
/* RET: 0, or -1 without memory. */
extern int print_sheet(const report_sheet_t *sheet);

#endif
