/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_command - what the files of `sbudget report' share.
 */
#ifndef SB_REPORT_COMMAND_H
#define SB_REPORT_COMMAND_H

#include "command.h"
#include "report.h"

/* What is asked for, and from where. */
typedef struct {
	const options_t *opts;
	cluster_t *cluster;
	int64_t from, until;	/* whole hours, the last may be short */
} report_case_t;

/* Is what the command line asks for there? RET: exit code; not EXIT_OK: it has
 * been said why. */
extern int report_check(const options_t *opts);
/* Read slurmdbd. RET: EXIT_OK and the report, finished; or the exit code after
 * saying why. */
extern int report_gather(const report_case_t *one, report_t **report);
/* Print as the options say. RET: exit code. */
extern int report_print(const report_case_t *one, const report_t *report);

#endif
