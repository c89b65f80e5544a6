/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cell - the fields of a line, and the numbers in them.
 */
#ifndef SB_SIM_CELL_H
#define SB_SIM_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most fields of a line: sacct has some 120 columns. */
#define CELLS_MAX 256
/* Longest name of an account or user. */
#define CELL_NAME_MAX 128

/* A column that a reader knows. */
typedef struct {
	const char *name;
	bool needed;
} cell_column_t;

/* What a header line says: columns by what they are for. */
typedef struct {
	size_t count;		/* fields of a line */
	int where[CELLS_MAX];	/* of each known column: its field, -1: none */
} cell_header_t;

/*
 * Cut a line at each separator; writes terminators into it.
 * RET: number of fields, or CELLS_MAX + 1 when there are more.
 */
extern size_t cell_split(char *line, char separator,
			  char *fields[CELLS_MAX]);

/*
 * Understand a header: known columns by name, in any case.
 * IN strict: others are an error, else they are ignored.
 * OUT bad: the column that is wrong.
 * RET: NULL, or what is wrong.
 */
extern const char *cell_header(char *const *names, size_t count,
				const cell_column_t *known,
				size_t known_count, bool strict,
				cell_header_t *header, const char **bad);

/* RET: the text of a known column in a line, "" when it is not there. */
extern const char *cell_text(const cell_header_t *header,
			      char *const *fields, int column);

/* A whole number, digits only. RET: NULL, or what is wrong. */
extern const char *cell_whole(const char *text, int64_t max, int64_t *value);

/* A number with or without a point, all of the text of this length.
 * RET: it is one. */
extern bool cell_real(const char *text, size_t len, double *value);

/* A name: not too long, printable. RET: NULL, or what is wrong. */
extern const char *cell_name(const char *text);

#endif
