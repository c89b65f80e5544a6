/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings - PriorityParameters as a plugin uses them that slurmctld tells
 * nothing of a new slurm.conf. One set per plugin.
 *
 * Not locked: the plugin says which lock guards its set.
 */
#ifndef SB_SLURM_SETTINGS_H
#define SB_SLURM_SETTINGS_H

#include "src/core/params.h"

#include "compat.h"

/*
 * At start.
 * IN plugin: its type, for the log; must last.
 * RET: SLURM_SUCCESS, or SLURM_ERROR after an error() that names the word, the
 * value and what is allowed.
 */
extern int settings_load(const char *plugin);
extern void settings_free(void);
extern const sb_params_t *settings_get(void);

/* RET: slurm.conf has changed since it was read. Locks: conf R. */
extern bool settings_are_stale(void);

/* Read it again when it has changed. Bad settings leave the old ones in force
 * (said once). What settings_get() gave before is gone. Locks: conf R. */
extern void settings_refresh(void);

#endif
