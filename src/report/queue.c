/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue - sheets of how long jobs waited: by class, by account, by size.
 */
#include <math.h>
#include <stdlib.h>

#include "tally.h"

enum { GROUP, JOBS, P50, P90, P99, MAX, WAITING, GAVE_UP };

#define COLUMNS(name, head)                                                 \
	[GROUP] = { name, head, REPORT_TEXT },                              \
	[JOBS] = { "jobs", "Jobs", REPORT_COUNT },                          \
	[P50] = { "p50", "Median", REPORT_SECONDS },                        \
	[P90] = { "p90", "p90", REPORT_SECONDS },                           \
	[P99] = { "p99", "p99", REPORT_SECONDS },                           \
	[MAX] = { "max", "Longest", REPORT_SECONDS },                       \
	[WAITING] = { "waiting", "Still waiting", REPORT_COUNT }

static const report_column_t class_columns[] = {
	COLUMNS("class", "Kind of job"),
	[GAVE_UP] = { "gave_up", "Cancelled waiting", REPORT_COUNT },
};
static const report_column_t account_columns[] = {
	COLUMNS("account", "Account"),
};
static const report_column_t size_columns[] = {
	COLUMNS("gpus", "GPUs"),
};

extern uint32_t report_group_class(const report_wait_t *wait, const void *arg)
{
	(void) arg;
	return wait->class;
}

/* Restarted jobs apart, as everywhere. */
static bool is_first(const report_wait_t *wait)
{
	return wait->class != REPORT_WAIT_RESTART;
}

static uint32_t group_all(const report_wait_t *wait, const void *arg)
{
	(void) arg;
	return is_first(wait) ? 0 : UINT32_MAX;
}

static uint32_t group_size(const report_wait_t *wait, const void *arg)
{
	(void) arg;
	return is_first(wait) ? wait->size : UINT32_MAX;
}

/* The team, or the account itself when it is in none. */
static uint32_t group_account(const report_wait_t *wait, const void *arg)
{
	const report_t *report = arg;
	int32_t team = report->rows[wait->account].team;

	if (!is_first(wait))
		return UINT32_MAX;
	return team >= 0 ? (uint32_t) team : wait->account;
}

static void add_spread(report_sheet_t *sheet, const char *name,
		       const report_spread_t *spread)
{
	report_sheet_row(sheet, 0);
	report_sheet_set_text(sheet, GROUP, name);
	report_sheet_set(sheet, JOBS, (double) spread->count);
	report_sheet_set(sheet, P50, spread->p50);
	report_sheet_set(sheet, P90, spread->p90);
	report_sheet_set(sheet, P99, spread->p99);
	report_sheet_set(sheet, MAX, spread->max);
	report_sheet_set(sheet, WAITING, (double) spread->open);
}

static void set_class_title(report_sheet_t *sheet,
			    const report_spread_t *spreads)
{
	const report_spread_t *debug = &spreads[REPORT_WAIT_DEBUG];
	const report_spread_t *large = &spreads[REPORT_WAIT_LARGE];
	char first[64], second[64];

	if (debug->count && large->count)
		report_sheet_set_title(
			sheet, "90 %% of debug jobs started within %s, half "
			"of the large ones within %s",
			report_words(debug->p90, first, sizeof(first)),
			report_words(large->p50, second, sizeof(second)));
	else if (debug->count)
		report_sheet_set_title(
			sheet, "90 %% of debug jobs started within %s",
			report_words(debug->p90, first, sizeof(first)));
	else
		report_sheet_set_title(sheet, "How long jobs waited");
}

extern report_sheet_t *report_make_waits(const report_t *report)
{
	report_spread_t spreads[REPORT_WAIT_CLASSES], all;
	report_sheet_t *sheet = report_sheet_create(
		class_columns, sizeof(class_columns) / sizeof(*class_columns));
	double gave_up = 0;

	if (!sheet ||
	    report_waits_spread(&report->waits, report_group_class, NULL,
				REPORT_WAIT_CLASSES, spreads, NULL) ||
	    report_waits_spread(&report->waits, group_all, NULL, 1, &all,
				NULL)) {
		report_sheet_destroy(sheet);
		return NULL;
	}
	for (size_t c = 0; c < REPORT_WAIT_CLASSES; c++) {
		size_t left = report->gave_up[c];

		if (c != REPORT_WAIT_RESTART)
			gave_up += (double) left;
		if (!spreads[c].count && !left)
			continue;
		add_spread(sheet, report_wait_class_name(c), &spreads[c]);
		report_sheet_set(sheet, GAVE_UP, (double) left);
	}
	add_spread(sheet, "all but requeued", &all);
	report_sheet_set(sheet, GAVE_UP, gave_up);
	set_class_title(sheet, spreads);
	return report_sheet_done(sheet);
}

extern report_sheet_t *report_make_waits_account(const report_t *report)
{
	report_spread_t *spreads = calloc(report->row_count + 1,
					  sizeof(*spreads));
	report_sheet_t *sheet = report_sheet_create(
		account_columns,
		sizeof(account_columns) / sizeof(*account_columns));

	if (!sheet || !spreads ||
	    report_waits_spread(&report->waits, group_account, report,
				report->row_count, spreads, NULL)) {
		free(spreads);
		report_sheet_destroy(sheet);
		return NULL;
	}
	for (size_t i = 0; i < report->row_count; i++) {
		size_t at = report->order[i];

		if (spreads[at].count)
			add_spread(sheet, report->rows[at].name, &spreads[at]);
	}
	report_sheet_set_title(sheet, "Waits by team");
	free(spreads);
	return report_sheet_done(sheet);
}

extern report_sheet_t *report_make_waits_size(const report_t *report)
{
	report_spread_t spreads[REPORT_WAIT_SIZES];
	report_sheet_t *sheet = report_sheet_create(
		size_columns, sizeof(size_columns) / sizeof(*size_columns));

	if (!sheet ||
	    report_waits_spread(&report->waits, group_size, NULL,
				REPORT_WAIT_SIZES, spreads, NULL)) {
		report_sheet_destroy(sheet);
		return NULL;
	}
	for (uint8_t s = 0; s < REPORT_WAIT_SIZES; s++)
		if (spreads[s].count)
			add_spread(sheet, report_wait_size_name(s),
				   &spreads[s]);
	report_sheet_set_title(sheet, "Waits by size of the job");
	return report_sheet_done(sheet);
}
