/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay - one replay of a workload, and the report of it.
 */
#ifndef SB_SIM_REPLAY_H
#define SB_SIM_REPLAY_H

#include <stdio.h>

#include "engine.h"
#include "keep.h"
#include "nodes.h"
#include "report.h"
#include "settings.h"

/* Told now and then: RET: 0 to go on. */
typedef struct {
	int (*tell)(void *arg, size_t ended, size_t jobs);
	void *arg;
} replay_progress_t;

typedef struct {
	report_t *report;	/* finished */
	engine_figures_t figures;
	bool relative;		/* times of the report begin at 1 */
	double gpus, cpus, mem;	/* parts of the cluster's, 0 .. 1, that jobs
				 * had; NAN where nodes have no CPUs or
				 * memory */
} replay_t;

/*
 * IN keep: reservations. IN until: the report ends, and with it the replay; 0:
 * when all jobs have ended. IN bars: keep which nodes jobs had, for a page. IN
 * attempts: a journal is written there, or NULL. IN progress: NULL: nobody is
 * told.
 * RET: 0 (replay_free()), or -1 with err.
 */
extern int replay_run(const workload_t *workload, const settings_t *settings,
		      const nodes_t *nodes, const keep_t *keep,
		      int64_t until, bool bars, FILE *attempts,
		      const replay_progress_t *progress,
		      replay_t *replay, sb_err_t *err);
extern void replay_free(replay_t *replay);

/* The default for until: the hour behind the last submit, when that is a day
 * or more after the first; else 0. What comes later is no load any more. */
extern int64_t replay_until(const workload_t *workload);

#endif
