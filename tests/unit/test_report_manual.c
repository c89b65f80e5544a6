/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_report_manual - the example by hand, as doc/report.md has it.
 */
#include <stdio.h>

#include "report_case.h"

/* Split a row of a table in place. RET: number of cells. */
static size_t split(char *line, char **cells, size_t room)
{
	size_t count = 0;
	char *save = NULL;

	for (char *cell = strtok_r(line, "|\n", &save); cell && count < room;
	     cell = strtok_r(NULL, "|\n", &save)) {
		cell += strspn(cell, " ");
		for (size_t n = strlen(cell); n && cell[n - 1] == ' '; n--)
			cell[n - 1] = '\0';
		cells[count++] = cell;
	}
	return count;
}

static int64_t hours(const char *text)
{
	return !strcmp(text, "-") ? 0 :
		BEGIN + (int64_t) (strtod(text, NULL) * HOUR);
}

static void add_example(report_t *report, char **cell, uint64_t last)
{
	report_run_t run = plain;
	sb_err_t err;

	run.job = strtoull(cell[0], NULL, 10);
	run.account = report_account(report, cell[1], &err);
	run.gpus = (uint32_t) atoi(cell[2]);
	run.class = !strcmp(cell[3], "free") ? REPORT_FREE : REPORT_ALLOCATED;
	run.minimum = (int64_t) (strtod(cell[4], NULL) * HOUR);
	run.eligible = hours(cell[5]);
	run.start = hours(cell[6]);
	run.end = hours(cell[7]);
	run.outcome = !strcmp(cell[8], "preempted") ? REPORT_PREEMPTED :
		      !strcmp(cell[8], "open") ? REPORT_OPEN :
						 REPORT_COMPLETED;
	run.restart = run.job == last;
	ck_assert_int_eq(report_add(report, &run, &err), 0);
}

/* A figure by its name in the manual. */
static double named(const report_t *report, const char *name)
{
	const report_totals_t *t = report_totals(report);
	const struct {
		const char *name;
		double value;
	} all[] = {
		{ "available", t->available },
		{ "availability", t->availability },
		{ "allocated", t->allocated },
		{ "occupancy", t->occupancy },
		{ "lost", t->lost_preempted },
		{ "impact", t->impact },
		{ "unallocated", t->unallocated },
		{ "delivered/owed", t->delivered_owed },
		{ "teams at 95 %", (double) t->teams_95 },
		{ "p50 other", figure(report, REPORT_SHEET_WAITS, "other",
				      "p50") },
		{ "p90 other", figure(report, REPORT_SHEET_WAITS, "other",
				      "p90") },
		{ "longest requeued", figure(report, REPORT_SHEET_WAITS,
					     "requeued", "max") },
		{ "owed a", figure(report, REPORT_SHEET_TEAMS, "a",
				   "owed_hours") },
		{ "owed b", figure(report, REPORT_SHEET_TEAMS, "b",
				   "owed_hours") },
		{ "delivered a", figure(report, REPORT_SHEET_TEAMS, "a",
					"delivered_hours") },
		{ "delivered b", figure(report, REPORT_SHEET_TEAMS, "b",
					"delivered_hours") },
		{ "delivered/owed a", figure(report, REPORT_SHEET_TEAMS, "a",
					     "delivered_owed") },
		{ "delivered/owed b", figure(report, REPORT_SHEET_TEAMS, "b",
					     "delivered_owed") },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i].name, name))
			return all[i].value;
	ck_abort_msg("the manual has a figure '%s'", name);
	return NAN;
}

START_TEST(manual)
{
	const report_account_t accounts[] = { { "a", -1, 0.75, true },
					      { "b", -1, 0.25, true } };
	sb_err_t err;
	report_t *report = report_create(BEGIN, BEGIN + 4 * HOUR, accounts, 2,
					 NULL, &err);
	FILE *file = fopen(DOCDIR "/report.md", "r");
	char line[512], *cell[16];
	size_t runs = 0, figures = 0;
	uint64_t last = 0;
	bool here = false;

	ck_assert_ptr_nonnull(file);
	report_capacity(report, BEGIN, BEGIN + 4 * HOUR, 8, 0, 0, &err);
	report_capacity(report, BEGIN + 3 * HOUR, BEGIN + 4 * HOUR, 0, 2, 0,
			&err);
	while (fgets(line, sizeof(line), file)) {
		size_t count;

		here = here || !strncmp(line, "## An example", 13);
		if (!here || line[0] != '|' || line[1] == '-')
			continue;
		count = split(line, cell, 16);
		if (count == 9 && strcmp(cell[0], "job")) {
			add_example(report, cell, last);
			last = strtoull(cell[0], NULL, 10);
			runs++;
		} else if (count == 2 && !strcmp(cell[0], "figure")) {
			ck_assert_int_eq(report_finish(report, &err), 0);
		} else if (count == 2) {
			is_close(named(report, cell[0]),
				 strtod(cell[1], NULL), cell[0]);
			figures++;
		}
	}
	ck_assert_uint_eq(runs, 5);
	ck_assert_uint_eq(figures, 18);
	fclose(file);
	report_destroy(report);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report_manual");
	TCase *tcase = tcase_create("report_manual");

	tcase_add_test(tcase, manual);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
