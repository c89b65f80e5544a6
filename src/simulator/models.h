/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * models - what a source does not tell, filled in by stated rules and a seed.
 *
 * Each model touches only what is unknown, and leaves a note in the workload
 * that says what was made up and how, with its seed:
 *   users        jobs of nobody are spread over made-up users of the account
 *   limits       a factor over the run time, rounded up as people do
 *   minimums     only when no job of the source declares one: by kind of job
 *   checkpoints  those who declare a minimum write one that often
 */
#ifndef SB_SIM_MODELS_H
#define SB_SIM_MODELS_H

#include <stdbool.h>
#include <stdint.h>

#include "dice.h"
#include "workload.h"

typedef struct {
	bool users, limits, minimums, checkpoints;
	double free;		/* share of small jobs that declare 0 */
	double undeclared;	/* share of other jobs that declare nothing */
	int64_t minimum;	/* most that the rest declare, seconds */
} models_t;

/* All of them; 0.1, 0.2, 4 hours. */
extern const models_t models_default;

/*
 * "none", or a list of users=yes|no, limits=, minimums=, checkpoints=,
 * free=F, undeclared=F, minimum=TIME, over the default.
 * RET: 0, or -1 with err.
 */
extern int models_parse(const char *text, models_t *models, sb_err_t *err);

/* IN/OUT workload: sorted. RET: 0, or -1 with err (no memory). */
extern int models_apply(workload_t *workload, const models_t *models,
			uint64_t seed, sb_err_t *err);

/* A time limit that somebody would ask for whose job runs so long. */
extern int64_t models_limit(dice_t *dice, int64_t runtime);

#endif
