/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep - the variants of --compare and the values of --sweep -> the runs.
 */
#ifndef SB_SIM_SWEEP_H
#define SB_SIM_SWEEP_H

#include "cli.h"
#include "settings.h"

/* Most values of one sweep, and runs in all (without seeds). */
#define SWEEP_VALUES_MAX 64
#define SWEEP_RUNS_MAX 1024
/* Values of FROM..TO without a count. */
#define SWEEP_VALUES 5
/* From this ratio of its ends on a range is cut by factors, not by steps. */
#define SWEEP_FACTOR 4

#define SWEEP_VALUE_SIZE 32
typedef struct {
	char name[64];
	char values[SWEEP_VALUES_MAX][SWEEP_VALUE_SIZE];
	size_t count;
} sweep_t;

/* IN text: WORD=A,B,C or WORD=FROM..TO[/COUNT]. RET: 0, or -1 with err. */
extern int sweep_parse(const char *text, sweep_t *sweep, sb_err_t *err);

/*
 * Every variant (the base, without any) with every value of every sweep.
 * OUT count. RET: settings (free()), NULL with err.
 */
extern settings_t *sweep_runs(const cli_t *cli, const settings_t *base,
			      size_t *count, sb_err_t *err);

#endif
