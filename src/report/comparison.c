/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comparison.h"
#include "json.h"
#include "markup.h"
#include "page_data.h"

/* Rows of a table; all are in JSON. */
#define ROWS_MAX 200

extern json_object *report_comparison_take(const report_t *report,
					   const report_page_t *page,
					   sb_err_t *err)
{
	json_object *charts, *figures = report_json(report, false, err);
	json_object *taken;
	int failed;

	if (!figures)
		return NULL;
	charts = report_page_data(report, page);
	taken = json_object_new_object();
	failed = !charts || !taken ||
		 report_json_put(taken, "charts", json_object_get(charts)) ||
		 report_json_put(taken, "report", json_object_get(figures));
	json_object_put(charts);
	json_object_put(figures);
	if (!failed)
		return taken;
	json_object_put(taken);
	sb_err_set(err, "out of memory");
	return NULL;
}

/* ---- tables of one figure ----------------------------------------------- */

/* A sheet of the reports, and what of its rows is looked at. */
typedef struct {
	const char *sheet, *row, *value;
	report_kind_t kind;
	const char *head;	/* of the rows' names */
	bool teams;		/* only these */
} figure_t;

typedef struct {
	const report_comparison_t *comparison;
	const figure_t *figure;
	json_object **index;	/* of each side: name -> row */
	report_column_t *columns;
} cross_t;

static json_object *rows_of(const report_side_t *side, const char *sheet)
{
	return json_object_object_get(
		json_object_object_get(side->taken, "report"), sheet);
}

static const char *name_of(json_object *row, const figure_t *figure)
{
	const char *team = json_object_get_string(
		json_object_object_get(row, "team"));

	if (figure->teams && (!team || strcmp(team, "yes")))
		return NULL;
	return json_object_get_string(json_object_object_get(row, figure->row));
}

/* Names of different accounts may be the same once they are UTF-8: the first
 * is meant. RET: NULL without memory. */
static json_object *index_side(const report_side_t *side,
			       const figure_t *figure)
{
	json_object *index = json_object_new_object();
	json_object *rows = rows_of(side, figure->sheet);
	size_t count = rows ? json_object_array_length(rows) : 0;

	for (size_t i = 0; index && i < count; i++) {
		json_object *row = json_object_array_get_idx(rows, i);
		const char *name = name_of(row, figure);

		if (!name || json_object_object_get_ex(index, name, NULL))
			continue;
		if (report_json_put(index, name, json_object_get(row))) {
			json_object_put(index);
			return NULL;
		}
	}
	return index;
}

static double value_of(const cross_t *cross, size_t side, const char *name)
{
	json_object *row = json_object_object_get(cross->index[side], name);
	json_object *value = json_object_object_get(row, cross->figure->value);

	return value ? json_object_get_double(value) : NAN;
}

static bool is_known(const cross_t *cross, size_t before, const char *name)
{
	for (size_t s = 0; s < before; s++)
		if (json_object_object_get_ex(cross->index[s], name, NULL))
			return true;
	return false;
}

/* Rows that a side has and none before it. */
static void add_rows(const cross_t *cross, report_sheet_t *sheet, size_t side)
{
	json_object_object_foreach(cross->index[side], name, row)
	{
		(void) row;
		if (is_known(cross, side, name))
			continue;
		report_sheet_row(sheet, 0);
		report_sheet_set_text(sheet, 0, name);
		for (size_t s = 0; s < cross->comparison->count; s++)
			report_sheet_set(sheet, s + 1,
					 value_of(cross, s, name));
	}
}

/* RET: a row for each name that any side has; NULL without memory. */
static report_sheet_t *cross_sheet(cross_t *cross)
{
	const report_comparison_t *comparison = cross->comparison;
	report_sheet_t *sheet = report_sheet_create(cross->columns,
						    comparison->count + 1);

	cross->columns[0] = (report_column_t) {
		"name", cross->figure->head, REPORT_TEXT
	};
	for (size_t s = 0; s < comparison->count; s++) {
		cross->columns[s + 1] = (report_column_t) {
			"side", comparison->sides[s].name, cross->figure->kind
		};
		cross->index[s] = index_side(&comparison->sides[s],
					     cross->figure);
		if (!cross->index[s]) {
			report_sheet_destroy(sheet);
			return NULL;
		}
	}
	for (size_t s = 0; sheet && s < comparison->count; s++)
		add_rows(cross, sheet, s);
	return sheet ? report_sheet_done(sheet) : NULL;
}

static void put_figure(report_writer_t *out,
		       const report_comparison_t *comparison,
		       const figure_t *figure)
{
	size_t count = comparison->count;
	cross_t cross = {
		.comparison = comparison, .figure = figure,
		.index = calloc(count, sizeof(*cross.index)),
		.columns = calloc(count + 1, sizeof(*cross.columns)),
	};
	report_sheet_t *sheet = NULL;

	if (cross.index && cross.columns)
		sheet = cross_sheet(&cross);
	if (sheet)
		report_put_table(out, sheet, ROWS_MAX);
	else
		out->wrong = "out of memory";
	report_sheet_destroy(sheet);
	for (size_t s = 0; cross.index && s < count; s++)
		json_object_put(cross.index[s]);
	free(cross.index);
	free(cross.columns);
}

/* ---- sections ----------------------------------------------------------- */

static double total_of(const report_side_t *side, const char *name)
{
	json_object *value = json_object_object_get(
		rows_of(side, "totals"), name);

	return value ? json_object_get_double(value) : NAN;
}

/* Who delivered most, as far as it is shown: behind that is chance. */
static void find_best(const report_comparison_t *comparison, char *finding,
		      size_t size)
{
	const report_side_t *best = NULL;
	char share[64], shares[64];
	double value, most = NAN;
	size_t equal = 0;

	for (size_t s = 0; s < comparison->count; s++) {
		value = total_of(&comparison->sides[s], "delivered_owed");
		if (isnan(value) || (best && value <= most))
			continue;
		best = &comparison->sides[s];
		most = value;
	}
	report_show(REPORT_SHARE, most, share, sizeof(share));
	for (size_t s = 0; best && s < comparison->count; s++) {
		value = total_of(&comparison->sides[s], "delivered_owed");
		equal += !isnan(value) &&
			 !strcmp(report_show(REPORT_SHARE, value, shares,
					     sizeof(shares)), share);
	}
	if (!best)
		snprintf(finding, size, "%zu runs", comparison->count);
	else if (equal == comparison->count)
		snprintf(finding, size, "All %zu runs delivered %s of what was owed",
			 equal, share);
	else if (equal > 1)
		snprintf(finding, size, "%zu of %zu runs delivered most: %s of what was owed",
			 equal, comparison->count, share);
	else
		snprintf(finding, size, "\"%s\" delivered most: %s of what was owed",
			 best->name, share);
}

static void put_summary(report_writer_t *out,
			const report_comparison_t *comparison)
{
	char finding[256];

	find_best(comparison, finding, sizeof(finding));
	report_put_heading(out, "Side by side", finding);
	if (comparison->note) {
		report_put(out, "<p>");
		report_put_text(out, comparison->note);
		report_put(out, "</p>\n");
	}
	if (comparison->count > REPORT_SIDES_DRAWN)
		report_putf(out, "<p>Charts have the first %d, tables all %zu."
			    "</p>\n", REPORT_SIDES_DRAWN, comparison->count);
}

static void put_cells(report_writer_t *out,
		      const report_comparison_t *comparison)
{
	size_t count = comparison->count + 1;
	report_column_t *columns = calloc(count, sizeof(*columns));
	report_sheet_t *sheet = columns ? report_sheet_create(columns, count) :
		NULL;

	for (size_t c = 0; sheet && c < count; c++)
		columns[c] = (report_column_t) {
			"text", c ? comparison->sides[c - 1].name : "Figure",
			REPORT_TEXT
		};
	for (size_t r = 0; sheet && r < comparison->rows; r++) {
		report_sheet_row(sheet, 0);
		for (size_t c = 0; c < count; c++) {
			const char *text = comparison->cells[r * count + c];

			report_sheet_set_text(sheet, c, text ? text : "-");
		}
	}
	sheet = sheet ? report_sheet_done(sheet) : NULL;
	if (sheet)
		report_put_table(out, sheet, ROWS_MAX);
	else
		out->wrong = "out of memory";
	report_put(out, "</section>\n");
	report_sheet_destroy(sheet);
	free(columns);
}

static void put_budgets(report_writer_t *out,
			const report_comparison_t *comparison)
{
	static const figure_t figure = {
		"accounts", "account", "delivered_owed", REPORT_SHARE, "Team",
		true
	};

	report_put_heading(out, "Budgets", "Delivered of what each team was owed");
	report_put_chart(out, "side-delivered", "Delivered of owed by team");
	put_figure(out, comparison, &figure);
	report_put(out, "</section>\n");
	report_put_heading(out, "Cluster", "Occupancy over time");
	report_put_chart(out, "side-occupancy", "Occupancy over time");
	report_put(out, "</section>\n");
}

static void put_waits(report_writer_t *out,
		      const report_comparison_t *comparison)
{
	static const struct {
		const char *head;
		figure_t figure;
	} tables[] = {
		{ "Half of them waited no longer than", { "waits", "class",
			"p50", REPORT_SECONDS, "Class", false } },
		{ "90 % of them", { "waits", "class", "p90", REPORT_SECONDS,
			"Class", false } },
		{ "99 % of them", { "waits", "class", "p99", REPORT_SECONDS,
			"Class", false } },
		{ "The longest", { "waits", "class", "max", REPORT_SECONDS,
			"Class", false } },
	};

	report_put_heading(out, "Waits", "How long jobs of each class waited");
	report_put(out, "<p>The share of jobs that had started within a given "
			"time.</p>\n<p class=\"legend\" id=\"side-names\"></p>\n"
			"<div class=\"grid\" id=\"side-waits\"></div>\n");
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		report_putf(out, "<h3>%s</h3>\n", tables[i].head);
		put_figure(out, comparison, &tables[i].figure);
	}
	report_put(out, "</section>\n");
}

static void put_preemptions(report_writer_t *out,
			    const report_comparison_t *comparison)
{
	static const figure_t figure = {
		"preemptions", "account", "preempted", REPORT_COUNT, "Account",
		false
	};

	report_put_heading(out, "Preemption", "How often jobs were preempted");
	report_put_chart(out, "side-preempted", "Preemptions");
	put_figure(out, comparison, &figure);
	report_put(out, "</section>\n");
}

/* What the charts draw: {"runs": [{"name", ...}]}. RET: NULL without memory. */
static json_object *comparison_data(const report_comparison_t *comparison)
{
	json_object *data = json_object_new_object();
	json_object *runs = json_object_new_array();

	for (size_t s = 0; data && runs && s < comparison->count; s++) {
		const report_side_t *side = &comparison->sides[s];
		json_object *run = json_object_get(
			json_object_object_get(side->taken, "charts"));

		if (!run || report_json_text(run, "name", side->name) ||
		    json_object_array_add(runs, run)) {
			json_object_put(run);
			json_object_put(runs);
			runs = NULL;
		}
	}
	if (runs && !report_json_put(data, "runs", runs))
		return data;
	json_object_put(data);
	return NULL;
}

extern int report_comparison_html(const report_comparison_t *comparison,
				  const report_page_t *page,
				  report_write_t write, void *arg,
				  sb_err_t *err)
{
	report_writer_t out = {
		.write = write, .arg = arg, .page = page, .versus = true,
	};

	if (!page->chart || !page->chart_size)
		return sb_err_set(err, "%s", REPORT_CHART_MISSING);
	report_put_head(&out);
	put_summary(&out, comparison);
	put_cells(&out, comparison);
	put_budgets(&out, comparison);
	put_waits(&out, comparison);
	put_preemptions(&out, comparison);
	report_put_foot(&out, comparison_data(comparison));
	return out.wrong ? sb_err_set(err, "%s", out.wrong) : 0;
}
