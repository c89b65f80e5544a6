/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table - rows of typed cells, printed as a column table, as fields with '|',
 * or as JSON objects.
 */
#ifndef SB_TABLE_H
#define SB_TABLE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

typedef enum {
	TABLE_DEFAULT,		/* always there */
	TABLE_LONG,		/* with -l */
	TABLE_PRETTY,		/* at a terminal */
	TABLE_ASKED		/* only when -o names it */
} table_when_t;

typedef struct {
	const char *name;	/* in -o and in JSON; lower case */
	const char *head;
	table_when_t when;
	bool right;		/* aligned */
} table_column_t;

typedef enum { TABLE_PLAIN, TABLE_GOOD, TABLE_BAD } table_style_t;

typedef struct table table_t;

/* IN columns: must outlive the table. RET: NULL without memory, or when -o
 * asks for a column that is not there (said on stderr). */
extern table_t *table_create(const table_column_t *columns, size_t count,
			     const options_t *opts);
/* NULL is legal. */
extern void table_destroy(table_t *table);

/* RET: somebody will see this column (in JSON all are). */
extern bool table_wants(const table_t *table, size_t column);

/* Begin a row; cells that are not set are empty, or null. */
extern void table_row(table_t *table);
extern void table_text(table_t *table, size_t column, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
extern void table_whole(table_t *table, size_t column, int64_t value);
extern void table_real(table_t *table, size_t column, double value,
		       int decimals);
/* Shown as the text, in JSON the value. */
extern void table_both(table_t *table, size_t column, double value,
		       const char *text);
/* How the cell just set is shown at a terminal. */
extern void table_style(table_t *table, size_t column, table_style_t style);

/* Print rows; with --json nothing. */
extern void table_print(const table_t *table);
/* RET: a new array of objects, one a row. */
extern json_object *table_json(const table_t *table);

/* List the columns, for -o help. */
extern void table_list(const table_column_t *columns, size_t count);

#endif
