/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "src/board/board.h"
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/contracts.h"
#include "src/slurm_compat/guard.h"

#include "budget.h"
#include "priorities.h"
#include "stock.h"

/* Jobs per hold of the job write lock. */
#define SLICE 1000

/* The least distance of a sum of columns from a whole number, far above the
 * error of adding doubles. */
#define FRACTION (1.0 / 64)
/* Columns of a job and its priority never differ by as much for want of
 * digits: sums are cut off before and after scaling. */
#define ROUNDING 2

/* Where a job stands. */
typedef struct {
	const sb_order_t *order;
	uint32_t rank;
	bool unallocated;
	bool placed;		/* false: Slurm's own sum is the priority */
} place_t;

static _Atomic double largest_seen;

static place_t _place_of(const job_record_t *job_ptr,
			 const sb_board_t *board)
{
	const sb_tree_node_t *node = sb_board_find(board, job_ptr->assoc_id);
	place_t place = {
		.order = &board->order,
		.rank = node->rank,
		.unallocated = contracts_unallocated(job_ptr,
						     board->free_undeclared),
	};

	place.placed = !board->weighted || place.unallocated;
	if (board->weighted)
		place.order = &board->filler;
	return place;
}

static double _tres_sum(const priority_factors_t *factors)
{
	double sum = 0;

	for (uint32_t i = 0; factors->priority_tres && (i < factors->tres_cnt);
	     i++)
		sum += factors->priority_tres[i];
	return sum;
}

static double _factor_sum(const priority_factors_t *factors)
{
	return factors->priority_age + factors->priority_assoc +
	       factors->priority_js + factors->priority_part +
	       factors->priority_qos + _tres_sum(factors);
}

static int64_t _offset(const priority_factors_t *factors)
{
	return (int64_t) factors->priority_site - (int64_t) factors->nice;
}

static void _scale_tres(priority_factors_t *factors, double scale)
{
	for (uint32_t i = 0; factors->priority_tres && (i < factors->tres_cnt);
	     i++)
		factors->priority_tres[i] *= scale;
}

/* As sprio adds the columns up: in its order, for the sake of rounding. */
static double _column_sum(const priority_factors_t *factors)
{
	double sum = factors->priority_age + factors->priority_assoc +
		     factors->priority_fs + factors->priority_js +
		     factors->priority_part + factors->priority_qos +
		     _offset(factors);

	for (uint32_t i = 0; factors->priority_tres && (i < factors->tres_cnt);
	     i++)
		sum += factors->priority_tres[i];
	return sum;
}

/*
 * Make the columns of this priority. sprio shows their sum without its
 * fraction: whole points, which clamping took or gave, go to nice; the rest is
 * rounding, and goes to fair share until the fraction is in no doubt.
 */
static void _place_columns(priority_factors_t *factors,
			   const place_t *place, uint32_t priority)
{
	double scale = place->order->scale, excess;

	factors->priority_fs = sb_order_base(place->order, place->rank,
					     place->unallocated);
	factors->priority_age *= scale;
	factors->priority_assoc *= scale;
	factors->priority_js *= scale;
	factors->priority_part *= scale;
	factors->priority_qos *= scale;
	_scale_tres(factors, scale);

	excess = _column_sum(factors) - priority;
	if (fabs(excess) >= ROUNDING) {
		factors->nice += (int64_t) floor(excess);
		excess -= floor(excess);
	}
	if (excess < FRACTION)
		factors->priority_fs += FRACTION - excess;
	else if (excess > 1 - FRACTION)
		factors->priority_fs -= excess - (1 - FRACTION);
}

static uint32_t _place_sum(const place_t *place, double sum, int64_t offset)
{
	return sb_order_priority(place->order, place->rank, place->unallocated,
				 sum, offset, NULL);
}

/* The priorities per partition and QOS hold unplaced sums, too large by `less`:
 * place each. */
static void _place_partitions(job_record_t *job_ptr, const place_t *place,
			      double less, int64_t offset)
{
	int count;
	uint32_t *priorities = compat_priority_array(job_ptr, &count);

	for (int i = 0; i < count; i++)
		priorities[i] = _place_sum(place, priorities[i] - less,
					   offset);
}

/* RET: a copy of the priorities per partition and QOS, which are then 0 (the
 * stock function compares with them under INCR_ONLY); NULL: none. */
static uint32_t *_take_partitions(job_record_t *job_ptr, int *count)
{
	uint32_t *priorities = compat_priority_array(job_ptr, count);
	uint32_t *old;

	if (!priorities)
		return NULL;
	old = xcalloc(*count + 1, sizeof(*old));
	memcpy(old, priorities, *count * sizeof(*old));
	memset(priorities, 0, *count * sizeof(*old));
	return old;
}

/* PriorityFlags=INCR_ONLY: nothing goes down. */
static void _keep_larger(job_record_t *job_ptr, const uint32_t *old, int count)
{
	int new_count;
	uint32_t *priorities = compat_priority_array(job_ptr, &new_count);

	if (!old || !priorities ||
	    !(slurm_conf.priority_flags & PRIORITY_FLAGS_INCR_ONLY))
		return;
	for (int i = 0; i < MIN(count, new_count); i++)
		priorities[i] = MAX(priorities[i], old[i]);
}

/*
 * The stock sum without nice and site: both are absolute points, and its floor
 * of 1 would make the partitions of a job with a large nice equal.
 */
static uint32_t _weigh_bare(job_record_t *job_ptr, time_t now)
{
	uint32_t nice = job_ptr->details->nice;
	uint32_t site = job_ptr->site_factor;
	uint32_t sum;

	job_ptr->details->nice = NICE_OFFSET;
	job_ptr->site_factor = NICE_OFFSET;
	sum = stock_weigh(job_ptr, now);
	job_ptr->details->nice = nice;
	job_ptr->site_factor = site;
	job_ptr->prio_factors->nice = nice;
	job_ptr->prio_factors->priority_site = site;
	return sum;
}

static uint32_t _compute_placed(job_record_t *job_ptr, const place_t *place,
				time_t now)
{
	uint32_t sum = _weigh_bare(job_ptr, now), priority;
	priority_factors_t *factors = job_ptr->prio_factors;
	/* Under order=weighted the sum has fair share, a band has not. */
	double less = factors->priority_fs;
	int64_t offset = _offset(factors);

	if (_factor_sum(factors) > largest_seen)
		largest_seen = _factor_sum(factors);
	_place_partitions(job_ptr, place, less, offset);
	priority = _place_sum(place, sum - less, offset);
	_place_columns(factors, place, priority);
	return priority;
}

/* RET: what the priority should be. job_ptr->priority is changed on the
 * way. Locks: job W. */
static uint32_t _compute(job_record_t *job_ptr, const sb_board_t *board,
			 time_t now)
{
	place_t place;
	uint32_t *old, priority;
	int count;

	if (!board)
		return stock_weigh(job_ptr, now);
	place = _place_of(job_ptr, board);
	if (!place.placed)
		return stock_weigh(job_ptr, now);
	old = _take_partitions(job_ptr, &count);
	priority = _compute_placed(job_ptr, &place, now);
	_keep_larger(job_ptr, old, count);
	xfree(old);
	return priority;
}

extern uint32_t priorities_set(job_record_t *job_ptr, time_t now)
{
	uint32_t before = job_ptr->priority, priority;
	const sb_board_t *board;

	/* An operator's own number stands as it is, as with multifactor;
	 * without details the stock function says what is wrong. */
	if ((job_ptr->direct_set_prio && (before > 0)) || !job_ptr->details)
		return stock_set(job_ptr);

	site_factor_g_set(job_ptr);
	board = sb_board_enter();
	priority = _compute(job_ptr, board, now);
	sb_board_leave();
	job_ptr->priority = before;
	return priority;
}

static bool _is_due(const job_record_t *job_ptr)
{
	if (!job_ptr->priority || job_ptr->direct_set_prio ||
	    !job_ptr->details || IS_JOB_POWER_UP_NODE(job_ptr))
		return false;
	return IS_JOB_PENDING(job_ptr) ||
	       (slurm_conf.priority_flags & PRIORITY_FLAGS_CALCULATE_RUNNING);
}

/* RET: the job already shows the place that it has. */
static bool _in_place(const job_record_t *job_ptr, const sb_board_t *board)
{
	place_t place = _place_of(job_ptr, board);
	double shown, expected;

	if (!job_ptr->prio_factors)
		return false;
	shown = job_ptr->prio_factors->priority_fs;
	if (!place.placed) {
		expected = sb_order_fair_share(&board->order, place.rank) *
			   slurm_conf.priority_weight_fs;
		return shown == expected;
	}
	expected = sb_order_base(place.order, place.rank, place.unallocated);
	return fabs(shown - expected) < ROUNDING;
}

static void _recompute_job(job_record_t *job_ptr, const sb_board_t *board,
			   time_t now, bool all)
{
	uint32_t before = job_ptr->priority, priority;

	if (!_is_due(job_ptr) || (!all && _in_place(job_ptr, board)))
		return;
	priority = _compute(job_ptr, board, now);
	if ((slurm_conf.priority_flags & PRIORITY_FLAGS_INCR_ONLY) &&
	    (before != NO_VAL))
		priority = MAX(priority, before);
	job_ptr->priority = priority;
	if (priority != before)
		compat_job_updated(now);
}

extern void priorities_recompute(const uint32_t *job_ids, size_t count,
				 bool all)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK,
		.job = WRITE_LOCK,
		.node = READ_LOCK,
		.part = READ_LOCK,
	};
	const sb_board_t *board = sb_board_enter();

	for (size_t i = 0; i < count;) {
		size_t end = MIN(count, i + SLICE);
		time_t now;

		lock_slurmctld(locks);
		now = time(NULL);
		if (all && !i)
			site_factor_g_update();
		for (; i < end; i++) {
			job_record_t *job_ptr = find_job_record(job_ids[i]);

			if (job_ptr)
				_recompute_job(job_ptr, board, now,
					       all || !board);
		}
		unlock_slurmctld(locks);
		if (budget_stopping())
			break;
	}
	sb_board_leave();
}

/* RET: a row of a job that stands in several places. */
static bool _is_multiple(job_record_t *job_ptr)
{
	int count;

	return compat_priority_array(job_ptr, &count) != NULL;
}

/* Partition and TRES, or QOS, are computed afresh and unscaled; the rest is
 * what _place_columns() left: take its scale out again. */
static void _unscale(job_record_t *job_ptr, priority_factors_object_t *row,
		     double scale)
{
	priority_factors_t *factors = compat_row_factors(row);
	bool partition, qos;

	compat_row_fresh(job_ptr, row, &partition, &qos);
	factors->priority_age /= scale;
	factors->priority_assoc /= scale;
	factors->priority_js /= scale;
	if (!qos)
		factors->priority_qos /= scale;
	if (!partition) {
		factors->priority_part /= scale;
		_scale_tres(factors, 1 / scale);
	}
	factors->nice = job_ptr->details->nice;
}

static int _fix_row(void *item, void *arg)
{
	priority_factors_object_t *row = item;
	priority_factors_t *factors = compat_row_factors(row);
	const sb_board_t *board = arg;
	job_record_t *job_ptr = find_job_record(compat_row_job(row));
	uint32_t priority;
	place_t place;

	if (!factors || !job_ptr || !job_ptr->details ||
	    job_ptr->direct_set_prio || !_is_multiple(job_ptr))
		return 0;
	place = _place_of(job_ptr, board);
	if (!place.placed)
		return 0;
	_unscale(job_ptr, row, place.order->scale);
	priority = compat_row_priority(job_ptr, row);
	/* INCR_ONLY: may be of an earlier sum. */
	if (!priority ||
	    (slurm_conf.priority_flags & PRIORITY_FLAGS_INCR_ONLY))
		priority = _place_sum(&place, floor(_factor_sum(factors)),
				      _offset(factors));
	_place_columns(factors, &place, priority);
	return 0;
}

extern void priorities_fix_list(sb_list_t list)
{
	const sb_board_t *board = sb_board_enter();

	if (list && board)
		(void) list_for_each(list, _fix_row, (void *) board);
	sb_board_leave();
}

extern double priorities_max_factors(void)
{
	static double promised;
	static uint32_t flags;
	double promise = stock_max_factors();

	if ((promise != promised) || (slurm_conf.priority_flags != flags))
		largest_seen = 0;
	promised = promise;
	flags = slurm_conf.priority_flags;
	return MAX(promise, largest_seen);
}
