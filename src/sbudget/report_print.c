/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_print - a report as text, CSV, JSON or a page.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sb_config.h"

#include "file.h"
#include "page.h"
#include "report_command.h"
#include "table.h"
#include "text.h"

/* Columns of a sheet. */
#define COLUMNS_MAX 32
/* Where times of day come from unless TZ says otherwise. */
#define ZONE_LINK "/etc/localtime"

/* RET: the sheet of this name, or REPORT_SHEETS. */
static report_sheet_id_t _find_sheet(const char *name, size_t length)
{
	for (int id = 0; id < REPORT_SHEETS; id++) {
		const char *known = report_sheet_name(id);

		if ((strlen(known) == length) && !memcmp(known, name, length))
			return id;
	}
	return REPORT_SHEETS;
}

static int _complain_sheet(const char *name, size_t length)
{
	char names[256] = "";

	for (int id = 0; id < REPORT_SHEETS; id++) {
		size_t used = strlen(names);

		snprintf(names + used, sizeof(names) - used, "%s%s",
			 id ? ", " : "", report_sheet_name(id));
	}
	return options_complain("there is no sheet \"%.*s\", but %s",
				(int) length, name, names);
}

extern int report_check(const options_t *opts)
{
	const char *name = opts->sheet;
	size_t size;

	if ((opts->html != NULL) + opts->csv + opts->json > 1)
		return options_complain("one of --html, --csv and --json");
	if (opts->format)
		return options_complain("report has no -o, but --sheet");
	while (name && *name) {
		size_t length = strcspn(name, ",");

		if (_find_sheet(name, length) == REPORT_SHEETS)
			return _complain_sheet(name, length);
		name += length + (name[length] == ',');
	}
	/* One table is one file. */
	if (opts->csv && opts->sheet && strchr(opts->sheet, ','))
		return options_complain("--csv takes one sheet");
	if (opts->sheet && !*opts->sheet)
		return _complain_sheet("", 0);
	if (opts->html && !*opts->html)
		return options_complain("--html needs the name of a file");
	if (opts->html && !report_chart(&size))
		return cluster_fail("%s", REPORT_CHART_MISSING);
	return EXIT_OK;
}

/* ---------------------------------------------------------------- text */

static void _make_columns(const report_sheet_t *sheet, table_column_t *columns)
{
	for (size_t c = 0; c < report_sheet_columns(sheet); c++) {
		const report_column_t *column = report_sheet_column(sheet, c);

		columns[c] = (table_column_t) {
			.name = column->name,
			.head = column->head,
			.right = column->kind != REPORT_TEXT,
		};
	}
}

/* For programs: plain numbers, seconds, shares of 1. */
static void _set_raw(table_t *table, const report_sheet_t *sheet, size_t row,
		     size_t c)
{
	const char *text = report_sheet_text(sheet, row, c);
	double value = report_sheet_value(sheet, row, c);

	if (text)
		table_text(table, c, "%s", text);
	else if (!isnan(value))
		table_text(table, c, "%.12g", value);
}

static void _set_cell(table_t *table, const report_sheet_t *sheet, size_t row,
		      size_t c)
{
	const report_column_t *column = report_sheet_column(sheet, c);
	unsigned depth = c ? 0 : report_sheet_depth(sheet, row);
	char buf[TEXT_SIZE];

	if ((column->kind == REPORT_TIME) &&
	    !isnan(report_sheet_value(sheet, row, c)))
		table_text(table, c, "%s",
			   text_time(report_sheet_value(sheet, row, c), buf));
	else
		table_text(table, c, "%*s%s", (int) depth, "",
			   report_sheet_cell(sheet, row, c, buf, sizeof(buf)));
}

/* An account that nobody worked in and wanted nothing. */
static bool _is_quiet(const report_sheet_t *sheet, size_t row)
{
	double sum = 0;

	for (size_t c = 0; c < report_sheet_columns(sheet); c++) {
		const char *name = report_sheet_column(sheet, c)->name;

		if (!strcmp(name, "demand_hours") || !strcmp(name, "runs") ||
		    !strcmp(name, "unallocated_hours"))
			sum += report_sheet_value(sheet, row, c);
	}
	return sum == 0;
}

static int _print_sheet(const options_t *opts, report_sheet_id_t id,
			const report_sheet_t *sheet)
{
	table_column_t columns[COLUMNS_MAX];
	bool raw = opts->parsable || opts->parsable2;
	size_t count = report_sheet_columns(sheet);
	table_t *table;

	if (count > COLUMNS_MAX)
		return cluster_fail("a sheet with too many columns");
	_make_columns(sheet, columns);
	table = table_create(columns, count, opts);
	if (!table)
		return cluster_fail("no memory");
	for (size_t row = 0; row < report_sheet_rows(sheet); row++) {
		if ((id == REPORT_SHEET_TEAMS) && !opts->all &&
		    _is_quiet(sheet, row))
			continue;
		table_row(table);
		for (size_t c = 0; c < count; c++) {
			if (raw)
				_set_raw(table, sheet, row, c);
			else
				_set_cell(table, sheet, row, c);
		}
	}
	table_print(table);
	table_destroy(table);
	return EXIT_OK;
}

static bool _is_shown(const report_case_t *one, const report_sheet_t *sheet,
		      int id)
{
	if (one->opts->sheet)
		return command_listed(one->opts->sheet, report_sheet_name(id));
	if (id == REPORT_SHEET_HOURS)
		return one->opts->longer;
	return report_sheet_rows(sheet) > 0;
}

static void _print_notes(const report_sheet_t *sheet)
{
	char buf[TEXT_SIZE];

	for (size_t row = 0; row < report_sheet_rows(sheet); row++)
		printf("- %s\n",
		       report_sheet_cell(sheet, row, 0, buf, sizeof(buf)));
}

static int _print_text(const report_case_t *one, const report_t *report)
{
	char from[TEXT_SIZE], until[TEXT_SIZE];
	bool raw = one->opts->parsable || one->opts->parsable2 ||
		   one->opts->noheader;
	int rc = EXIT_OK;

	if (!raw)
		printf("Cluster %s from %s to %s\n", one->cluster->name,
		       text_time(one->from, from),
		       text_time(one->until, until));
	for (int id = 0; (rc == EXIT_OK) && (id < REPORT_SHEETS); id++) {
		const report_sheet_t *sheet = report_sheet(report, id);

		if (!_is_shown(one, sheet, id))
			continue;
		if (!raw)
			printf("\n%s\n\n", report_sheet_title(sheet));
		if (!raw && (id == REPORT_SHEET_NOTES))
			_print_notes(sheet);
		else
			rc = _print_sheet(one->opts, id, sheet);
	}
	return rc;
}

/* ---------------------------------------------------------------- files */

static int _write(void *arg, const char *text, size_t length)
{
	return (fwrite(text, 1, length, arg) == length) ? 0 : -1;
}

/* Directly behind the failed write: it says why. */
static int _fail_write(const sb_err_t *err, FILE *out)
{
	if (ferror(out))
		return cluster_fail("%s: %s", err->text, strerror(errno));
	return cluster_fail("%s", err->text);
}

static int _print_csv(const report_case_t *one, const report_t *report)
{
	report_sheet_id_t id = REPORT_SHEET_TEAMS;
	sb_err_t err;

	if (one->opts->sheet)
		id = _find_sheet(one->opts->sheet, strlen(one->opts->sheet));
	if (report_csv(report_sheet(report, id), _write, stdout, &err))
		return _fail_write(&err, stdout);
	return EXIT_OK;
}

static int _print_json(const report_case_t *one, const report_t *report)
{
	sb_err_t err;
	json_object *object = report_json(report, one->opts->longer, &err);

	if (!object)
		return cluster_fail("%s", err.text);
	return command_print_json(one->cluster, "report", object);
}

/* "Europe/Berlin", as TZ or the host's link has it. RET: NULL: unknown. */
static const char *_zone(char *buf, size_t size)
{
	const char *zone = getenv("TZ"), *at;
	ssize_t length;

	if (zone && *zone)
		return (*zone == ':') ? zone + 1 : zone;
	length = readlink(ZONE_LINK, buf, size - 1);
	if (length < 0)
		return NULL;
	buf[length] = '\0';
	at = strstr(buf, "zoneinfo/");
	return at ? at + strlen("zoneinfo/") : NULL;
}

static int _write_page(const report_case_t *one, const report_t *report,
		       FILE *out)
{
	char zone[256], subtitle[512], made[128];
	char from[TEXT_SIZE], until[TEXT_SIZE], now[TEXT_SIZE];
	report_page_t page = { .subtitle = subtitle, .made = made };
	sb_err_t err;

	snprintf(subtitle, sizeof(subtitle), "Cluster %s, %s to %s",
		 one->cluster->name, text_time(one->from, from),
		 text_time(one->until, until));
	snprintf(made, sizeof(made), "sbudget %s, %s", PACKAGE_VERSION,
		 text_time(one->cluster->now, now));
	page.zone = _zone(zone, sizeof(zone));
	page.chart = report_chart(&page.chart_size);
	if (report_html(report, &page, _write, out, &err))
		return _fail_write(&err, out);
	return EXIT_OK;
}

static int _print_html(const report_case_t *one, const report_t *report)
{
	file_t file;
	int rc;

	if (file_open(&file, one->opts->html))
		return EXIT_ERROR;
	rc = _write_page(one, report, file.stream);
	if (rc != EXIT_OK) {
		file_abandon(&file);
		return rc;
	}
	return file_close(&file) ? EXIT_ERROR : EXIT_OK;
}

extern int report_print(const report_case_t *one, const report_t *report)
{
	int rc;

	if (one->opts->json)
		return _print_json(one, report);
	if (one->opts->html)
		rc = _print_html(one, report);
	else if (one->opts->csv)
		rc = _print_csv(one, report);
	else
		rc = _print_text(one, report);
	cluster_print_notes(one->cluster);
	return rc;
}
