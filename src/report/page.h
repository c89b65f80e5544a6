/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page - the report as one self-contained HTML file: charts and tables, works
 * offline, light and dark, prints.
 */
#ifndef SB_REPORT_PAGE_H
#define SB_REPORT_PAGE_H

#include "sheet.h"

typedef struct {
	const char *title;	/* NULL: "GPU budget report" */
	const char *subtitle;	/* cluster, policy, ...; NULL: none */
	const char *made;	/* when and by what, for the foot; NULL: none */
	const char *zone;	/* IANA name ("Europe/Berlin") for axes; NULL
				 * or none that the browser knows: UTC */
	bool relative;		/* times are from 0, not from 1970: "day 3" */
	const char *chart;	/* text of Chart.js 3; see report_chart() */
	size_t chart_size;
} report_page_t;

/*
 * Write the page, in pieces. All text is escaped, whatever the names hold.
 * RET: 0, or -1 with err (no chart library, the writer's no, no memory, not
 * finished).
 */
extern int report_html(const report_t *report, const report_page_t *page,
		       report_write_t write, void *arg, sb_err_t *err);

/*
 * The chart library that was found when this was built.
 * OUT size: may be NULL. RET: its text, or NULL when it was built without:
 * --html is then refused with REPORT_CHART_MISSING.
 */
extern const char *report_chart(size_t *size);
#define REPORT_CHART_MISSING \
	"this build has no chart library: install libjs-chart.js (or give " \
	"configure --with-chart-js=FILE) and build again"

#endif
