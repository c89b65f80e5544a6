/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records - the runs of jobs that slurmdbd knows, some days at a time and each
 * once.
 */
#ifndef SB_RECORDS_H
#define SB_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm_api.h"

typedef struct {
	const slurmdb_job_rec_t *job;
	int64_t start, end;	/* epoch, 0: has not; a run whose nodes were
				 * changed begins at the change */
	bool restart;		/* the job had run before, within the period */
	bool continued;		/* without a pause, on other nodes */
} record_t;

/* RET: 0, or -1 to stop. */
typedef int (*record_call_t)(const record_t *record, void *arg);

/*
 * Call with every run that was waiting or running in [from, until), those of
 * one job in their order. Not more than some days' records are held.
 * IN steps: with their steps.
 * RET: 0, or -1: slurmdbd failed (slurm_errno, and nothing said), or the call
 * stopped it, or there is no memory (errno ENOMEM).
 */
extern int records_read(void *conn, const char *cluster, int64_t from,
			int64_t until, bool steps, record_call_t call,
			void *arg);

#endif
