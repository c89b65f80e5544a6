/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_report_forms - HTML, CSV and JSON of names that try to be more than
 * names, and of writers that fail.
 */
#include "comparison.h"
#include "report_case.h"

typedef struct {
	char *text;
	size_t used, room;
	int calls_left;		/* then the writer says no; < 0: never */
} sink_t;

static int into_sink(void *arg, const char *text, size_t len)
{
	sink_t *sink = arg;

	if (sink->calls_left >= 0 && !sink->calls_left--)
		return -1;
	if (sink->used + len + 1 > sink->room) {
		sink->room = 2 * (sink->used + len + 1);
		sink->text = realloc(sink->text, sink->room);
		ck_assert_ptr_nonnull(sink->text);
	}
	memcpy(sink->text + sink->used, text, len);
	sink->used += len;
	sink->text[sink->used] = '\0';
	return 0;
}

static const char *const bad_names[] = {
	"</script><script>alert(1)</script>", "<img src=x onerror=alert(2)>",
	"\"quoted\", 'and'", "=HYPERLINK(\"x\")", "\xff\xfe\x80", "\x1b[31m",
	"<!--", "two\nlines", "caf\xc3\xa9", "\xed\xa0\x80", "\xc0\xaf",
};
#define BAD (sizeof(bad_names) / sizeof(bad_names[0]))

/* A report with every bad name as account and as user that squats. */
static report_t *bad_report(void)
{
	report_account_t accounts[BAD];
	report_t *report;
	sb_err_t err;

	for (size_t i = 0; i < BAD; i++)
		accounts[i] = (report_account_t) { bad_names[i], -1, 0.05,
						   true };
	report = report_create(BEGIN, BEGIN + 9 * HOUR, accounts, BAD, NULL,
			       &err);
	ck_assert_ptr_nonnull(report);
	report_capacity(report, BEGIN, BEGIN + 9 * HOUR, 100, 0, 0, &err);
	for (size_t i = 0; i < BAD; i++) {
		report_run_t run = plain;

		run.account = (int32_t) i;
		run.user = bad_names[i];
		run.end = BEGIN + 5 * HOUR;
		run.usage = 0;
		ck_assert_int_eq(report_add(report, &run, &err), 0);
	}
	ck_assert_int_eq(report_finish(report, &err), 0);
	return report;
}

static size_t times(const char *text, const char *what)
{
	size_t count = 0;

	for (const char *at = text; (at = strstr(at, what)); at++)
		count++;
	return count;
}

START_TEST(html_of_bad_names)
{
	const char chart[] = "var Chart;";
	report_page_t page = { .title = bad_names[0], .subtitle = bad_names[1],
			       .made = bad_names[2], .zone = bad_names[0],
			       .chart = chart, .chart_size = strlen(chart) };
	report_t *report = bad_report();
	sink_t sink = { .calls_left = -1 };
	sb_err_t err;

	ck_assert_int_eq(report_html(report, &page, into_sink, &sink, &err),
			 0);
	/* Data, library, ours: no name ended one or began another. */
	ck_assert_uint_eq(times(sink.text, "<script"), 3);
	ck_assert_uint_eq(times(sink.text, "</script"), 3);
	ck_assert_uint_eq(times(sink.text, "<img"), 0);
	ck_assert_uint_eq(times(sink.text, "<!--"), 0);
	ck_assert_uint_eq(times(sink.text, "\x1b"), 0);
	ck_assert_uint_eq(times(sink.text, "\xff"), 0);
	ck_assert_uint_eq(times(sink.text, "\xed\xa0"), 0);
	ck_assert_uint_eq(times(sink.text, "\xc0"), 0);
	ck_assert_uint_ge(times(sink.text, "caf\xc3\xa9"), 2);
	free(sink.text);

	page.chart = "x</SCRIPT>";
	page.chart_size = 10;
	sink = (sink_t) { .calls_left = -1 };
	ck_assert_int_eq(report_html(report, &page, into_sink, &sink, &err),
			 -1);
	free(sink.text);
	page.chart = NULL;
	ck_assert_int_eq(report_html(report, &page, into_sink, &sink, &err),
			 -1);
	ck_assert_str_eq(err.text, REPORT_CHART_MISSING);
	page.chart = report_chart(&page.chart_size);
	ck_assert_ptr_eq(page.chart, report_chart(NULL));
	ck_assert((page.chart != NULL) == (page.chart_size > 0));
	report_destroy(report);
}
END_TEST

/* The same names on a page of several, as sides and as accounts of theirs. */
START_TEST(sides_of_bad_names)
{
	const char chart[] = "var Chart;";
	const char *const cells[] = { bad_names[0], bad_names[1], NULL,
				      "what", bad_names[2], "1" };
	report_page_t page = { .title = bad_names[0], .chart = chart,
			       .chart_size = strlen(chart) };
	report_t *report = bad_report();
	sb_err_t err;
	json_object *taken = report_comparison_take(report, &page, &err);
	report_side_t sides[] = { { bad_names[0], taken },
				  { bad_names[1], taken } };
	report_comparison_t comparison = { .sides = sides, .count = 2,
					   .cells = cells, .rows = 2,
					   .note = bad_names[2] };
	sink_t sink = { .calls_left = -1 };
	int result = -1;

	ck_assert_ptr_nonnull(taken);
	ck_assert_int_eq(report_comparison_html(&comparison, &page, into_sink,
						&sink, &err), 0);
	ck_assert_uint_eq(times(sink.text, "<script"), 3);
	ck_assert_uint_eq(times(sink.text, "</script"), 3);
	ck_assert_uint_eq(times(sink.text, "<img"), 0);
	ck_assert_uint_eq(times(sink.text, "<!--"), 0);
	ck_assert_uint_eq(times(sink.text, "\x1b"), 0);
	ck_assert_uint_eq(times(sink.text, "\xff"), 0);
	free(sink.text);
	for (int calls = 0; result; calls += calls < 50 ? 1 : 97) {
		sink = (sink_t) { .calls_left = calls };
		result = report_comparison_html(&comparison, &page, into_sink,
						&sink, &err);
		free(sink.text);
		ck_assert_int_lt(calls, 100000);
	}
	page.chart = NULL;
	ck_assert_int_eq(report_comparison_html(&comparison, &page, into_sink,
						&sink, &err), -1);
	ck_assert_str_eq(err.text, REPORT_CHART_MISSING);
	json_object_put(taken);
	report_destroy(report);
}
END_TEST

/* A full disk, at any piece. */
START_TEST(writers_that_fail)
{
	const char chart[] = "var Chart;";
	report_page_t page = { .chart = chart, .chart_size = strlen(chart) };
	report_t *report = bad_report();
	sb_err_t err;
	int result = -1;

	for (int calls = 0; result; calls += calls < 50 ? 1 : 97) {
		sink_t sink = { .calls_left = calls };

		result = report_html(report, &page, into_sink, &sink, &err);
		free(sink.text);
		ck_assert_int_lt(calls, 100000);
	}
	result = -1;
	for (int calls = 0; result; calls++) {
		sink_t sink = { .calls_left = calls };

		result = report_csv(report_sheet(report, REPORT_SHEET_TEAMS),
				    into_sink, &sink, &err);
		free(sink.text);
		ck_assert_int_lt(calls, 100000);
	}
	report_destroy(report);
}
END_TEST

START_TEST(csv_quotes)
{
	report_t *report = bad_report();
	sink_t sink = { .calls_left = -1 };
	sb_err_t err;

	ck_assert_int_eq(report_csv(report_sheet(report,
						 REPORT_SHEET_SQUATTING),
				    into_sink, &sink, &err), 0);
	ck_assert_int_eq(strncmp(sink.text, "account,user,idle_runs,", 23), 0);
	ck_assert_ptr_nonnull(strstr(sink.text, "\n\"\"\"quoted\"\", 'and'\","
				     "\"\"\"quoted\"\", 'and'\",1,"));
	ck_assert_ptr_nonnull(strstr(sink.text, "\"'=HYPERLINK(\"\"x\"\")\""));
	ck_assert_ptr_nonnull(strstr(sink.text, "\"two\nlines\""));
	free(sink.text);
	report_destroy(report);
}
END_TEST

START_TEST(json_of_bad_names)
{
	report_t *report = bad_report();
	sb_err_t err;
	json_object *json = report_json(report, true, &err), *back, *part;
	const char *text;

	ck_assert_ptr_nonnull(json);
	text = json_object_to_json_string(json);
	ck_assert_uint_eq(times(text, "\xff"), 0);
	back = json_tokener_parse(text);
	ck_assert_ptr_nonnull(back);
	ck_assert(json_object_object_get_ex(back, "accounts", &part));
	ck_assert_uint_eq(json_object_array_length(part), BAD);
	ck_assert(json_object_object_get_ex(back, "hours", &part));
	ck_assert_uint_eq(json_object_array_length(part), 9);
	ck_assert(json_object_object_get_ex(back, "totals", &part));
	ck_assert(json_object_object_get_ex(part, "utilisation", &part));
	is_close(json_object_get_double(part), 0, "utilisation");
	json_object_put(back);
	json_object_put(json);
	report_destroy(report);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report_forms");
	TCase *tcase = tcase_create("report_forms");

	tcase_add_test(tcase, html_of_bad_names);
	tcase_add_test(tcase, sides_of_bad_names);
	tcase_add_test(tcase, writers_that_fail);
	tcase_add_test(tcase, csv_quotes);
	tcase_add_test(tcase, json_of_bad_names);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
