/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pace - how often a thread looks at all jobs: each second, and on a huge queue
 * more rarely, so that looks take no more than a part of the time (or come once
 * a minute). What is known to happen is no matter of pace.
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

/* IN cost: of the last look, microseconds. RET: pause before the next one. */
static inline int64_t sb_pace(int64_t cost)
{
	if (cost >= SB_PACE_MAX / SB_PACE_DUTY)
		return SB_PACE_MAX;
	return cost > SB_PACE_TICK / SB_PACE_DUTY ? cost * SB_PACE_DUTY :
						    SB_PACE_TICK;
}

#endif
