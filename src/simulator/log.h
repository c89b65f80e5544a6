/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log - what a replay told, kept until its end is known, and the report made
 * of it. Inside of replay.
 */
#ifndef SB_SIM_LOG_H
#define SB_SIM_LOG_H

#include "engine.h"
#include "report.h"
#include "settings.h"

typedef struct {
	uint32_t lane;		/* node */
	uint32_t job;		/* index in the workload */
	int64_t from, until;
} log_bar_t;

/* Begin with zeros, and bars_wanted. */
typedef struct {
	bool bars_wanted;
	engine_run_t *runs;	/* without nodes */
	size_t run_count;
	engine_capacity_t *capacities;
	size_t capacity_count;
	log_bar_t *bars;
	size_t bar_count;
} log_t;

/* RET: 0, or -1 without memory. */
extern int log_run(log_t *log, const engine_run_t *run);
extern int log_capacity(log_t *log, const engine_capacity_t *capacity);

/* IN until: when the replay ended. RET: a finished report, NULL with err. */
extern report_t *log_report(const log_t *log, const workload_t *workload,
			    const settings_t *settings,
			    const sb_params_t *params, int64_t until,
			    sb_err_t *err);
extern void log_free(log_t *log);

#endif
