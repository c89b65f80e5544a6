/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare - several replays, side by side.
 */
#ifndef SB_SIM_COMPARE_H
#define SB_SIM_COMPARE_H

#include "load.h"
#include "settings.h"

/*
 * Replay each run with each seed, in processes of their own, and print as
 * cli says.
 * IN load: the workload of the first seed.
 * RET: an exit code, after saying why.
 */
extern int compare_runs(const cli_t *cli, const settings_t *runs, size_t count,
			const load_t *load, const plan_t *plan);

#endif
