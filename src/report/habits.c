/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * habits - sheets of what eats a cluster: preemptions, idle GPUs that are held,
 * inflated declarations, jobs on nodes that wait for repair.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "tally.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static double quotient(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

/* Run time of all classes. */
static double run_time(const report_row_t *row)
{
	return row->sums[REPORT_SUM_ALLOCATED] +
	       row->sums[REPORT_SUM_UNDECLARED] + row->sums[REPORT_SUM_FREE] +
	       row->sums[REPORT_SUM_CLASS_UNKNOWN];
}

typedef void (*fill_t)(report_sheet_t *sheet, const report_row_t *row);

/* A row for each account of which one of two sums is not 0. */
static void add_accounts(report_sheet_t *sheet, const report_t *report,
			 report_sum_t first, report_sum_t second, fill_t fill)
{
	for (size_t i = 0; i < report->row_count; i++) {
		const report_row_t *row = &report->rows[report->order[i]];

		if (!(row->sums[first] > 0) && !(row->sums[second] > 0))
			continue;
		report_sheet_row(sheet, row->depth);
		report_sheet_set_text(sheet, 0, row->name);
		fill(sheet, row);
	}
}

/* A sum over the whole cluster. */
static double whole(const report_t *report, report_sum_t sum)
{
	double all = 0;

	for (size_t i = 0; i < report->row_count; i++)
		if (report->rows[i].parent < 0)
			all += report->rows[i].sums[sum];
	return all;
}

/* ---- preemptions -------------------------------------------------------- */

static const report_column_t preemption_columns[] = {
	{ "account", "Account", REPORT_TEXT },
	{ "preempted", "Preempted", REPORT_COUNT },
	{ "lost_hours", "Lost GPU-h", REPORT_HOURS },
	{ "lost_share", "of its time", REPORT_SHARE },
	{ "node_failed", "Node failures", REPORT_COUNT },
	{ "node_lost_hours", "Lost GPU-h to them", REPORT_HOURS },
};

static void fill_preemption(report_sheet_t *sheet, const report_row_t *row)
{
	double lost = row->sums[REPORT_SUM_LOST_PREEMPTED];

	report_sheet_set(sheet, 1, row->sums[REPORT_SUM_PREEMPTED]);
	report_sheet_set(sheet, 2, lost / SB_HOUR);
	report_sheet_set(sheet, 3, quotient(lost, run_time(row)));
	report_sheet_set(sheet, 4, row->sums[REPORT_SUM_NODE_FAILED]);
	report_sheet_set(sheet, 5, row->sums[REPORT_SUM_LOST_FAILED] / SB_HOUR);
}

extern report_sheet_t *report_make_preemptions(const report_t *report)
{
	const report_totals_t *t = &report->totals;
	report_sheet_t *sheet = report_sheet_create(preemption_columns,
						    COUNT(preemption_columns));
	double share = quotient(t->lost_preempted, t->allocated);
	char count[64];

	if (!sheet)
		return NULL;
	add_accounts(sheet, report, REPORT_SUM_PREEMPTED,
		     REPORT_SUM_NODE_FAILED, fill_preemption);
	if (!t->preemptions)
		report_sheet_set_title(sheet, "Nothing was preempted");
	else
		report_sheet_set_title(
			sheet, "%s preemption%s cost at most %.1f %% of the "
			"allocated time",
			report_show(REPORT_COUNT, (double) t->preemptions,
				    count, sizeof(count)),
			t->preemptions == 1 ? "" : "s",
			isfinite(share) ? share * 100 : 0);
	return report_sheet_done(sheet);
}

/* ---- squatting ---------------------------------------------------------- */

static const report_column_t squatting_columns[] = {
	{ "account", "Account", REPORT_TEXT },
	{ "user", "User", REPORT_TEXT },
	{ "idle_runs", "Idle runs", REPORT_COUNT },
	{ "idle_hours", "Idle GPU-h", REPORT_HOURS },
	{ "longest", "Longest", REPORT_SECONDS },
	{ "habit", "Habit", REPORT_TEXT },
	{ "unseen_runs", "Long sessions, usage unknown", REPORT_COUNT },
	{ "unseen_hours", "their GPU-h", REPORT_HOURS },
};

static int compare_people(const void *a, const void *b)
{
	const report_person_t *x = *(const report_person_t *const *) a;
	const report_person_t *y = *(const report_person_t *const *) b;

	if (x->idle_time != y->idle_time)
		return x->idle_time < y->idle_time ? 1 : -1;
	if (x->unseen_time != y->unseen_time)
		return x->unseen_time < y->unseen_time ? 1 : -1;
	if (x->account != y->account)
		return x->account < y->account ? -1 : 1;
	return strcmp(x->user, y->user);
}

static void add_person(report_sheet_t *sheet, const report_t *report,
		       const report_person_t *person)
{
	uint32_t habit = report->options.idle_repeat;

	report_sheet_row(sheet, 0);
	report_sheet_set_text(sheet, 0, report->rows[person->account].name);
	report_sheet_set_text(sheet, 1, person->user);
	report_sheet_set(sheet, 2, person->idle);
	report_sheet_set(sheet, 3, person->idle_time / SB_HOUR);
	if (person->idle)
		report_sheet_set(sheet, 4, (double) person->longest);
	report_sheet_set_text(sheet, 5, habit && person->idle >= habit ?
			      "yes" : "no");
	report_sheet_set(sheet, 6, person->unseen);
	report_sheet_set(sheet, 7, person->unseen_time / SB_HOUR);
}

static void set_squatting_title(report_sheet_t *sheet, const report_t *report)
{
	double idle = 0, known = whole(report, REPORT_SUM_USAGE_TIME);

	for (size_t i = 0; i < report->person_count; i++)
		idle += report->people[i].idle_time;
	if (!(known > 0))
		report_sheet_set_title(sheet, "Whether held %ss idle is not "
				       "known", report->unit);
	else
		report_sheet_set_title(sheet, "%.1f %% of the time with known "
				       "utilisation was held idle",
				       idle / known * 100);
}

extern report_sheet_t *report_make_squatting(const report_t *report)
{
	const report_person_t **people = calloc(report->person_count + 1,
						sizeof(*people));
	report_sheet_t *sheet = report_sheet_create(squatting_columns,
						    COUNT(squatting_columns));

	if (!people || !sheet) {
		free(people);
		report_sheet_destroy(sheet);
		return NULL;
	}
	for (size_t i = 0; i < report->person_count; i++)
		people[i] = &report->people[i];
	qsort(people, report->person_count, sizeof(*people), compare_people);
	for (size_t i = 0; i < report->person_count; i++)
		add_person(sheet, report, people[i]);
	set_squatting_title(sheet, report);
	free(people);
	return report_sheet_done(sheet);
}

/* ---- inflation ---------------------------------------------------------- */

static const report_column_t inflation_columns[] = {
	{ "account", "Account", REPORT_TEXT },
	{ "jobs", "Jobs with a minimum", REPORT_COUNT },
	{ "at_cap", "At the cap", REPORT_COUNT },
	{ "at_cap_share", "of jobs", REPORT_SHARE },
	{ "at_cap_hours", "GPU-h at the cap", REPORT_HOURS },
	{ "at_cap_time_share", "of GPU-h", REPORT_SHARE },
};

static void fill_inflation(report_sheet_t *sheet, const report_row_t *row)
{
	const double *sums = row->sums;

	report_sheet_set(sheet, 1, sums[REPORT_SUM_DECLARED]);
	report_sheet_set(sheet, 2, sums[REPORT_SUM_AT_CAP]);
	report_sheet_set(sheet, 3, quotient(sums[REPORT_SUM_AT_CAP],
					    sums[REPORT_SUM_DECLARED]));
	report_sheet_set(sheet, 4, sums[REPORT_SUM_AT_CAP_TIME] / SB_HOUR);
	report_sheet_set(sheet, 5, quotient(sums[REPORT_SUM_AT_CAP_TIME],
					    sums[REPORT_SUM_DECLARED_TIME]));
}

extern report_sheet_t *report_make_inflation(const report_t *report)
{
	double declared = whole(report, REPORT_SUM_DECLARED);
	double at_cap = whole(report, REPORT_SUM_AT_CAP);
	report_sheet_t *sheet = report_sheet_create(inflation_columns,
						    COUNT(inflation_columns));

	if (!sheet)
		return NULL;
	add_accounts(sheet, report, REPORT_SUM_DECLARED,
		     REPORT_SUM_DECLARED_TIME, fill_inflation);
	if (declared > 0)
		report_sheet_set_title(sheet, "%.1f %% of jobs with a minimum "
				       "declare the longest that is allowed",
				       at_cap / declared * 100);
	else
		report_sheet_set_title(sheet, "No job with a declared minimum "
				       "is known");
	return report_sheet_done(sheet);
}

/* ---- draining ----------------------------------------------------------- */

static const report_column_t draining_columns[] = {
	{ "account", "Account", REPORT_TEXT },
	{ "runs", "Runs on draining nodes", REPORT_COUNT },
	{ "hours", "GPU-h there", REPORT_HOURS },
	{ "share", "of its time", REPORT_SHARE },
};

static void fill_draining(report_sheet_t *sheet, const report_row_t *row)
{
	double held = row->sums[REPORT_SUM_DRAINED_TIME];

	report_sheet_set(sheet, 1, row->sums[REPORT_SUM_DRAINED]);
	report_sheet_set(sheet, 2, held / SB_HOUR);
	report_sheet_set(sheet, 3, quotient(held, run_time(row)));
}

extern report_sheet_t *report_make_draining(const report_t *report)
{
	double runs = whole(report, REPORT_SUM_DRAINED);
	report_sheet_t *sheet = report_sheet_create(draining_columns,
						    COUNT(draining_columns));

	if (!sheet)
		return NULL;
	add_accounts(sheet, report, REPORT_SUM_DRAINED, REPORT_SUM_DRAINED,
		     fill_draining);
	if (runs > 0)
		report_sheet_set_title(sheet, "%.0f run%s kept nodes from "
				       "repair for %.1f %s-hours", runs,
				       runs > 1 ? "s" : "",
				       whole(report, REPORT_SUM_DRAINED_TIME) /
				       SB_HOUR, report->unit);
	else
		report_sheet_set_title(sheet, "No run is known to have kept a "
				       "node from repair");
	return report_sheet_done(sheet);
}
