/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault - what is wrong with a line, and how often which of it was met.
 */
#ifndef SB_SIM_FAULT_H
#define SB_SIM_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"
#include "source.h"

/* Both texts last as long as the program. */
typedef struct {
	const char *column;	/* NULL: the whole line */
	const char *reason;
	const char *value;	/* NULL: there is none to show */
	size_t len;
} fault_t;

/* RET: -1, always. IN value: needs no terminator, may be NULL. */
extern int fault_set(fault_t *fault, const char *column, const char *reason,
		     const char *value, size_t len);

/* Kinds of faults that are counted apart; the rest are counted together. */
#define TALLY_MAX 64

typedef struct {
	const char *column, *reason;
	size_t count;
	size_t first;		/* line */
} tally_row_t;

/* What was left out, by reason. Begin with zeros. */
typedef struct {
	bool lenient;		/* IN: leave bad lines out, and count */
	bool cpu_jobs;		/* IN: jobs that have CPUs and no GPUs are
				 * jobs, too; else they are left out, which is
				 * told in a note */
	tally_row_t rows[TALLY_MAX];
	size_t row_count;
	size_t total;
} tally_t;

/*
 * The present line of the source is bad.
 * RET: 0 when lenient, counted; else -1 and err =
 * "FILE:LINE: COLUMN: what is wrong, "VALUE"".
 */
extern int tally_fault(tally_t *tally, const source_t *source,
		       const fault_t *fault, sb_err_t *err);

/* One row for people: "12 lines, first 40: COLUMN: what is wrong". RET: buf */
extern char *tally_text(const tally_row_t *row, char *buf, size_t size);

#endif
