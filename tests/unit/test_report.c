/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_report - bounds, hours, waits, habits: what a report counts, case by
 * case.
 */
#include "report_case.h"

/* ---- bounds ------------------------------------------------------------- */

START_TEST(create_refuses)
{
	const struct {
		int64_t from, until;
		report_account_t accounts[2];
		const char *why;
	} t[] = {
		{ 5, 5, { { 0 } }, "empty" },
		{ 5, 4, { { 0 } }, "empty" },
		{ -1, 4, { { 0 } }, "empty or out" },
		{ 0, REPORT_TIME_MAX + 1, { { 0 } }, "out of range" },
		{ INT64_MIN, INT64_MAX, { { 0 } }, "out of range" },
		{ 0, (REPORT_HOURS_MAX + 1) * INT64_C(3600), { { 0 } },
		  "longer than" },
		{ 0, 9, { { NULL, -1, 0, false } }, "name" },
		{ 0, 9, { { "", -1, 0, false } }, "name" },
		{ 0, 9, { { "a", 0, 0, false } }, "parent" },
		{ 0, 9, { { "a", -2, 0, false } }, "parent" },
		{ 0, 9, { { "a", 1, 0, false }, { "b", -1, 0, false } },
		  "parent" },
		{ 0, 9, { { "a", -1, -0.1, false } }, "allocation" },
		{ 0, 9, { { "a", -1, 1.1, false } }, "allocation" },
		{ 0, 9, { { "a", -1, NAN, false } }, "allocation" },
		{ 0, 9, { { "a", -1, 0, true }, { "b", 0, 0, true } },
		  "inside of another team" },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		sb_err_t err = { "" };
		size_t count = i < 6 ? 0 : t[i].accounts[1].name ? 2 : 1;

		ck_assert_ptr_null(report_create(t[i].from, t[i].until,
						 t[i].accounts, count, NULL,
						 &err));
		if (!strstr(err.text, t[i].why))
			ck_abort_msg("case %zu: %s", i, err.text);
	}
	report_destroy(NULL);
}
END_TEST

START_TEST(add_refuses)
{
	const report_account_t account = { "a", -1, 1, true };
	report_run_t t[12];
	sb_err_t err;
	report_t *report = report_create(BEGIN, BEGIN + HOUR, &account, 1,
					 NULL, &err);
	size_t count = sizeof(t) / sizeof(t[0]);

	for (size_t i = 0; i < count; i++)
		t[i] = plain;
	t[0].account = 1;
	t[1].account = -2;
	t[2].end = t[2].start - 1;
	t[3].start = -1;
	t[4].end = REPORT_TIME_MAX + 1;
	t[5].eligible = INT64_MIN;
	t[6].eligible = t[6].start + 2 * 86400;
	t[7].gpus = REPORT_GPUS_MAX + 1;
	t[8].nodes = UINT32_MAX;
	t[9].class = REPORT_CLASSES;
	t[10].outcome = REPORT_ENDS;
	t[11].start = 0;
	t[11].end = t[11].eligible - 2 * 86400;
	for (size_t i = 0; i < count; i++) {
		err.text[0] = '\0';
		ck_assert_int_eq(report_add(report, &t[i], &err), -1);
		ck_assert_str_ne(err.text, "");
	}
	ck_assert_int_eq(report_capacity(report, 5, 4, 0, 0, 0, NULL), -1);
	ck_assert_int_eq(report_capacity(report, -1, 4, 0, 0, 0, NULL), -1);
	ck_assert_int_eq(report_capacity(report, 0, 4, UINT32_MAX, 0, 0, NULL),
			 -1);
	ck_assert_int_eq(report_preemption(report, 1, 0, REPORT_YES, NULL),
			 -1);
	ck_assert_int_eq(report_bar(report, 0, 1, 0, 1, NULL), -1);
	ck_assert_int_eq(report_bar(report, 0, 0, 2, 1, NULL), -1);
	ck_assert_int_eq(report_account(report, NULL, NULL), -1);
	ck_assert_int_eq(report_account(report, "", NULL), -1);
	ck_assert_ptr_null(report_totals(report));
	ck_assert_ptr_null(report_sheet(report, REPORT_SHEET_TEAMS));
	ck_assert_ptr_null(report_json(report, true, &err));

	ck_assert_int_eq(report_finish(report, &err), 0);
	ck_assert_uint_eq(report_totals(report)->refused, count);
	ck_assert_uint_eq(report_totals(report)->runs, 0);
	ck_assert_int_eq(report_finish(report, &err), -1);
	ck_assert_int_eq(report_add(report, &plain, &err), -1);
	ck_assert_int_eq(report_capacity(report, 0, 4, 0, 0, 0, NULL), -1);
	ck_assert_ptr_null(report_sheet(report, REPORT_SHEETS));
	report_destroy(report);
}
END_TEST

START_TEST(accounts_by_name)
{
	const report_account_t account = { "a", -1, 1, true };
	sb_err_t err;
	report_t *report = report_create(BEGIN, BEGIN + HOUR, &account, 1,
					 NULL, &err);
	report_run_t run = plain;

	ck_assert_int_eq(report_account(report, "a", &err), 0);
	ck_assert_int_eq(report_account(report, "gone", &err), 1);
	ck_assert_int_eq(report_account(report, "gone", &err), 1);
	run.account = 1;
	ck_assert_int_eq(report_add(report, &run, &err), 0);
	run.account = REPORT_NO_ACCOUNT;
	ck_assert_int_eq(report_add(report, &run, &err), 0);
	ck_assert_int_eq(report_add(report, &run, &err), 0);
	ck_assert_int_eq(report_finish(report, &err), 0);
	is_close(figure(report, REPORT_SHEET_TEAMS, "gone",
			"delivered_hours"), 8, "gone");
	is_close(figure(report, REPORT_SHEET_TEAMS, "(unknown)",
			"delivered_hours"), 16, "unknown");
	is_close(report_totals(report)->allocated, 24, "allocated");
	ck_assert_uint_eq(report_totals(report)->teams, 0);
	report_destroy(report);
}
END_TEST

/* Whatever borders a run has on hours and the period, its time is there. */
START_TEST(borders)
{
	static const int64_t at[] = { -HOUR, -1, 0, 1, HOUR - 1, HOUR,
				      HOUR + 1, 2 * HOUR, 2 * HOUR + 1799,
				      2 * HOUR + 1800, 3 * HOUR };
	const size_t count = sizeof(at) / sizeof(at[0]);
	const int64_t length = 2 * HOUR + 1800;

	for (size_t i = 0; i < count; i++) {
		for (size_t j = i; j < count; j++) {
			const report_account_t account = { "a", -1, 1, true };
			report_run_t run = plain;
			report_t *report;
			sb_err_t err;
			int64_t a = at[i] < 0 ? 0 : at[i];
			int64_t b = at[j] > length ? length : at[j];

			report = report_create(BEGIN, BEGIN + length, &account,
					       1, NULL, &err);
			run.start = run.eligible = BEGIN + at[i];
			run.end = BEGIN + at[j];
			ck_assert_int_eq(report_add(report, &run, &err), 0);
			ck_assert_int_eq(report_finish(report, &err), 0);
			is_close(report_totals(report)->allocated * HOUR,
				 b > a ? 8.0 * (double) (b - a) : 0, "time");
			report_destroy(report);
		}
	}
}
END_TEST

/* ---- habits ------------------------------------------------------------- */

START_TEST(habits)
{
	const report_account_t account = { "a", -1, 1, true };
	sb_err_t err;
	report_t *report = report_create(BEGIN, BEGIN + 24 * HOUR, &account, 1,
					 NULL, &err);
	report_run_t run = plain;

	report_capacity(report, BEGIN, BEGIN + 24 * HOUR, 8, 0, 0, &err);
	run.user = "sits";
	run.class = REPORT_ALLOCATED;
	run.minimum = 8 * HOUR;
	run.end = BEGIN + 4 * HOUR;
	run.usage = 0.05;
	run.drained = 1800;
	for (int i = 0; i < 3; i++)
		report_add(report, &run, &err);
	run.user = "works";
	run.usage = 0.06;
	run.minimum = 8 * HOUR - 1;
	run.drained = 0;
	report_add(report, &run, &err);
	run.user = "short";
	run.usage = 0;
	run.end--;
	report_add(report, &run, &err);
	run.user = "unseen";
	run.usage = REPORT_UNKNOWN;
	run.interactive = true;
	run.end++;
	run.restart = true;
	report_add(report, &run, &err);
	ck_assert_int_eq(report_finish(report, &err), 0);

	const report_sheet_t *sheet = report_sheet(report,
						   REPORT_SHEET_SQUATTING);

	ck_assert_uint_eq(report_sheet_rows(sheet), 2);
	ck_assert_str_eq(report_sheet_text(sheet, 0, 1), "sits");
	ck_assert_str_eq(report_sheet_text(sheet, 0, 5), "yes");
	is_close(report_sheet_value(sheet, 0, 3), 96, "idle hours");
	ck_assert_str_eq(report_sheet_text(sheet, 1, 1), "unseen");
	ck_assert_str_eq(report_sheet_text(sheet, 1, 5), "no");
	is_close(figure(report, REPORT_SHEET_INFLATION, "a", "at_cap_share"),
		 0.6, "at cap");
	is_close(figure(report, REPORT_SHEET_DRAINING, "a", "hours"), 12,
		 "drained");
	ck_assert_ptr_null(report_sheet_text(sheet, 2, 0));
	ck_assert(isnan(report_sheet_value(sheet, 0, 99)));
	ck_assert_ptr_null(report_sheet_column(sheet, 99));
	report_destroy(report);
}
END_TEST

START_TEST(quantiles)
{
	const report_account_t account = { "a", -1, 1, true };
	sb_err_t err;
	report_t *report = report_create(BEGIN, BEGIN + HOUR, &account, 1,
					 NULL, &err);
	report_run_t run = plain;

	for (int i = 0; i < 100; i++) {
		run.eligible = run.start - 1 - 37 * i % 100;
		ck_assert_int_eq(report_add(report, &run, &err), 0);
	}
	ck_assert_int_eq(report_finish(report, &err), 0);
	is_close(figure(report, REPORT_SHEET_WAITS, "other", "p50"), 50, "p50");
	is_close(figure(report, REPORT_SHEET_WAITS, "other", "p90"), 90, "p90");
	is_close(figure(report, REPORT_SHEET_WAITS, "other", "p99"), 99, "p99");
	is_close(figure(report, REPORT_SHEET_WAITS, "other", "max"), 100,
		 "max");
	is_close(figure(report, REPORT_SHEET_WAITS_SIZE, "8", "p99"), 99,
		 "by size");
	is_close(figure(report, REPORT_SHEET_WAITS_ACCOUNT, "a", "p99"), 99,
		 "by account");
	report_destroy(report);
}
END_TEST

/* Who has the last second of a run has its end: reports in a row count each
 * preemption once. */
START_TEST(ends_at_borders)
{
	const report_account_t account = { "a", -1, 1, true };
	double preempted = 0;

	for (int i = 0; i < 3; i++) {
		const int64_t from = BEGIN + i * HOUR;
		report_run_t run = plain;
		sb_err_t err;
		report_t *report = report_create(from, from + HOUR, &account,
						 1, NULL, &err);

		run.start = run.eligible = BEGIN + 60;
		run.end = BEGIN + 2 * HOUR;
		run.outcome = REPORT_PREEMPTED;
		report_add(report, &run, &err);
		ck_assert_int_eq(report_finish(report, &err), 0);
		preempted += (double) report_totals(report)->preemptions;
		report_destroy(report);
	}
	is_close(preempted, 1, "preempted");
}
END_TEST

/* What is short of all is not shown as all. */
START_TEST(cells)
{
	const report_account_t account = { "a", -1, 1, true };
	static const struct {
		uint32_t used;
		const char *text;
	} t[] = {
		{ 100000, "100.0 %" }, { 99999, "99.9 %" }, { 99900, "99.9 %" },
		{ 50, "0.1 %" },       { 0, "0.0 %" },	    { 150000,
							      "150.0 %" },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		sb_err_t err;
		report_t *report = report_create(BEGIN, BEGIN + HOUR, &account,
						 1, NULL, &err);
		report_run_t run = plain;
		char buf[64];

		report_capacity(report, BEGIN, BEGIN + HOUR, 100000, 0, 0,
				&err);
		run.gpus = t[i].used;
		report_add(report, &run, &err);
		ck_assert_int_eq(report_finish(report, &err), 0);
		ck_assert_str_eq(report_sheet_cell(
					 report_sheet(report,
						      REPORT_SHEET_PYRAMID),
					 4, 2, buf, sizeof(buf)), t[i].text);
		report_destroy(report);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report");
	TCase *tcase = tcase_create("report");

	tcase_add_test(tcase, create_refuses);
	tcase_add_test(tcase, add_refuses);
	tcase_add_test(tcase, accounts_by_name);
	tcase_add_test(tcase, borders);
	tcase_add_test(tcase, habits);
	tcase_add_test(tcase, quantiles);
	tcase_add_test(tcase, ends_at_borders);
	tcase_add_test(tcase, cells);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
