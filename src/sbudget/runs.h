/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runs - a record of slurmdbd as the run that a report counts: what it had,
 * what it declared, how it ended.
 */
#ifndef SB_RUNS_H
#define SB_RUNS_H

#include "cluster.h"
#include "records.h"
#include "report.h"

typedef struct {
	const cluster_t *cluster;
	char gpus[API_TRES_ID];		/* what is counted */
	char usage[API_TRES_ID];	/* gres/gpuutil; "": not recorded */
	const job_t **known;	/* those that slurmctld knows, by id */
	size_t known_count;
} runs_t;

/* RET: 0, or -1: no memory, or slurmdbd fails (errno). */
extern int runs_begin(runs_t *runs, const cluster_t *cluster, void *conn);
extern void runs_end(runs_t *runs);

/* The TRES that is counted: GPUs, or what is charged on a cluster that has
 * none. */
extern const char *runs_unit(const cluster_t *cluster);

/* RET: the run; its account and drained are the caller's to fill in. */
extern report_run_t runs_make(const runs_t *runs, const record_t *record);
/* RET: how many tasks of an array that has not started the record stands
 * for. */
extern uint32_t runs_tasks(const record_t *record);

/* RET: the job as slurmctld knows it, or NULL. */
extern const job_t *runs_find(const runs_t *runs, uint32_t id);

#endif
