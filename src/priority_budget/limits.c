/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "src/slurm_compat/compat.h"

#include "counts.h"
#include "decay.h"
#include "limits.h"
#include "recount.h"
#include "span.h"

/* A clock that was set back by no more than this many seconds is waited for,
 * since the time up to then has been charged; beyond, it had been wrong. */
#define CLOCK_STEP_MAX 3600
/* Run seconds are counted anew after this many seconds whatever was seen: an
 * edit forth and back between two passes shows nothing, and where slurmctld
 * had cut a sum at 0 for it, it stays wrong. */
#define RECOUNT_PERIOD 3600

/* Under the job lock (R of the loop and of the reader, W of others) and
 * assoc_mgr's assoc W. */
static time_t last_ran;		/* usage is charged up to here */
static time_t last_decay;	/* and has decayed up to here, 0: never */
static uint32_t pass = 1;	/* number of the one that runs, never 0 */
/* Something was edited that run seconds had been counted by. */
static bool recount_due;
/* Or that the recount under way has counted by. */
static bool recount_stale;
static time_t last_recount;
static uint32_t ended;		/* jobs, since the start */
static uint32_t begun;		/* _begun() at the first job of a walk */

static void _next_pass(void)
{
	if (!++pass)
		pass = 1;
}

static double _usage_factor(const job_record_t *job_ptr)
{
	if (job_ptr->qos_ptr && (job_ptr->qos_ptr->usage_factor >= 0))
		return job_ptr->qos_ptr->usage_factor;
	return 1;
}

/* RET: seconds of its time limit that a job has run at `at`: none while its
 * nodes boot, it starts anew when they have. */
static uint64_t _over(const job_record_t *job_ptr, time_t at)
{
	uint64_t limit = (uint64_t) job_ptr->time_limit * 60;

	if ((at <= job_ptr->start_time) || IS_JOB_POWER_UP_NODE(job_ptr))
		return 0;
	return MIN(limit, (uint64_t) (at - job_ptr->start_time));
}

/*
 * Seconds x UsageFactor that a job has left when so many are over. Whole, as
 * slurmctld counts them when a job begins; what is over is rounded as one,
 * lest a long job leaves the fractions of all passes behind.
 */
static uint64_t _run_left(const job_record_t *job_ptr, uint64_t over)
{
	uint64_t limit = (uint64_t) job_ptr->time_limit * 60;
	double factor = _usage_factor(job_ptr);

	return (uint64_t) (limit * factor) -
	       (uint64_t) (MIN(over, limit) * factor);
}

/* RET: a number that changes when anything is edited that run seconds of the
 * job depend on. FNV-1a, by whole numbers. */
static uint64_t _what(const job_record_t *job_ptr)
{
	const slurmdb_qos_rec_t *part_qos = job_ptr->part_ptr ?
		job_ptr->part_ptr->qos_ptr : NULL;
	uint64_t what = 0xcbf29ce484222325ULL;

#define MIX(number) what = (what ^ (uint64_t) (number)) * 0x100000001b3ULL
	MIX(job_ptr->time_limit);
	MIX(job_ptr->resize_time);
	MIX(_usage_factor(job_ptr) * 1e6);
	MIX(job_ptr->qos_ptr ? job_ptr->qos_ptr->id : 0);
	MIX(part_qos ? part_qos->id : 0);
	for (const slurmdb_assoc_rec_t *assoc = job_ptr->assoc_ptr; assoc;
	     assoc = assoc->usage->parent_assoc_ptr)
		MIX(assoc->id);
#undef MIX
	return what;
}

/* RET: from when on a job is not charged yet. */
static time_t _charged_to(const job_record_t *job_ptr, const count_t *count)
{
	time_t from = MAX(job_ptr->start_time,
			  count ? count->charged_to : last_ran);

	/* A resize has charged what was before. */
	if (!IS_JOB_RESIZING(job_ptr))
		from = MAX(from, job_ptr->resize_time);
	return from;
}

/* Most jobs of a pass are charged for the same time. Locks: assoc W. */
static double _decay(double seconds)
{
	static double last_seconds, last_base, last = 1;

	if ((seconds != last_seconds) || (decay_per_second() != last_base)) {
		last_seconds = seconds;
		last_base = decay_per_second();
		last = pow(last_base, seconds);
	}
	return last;
}

/* RET: the usage of a job that was not charged yet, up to `to`. */
static span_t _usage(const job_record_t *job_ptr, const count_t *count,
		     time_t to)
{
	double seconds = MAX(0, to - _charged_to(job_ptr, count));
	span_t span = { .tres = job_ptr->tres_alloc_cnt };

	/* Its nodes still boot, or it runs on another cluster. */
	if (!job_ptr->start_time || IS_JOB_POWER_UP_NODE(job_ptr) ||
	    IS_JOB_REVOKED(job_ptr))
		seconds = 0;
	span.wall_plain = seconds * _usage_factor(job_ptr);
	span.wall = span.wall_plain * _decay(seconds);
	if (job_ptr->billable_tres != (double) NO_VAL)
		span.billing = job_ptr->billable_tres;
	else if (span.tres)
		span.billing = span.tres[TRES_ARRAY_BILLING];
	return span;
}

/* RET: slurmctld has begun the job for its limits, and not ended it. Of one
 * that waits nothing else is read. */
static bool _is_counted(const job_record_t *job_ptr)
{
	const slurmdb_assoc_rec_t *assoc = job_ptr->assoc_ptr;

	return (IS_JOB_RUNNING(job_ptr) || IS_JOB_SUSPENDED(job_ptr)) &&
	       assoc && (assoc->id == job_ptr->assoc_id) &&
	       (assoc->uid == job_ptr->user_id) &&
	       (job_ptr->end_time_exp != (time_t) NO_VAL);
}

/* RET: slurmctld may have edited the job's limit between its begin and the
 * first look at it: backfill starts such a job with one limit and gives it
 * another, and does not always count the difference. */
static bool _may_be_cut(const job_record_t *job_ptr)
{
	return (job_ptr->time_min && (job_ptr->time_min != NO_VAL)) ||
	       (job_ptr->deadline && (job_ptr->deadline != NO_VAL));
}

/* What was counted of the job before is the basis from now on.
 * IN over: of its time limit; what: _what() of it; charged_to: of a run that is
 * new to us. RET: false without memory. */
static bool _note(const job_record_t *job_ptr, uint64_t over, uint64_t what,
		  time_t charged_to)
{
	count_t *known = counts_find(job_ptr->job_id);
	count_t *count = known ? known : counts_add(job_ptr->job_id);

	if (!count) {
		/* It would be taken for one that has just begun. */
		recount_due = true;
		return false;
	}
	count->charged_to = known ? MAX(known->charged_to, charged_to) :
		charged_to;
	count->over = over;
	count->what = what;
	count->pass = pass;
	return true;
}

extern void limits_charge(const job_record_t *job_ptr, time_t now)
{
	const count_t *count;
	uint64_t over, left, before, what;
	span_t span;

	if (!_is_counted(job_ptr))
		return;
	what = _what(job_ptr);
	count = counts_find(job_ptr->job_id);
	if (count ? (count->what != what) : _may_be_cut(job_ptr))
		recount_due = true;
	over = _over(job_ptr, now);
	/* slurmctld has counted all of its limit when it began. */
	before = _run_left(job_ptr, count ? count->over : 0);
	left = _run_left(job_ptr, over);
	span = _usage(job_ptr, count, now);
	span.less = left < before;
	span.run_secs = span.less ? before - left : left - before;
	span_add(job_ptr, &span);
	(void) _note(job_ptr, over, what, now);
}

/* A recount has counted the job, as this entry says. */
static bool _is_recounted(const count_t *count)
{
	return recount_is_open() && count && (count->pass == pass);
}

/* Into the recount, or out of it. */
static void _recount(const job_record_t *job_ptr, uint64_t over, bool less)
{
	span_t span = {
		.tres = job_ptr->tres_alloc_cnt,
		.run_secs = _run_left(job_ptr, over),
		.less = less,
		.anew = true,
	};

	span_add(job_ptr, &span);
}

/* Slurm 26.05 begins each part of a heterogeneous job that is submitted, in
 * sums of their own but for those of its partition's QOS, and tells us of its
 * end. RET: this is no such end. */
static bool _has_begun(const job_record_t *job_ptr)
{
	return job_ptr->start_time || !IS_JOB_PENDING(job_ptr);
}

/* RET: a pass should have seen the job run. It was not to be counted then: its
 * association was deleted, and there is another now. */
static bool _is_old(const job_record_t *job_ptr)
{
	return job_ptr->start_time && (job_ptr->start_time < last_ran);
}

extern void limits_end(job_record_t *job_ptr, time_t now)
{
	assoc_mgr_lock_t locks = {
		.assoc = WRITE_LOCK,
		.qos = WRITE_LOCK,
		.tres = READ_LOCK,
	};
	const count_t *count;
	bool edited;
	span_t span;

	if (job_ptr->end_time_exp == (time_t) NO_VAL)
		return;
	if (job_ptr->end_time && (now > job_ptr->end_time))
		now = job_ptr->end_time;
	assoc_mgr_lock(&locks);
	count = counts_find(job_ptr->job_id);
	edited = count && (count->what != _what(job_ptr));
	if (count ? edited :
	    (_is_old(job_ptr) || _may_be_cut(job_ptr) || !_has_begun(job_ptr)))
		recount_due = true;
	span = _usage(job_ptr, count, now);
	if (_has_begun(job_ptr))
		span.run_secs = _run_left(job_ptr, count ? count->over : 0);
	span.less = true;
	span_add(job_ptr, &span);
	if (_is_recounted(count)) {
		recount_stale |= edited;
		_recount(job_ptr, count->over, true);
	}
	ended++;
	counts_remove(job_ptr->job_id);
	assoc_mgr_unlock(&locks);
	job_ptr->end_time_exp = (time_t) NO_VAL;
}

/*
 * RET: a number that is another when a job has begun meanwhile: slurmctld
 * counts the jobs that run, and each end that lowers its count is told. Which
 * number it is says nothing.
 */
static uint32_t _begun(void)
{
	return ended + (assoc_mgr_root_assoc ?
			assoc_mgr_root_assoc->usage->used_jobs : 0);
}

extern void limits_recount(void)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };

	assoc_mgr_lock(&locks);
	recount_due = recount_stale = true;
	assoc_mgr_unlock(&locks);
}

extern void limits_recount_begin(void)
{
	if (recount_open())
		recount_stale = false;
	begun = _begun();
}

extern void limits_recount_job(const job_record_t *job_ptr)
{
	const count_t *count;
	uint64_t over;

	if (!_is_counted(job_ptr))
		return;
	count = counts_find(job_ptr->job_id);
	if (_is_recounted(count))
		return;
	/* It has begun since the pass was there: slurmctld has counted all of
	 * its limit. */
	over = count ? count->over : 0;
	if (_note(job_ptr, over, _what(job_ptr), last_ran))
		_recount(job_ptr, over, false);
	else
		recount_spoil();
}

/* RET: a job that runs is what it was when it was counted. */
static bool _stands(const count_t *count)
{
	const job_record_t *job_ptr = find_job_record(count->job_id);

	return job_ptr && _is_counted(job_ptr) &&
	       (count->what == _what(job_ptr));
}

/* What it has counted is counted no more. */
static void _drop(void)
{
	recount_drop();
	_next_pass();
}

extern void limits_recount_drop(void)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };

	assoc_mgr_lock(&locks);
	_drop();
	assoc_mgr_unlock(&locks);
}

extern bool limits_recount_end(void)
{
	if (recount_stale || !counts_all(pass, _stands)) {
		_drop();
		return false;
	}
	if (begun != _begun())
		return false;
	recount_due = !recount_close();
	last_recount = last_ran;
	_next_pass();
	return true;
}

/* Waiting for a clock that had run away would charge nobody until then. */
static void _follow_clock(time_t now)
{
	if (last_ran <= now + CLOCK_STEP_MAX)
		return;
	info("priority/budget: the clock was set back; limits count on from now");
	last_ran = now;
	last_decay = MIN(last_decay, now);
	last_recount = MIN(last_recount, now);
	counts_rewind(now);
}

extern void limits_begin(time_t now)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK };

	assoc_mgr_lock(&locks);
	_follow_clock(now);
	decay_apply(last_decay, now);
	last_decay = MAX(last_decay, now);
	assoc_mgr_unlock(&locks);
}

extern bool limits_advance(time_t now)
{
	/* A clock that was set back charges nothing a second time. */
	last_ran = MAX(last_ran, now);
	/* Of a run that nobody ended, run seconds are left. */
	if (counts_sweep(pass) || (last_ran >= last_recount + RECOUNT_PERIOD))
		recount_due = true;
	_next_pass();
	return recount_due && span_counts();
}

extern void limits_start(void)
{
	counts_free();
	recount_due = false;
	last_ran = last_decay = decay_start();
}

extern void limits_stop(void)
{
	counts_free();
	recount_drop();
}

extern void limits_save(void)
{
	decay_save(last_ran);
}
