/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_command - what the subcommands of `sbudget plan' share.
 */
#ifndef SB_PLAN_COMMAND_H
#define SB_PLAN_COMMAND_H

#include "command.h"
#include "plan.h"
#include "plan_bind.h"

/* A plan, the cluster it is for, and what it would change there. */
typedef struct {
	const options_t *opts;
	const char *file;
	plan_t *plan;
	cluster_t *cluster;	/* NULL with --offline */
	int64_t when;		/* --at, or now */
	plan_changes_t changes;
} plan_case_t;

/* Print what would change, as a table or JSON. RET: exit code. */
extern int plan_diff(const plan_case_t *one);
extern int plan_apply(plan_case_t *one);
extern int plan_export(const options_t *opts);

#endif
