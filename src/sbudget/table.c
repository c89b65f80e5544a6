/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE		/* asprintf() */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "table.h"

/* Columns that can be shown at a time. */
#define SHOWN_MAX 64
/* The widest that a column can be asked to be: wider than any name. */
#define WIDTH_MAX 1000

typedef struct {
	char *text;		/* NULL: empty */
	json_object *value;	/* owned; NULL: null */
	table_style_t style;
} cell_t;

typedef struct {
	size_t column;
	int width;		/* 0: as its contents; negative: left */
} shown_t;

struct table {
	const table_column_t *columns;
	size_t column_count;
	const options_t *opts;
	shown_t shown[SHOWN_MAX];
	size_t shown_count;
	cell_t *cells;
	size_t row_count, row_room;
	bool failed;		/* out of memory */
};

static void _show(table_t *table, size_t column, int width)
{
	if (table->shown_count < SHOWN_MAX)
		table->shown[table->shown_count++] = (shown_t) {
			.column = column,
			.width = width,
		};
}

/* IN text: behind the '%', not ended by NUL. RET: 0, or -1 if this is no
 * width. */
static int _read_width(const char *text, size_t length, int *width)
{
	char *end;
	long value;

	*width = 0;
	if (!length)
		return 0;
	if (isspace((unsigned char) *text))
		return -1;
	value = strtol(text, &end, 10);
	if ((end != text + length) || (value < -WIDTH_MAX) ||
	    (value > WIDTH_MAX))
		return -1;
	*width = value;
	return 0;
}

/* One member of -o: NAME[%[-]WIDTH]. RET: 0, or -1 after saying why not. */
static int _show_named(table_t *table, const char *name, size_t length)
{
	const char *percent = memchr(name, '%', length);
	size_t end = percent ? (size_t) (percent - name) : length;
	int width = 0;

	if (percent && _read_width(percent + 1, length - end - 1, &width)) {
		options_complain("\"%.*s\": a width goes to %d",
				 (int) length, name, WIDTH_MAX);
		return -1;
	}
	for (size_t i = 0; i < table->column_count; i++) {
		if ((strlen(table->columns[i].name) == end) &&
		    !strncasecmp(table->columns[i].name, name, end)) {
			_show(table, i, width);
			return 0;
		}
	}
	options_complain("there is no column \"%.*s\"; -o help lists them",
			 (int) end, name);
	return -1;
}

static int _choose_named(table_t *table, const char *list)
{
	while (*list) {
		size_t length = strcspn(list, ",");

		if (length && _show_named(table, list, length))
			return -1;
		list += length;
		if (*list)
			list++;
	}
	return 0;
}

static void _choose(table_t *table)
{
	bool pretty = options_pretty(table->opts);

	for (size_t i = 0; i < table->column_count; i++) {
		table_when_t when = table->columns[i].when;

		if ((when == TABLE_DEFAULT) ||
		    ((when == TABLE_LONG) && table->opts->longer) ||
		    ((when == TABLE_PRETTY) && pretty))
			_show(table, i, 0);
	}
}

extern table_t *table_create(const table_column_t *columns, size_t count,
			     const options_t *opts)
{
	table_t *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->columns = columns;
	table->column_count = count;
	table->opts = opts;
	if (!opts->format) {
		_choose(table);
	} else if (_choose_named(table, opts->format)) {
		free(table);
		return NULL;
	}
	return table;
}

extern void table_destroy(table_t *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->row_count * table->column_count; i++) {
		free(table->cells[i].text);
		json_object_put(table->cells[i].value);
	}
	free(table->cells);
	free(table);
}

extern bool table_wants(const table_t *table, size_t column)
{
	if (table->opts->json)
		return true;
	for (size_t i = 0; i < table->shown_count; i++) {
		if (table->shown[i].column == column)
			return true;
	}
	return false;
}

extern void table_row(table_t *table)
{
	if (table->row_count == table->row_room) {
		size_t more = table->row_room ? table->row_room * 2 : 64;
		size_t width = table->column_count * sizeof(cell_t);
		cell_t *moved = realloc(table->cells, more * width);

		if (!moved) {
			table->failed = true;
			return;
		}
		table->cells = moved;
		table->row_room = more;
	}
	memset(table->cells + table->row_count * table->column_count, 0,
	       table->column_count * sizeof(cell_t));
	table->row_count++;
}

static cell_t *_cell(table_t *table, size_t column)
{
	size_t last = (table->row_count - 1) * table->column_count;

	return &table->cells[last + column];
}

static void _set(table_t *table, size_t column, char *text, json_object *value)
{
	cell_t *cell;

	if (table->failed) {
		free(text);
		json_object_put(value);
		return;
	}
	cell = _cell(table, column);
	free(cell->text);
	json_object_put(cell->value);
	cell->text = text;
	cell->value = value;
}

extern void table_text(table_t *table, size_t column, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	if (text)
		_set(table, column, text, json_object_new_string(text));
}

extern void table_whole(table_t *table, size_t column, int64_t value)
{
	char *text = NULL;

	if (asprintf(&text, "%lld", (long long) value) >= 0)
		_set(table, column, text, json_object_new_int64(value));
}

static json_object *_json_real(double value, int decimals)
{
	char text[64];

	if (!isfinite(value))
		return NULL;
	snprintf(text, sizeof(text), "%.*f", decimals, value);
	return json_object_new_double_s(value, text);
}

extern void table_real(table_t *table, size_t column, double value,
		       int decimals)
{
	char *text = NULL;

	if (asprintf(&text, "%.*f", decimals, value) >= 0)
		_set(table, column, text, _json_real(value, decimals + 3));
}

extern void table_both(table_t *table, size_t column, double value,
		       const char *text)
{
	char *copy = strdup(text);

	if (copy)
		_set(table, column, copy, _json_real(value, 6));
}

extern void table_style(table_t *table, size_t column, table_style_t style)
{
	if (!table->failed)
		_cell(table, column)->style = style;
}

static const char *_cell_text(const table_t *table, size_t row, size_t column)
{
	const char *text =
		table->cells[row * table->column_count + column].text;

	return text ? text : "";
}

static void _print_fields(const table_t *table, size_t row, bool head)
{
	for (size_t i = 0; i < table->shown_count; i++) {
		size_t column = table->shown[i].column;
		const char *text = head ? table->columns[column].head :
			_cell_text(table, row, column);

		/* sshare -P indents; a script would have to undo it. */
		text += strspn(text, " ");
		if (i)
			putchar('|');
		fputs(text, stdout);
	}
	puts(table->opts->parsable2 ? "" : "|");
}

static int _width(const table_t *table, const shown_t *shown)
{
	size_t width = strlen(table->columns[shown->column].head);

	if (shown->width)
		return abs(shown->width);
	for (size_t row = 0; row < table->row_count; row++) {
		size_t length = strlen(_cell_text(table, row, shown->column));

		width = (length > width) ? length : width;
	}
	return width;
}

static bool _is_right(const table_t *table, const shown_t *shown)
{
	return table->columns[shown->column].right && (shown->width >= 0);
}

static void _print_cell(const table_t *table, size_t i, int width,
			const char *text, table_style_t style)
{
	const shown_t *shown = &table->shown[i];
	bool colour = style && options_pretty(table->opts);
	bool last = i + 1 == table->shown_count;

	if (colour)
		fputs((style == TABLE_GOOD) ? "\033[32m" : "\033[31m", stdout);
	if (_is_right(table, shown))
		printf("%*.*s", width, width, text);
	else if (last && !shown->width)
		fputs(text, stdout);
	else
		printf("%-*.*s", width, width, text);
	fputs(colour ? "\033[0m" : "", stdout);
	putchar(last ? '\n' : ' ');
}

static void _print_columns(const table_t *table)
{
	int width[SHOWN_MAX];

	for (size_t i = 0; i < table->shown_count; i++)
		width[i] = _width(table, &table->shown[i]);
	for (size_t i = 0; !table->opts->noheader && (i < table->shown_count);
	     i++)
		_print_cell(table, i, width[i],
			    table->columns[table->shown[i].column].head,
			    TABLE_PLAIN);
	for (size_t row = 0; row < table->row_count; row++) {
		for (size_t i = 0; i < table->shown_count; i++) {
			size_t column = table->shown[i].column;
			size_t at = row * table->column_count + column;

			_print_cell(table, i, width[i],
				    _cell_text(table, row, column),
				    table->cells[at].style);
		}
	}
}

extern void table_print(const table_t *table)
{
	if (table->opts->json || !table->shown_count)
		return;
	if (!table->opts->parsable && !table->opts->parsable2) {
		_print_columns(table);
		return;
	}
	if (!table->opts->noheader)
		_print_fields(table, 0, true);
	for (size_t row = 0; row < table->row_count; row++)
		_print_fields(table, row, false);
}

extern json_object *table_json(const table_t *table)
{
	json_object *rows = json_object_new_array();

	for (size_t row = 0; row < table->row_count; row++) {
		json_object *object = json_object_new_object();
		const cell_t *cells =
			&table->cells[row * table->column_count];

		for (size_t i = 0; i < table->column_count; i++) {
			if (table->columns[i].when == TABLE_PRETTY)
				continue;
			json_object_object_add(object, table->columns[i].name,
					       json_object_get(cells[i].value));
		}
		json_object_array_add(rows, object);
	}
	return rows;
}

extern void table_list(const table_column_t *columns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		puts(columns[i].name);
}
