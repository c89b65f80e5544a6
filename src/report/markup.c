/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "markup.h"

extern void report_put_bytes(report_writer_t *out, const char *text,
			     size_t length)
{
	if (!out->wrong && length && out->write(out->arg, text, length))
		out->wrong = "cannot write the report";
}

extern void report_put(report_writer_t *out, const char *text)
{
	report_put_bytes(out, text, strlen(text));
}

/* Text of others: as text, never as markup. */
extern void report_put_text(report_writer_t *out, const char *text)
{
	char *clean = report_clean(text), *at = clean;

	if (!clean) {
		out->wrong = "out of memory";
		return;
	}
	while (*at) {
		size_t plain = strcspn(at, "&<>\"'");
		char entity[16];

		report_put_bytes(out, at, plain);
		at += plain;
		if (*at) {
			snprintf(entity, sizeof(entity), "&#%d;", *at++);
			report_put(out, entity);
		}
	}
	free(clean);
}

extern void report_putf(report_writer_t *out, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	report_put(out, text);
}

/* ---- tables ------------------------------------------------------------- */

/* A column that says nothing in any row is left out. */
static bool is_shown(const report_writer_t *out, const report_sheet_t *sheet,
		     size_t column)
{
	const report_column_t *c = report_sheet_column(sheet, column);

	if (!column || out->versus)
		return true;
	if (!strcmp(c->name, "team"))
		return false;
	for (size_t r = 0; r < report_sheet_rows(sheet); r++) {
		double value = report_sheet_value(sheet, r, column);

		if (c->kind == REPORT_TEXT || (isfinite(value) && value != 0))
			return true;
	}
	return false;
}

static bool is_text(const report_writer_t *out, const report_sheet_t *sheet,
		    size_t column)
{
	return report_sheet_column(sheet, column)->kind == REPORT_TEXT &&
	       !(column && out->versus);
}

static void put_cell(report_writer_t *out, const report_sheet_t *sheet,
		     size_t row, size_t column)
{
	const report_column_t *c = report_sheet_column(sheet, column);
	char buf[64];

	if (!column)
		report_putf(out, "<th scope=\"row\" class=\"d%u\">",
			    report_sheet_depth(sheet, row) < 6
				    ? report_sheet_depth(sheet, row)
				    : 6);
	else
		report_put(out, is_text(out, sheet, column)
					? "<td class=\"t\">" : "<td>");
	if (c->kind == REPORT_SECONDS)
		report_put(out,
			   report_words(report_sheet_value(sheet, row, column),
					buf, sizeof(buf)));
	else
		report_put_text(out, report_sheet_cell(sheet, row, column, buf,
						       sizeof(buf)));
	report_put(out, column ? "</td>" : "</th>");
}

extern void report_put_table(report_writer_t *out, const report_sheet_t *sheet,
			     size_t most)
{
	size_t columns = report_sheet_columns(sheet);
	size_t rows = report_sheet_rows(sheet);

	if (!rows)
		return;
	report_put(out, "<div class=\"wide\"><table><thead><tr>");
	for (size_t c = 0; c < columns; c++) {
		if (!is_shown(out, sheet, c))
			continue;
		report_put(out,
			   is_text(out, sheet, c)
				   ? "<th scope=\"col\" class=\"t\">"
				   : "<th scope=\"col\">");
		report_put_text(out, report_sheet_column(sheet, c)->head);
		report_put(out, "</th>");
	}
	report_put(out, "</tr></thead><tbody>\n");
	for (size_t r = 0; r < rows && r < most; r++) {
		report_put(out, "<tr>");
		for (size_t c = 0; c < columns; c++)
			if (is_shown(out, sheet, c))
				put_cell(out, sheet, r, c);
		report_put(out, "</tr>\n");
	}
	report_put(out, "</tbody></table></div>\n");
	if (rows > most)
		report_putf(
			out,
			"<p class=\"more\">%zu more rows are in the CSV and "
			"JSON forms of this report.</p>\n",
			rows - most);
}

extern void report_put_heading(report_writer_t *out, const char *kicker,
			       const char *finding)
{
	report_put(out, "<section>\n<p class=\"kicker\">");
	report_put_text(out, kicker);
	report_put(out, "</p>\n<h2>");
	report_put_text(out, finding);
	report_put(out, "</h2>\n");
}

extern void report_put_chart(report_writer_t *out, const char *id,
			     const char *label)
{
	report_putf(out,
		    "<div class=\"chart\" id=\"box-%s\"><canvas id=\"%s\" "
		    "role=\"img\" aria-label=\"%s\"></canvas></div>\n",
		    id, id, label);
}

extern void report_put_tile(report_writer_t *out, const char *value,
			    const char *label, const char *note)
{
	report_put(out, "<div class=\"tile\"><b>");
	report_put_text(out, value);
	report_put(out, "</b><span>");
	report_put_text(out, label);
	report_put(out, "</span><small>");
	report_put_text(out, note);
	report_put(out, "</small></div>\n");
}
