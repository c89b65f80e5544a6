/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contrast - what the runs of compare came to: means over seeds with their
 * standard errors, as a table, CSV, JSON or a page.
 */
#ifndef SB_SIM_CONTRAST_H
#define SB_SIM_CONTRAST_H

#include "load.h"
#include "measure.h"
#include "pool.h"
#include "settings.h"

/* IN answers: for each run those of all seeds: MEASURES doubles, then with
 * cli->json or cli->html the text of a report, as report_json() or
 * report_comparison_take() give it. RET: 0, or -1 with err. */
extern int contrast_print(const cli_t *cli, const settings_t *runs,
			  size_t count, const load_t *load,
			  const pool_answer_t *answers, sb_err_t *err);

#endif
