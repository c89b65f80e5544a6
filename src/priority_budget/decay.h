/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decay - what time does to the usage that limits see (limits.h):
 * PriorityDecayHalfLife and PriorityUsageResetPeriod, and when they were
 * applied last (StateSaveLocation/priority_last_decay_ran).
 */
#ifndef SB_DECAY_H
#define SB_DECAY_H

#include "src/slurm_compat/compat.h"

/* Read file and settings. RET: when usage was charged last, 0: never.
 * Locks: those of init(). */
extern time_t decay_start(void);

/* The settings of slurm.conf have changed: they count at the next
 * decay_apply(). Locks: any. */
extern void decay_configure(void);

/* Reset what is due at `now`, and decay for the time since `last_ran` (0: for
 * none). Locks: assoc W, qos W. The loop's thread, or before it. */
extern void decay_apply(time_t last_ran, time_t now);

/* What one second leaves of 1. Locks: assoc R. */
extern double decay_per_second(void);

/* Write the file. Locks: none held. */
extern void decay_save(time_t last_ran);

#endif
