/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>
#include <stdatomic.h>

#include "src/core/reset.h"
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/host.h"

#include "decay.h"
#include "statefile.h"

/* Stock multifactor's, so that a site can switch both ways. */
#define LAST_DECAY_FILE "priority_last_decay_ran"

static double per_second = 1;	/* under assoc_mgr's assoc lock */
static atomic_bool reconfigured;

/* The loop's thread. */
static time_t last_reset;
static time_t next_reset;
static sb_reset_t reset_period;
static statefile_t file = {
	.name = LAST_DECAY_FILE,
	.loss = "usage that limits see would decay twice for the time since the last good write after a restart",
};

static time_t _read_file(void)
{
	uint32_t size;
	char *data = NULL;
	buf_t *buffer;
	time_t last_ran = 0;

	last_reset = 0;
	if (statefile_read(LAST_DECAY_FILE, &data, &size) != SLURM_SUCCESS)
		return 0;
	if (!(buffer = create_buf(data, size))) {
		xfree(data);
		return 0;
	}
	safe_unpack_time(&last_ran, buffer);
	safe_unpack_time(&last_reset, buffer);
	free_buf(buffer);
	return last_ran;

unpack_error:
	error("priority/budget: %s is incomplete; usage that limits see is not charged for the time slurmctld was down",
	      LAST_DECAY_FILE);
	last_reset = 0;
	free_buf(buffer);
	return 0;
}

extern void decay_save(time_t last_ran)
{
	buf_t *buffer = init_buf(32);

	pack_time(last_ran, buffer);
	pack_time(last_reset, buffer);
	(void) statefile_write(&file, get_buf_data(buffer),
			       get_buf_offset(buffer));
	free_buf(buffer);
}

static sb_reset_t _period(uint16_t period)
{
	switch (period) {
	case PRIORITY_RESET_NOW:
		return SB_RESET_NOW;
	case PRIORITY_RESET_DAILY:
		return SB_RESET_DAILY;
	case PRIORITY_RESET_WEEKLY:
		return SB_RESET_WEEKLY;
	case PRIORITY_RESET_MONTHLY:
		return SB_RESET_MONTHLY;
	case PRIORITY_RESET_QUARTERLY:
		return SB_RESET_QUARTERLY;
	case PRIORITY_RESET_YEARLY:
		return SB_RESET_YEARLY;
	default:
		return SB_RESET_NEVER;
	}
}

static void _read_settings(void)
{
	host_t host = host_get();
	double half_life = host.decay_hl;

	/* 2 ^ (-1 / half life), as stock rounds it, so that limits agree. */
	per_second = (half_life > 0) ? 1 - (0.693 / half_life) : 1;
	reset_period = _period(host.reset_period);
	next_reset = 0;
}

extern time_t decay_start(void)
{
	time_t last_ran = _read_file();

	if (!last_reset)
		last_reset = time(NULL);
	reconfigured = false;
	_read_settings();
	return last_ran;
}

extern void decay_configure(void)
{
	reconfigured = true;
}

extern double decay_per_second(void)
{
	return per_second;
}

/* IN count: TRES that tres_raw has room for. Up to 25.05 slurmctld makes only
 * the other arrays longer when there is a TRES more: leaf_usage's stay. */
static void _scale(double *wall, long double *tres_raw, uint32_t count,
		   double factor)
{
	*wall *= factor;
	for (uint32_t i = 0; i < count; i++)
		tres_raw[i] *= factor;
}

static void _scale_assoc(slurmdb_assoc_usage_t *usage, double factor)
{
	_scale(&usage->grp_used_wall, usage->usage_tres_raw, usage->tres_cnt,
	       factor);
}

/* All usage that limits see times `factor`. Locks: assoc W, qos W. */
static void _scale_all(double factor, bool reset)
{
	sb_list_itr_t *itr = list_iterator_create(assoc_mgr_assoc_list);
	slurmdb_assoc_rec_t *assoc;
	slurmdb_qos_rec_t *qos;

	while ((assoc = list_next(itr))) {
		_scale_assoc(assoc->usage, factor);
		if (assoc->leaf_usage && (assoc->leaf_usage != assoc->usage))
			_scale_assoc(assoc->leaf_usage, factor);
	}
	list_iterator_destroy(itr);

	itr = list_iterator_create(assoc_mgr_qos_list);
	while ((qos = list_next(itr))) {
		if (!reset && (qos->flags & QOS_FLAG_NO_DECAY))
			continue;
		qos->usage->usage_raw *= factor;
		_scale(&qos->usage->grp_used_wall, qos->usage->usage_tres_raw,
		       qos->usage->tres_cnt, factor);
	}
	list_iterator_destroy(itr);
}

static void _reset_if_due(time_t now)
{
	if (reset_period == SB_RESET_NOW) {
		_scale_all(0, true);
		reset_period = SB_RESET_NEVER;
		last_reset = now;
	}
	/* A clock that had run away would put the next reset off as far. */
	if (last_reset > now) {
		last_reset = now;
		next_reset = 0;
	}
	if (!next_reset)
		next_reset = sb_reset_after(last_reset, now, reset_period);
	if (next_reset && (now >= next_reset)) {
		_scale_all(0, true);
		last_reset = next_reset;
		next_reset = sb_reset_after(last_reset, now, reset_period);
	}
}

extern void decay_apply(time_t last_ran, time_t now)
{
	double factor;

	if (atomic_exchange(&reconfigured, false))
		_read_settings();
	_reset_if_due(now);
	if (!last_ran || (now <= last_ran))
		return;
	factor = pow(per_second, now - last_ran);
	if (factor < 1)
		_scale_all(MAX(factor, DBL_MIN), false);
}
