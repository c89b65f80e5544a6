/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ranks.h"

extern int ranks_make(sim_t *sim, int64_t instant)
{
	bool moved = false;

	sim->figures.rank_passes++;
	sim->rank_stale = false;
	sim->rank_version++;
	sim->last_rank = instant;
	if (sim->rules->rank(sim, instant, &moved, sim->err))
		return -1;
	if (moved)
		sim->main_stale = sim->backfill_stale = true;
	return 0;
}

static int64_t next_period(const sim_t *sim)
{
	int64_t period = sim->options->calc_period;

	return sim->last_rank - sim->last_rank % period + period;
}

extern int ranks_catch_up(sim_t *sim)
{
	int64_t period = sim->options->calc_period, due;

	if (next_period(sim) <= sim->now) {
		due = sim->now - sim->now % period;
		if (due >= sim->rank_tick)
			return ranks_make(sim, due);
	}
	if (!sim->rank_stale || sim->rank_tick > sim->now)
		return 0;
	return ranks_make(sim, sim->rank_tick);
}

extern int64_t ranks_due(const sim_t *sim)
{
	int64_t due = next_period(sim);

	return sim->rank_stale && due < sim->rank_tick ? sim->rank_tick : due;
}
