/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reset - when usage that limits see starts from 0 again: Slurm's
 * PriorityUsageResetPeriod, at midnight local time of the first day of each
 * period (weeks begin on Sunday).
 */
#ifndef SB_CORE_RESET_H
#define SB_CORE_RESET_H

#include <stdint.h>

typedef enum {
	SB_RESET_NEVER,
	SB_RESET_NOW,		/* once, and that is up to the caller */
	SB_RESET_DAILY,
	SB_RESET_WEEKLY,
	SB_RESET_MONTHLY,
	SB_RESET_QUARTERLY,
	SB_RESET_YEARLY
} sb_reset_t;

/*
 * When the next reset is due. IN last: of the last one; now: days and weeks
 * that were missed altogether are skipped, so that one reset makes up for
 * them. The environment's time zone counts.
 * RET: epoch seconds after `last`, 0: never.
 */
extern int64_t sb_reset_after(int64_t last, int64_t now, sb_reset_t period);

#endif
