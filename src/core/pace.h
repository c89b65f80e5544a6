/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pace - when a thread looks at all jobs again: each second, and on a huge
 * queue more rarely, so that looks take no more than a part of the time (or
 * come once a minute). What is known to happen is looked at when it does.
 */
#ifndef SB_PACE_H
#define SB_PACE_H

#include <stdint.h>

/* Microseconds between looks. */
#define SB_PACE_TICK INT64_C(1000000)
/* A look may take one in so many microseconds. */
#define SB_PACE_DUTY 100
/* However long one took. */
#define SB_PACE_MAX (60 * SB_PACE_TICK)
/* A clock of whole seconds lags behind the one that waits by up to one tick of
 * the kernel: to be sure that a second has begun, wait this much longer,
 * microseconds. */
#define SB_PACE_LAG 10000

/* IN cost: of the last look, microseconds. RET: pause before the next one. */
extern int64_t sb_pace(int64_t cost);
/* IN now: wall clock, microseconds; event: the next one that is known, wall
 * clock, seconds, 0: none. RET: the same, or until the second of the event has
 * begun, where that is in one of the pause; 0 or less: it has. */
extern int64_t sb_pace_until(int64_t cost, int64_t now, int64_t event);

#endif
