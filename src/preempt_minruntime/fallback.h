/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fallback - preempt_by=budget behind another priority plugin: nobody
 * publishes ratios there, so they are computed from the usage that plugin keeps
 * in the associations (with priority/multifactor: decayed, not windowed).
 * Without burst, as nobody counts what runs.
 */
#ifndef SB_FALLBACK_H
#define SB_FALLBACK_H

#include <time.h>

/* Compute and publish when it is time, and only when priority/budget is not
 * there to do it. Locks: conf R, job W, no assoc lock. */
extern void fallback_refresh(time_t now);

/* Take back what was published. */
extern void fallback_stop(void);

#endif
