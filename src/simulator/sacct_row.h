/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sacct_row - one line of `sacct -P` -> one attempt of a job.
 */
#ifndef SB_SIM_SACCT_ROW_H
#define SB_SIM_SACCT_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "fault.h"
#include "cell.h"
#include "tres.h"
#include "zone.h"

/* What became of it. */
typedef enum {
	SACCT_ENDED,
	SACCT_RUNNING,		/* or suspended: has run, will run on */
	SACCT_WAITING,		/* pending, or held for a requeue */
	SACCT_ELSEWHERE		/* revoked: another cluster ran it */
} sacct_state_t;

typedef struct {
	bool step;		/* of a job: nothing else is filled in */
	uint64_t key;		/* the same for all attempts of a job */
	uint32_t id;		/* 0: has no number of its own (a task of an
				 * array, without JobIDRaw) */
	bool component;		/* of a heterogeneous job */
	const char *cluster, *account, *user;	/* "" when not there */
	sacct_state_t state;
	int64_t ready;		/* submitted, and eligible: epoch */
	int64_t start;		/* epoch, 0: never started */
	int64_t elapsed;	/* seconds */
	int64_t limit;		/* seconds or WORKLOAD_UNKNOWN */
	int64_t min_runtime;	/* the same */
	bool bad_comment;	/* a declaration that cannot be read */
	bool interactive;
	uint32_t nodes;
	tres_t tres;
} sacct_row_t;

typedef struct {
	cell_header_t header;
	zone_t zone;
} sacct_columns_t;

/* IN line: the header; is written to. RET: 0, or -1 with a fault. */
extern int sacct_row_header(sacct_columns_t *columns, char *line,
			    fault_t *fault);

/* IN line: is written to, texts of the row point into it.
 * RET: 0, or -1 with a fault. */
extern int sacct_row_parse(sacct_columns_t *columns, char *line,
			   sacct_row_t *row, fault_t *fault);

/* RET: lines have the declared minimum (a Comment). */
extern bool sacct_row_declares(const sacct_columns_t *columns);

#endif
