/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim_case - a replay as its tests ask for one, and what the observer was told.
 * Options, workload and params are for setup() to fill.
 */
#ifndef TEST_SIM_CASE_H
#define TEST_SIM_CASE_H

#include <check.h>
#include <string.h>

#include "engine.h"

#define RUNS_MOST 4000
#define NODES_MOST 32

static workload_t *workload;
static engine_options_t options;
static engine_figures_t figures;
static sb_params_t *params;
static sb_err_t err;

static engine_run_t runs[RUNS_MOST];
static uint32_t run_nodes[RUNS_MOST][NODES_MOST];
static size_t run_count;

static inline void teardown(void)
{
	workload_destroy(workload);
	sb_params_destroy(params);
	params = NULL;
}

static inline int on_run(void *arg, const engine_run_t *run)
{
	(void) arg;
	ck_assert_uint_lt(run_count, RUNS_MOST);
	ck_assert(!run->node || run->nodes <= NODES_MOST);
	runs[run_count] = *run;
	runs[run_count].node = run->node ? run_nodes[run_count] : NULL;
	if (run->node)
		memcpy(run_nodes[run_count], run->node,
		       run->nodes * sizeof(*run->node));
	run_count++;
	return 0;
}

static inline void replay_for(const engine_observer_t *observer)
{
	run_count = 0;
	workload_sort(workload);
	ck_assert_msg(!engine_run(workload, &options, observer, &figures,
				  &err), "%s", err.text);
}

/* Attempt number `attempt` of a job. */
static inline const engine_run_t *run_of(uint32_t number, uint32_t attempt)
{
	for (size_t i = 0; i < run_count; i++)
		if (runs[i].job == number && runs[i].attempt == attempt)
			return &runs[i];
	ck_abort_msg("job %u has no attempt %u", number, attempt);
	return NULL;
}

static inline void set(const char *text)
{
	sb_params_destroy(params);
	params = sb_params_parse(text, &err);
	ck_assert_msg(params != NULL, "%s", err.text);
	options.params = params;
}

#endif
