/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame - what is around the sections of a page: its head with the style, its
 * foot with data, library and script.
 *
 * Names come from users. In HTML everything goes through report_put_text(); the
 * data of the charts is JSON in a script element that is not run, with every
 * '<' escaped, so that no name can end it; page.js puts names into text nodes
 * and canvases only. The page's policy forbids it to load anything.
 */
#include <string.h>
#include <strings.h>

#include "embedded.h"
#include "markup.h"

/* JSON as the text of a script element: only strings can hold a '<'. */
static void put_data(report_writer_t *out, json_object *data)
{
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

extern void report_put_head(report_writer_t *out)
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

extern void report_put_foot(report_writer_t *out, json_object *data)
{
	report_put(out, "<footer>");
	if (out->page->made)
		report_put_text(out, out->page->made);
	report_put(out, "</footer>\n</main>\n");
	put_data(out, data);
	put_script(out, out->page->chart, out->page->chart_size);
	put_script(out, (const char *) report_script_text,
		   report_script_text_size);
	report_put(out, "</body>\n</html>\n");
}
