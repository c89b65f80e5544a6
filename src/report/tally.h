/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally - what a report has counted: the inside of report_t, for the files of
 * this directory only.
 */
#ifndef SB_REPORT_TALLY_H
#define SB_REPORT_TALLY_H

#include <json-c/json.h>

#include "report.h"
#include "series.h"
#include "sheet.h"
#include "waits.h"

/* Most runs: hours stay within 63 bits. */
#define REPORT_RUNS_MAX 100000000

/* What is summed per account, its own first, with its descendants' in the end.
 * Times are GPU-seconds within the period. */
typedef enum {
	REPORT_SUM_ALLOCATED,	/* run time by class, in their order */
	REPORT_SUM_UNDECLARED,
	REPORT_SUM_FREE,
	REPORT_SUM_CLASS_UNKNOWN,
	REPORT_SUM_RUNS,
	REPORT_SUM_PREEMPTED,	/* runs that ended so */
	REPORT_SUM_NODE_FAILED,
	REPORT_SUM_LOST_PREEMPTED,
	REPORT_SUM_LOST_FAILED,
	REPORT_SUM_LOST_RULED,	/* of both: by the contract, see lost() */
	REPORT_SUM_ENDED_FAILED,
	REPORT_SUM_DECLARED,	/* jobs that ran first in the period, and */
	REPORT_SUM_AT_CAP,	/* declared a minimum; as long as allowed */
	REPORT_SUM_DECLARED_TIME,	/* run time of such runs */
	REPORT_SUM_AT_CAP_TIME,
	REPORT_SUM_DRAINED,	/* runs on draining nodes */
	REPORT_SUM_DRAINED_TIME,
	REPORT_SUM_USAGE_TIME,	/* run time with known utilisation, */
	REPORT_SUM_USAGE,	/* and times utilisation */
	REPORT_SUMS
} report_sum_t;

typedef struct {
	char *name;
	int32_t parent, team;	/* team: itself or the one above, or -1 */
	unsigned depth;
	double allocation;
	bool is_team, has_child;
	report_series_t charged, pending;
	double sums[REPORT_SUMS];

	/* By report_finish(), GPU-hours, descendants included. */
	double budget, demand, owed, delivered;
} report_row_t;

/* A user of an account who may be squatting. */
typedef struct {
	char *user;
	int32_t account;
	uint32_t idle;		/* long runs with idle GPUs */
	double idle_time;	/* GPU-seconds of them */
	int64_t longest;	/* seconds */
	uint32_t unseen;	/* long interactive runs of unknown usage */
	double unseen_time;
} report_person_t;

typedef struct {
	uint32_t lane;
	int32_t account;
	int64_t from, until;
} report_bar_t;

struct report {
	report_period_t period;
	report_options_t options;
	char *unit;
	report_row_t *rows;
	size_t row_count, row_room;
	json_object *names;	/* of accounts -> index */
	int32_t nobody;		/* row of runs without account, or -1 */
	size_t *order;		/* rows, each before what is below it */
	report_series_t total, down, planned;
	report_series_t running[REPORT_CLASSES], pending;
	bool capacity_known;
	report_waits_t waits;
	size_t gave_up[REPORT_WAIT_CLASSES];	/* before they started */
	report_person_t *people;
	size_t person_count, person_room;
	json_object *people_index;	/* "account user" -> index */
	report_bar_t *bars;
	size_t bar_count, bars_dropped;
	size_t preemptors_known, preemptors_started;
	size_t runs, refused;
	sb_err_t refusal;	/* of the last one */
	bool finished;		/* takes no more input */
	bool ready;		/* everything below is there */
	report_totals_t totals;
	report_sheet_t *sheets[REPORT_SHEETS];
};

/* Make room for one more element in an array. RET: 0, or -1 without memory. */
extern int report_grow(void **array, size_t *room, size_t count, size_t size);

/* GPU-hours that an account is owed in an hour: its share of what was up, no
 * more than it asked for. After report_finish(). */
extern double report_owed(const report_t *report, const report_row_t *row,
			  size_t hour);
/* GPU-hours that were up in an hour. */
extern double report_available(const report_t *report, size_t hour);

/* people.c: note a run of at least idle_time. IN time: its GPU-seconds in the
 * period. RET: 0, or -1 with err. */
extern int report_people_add(report_t *report, const report_run_t *run,
			     int64_t ran, double time, sb_err_t *err);

/* sums.c: roll up, and the totals. RET: 0, or -1 without memory. */
extern int report_sums(report_t *report);

/* queue.c: a report_group_t, the report_wait_class_t of a wait. */
extern uint32_t report_group_class(const report_wait_t *wait, const void *arg);

/* Sheets, one maker each. RET: a sheet, NULL without memory. */
extern report_sheet_t *report_make_pyramid(const report_t *report);
extern report_sheet_t *report_make_teams(const report_t *report);
extern report_sheet_t *report_make_waits(const report_t *report);
extern report_sheet_t *report_make_waits_account(const report_t *report);
extern report_sheet_t *report_make_waits_size(const report_t *report);
extern report_sheet_t *report_make_preemptions(const report_t *report);
extern report_sheet_t *report_make_squatting(const report_t *report);
extern report_sheet_t *report_make_inflation(const report_t *report);
extern report_sheet_t *report_make_draining(const report_t *report);
extern report_sheet_t *report_make_hours(const report_t *report);
extern report_sheet_t *report_make_notes(const report_t *report);

/* sheet.c: fill a sheet. All fail softly: after a lack of memory the sheet is
 * spoilt and report_sheet_done() gives NULL. IN title, name: copied. */
extern report_sheet_t *report_sheet_create(const report_column_t *columns,
					   size_t count);
extern void report_sheet_row(report_sheet_t *sheet, unsigned depth);
extern void report_sheet_set_text(report_sheet_t *sheet, size_t column,
				  const char *text);
extern void report_sheet_set(report_sheet_t *sheet, size_t column,
			     double value);
extern void report_sheet_set_title(report_sheet_t *sheet, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
extern report_sheet_t *report_sheet_done(report_sheet_t *sheet);
extern void report_sheet_destroy(report_sheet_t *sheet);

/* A value as people read it. RET: buf. */
extern const char *report_show(report_kind_t kind, double value, char *buf,
			       size_t size);
/* A time span in one unit, "27 s", "54 min", "3.5 h": for readers who do not
 * know Slurm's forms. RET: buf. */
extern const char *report_words(double seconds, char *buf, size_t size);
/* A copy with what is not UTF-8, or a control character, replaced by '?'.
 * RET: NULL without memory. */
extern char *report_clean(const char *text);

#endif
