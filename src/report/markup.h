/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * markup - pieces of HTML: escaped text, tables, headings, places for charts,
 * and what is around them.
 */
#ifndef SB_REPORT_MARKUP_H
#define SB_REPORT_MARKUP_H

#include "page.h"
#include "tally.h"

typedef struct {
	report_write_t write;
	void *arg;
	const report_t *report;	/* NULL: of several */
	const report_page_t *page;
	bool versus;		/* columns are sides of a comparison: shown
				 * whatever they say, and texts are figures */
	const char *wrong;	/* NULL: all is well; else nothing is written
				 * any more */
} report_writer_t;

/* Markup as it is. */
extern void report_put_bytes(report_writer_t *out, const char *text,
			     size_t length);
extern void report_put(report_writer_t *out, const char *text);
/* Only our own texts and numbers, up to 1 KiB. */
extern void report_putf(report_writer_t *out, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Text of others: as text, never as markup. */
extern void report_put_text(report_writer_t *out, const char *text);

/* IN most: rows; of what is beyond only the number is said. */
extern void report_put_table(report_writer_t *out, const report_sheet_t *sheet,
			     size_t most);
/* Opens a section. */
extern void report_put_heading(report_writer_t *out, const char *kicker,
			       const char *finding);
/* IN id, label: ours. */
extern void report_put_chart(report_writer_t *out, const char *id,
			     const char *label);
extern void report_put_tile(report_writer_t *out, const char *value,
			    const char *label, const char *note);

/* frame.c: all before and behind the sections. IN data: what page.js draws;
 * taken over, NULL: there was no memory. */
extern void report_put_head(report_writer_t *out);
extern void report_put_foot(report_writer_t *out, json_object *data);

#endif
