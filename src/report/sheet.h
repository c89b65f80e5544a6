/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet - the figures of a report as tables: rows of typed cells, from which
 * the command's text, CSV, JSON and the page's tables are all made.
 */
#ifndef SB_REPORT_SHEET_H
#define SB_REPORT_SHEET_H

#include <json-c/json.h>

#include "report.h"

typedef enum {
	REPORT_SHEET_PYRAMID,	/* figure, value, of what */
	REPORT_SHEET_TEAMS,	/* every account: budget to delivered / owed */
	REPORT_SHEET_WAITS,	/* by class */
	REPORT_SHEET_WAITS_ACCOUNT,
	REPORT_SHEET_WAITS_SIZE,
	REPORT_SHEET_PREEMPTIONS,	/* by account that lost */
	REPORT_SHEET_SQUATTING,	/* by user, worst first */
	REPORT_SHEET_INFLATION,	/* by account */
	REPORT_SHEET_DRAINING,	/* by account */
	REPORT_SHEET_HOURS,	/* per hour: capacity and use */
	REPORT_SHEET_NOTES,	/* what is not known or was left out */
	REPORT_SHEETS
} report_sheet_id_t;

typedef enum {
	REPORT_TEXT,
	REPORT_COUNT,		/* a whole number */
	REPORT_HOURS,		/* GPU-hours, one decimal */
	REPORT_GPUS,		/* GPUs on average, one decimal */
	REPORT_SHARE,		/* 0 .. 1, shown as per cent */
	REPORT_SECONDS,		/* a time span */
	REPORT_TIME		/* epoch seconds */
} report_kind_t;

typedef struct {
	const char *name;	/* in JSON and CSV; lower case */
	const char *head;	/* for people */
	report_kind_t kind;
} report_column_t;

typedef struct report_sheet report_sheet_t;

/* RET: of the report, valid as long as it; NULL before report_finish() and
 * for an id that is none. Every sheet exists, with 0 rows at least. */
extern const report_sheet_t *report_sheet(const report_t *report,
					  report_sheet_id_t id);

/* "pyramid", "accounts", "waits", ...: in JSON, CSV and for options. */
extern const char *report_sheet_name(report_sheet_id_t id);
/* For people: the finding, when there is one ("13 of 15 teams ..."). */
extern const char *report_sheet_title(const report_sheet_t *sheet);
extern size_t report_sheet_rows(const report_sheet_t *sheet);
extern size_t report_sheet_columns(const report_sheet_t *sheet);
/* RET: NULL out of range. */
extern const report_column_t *report_sheet_column(const report_sheet_t *sheet,
						  size_t column);
/* RET: text of a REPORT_TEXT cell, else NULL. As it came from the source: the
 * caller escapes. */
extern const char *report_sheet_text(const report_sheet_t *sheet, size_t row,
				     size_t column);
/* RET: value of any other cell, NAN: not known, or nothing to divide by. */
extern double report_sheet_value(const report_sheet_t *sheet, size_t row,
				 size_t column);
/* How far below the account above a row is, for indentation; 0 elsewhere. */
extern unsigned report_sheet_depth(const report_sheet_t *sheet, size_t row);
/* A cell as people read it ("98.2 %", "1:05:00", "12,345.6", "-"), for
 * REPORT_TIME whole seconds. RET: buf, or the text itself. */
extern const char *report_sheet_cell(const report_sheet_t *sheet, size_t row,
				     size_t column, char *buf, size_t size);

/* RET: 0, anything else stops the writing. */
typedef int (*report_write_t)(void *arg, const char *text, size_t len);

/* RFC 4180, header line first, '\n'; unknown values are empty; a text that a
 * spreadsheet would compute gets a leading apostrophe. RET: 0, or -1 with err
 * (the writer's no, no memory). */
extern int report_csv(const report_sheet_t *sheet, report_write_t write,
		      void *arg, sb_err_t *err);

/* {"from", "until", "unit", "totals": {...}, "pyramid": [{...}], ...};
 * unknown values are null. IN hours: with the sheet of hours. RET: a new
 * object, NULL with err (no memory). */
extern json_object *report_json(const report_t *report, bool hours,
				sb_err_t *err);

#endif
