/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pace - the contract is in pace.h.
 */
#include "pace.h"

extern int64_t sb_pace(int64_t cost)
{
	if (cost >= SB_PACE_MAX / SB_PACE_DUTY)
		return SB_PACE_MAX;
	return cost > SB_PACE_TICK / SB_PACE_DUTY ? cost * SB_PACE_DUTY :
						    SB_PACE_TICK;
}

extern int64_t sb_pace_until(int64_t cost, int64_t now, int64_t event)
{
	int64_t pause = sb_pace(cost);

	if (!event || event > (now + pause) / SB_PACE_TICK)
		return pause;
	return event * SB_PACE_TICK + SB_PACE_LAG - now;
}
