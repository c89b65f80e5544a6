/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page - the sections of a report's page. Tables are written here, so that they
 * are there for printers, screen readers and browsers without scripts; page.js
 * draws.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

extern int report_html(const report_t *report, const report_page_t *page,
		       report_write_t write, void *arg, sb_err_t *err)
{
	report_writer_t out = {
		.write = write, .arg = arg, .report = report, .page = page};

	if (!report->ready)
		return sb_err_set(err, "the report is not finished");
	if (!page->chart || !page->chart_size)
		return sb_err_set(err, "%s", REPORT_CHART_MISSING);
	report_put_head(&out);
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
	report_put_foot(&out, report_page_data(report, page));
	return out.wrong ? sb_err_set(err, "%s", out.wrong) : 0;
}
