/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "fault.h"

extern int fault_set(fault_t *fault, const char *column, const char *reason,
		     const char *value, size_t len)
{
	*fault = (fault_t) {
		.column = column, .reason = reason, .value = value, .len = len,
	};
	return -1;
}

static int complain(const source_t *source, const fault_t *fault,
		    sb_err_t *err)
{
	const char *name = source_name(source), *column = fault->column;
	char file[64], value[64];

	sb_err_quote(file, sizeof(file), name, strlen(name));
	if (!fault->value)
		return sb_err_set(err, "%s:%zu: %s%s%s", file,
				  source_number(source), column ? column : "",
				  column ? ": " : "", fault->reason);
	sb_err_quote(value, sizeof(value), fault->value, fault->len);
	return sb_err_set(err, "%s:%zu: %s%s%s, \"%s\"", file,
			  source_number(source), column ? column : "",
			  column ? ": " : "", fault->reason, value);
}

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

extern int tally_fault(tally_t *tally, const source_t *source,
		       const fault_t *fault, sb_err_t *err)
{
	tally_row_t *row = tally->rows;
	tally_row_t *end = tally->rows + tally->row_count;

	if (!tally->lenient)
		return complain(source, fault, err);
	for (; row < end; row++) {
		if (same(row->column, fault->column) &&
		    same(row->reason, fault->reason))
			break;
	}
	if (row == tally->rows + TALLY_MAX)
		row--;
	if (row == end) {
		*row = (tally_row_t) {
			.column = fault->column, .reason = fault->reason,
			.first = source_number(source),
		};
		tally->row_count++;
	}
	row->count++;
	tally->total++;
	return 0;
}

extern char *tally_text(const tally_row_t *row, char *buf, size_t size)
{
	snprintf(buf, size, "%zu line%s, first %zu: %s%s%s", row->count,
		 row->count == 1 ? "" : "s", row->first,
		 row->column ? row->column : "", row->column ? ": " : "",
		 row->reason);
	return buf;
}
