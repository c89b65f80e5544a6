/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings - PriorityParameters as this plugin uses them.
 *
 * Guarded by slurmctld's job lock: R to read, W to change.
 */
#ifndef SB_PREEMPT_SETTINGS_H
#define SB_PREEMPT_SETTINGS_H

#include "src/core/params.h"
#include "src/slurm_compat/compat.h"

/* At start. RET: SLURM_SUCCESS, or SLURM_ERROR after an error() that names the
 * word, the value and what is allowed. */
extern int settings_load(void);
extern void settings_free(void);
extern const sb_params_t *settings_get(void);

/*
 * Has slurm.conf changed? slurmctld tells preempt plugins nothing, so the
 * watcher asks at each look. Bad settings leave the old ones in force (said
 * once). Locks: conf R, job W.
 */
extern void settings_refresh(void);

/* PreemptMode of slurm.conf: can this plugin keep its word under it?
 * RET: SLURM_SUCCESS, or SLURM_ERROR after an error(). */
extern int settings_check_mode(void);

#endif
