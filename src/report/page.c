/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page - the page around the charts. Tables are written here, so that they are
 * there for printers, screen readers and browsers without scripts; page.js
 * draws.
 *
 * Names come from users. In HTML everything goes through put_text(); the data
 * of the charts is JSON in a script element that is not run, with every '<'
 * escaped, so that no name can end it; page.js puts names into text nodes and
 * canvases only. The page's policy forbids it to load anything.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "embedded.h"
#include "limits.h"
#include "page_data.h"

/* Rows of a table on the page; all are in JSON and CSV. */
#define ROWS_MAX 200

typedef struct {
	report_write_t write;
	void *arg;
	const report_t *report;
	const report_page_t *page;
	const char *wrong;	/* NULL: all is well */
} writer_t;

static void put_bytes(writer_t *out, const char *text, size_t length)
{
	if (!out->wrong && length && out->write(out->arg, text, length))
		out->wrong = "cannot write the report";
}

static void put(writer_t *out, const char *text)
{
	put_bytes(out, text, strlen(text));
}

/* Text of others: as text, never as markup. */
static void put_text(writer_t *out, const char *text)
{
	char *clean = report_clean(text), *at = clean;

	if (!clean) {
		out->wrong = "out of memory";
		return;
	}
	while (*at) {
		size_t plain = strcspn(at, "&<>\"'");
		char entity[16];

		put_bytes(out, at, plain);
		at += plain;
		if (*at) {
			snprintf(entity, sizeof(entity), "&#%d;", *at++);
			put(out, entity);
		}
	}
	free(clean);
}

/* Only our own texts and numbers. */
static void putf(writer_t *out, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void putf(writer_t *out, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	put(out, text);
}

/* ---- tables ------------------------------------------------------------- */

/* A column that says nothing in any row is left out. */
static bool is_shown(const report_sheet_t *sheet, size_t column)
{
	const report_column_t *c = report_sheet_column(sheet, column);

	if (!column)
		return true;
	if (!strcmp(c->name, "team"))
		return false;
	for (size_t r = 0; r < report_sheet_rows(sheet); r++) {
		double value = report_sheet_value(sheet, r, column);

		if (c->kind == REPORT_TEXT ||
		    (isfinite(value) && value != 0))
			return true;
	}
	return false;
}

static void put_cell(writer_t *out, const report_sheet_t *sheet, size_t row,
		     size_t column)
{
	const report_column_t *c = report_sheet_column(sheet, column);
	char buf[64];

	if (!column)
		putf(out, "<th scope=\"row\" class=\"d%u\">",
		     report_sheet_depth(sheet, row) < 6 ?
		     report_sheet_depth(sheet, row) : 6);
	else
		put(out, c->kind == REPORT_TEXT ? "<td class=\"t\">" : "<td>");
	put_text(out, report_sheet_cell(sheet, row, column, buf, sizeof(buf)));
	put(out, column ? "</td>" : "</th>");
}

static void put_table(writer_t *out, const report_sheet_t *sheet)
{
	size_t columns = report_sheet_columns(sheet);
	size_t rows = report_sheet_rows(sheet);

	if (!rows)
		return;
	put(out, "<div class=\"wide\"><table><thead><tr>");
	for (size_t c = 0; c < columns; c++) {
		if (!is_shown(sheet, c))
			continue;
		put(out, report_sheet_column(sheet, c)->kind == REPORT_TEXT ?
		    "<th scope=\"col\" class=\"t\">" : "<th scope=\"col\">");
		put_text(out, report_sheet_column(sheet, c)->head);
		put(out, "</th>");
	}
	put(out, "</tr></thead><tbody>\n");
	for (size_t r = 0; r < rows && r < ROWS_MAX; r++) {
		put(out, "<tr>");
		for (size_t c = 0; c < columns; c++)
			if (is_shown(sheet, c))
				put_cell(out, sheet, r, c);
		put(out, "</tr>\n");
	}
	put(out, "</tbody></table></div>\n");
	if (rows > ROWS_MAX)
		putf(out, "<p class=\"more\">%zu more rows are in the CSV and "
		     "JSON forms of this report.</p>\n", rows - ROWS_MAX);
}

/* ---- sections ----------------------------------------------------------- */

static void put_heading(writer_t *out, const char *kicker, const char *finding)
{
	put(out, "<section>\n<p class=\"kicker\">");
	put_text(out, kicker);
	put(out, "</p>\n<h2>");
	put_text(out, finding);
	put(out, "</h2>\n");
}

static void put_chart(writer_t *out, const char *id, const char *label)
{
	putf(out, "<div class=\"chart\" id=\"box-%s\"><canvas id=\"%s\" "
	     "role=\"img\" aria-label=\"%s\"></canvas></div>\n", id, id,
	     label);
}

static void put_tile(writer_t *out, const char *value, const char *label,
		     const char *note)
{
	put(out, "<div class=\"tile\"><b>");
	put_text(out, value);
	put(out, "</b><span>");
	put_text(out, label);
	put(out, "</span><small>");
	put_text(out, note);
	put(out, "</small></div>\n");
}

static const char *show(report_kind_t kind, double value, char *buf,
			size_t size)
{
	return report_show(kind, value, buf, size);
}

static void put_tiles(writer_t *out)
{
	const report_totals_t *t = &out->report->totals;
	char a[64], b[64], note[160];

	put(out, "<div class=\"tiles\">\n");
	snprintf(note, sizeof(note), "%s of %s %s-hours",
		 show(REPORT_COUNT, t->delivered, a, sizeof(a)),
		 show(REPORT_COUNT, t->owed, b, sizeof(b)), out->report->unit);
	put_tile(out, show(REPORT_SHARE, t->delivered_owed, a, sizeof(a)),
		 "delivered of what was owed", note);
	snprintf(note, sizeof(note), "the worst got %s",
		 show(REPORT_SHARE, t->worst, a, sizeof(a)));
	snprintf(b, sizeof(b), "%zu of %zu", t->teams_95, t->teams);
	put_tile(out, b, "teams got 95 % or more", note);
	snprintf(note, sizeof(note), "of what was up; %s was down",
		 show(REPORT_SHARE, 1 - t->availability, a, sizeof(a)));
	put_tile(out, show(REPORT_SHARE, t->occupancy, b, sizeof(b)),
		 "occupancy", note);
	put_tile(out, show(REPORT_SHARE, t->unallocated, b, sizeof(b)),
		 "unallocated", "of the allocated time, free of charge");
	snprintf(note, sizeof(note), "%zu preemptions, %s %s-hours",
		 t->preemptions,
		 show(REPORT_COUNT, t->lost_preempted, a, sizeof(a)),
		 out->report->unit);
	put_tile(out, show(REPORT_SHARE, t->allocated > 0 ?
			   t->lost_preempted / t->allocated : NAN, b,
			   sizeof(b)), "lost to preemption, at most", note);
	put(out, "</div>\n");
}

static void put_sheet(writer_t *out, const char *kicker, report_sheet_id_t id)
{
	const report_sheet_t *sheet = report_sheet(out->report, id);

	put_heading(out, kicker, report_sheet_title(sheet));
	put_table(out, sheet);
	put(out, "</section>\n");
}

static void put_delivery(writer_t *out)
{
	const report_t *report = out->report;
	const report_sheet_t *sheet = report_sheet(report,
						   REPORT_SHEET_TEAMS);
	size_t teams = report_page_teams(report);

	put_heading(out, "Budgets", report_sheet_title(sheet));
	if (teams) {
		put(out, "<p>Delivered hours as a share of what each team was "
		    "owed: its budget, hour by hour, and no more than it had "
		    "work for.</p>\n");
		put_chart(out, "delivered", "Delivered of owed by team");
	}
	put_table(out, sheet);
	put(out, "</section>\n");
	if (!teams)
		return;
	put_heading(out, "Usage against budget", "How each team used its "
		    "budget over time");
	put(out, "<p class=\"legend\"><i class=\"used\"></i> used "
	    "<i class=\"owed\"></i> owed <i class=\"budget\"></i> budget</p>\n"
	    "<div class=\"grid\" id=\"usage\"></div>\n</section>\n");
}

static void put_cluster(writer_t *out)
{
	const report_sheet_t *sheet = report_sheet(out->report,
						   REPORT_SHEET_PYRAMID);

	put_heading(out, "Cluster", report_sheet_title(sheet));
	put_chart(out, "occupancy", "Occupancy over time");
	put_chart(out, "pyramid", "From installed to kept");
	put_table(out, sheet);
	put(out, "</section>\n");
}

static void put_waits(writer_t *out)
{
	const report_t *report = out->report;
	const report_sheet_t *sheet = report_sheet(report, REPORT_SHEET_WAITS);

	put_heading(out, "Waits", report_sheet_title(sheet));
	put(out, "<p>The share of jobs that had started after a given wait. "
	    "Jobs that still wait count with the time they have waited.</p>\n");
	if (report->waits.count)
		put_chart(out, "waits", "Share of jobs started by wait");
	put_table(out, sheet);
	put(out, "<h3>By team</h3>\n");
	put_table(out, report_sheet(report, REPORT_SHEET_WAITS_ACCOUNT));
	put(out, "<h3>By size</h3>\n");
	put_table(out, report_sheet(report, REPORT_SHEET_WAITS_SIZE));
	put(out, "</section>\n");
}

static void put_gantt(writer_t *out)
{
	if (!out->report->bar_count)
		return;
	put_heading(out, "Placement", "Who had which node when");
	put_chart(out, "gantt", "Nodes over time");
	put(out, "</section>\n");
}

static void put_notes(writer_t *out)
{
	const report_sheet_t *sheet = report_sheet(out->report,
						   REPORT_SHEET_NOTES);

	put_heading(out, "Notes", report_sheet_title(sheet));
	put(out, "<ul>\n");
	for (size_t r = 0; r < report_sheet_rows(sheet); r++) {
		put(out, "<li>");
		put_text(out, report_sheet_text(sheet, r, 0));
		put(out, "</li>\n");
	}
	put(out, "</ul>\n</section>\n");
}

/* ---- the page ----------------------------------------------------------- */

/* JSON as the text of a script element: only strings can hold a '<'. */
static void put_data(writer_t *out)
{
	json_object *data = report_page_data(out->report, out->page);
	const char *at = data ? json_object_to_json_string_ext(
					data, JSON_C_TO_STRING_PLAIN) : NULL;

	if (!at)
		out->wrong = "out of memory";
	put(out, "<script type=\"application/json\" id=\"data\">");
	while (at && *at) {
		size_t plain = strcspn(at, "<");

		put_bytes(out, at, plain);
		at += plain;
		if (*at) {
			put(out, "\\u003c");
			at++;
		}
	}
	put(out, "</script>\n");
	json_object_put(data);
}

/* A script of ours or of the library; what would end its element early is not
 * a chart library. */
static void put_script(writer_t *out, const char *text, size_t size)
{
	for (size_t i = 0; i + 8 < size && !out->wrong; i++)
		if (text[i] == '<' && (!strncasecmp(text + i, "</script", 8) ||
				       !strncmp(text + i, "<!--", 4)))
			out->wrong = "the chart library cannot be embedded";
	put(out, "<script>\n");
	put_bytes(out, text, size);
	put(out, "\n</script>\n");
}

static void put_head(writer_t *out)
{
	const char *title = out->page->title ? out->page->title :
					       "GPU budget report";

	put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\""
	    "default-src 'none'; style-src 'unsafe-inline'; "
	    "script-src 'unsafe-inline'\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, "
	    "initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
	put_text(out, title);
	put(out, "</title>\n<style>\n");
	put_bytes(out, (const char *) report_style_text,
		  report_style_text_size);
	put(out, "</style>\n</head>\n<body>\n<main>\n<header>\n<h1>");
	put_text(out, title);
	put(out, "</h1>\n<p class=\"sub\">");
	if (out->page->subtitle) {
		put_text(out, out->page->subtitle);
		put(out, " &middot; ");
	}
	put(out, "<span id=\"period\"></span></p>\n</header>\n");
}

static void put_foot(writer_t *out)
{
	put(out, "<footer>");
	if (out->page->made)
		put_text(out, out->page->made);
	put(out, "</footer>\n</main>\n");
	put_data(out);
	put_script(out, out->page->chart, out->page->chart_size);
	put_script(out, (const char *) report_script_text,
		   report_script_text_size);
	put(out, "</body>\n</html>\n");
}

extern int report_html(const report_t *report, const report_page_t *page,
		       report_write_t write, void *arg, sb_err_t *err)
{
	writer_t out = { .write = write, .arg = arg, .report = report,
			 .page = page };

	if (!report->ready)
		return sb_err_set(err, "the report is not finished");
	if (!page->chart || !page->chart_size)
		return sb_err_set(err, "%s", REPORT_CHART_MISSING);
	put_head(&out);
	put_tiles(&out);
	put_delivery(&out);
	put_cluster(&out);
	put_waits(&out);
	put_gantt(&out);
	put_sheet(&out, "Preemption", REPORT_SHEET_PREEMPTIONS);
	put_sheet(&out, "Squatting", REPORT_SHEET_SQUATTING);
	put_sheet(&out, "Inflation", REPORT_SHEET_INFLATION);
	put_sheet(&out, "Draining nodes", REPORT_SHEET_DRAINING);
	put_notes(&out);
	put_foot(&out);
	return out.wrong ? sb_err_set(err, "%s", out.wrong) : 0;
}
