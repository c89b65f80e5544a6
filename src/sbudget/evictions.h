/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evictions - for whom jobs were evicted, and did those start? slurmdbd does
 * not know; slurmctld does, of the last eviction of each job that it still has
 * (story.h).
 */
#ifndef SB_EVICTIONS_H
#define SB_EVICTIONS_H

#include "cluster.h"
#include "records.h"
#include "report.h"

typedef struct {
	struct eviction *rows;	/* by the job they were for */
	size_t count;
} evictions_t;

/* Those in [from, until). RET: 0, or -1 without memory. */
extern int evictions_fill(evictions_t *evictions, const cluster_t *cluster,
			  int64_t from, int64_t until);
/* A run, of whomever. */
extern void evictions_see(evictions_t *evictions, const record_t *record);
/* Tell the report. RET: 0, or -1 with err. */
extern int evictions_finish(const evictions_t *evictions, report_t *report,
			    sb_err_t *err);
extern void evictions_free(evictions_t *evictions);

#endif
