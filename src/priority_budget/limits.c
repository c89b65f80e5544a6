/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "src/slurm_compat/compat.h"

#include "counts.h"
#include "decay.h"
#include "limits.h"

/* A clock that was set back by no more than this many seconds is waited for,
 * since the time up to then has been charged; beyond, it had been wrong. */
#define CLOCK_STEP_MAX 3600

/* Under the job lock (R of the loop and of the reader, W of others) and
 * assoc_mgr's assoc W. */
static time_t last_ran;		/* usage is charged up to here */
static uint32_t pass = 1;	/* number of the one that runs, never 0 */
/* Something was edited that run seconds had been counted by. */
static bool recount_due;

/* What one span of one job adds. */
typedef struct {
	double wall;			/* seconds x UsageFactor, decayed */
	double wall_plain;		/* the same, not decayed (NoDecay) */
	double billing;			/* billing TRES */
	uint64_t run_secs;		/* per TRES */
	bool less;			/* there are so many less now */
	const uint64_t *tres;		/* tres_alloc_cnt */
} span_t;

static bool _limits_enforced(void)
{
	return accounting_enforce & ACCOUNTING_ENFORCE_LIMITS;
}

static double _usage_factor(const job_record_t *job_ptr)
{
	if (job_ptr->qos_ptr && (job_ptr->qos_ptr->usage_factor >= 0))
		return job_ptr->qos_ptr->usage_factor;
	return 1;
}

/* RET: how much of a TRES the job has that limits count. */
static uint64_t _tres_count(const span_t *span, int i)
{
	if ((i == TRES_ARRAY_ENERGY) || (span->tres[i] == NO_CONSUME_VAL64))
		return 0;
	return span->tres[i];
}

/* IN run_secs: may be shorter than the others, as slurmctld forgets to lengthen
 * those of a QOS per account. */
static void _count_run_secs(uint64_t *run_secs, const span_t *span)
{
	int count;

	if (!_limits_enforced() || !span->tres || !run_secs)
		return;
	count = MIN(slurmctld_tres_cnt, xsize(run_secs) / sizeof(*run_secs));
	for (int i = 0; i < count; i++) {
		uint64_t seconds = span->run_secs * _tres_count(span, i);

		/* Less than that is there when limit or factor have been
		 * edited: the next pass puts it right. */
		if (span->less)
			run_secs[i] -= MIN(run_secs[i], seconds);
		else
			run_secs[i] += seconds;
	}
}

static void _add_tres(long double *raw, double wall, const span_t *span)
{
	if (!_limits_enforced() || !span->tres)
		return;
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		raw[i] += (long double) wall * _tres_count(span, i);
}

static void _add_qos(slurmdb_qos_rec_t *qos, const span_t *span,
		     const job_record_t *job_ptr)
{
	double wall = (qos->flags & QOS_FLAG_NO_DECAY) ? span->wall_plain :
		span->wall;
	uint64_t *account, *user;

	qos->usage->grp_used_wall += wall;
	qos->usage->usage_raw += (long double) wall * span->billing;
	_add_tres(qos->usage->usage_tres_raw, wall, span);
	_count_run_secs(qos->usage->grp_used_tres_run_secs, span);
	if (!_limits_enforced())
		return;
	/* Newer releases count them per account and user as well. */
	compat_qos_run_secs(qos, job_ptr, &account, &user);
	_count_run_secs(account, span);
	_count_run_secs(user, span);
}

static void _add_assoc(slurmdb_assoc_rec_t *assoc, const span_t *span)
{
	assoc->usage->grp_used_wall += span->wall;
	_add_tres(assoc->usage->usage_tres_raw, span->wall, span);
	_count_run_secs(assoc->usage->grp_used_tres_run_secs, span);
}

/* To the job's QOS, its partition's if another, and its associations up to
 * root. */
static void _add_span(const job_record_t *job_ptr, const span_t *span)
{
	slurmdb_qos_rec_t *qos = job_ptr->qos_ptr;
	slurmdb_qos_rec_t *part_qos = job_ptr->part_ptr ?
		job_ptr->part_ptr->qos_ptr : NULL;

	if (qos)
		_add_qos(qos, span, job_ptr);
	if (part_qos && (part_qos != qos))
		_add_qos(part_qos, span, job_ptr);
	for (slurmdb_assoc_rec_t *assoc = job_ptr->assoc_ptr; assoc;
	     assoc = assoc->usage->parent_assoc_ptr)
		_add_assoc(assoc, span);
}

/* RET: seconds of its time limit that a job has run at `at`. */
static uint64_t _over(const job_record_t *job_ptr, time_t at)
{
	uint64_t limit = (uint64_t) job_ptr->time_limit * 60;

	if (at <= job_ptr->start_time)
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

/* RET: slurmctld has begun the job for its limits, and not ended it. */
static bool _is_counted(const job_record_t *job_ptr)
{
	return job_ptr->assoc_ptr &&
	       (job_ptr->end_time_exp != (time_t) NO_VAL) &&
	       (IS_JOB_RUNNING(job_ptr) || IS_JOB_SUSPENDED(job_ptr));
}

/* What was counted of the job before is the basis from now on.
 * IN over: of its time limit; charged_to: of a run that is new to us. */
static void _note(const job_record_t *job_ptr, uint64_t over,
		  time_t charged_to)
{
	count_t *known = counts_find(job_ptr->job_id, job_ptr->start_time);
	count_t *count = known ? known :
		counts_add(job_ptr->job_id, job_ptr->start_time);

	if (!count) {
		/* It would be taken for one that has just begun. */
		recount_due = true;
		return;
	}
	count->charged_to = known ? MAX(known->charged_to, charged_to) :
		charged_to;
	count->over = over;
	count->what = _what(job_ptr);
	count->pass = pass;
}

extern void limits_charge(const job_record_t *job_ptr, time_t now)
{
	const count_t *count;
	uint64_t over, left, before;
	span_t span;

	if (!_is_counted(job_ptr))
		return;
	count = counts_find(job_ptr->job_id, job_ptr->start_time);
	if (count && (count->what != _what(job_ptr)))
		recount_due = true;
	over = _over(job_ptr, now);
	/* slurmctld has counted all of its limit when it began. */
	before = _run_left(job_ptr, count ? count->over : 0);
	left = _run_left(job_ptr, over);
	span = _usage(job_ptr, count, now);
	span.less = left < before;
	span.run_secs = span.less ? before - left : left - before;
	_add_span(job_ptr, &span);
	_note(job_ptr, over, now);
}

extern void limits_end(job_record_t *job_ptr, time_t now)
{
	assoc_mgr_lock_t locks = {
		.assoc = WRITE_LOCK,
		.qos = WRITE_LOCK,
		.tres = READ_LOCK,
	};
	/* Backfill tests the limits of a heterogeneous job as if it began and
	 * ended at a time when it did not run. */
	bool began = (job_ptr->end_time > job_ptr->start_time);
	const count_t *count;
	span_t span;

	if (job_ptr->end_time_exp == (time_t) NO_VAL)
		return;
	if (job_ptr->end_time && (now > job_ptr->end_time))
		now = job_ptr->end_time;
	assoc_mgr_lock(&locks);
	count = counts_find(job_ptr->job_id, job_ptr->start_time);
	if (count && (count->what != _what(job_ptr)))
		recount_due = true;
	span = _usage(job_ptr, count, now);
	span.run_secs = _run_left(job_ptr,
				  (began && count) ? count->over : 0);
	span.less = true;
	_add_span(job_ptr, &span);
	counts_remove(job_ptr->job_id);
	assoc_mgr_unlock(&locks);
	job_ptr->end_time_exp = (time_t) NO_VAL;
}

/* Locks: assoc W, qos W, tres R. */
static void _clear_run_secs(void)
{
	size_t size = slurmctld_tres_cnt * sizeof(uint64_t);
	sb_list_itr_t *itr;
	slurmdb_assoc_rec_t *assoc;
	slurmdb_qos_rec_t *qos;

	if (!_limits_enforced())
		return;
	itr = list_iterator_create(assoc_mgr_assoc_list);
	while ((assoc = list_next(itr)))
		memset(assoc->usage->grp_used_tres_run_secs, 0, size);
	list_iterator_destroy(itr);
	itr = list_iterator_create(assoc_mgr_qos_list);
	while ((qos = list_next(itr))) {
		memset(qos->usage->grp_used_tres_run_secs, 0, size);
		compat_qos_clear_run_secs(qos);
	}
	list_iterator_destroy(itr);
}

static int _count_left(void *item, void *now)
{
	job_record_t *job_ptr = item;
	span_t span = { .tres = job_ptr->tres_alloc_cnt };
	uint64_t over;

	if (!_is_counted(job_ptr))
		return 0;
	over = _over(job_ptr, *(time_t *) now);
	span.run_secs = _run_left(job_ptr, over);
	_add_span(job_ptr, &span);
	_note(job_ptr, over, last_ran);
	return 0;
}

/* Locks: job R, part R, assoc W, qos W, tres R. */
static void _recount(time_t now)
{
	recount_due = false;
	_clear_run_secs();
	(void) list_for_each_ro(job_list, _count_left, &now);
}

extern void limits_recount(void)
{
	slurmctld_lock_t job_locks = { .job = READ_LOCK, .part = READ_LOCK };
	assoc_mgr_lock_t locks = {
		.assoc = WRITE_LOCK,
		.qos = WRITE_LOCK,
		.tres = READ_LOCK,
	};

	lock_slurmctld(job_locks);
	assoc_mgr_lock(&locks);
	_recount(time(NULL));
	assoc_mgr_unlock(&locks);
	unlock_slurmctld(job_locks);
}

/* Waiting for a clock that had run away would charge nobody until then. */
static void _follow_clock(time_t now)
{
	if (last_ran <= now + CLOCK_STEP_MAX)
		return;
	info("priority/budget: the clock was set back; limits count on from now");
	last_ran = now;
	counts_rewind(now);
}

extern void limits_begin(time_t now)
{
	_follow_clock(now);
	decay_apply(last_ran, now);
}

extern void limits_advance(time_t now)
{
	/* A clock that was set back charges nothing a second time. */
	last_ran = MAX(last_ran, now);
	if (recount_due)
		_recount(now);
	counts_sweep(pass);
	if (!++pass)
		pass = 1;
}

extern void limits_start(void)
{
	counts_free();
	recount_due = false;
	last_ran = decay_start();
}

extern void limits_stop(void)
{
	counts_free();
}

extern void limits_save(void)
{
	decay_save(last_ran);
}
