/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show - one replay: as tables, CSV, JSON or a page.
 */
#ifndef SB_SIM_SHOW_H
#define SB_SIM_SHOW_H

#include "cli.h"
#include "load.h"
#include "replay.h"

/* RET: 0, or -1 with err. */
extern int show_run(const cli_t *cli, const settings_t *run,
		    const load_t *load, const replay_t *replay, sb_err_t *err);

#endif
