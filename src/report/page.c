/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page - the page around the charts. Tables are written here, so that they are
 * there for printers, screen readers and browsers without scripts; page.js
 * draws.
 *
 * Names come from users. In HTML everything goes through report_put_text(); the
 * data of the charts is JSON in a script element that is not run, with every
 * '<' escaped, so that no name can end it; page.js puts names into text nodes
 * and canvases only. The page's policy forbids it to load anything.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "embedded.h"
#include "limits.h"
#include "markup.h"
#include "page_data.h"

/* Rows of a table on the page, of accounts and of users; all are in JSON and
 * CSV. */
#define ROWS_MAX 200
#define USERS_MAX 20

/* ---- sections ----------------------------------------------------------- */

/* Debug jobs are what a cluster is felt by; without any, all of them. */
static void put_wait_tile(report_writer_t *out)
{
	const report_sheet_t *sheet =
		report_sheet(out->report, REPORT_SHEET_WAITS);
	size_t row = report_sheet_rows(sheet) - 1;
	bool debug = !strcmp(report_sheet_text(sheet, 0, 0), "debug");
	char p50[64], p90[64], note[96];

	if (debug)
		row = 0;
	report_words(report_sheet_value(sheet, row, 2), p50, sizeof(p50));
	report_words(report_sheet_value(sheet, row, 3), p90, sizeof(p90));
	snprintf(note, sizeof(note), "for 90 %% of them; half: %s", p50);
	report_put_tile(out, p90,
			debug ? "until debug jobs start" : "until jobs start",
			note);
}

static void put_share_tile(report_writer_t *out, double share,
			   const char *label, const char *note)
{
	char text[64];

	report_put_tile(out,
			report_show(REPORT_SHARE, share, text, sizeof(text)),
			label, note);
}

static void put_tiles(report_writer_t *out)
{
	const report_totals_t *t = &out->report->totals;
	const char *unit = out->report->unit;
	char a[64], b[64], note[160];

	report_put(out, "<div class=\"tiles\">\n");
	snprintf(note, sizeof(note), "%s of %s %s-hours",
		 report_show(REPORT_COUNT, t->delivered, a, sizeof(a)),
		 report_show(REPORT_COUNT, t->owed, b, sizeof(b)), unit);
	put_share_tile(out, t->delivered_owed, "delivered of what was owed",
		       note);
	snprintf(note, sizeof(note), "the worst got %s",
		 report_show(REPORT_SHARE, t->worst, a, sizeof(a)));
	snprintf(b, sizeof(b), "%zu of %zu", t->teams_95, t->teams);
	report_put_tile(out, b, "teams got 95 % or more", note);
	snprintf(note, sizeof(note), "of what was up; %s was down",
		 report_show(REPORT_SHARE, 1 - t->availability, a, sizeof(a)));
	put_share_tile(out, t->occupancy, "occupancy", note);
	put_share_tile(out, t->unallocated, "unallocated",
		       "of the allocated time, free of charge");
	snprintf(note, sizeof(note), "%s preemption%s, %s %s-hours",
		 report_show(REPORT_COUNT, (double) t->preemptions, b,
			     sizeof(b)),
		 t->preemptions == 1 ? "" : "s",
		 report_show(REPORT_COUNT, t->lost_preempted, a, sizeof(a)),
		 unit);
	put_share_tile(out, t->allocated > 0
				    ? t->lost_preempted / t->allocated
				    : NAN,
		       "lost to preemption, at most", note);
	put_wait_tile(out);
	report_put(out, "</div>\n");
}

static void put_sheet(report_writer_t *out, const char *kicker,
		      report_sheet_id_t id)
{
	const report_sheet_t *sheet = report_sheet(out->report, id);

	report_put_heading(out, kicker, report_sheet_title(sheet));
	report_put_table(out, sheet,
			 id == REPORT_SHEET_SQUATTING ? USERS_MAX : ROWS_MAX);
	report_put(out, "</section>\n");
}

/* How many teams used more than they had, for a heading. */
static void put_usage_heading(report_writer_t *out)
{
	const report_t *report = out->report;
	size_t over = 0, teams = 0;
	char text[128];

	for (size_t i = 0; i < report->row_count; i++) {
		const report_row_t *row = &report->rows[i];

		teams += row->is_team && row->budget > 0;
		over += row->is_team && row->budget > 0 &&
			row->delivered > row->budget;
	}
	snprintf(text, sizeof(text),
		 "%zu of %zu teams used more than their budget", over,
		 teams);
	report_put_heading(out, "Usage against budget", text);
}

static void put_delivery(report_writer_t *out)
{
	const report_t *report = out->report;
	const report_sheet_t *sheet = report_sheet(report, REPORT_SHEET_TEAMS);
	size_t teams = report_page_teams(report);

	report_put_heading(out, "Budgets", report_sheet_title(sheet));
	if (teams) {
		report_put(out, "<p>Delivered hours as a share of what each "
				"team was owed: its budget, hour by hour, and "
				"no more than it had work for. Blue bars have "
				"95 % or more, yellow ones 90 %, red ones "
				"less.</p>\n");
		report_put_chart(out, "delivered", "Delivered of owed by team");
	}
	report_put_table(out, sheet, ROWS_MAX);
	report_put(out, "</section>\n");
	if (!teams)
		return;
	put_usage_heading(out);
	report_put(out,
		   "<p class=\"legend\"><i class=\"used\"></i> used "
		   "<i class=\"owed\"></i> owed <i class=\"budget\"></i> "
		   "budget</p>\n"
		   "<div class=\"grid\" id=\"usage\"></div>\n</section>\n");
}

static void put_cluster(report_writer_t *out)
{
	const report_sheet_t *sheet =
		report_sheet(out->report, REPORT_SHEET_PYRAMID);

	report_put_heading(out, "Cluster", report_sheet_title(sheet));
	report_put_chart(out, "occupancy", "Occupancy over time");
	report_put_chart(out, "pyramid", "From installed to kept");
	report_put_table(out, sheet, ROWS_MAX);
	report_put(out, "</section>\n");
}

static void put_waits(report_writer_t *out)
{
	const report_t *report = out->report;
	const report_sheet_t *sheet = report_sheet(report, REPORT_SHEET_WAITS);

	report_put_heading(out, "Waits", report_sheet_title(sheet));
	report_put(out,
		   "<p>The share of jobs that had started within a given time. "
		   "In the tables a job that still waits counts with the time "
		   "it has waited so far.</p>\n");
	if (report->waits.count)
		report_put_chart(out, "waits", "Share of jobs started by wait");
	report_put_table(out, sheet, ROWS_MAX);
	report_put(out, "<h3>By team</h3>\n");
	report_put_table(out, report_sheet(report, REPORT_SHEET_WAITS_ACCOUNT),
			 ROWS_MAX);
	report_put(out, "<h3>By size</h3>\n");
	report_put_table(out, report_sheet(report, REPORT_SHEET_WAITS_SIZE),
			 ROWS_MAX);
	report_put(out, "</section>\n");
}

static void put_gantt(report_writer_t *out)
{
	if (!out->report->bar_count)
		return;
	report_put_heading(out, "Placement", "Who had which node when");
	report_put_chart(out, "gantt", "Nodes over time");
	report_put(out, "</section>\n");
}

static void put_notes(report_writer_t *out)
{
	const report_sheet_t *sheet =
		report_sheet(out->report, REPORT_SHEET_NOTES);

	report_put_heading(out, "Notes", report_sheet_title(sheet));
	report_put(out, "<ul>\n");
	for (size_t r = 0; r < report_sheet_rows(sheet); r++) {
		report_put(out, "<li>");
		report_put_text(out, report_sheet_text(sheet, r, 0));
		report_put(out, "</li>\n");
	}
	report_put(out, "</ul>\n</section>\n");
}

/* ---- the page ----------------------------------------------------------- */

/* JSON as the text of a script element: only strings can hold a '<'. */
static void put_data(report_writer_t *out)
{
	json_object *data = report_page_data(out->report, out->page);
	const char *at = data ? json_object_to_json_string_ext(
					data, JSON_C_TO_STRING_PLAIN)
			      : NULL;

	if (!at)
		out->wrong = "out of memory";
	report_put(out, "<script type=\"application/json\" id=\"data\">");
	while (at && *at) {
		size_t plain = strcspn(at, "<");

		report_put_bytes(out, at, plain);
		at += plain;
		if (*at) {
			report_put(out, "\\u003c");
			at++;
		}
	}
	report_put(out, "</script>\n");
	json_object_put(data);
}

/* A script of ours or of the library; what would end its element early is not
 * a chart library. */
static void put_script(report_writer_t *out, const char *text, size_t size)
{
	for (size_t i = 0; i + 8 < size && !out->wrong; i++)
		if (text[i] == '<' && (!strncasecmp(text + i, "</script", 8) ||
				       !strncmp(text + i, "<!--", 4)))
			out->wrong = "the chart library cannot be embedded";
	report_put(out, "<script>\n");
	report_put_bytes(out, text, size);
	report_put(out, "\n</script>\n");
}

static void put_head(report_writer_t *out)
{
	const char *title =
		out->page->title ? out->page->title : "GPU budget report";

	report_put(
		out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		"<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\""
		"default-src 'none'; style-src 'unsafe-inline'; "
		"script-src 'unsafe-inline'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, "
		"initial-scale=1\">\n"
		"<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
	report_put_text(out, title);
	report_put(out, "</title>\n<style>\n");
	report_put_bytes(out, (const char *) report_style_text,
			 report_style_text_size);
	report_put(out, "</style>\n</head>\n<body>\n<main>\n<header>\n<h1>");
	report_put_text(out, title);
	report_put(out, "</h1>\n<p class=\"sub\">");
	if (out->page->subtitle) {
		report_put_text(out, out->page->subtitle);
		report_put(out, " &middot; ");
	}
	report_put(out, "<span id=\"period\"></span></p>\n</header>\n");
}

static void put_foot(report_writer_t *out)
{
	report_put(out, "<footer>");
	if (out->page->made)
		report_put_text(out, out->page->made);
	report_put(out, "</footer>\n</main>\n");
	put_data(out);
	put_script(out, out->page->chart, out->page->chart_size);
	put_script(out, (const char *) report_script_text,
		   report_script_text_size);
	report_put(out, "</body>\n</html>\n");
}

extern int report_html(const report_t *report, const report_page_t *page,
		       report_write_t write, void *arg, sb_err_t *err)
{
	report_writer_t out = {
		.write = write, .arg = arg, .report = report, .page = page};

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
