/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * comparison - several reports of one workload, side by side on one page, which
 * is made of the same pieces as that of one report.
 */
#ifndef SB_REPORT_COMPARISON_H
#define SB_REPORT_COMPARISON_H

#include "page.h"

/* Sides that charts have, the first: page.js has as many colours. */
#define REPORT_SIDES_DRAWN 6

/* What the page says of one report. */
typedef struct {
	const char *name;	/* from users, and need not be unique */
	json_object *taken;	/* by report_comparison_take() */
} report_side_t;

typedef struct {
	const report_side_t *sides;
	size_t count;		/* at least 1 */
	/* Figures as texts, rows of count + 1: what it is, then that of each
	 * side. NULL: none of a side. */
	const char *const *cells;
	size_t rows;
	const char *note;	/* about them, or NULL */
} report_comparison_t;

/*
 * What the page needs of a report, as plain JSON: it may come from another
 * process. IN page: as for report_html(); only its times and zone matter.
 * RET: a new object, or NULL with err (not finished, no memory).
 */
extern json_object *report_comparison_take(const report_t *report,
					   const report_page_t *page,
					   sb_err_t *err);

/* Write the page, in pieces. RET: as report_html(). */
extern int report_comparison_html(const report_comparison_t *comparison,
				  const report_page_t *page,
				  report_write_t write, void *arg,
				  sb_err_t *err);

#endif
