/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal - what every job did in a replay, one line an attempt, as CSV: to be
 * held against what sacct tells of the same workload (doc/simulator.md).
 */
#ifndef SB_SIM_JOURNAL_H
#define SB_SIM_JOURNAL_H

#include <stdio.h>

#include "engine.h"

/* The names of the columns. */
extern void journal_begin(FILE *file);

/* One attempt, as the engine tells it. A time that never came, and the job
 * that nobody was preempted for, are empty. */
extern void journal_run(FILE *file, const workload_t *workload,
			const engine_run_t *run);

#endif
