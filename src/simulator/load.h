/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load - the workload that the command line asks for: read or made up, with
 * its budgets, and what it lacks filled in.
 */
#ifndef SB_SIM_LOAD_H
#define SB_SIM_LOAD_H

#include "cli.h"
#include "fault.h"
#include "keep.h"
#include "nodes.h"
#include "plan.h"
#include "settings.h"

typedef struct {
	workload_t *workload;
	nodes_t nodes;
	keep_t keep;
	int64_t until;		/* see replay.h */
	tally_t tally;
} load_t;

/* RET: a plan, NULL with err. IN path: "-" is standard input. */
extern plan_t *load_plan(const char *path, int64_t window, sb_err_t *err);

/* IN plan: NULL: none. RET: 0 (load_free()), or -1 with err. */
extern int load_workload(const cli_t *cli, const settings_t *settings,
			 const plan_t *plan, load_t *load, sb_err_t *err);
extern void load_free(load_t *load);

/* The text of --until -> seconds, 0: the end. RET: 0, or -1 with err. */
extern int load_until(const char *text, int64_t *until, sb_err_t *err);

/* Times in files are those of this zone from now on. RET: 0, or -1 with err:
 * there is no such zone. */
extern int load_zone(const char *zone, sb_err_t *err);

#endif
