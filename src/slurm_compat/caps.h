/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * caps - min_runtime_max@PARTITION of partitions that do not exist.
 *
 * That is no error: a partition may come later, or be deleted while the
 * cluster runs. But nobody would ever notice a slip in the name.
 */
#ifndef SB_SLURM_CAPS_H
#define SB_SLURM_CAPS_H

#include "src/core/params.h"

#include "compat.h"

/*
 * Say which partitions are not there; again only when others are missing.
 * IN plugin: its type, for the log.
 * Locks: part R, and that of the settings.
 */
extern void caps_check(const sb_params_t *params, const char *plugin);

/* For fini(). */
extern void caps_forget(void);

#endif
