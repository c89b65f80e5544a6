/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_data - what the page's charts draw, as one JSON object.
 */
#ifndef SB_REPORT_PAGE_DATA_H
#define SB_REPORT_PAGE_DATA_H

#include "page.h"
#include "tally.h"

/* Teams with a chart of their own, the largest budgets; more are tables. */
#define REPORT_CHARTS_MAX 30

/* RET: a new object, NULL without memory. */
extern json_object *report_page_data(const report_t *report,
				     const report_page_t *page);

/* Is there anything to draw of it? */
extern size_t report_page_teams(const report_t *report);

#endif
