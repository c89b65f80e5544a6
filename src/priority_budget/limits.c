/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "src/slurm_compat/compat.h"

#include "decay.h"
#include "limits.h"

/* A clock that was set back by no more than this many seconds is waited for,
 * since the time up to then has been charged; beyond, it had been wrong. */
#define CLOCK_STEP_MAX 3600

/* Under the job lock (R of the loop and of the reader, W of others) and
 * assoc_mgr's assoc W. */
static time_t last_ran;		/* usage is charged up to here */
static time_t counted_at;	/* run seconds are those left at this time */

/* What one span of one job adds. */
typedef struct {
	double wall;			/* seconds x UsageFactor, decayed */
	double wall_plain;		/* the same, not decayed (NoDecay) */
	double billing;			/* billing TRES */
	uint64_t run_secs;		/* that are left, per TRES */
	bool ends;			/* they are given back */
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

static void _count_run_secs(uint64_t *run_secs, const span_t *span)
{
	if (!_limits_enforced() || !span->tres || !run_secs)
		return;
	for (int i = 0; i < slurmctld_tres_cnt; i++) {
		uint64_t seconds = span->run_secs * _tres_count(span, i);

		/* Less than that is there when limit or factor have been
		 * edited: the next pass puts it right. */
		if (span->ends)
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

/*
 * Seconds x UsageFactor that a job has left of its time limit at `at`. Whole,
 * as slurmctld counts them when a job begins; what is over is rounded as one,
 * lest a long job leaves the fractions of all passes behind.
 */
static uint64_t _run_left(const job_record_t *job_ptr, time_t at)
{
	uint64_t limit = (uint64_t) job_ptr->time_limit * 60, over = 0;
	double factor = _usage_factor(job_ptr);

	if (at > job_ptr->start_time)
		over = MIN(limit, (uint64_t) (at - job_ptr->start_time));
	return (uint64_t) (limit * factor) - (uint64_t) (over * factor);
}

/* RET: from when on a job is not charged yet. */
static time_t _charged_to(const job_record_t *job_ptr)
{
	time_t from = MAX(job_ptr->start_time, last_ran);

	/* A resize has charged what was before. */
	if (!IS_JOB_RESIZING(job_ptr))
		from = MAX(from, job_ptr->resize_time);
	return from;
}

/* RET: the usage of a job that was not charged yet, up to `to`. */
static span_t _usage(const job_record_t *job_ptr, time_t to)
{
	double seconds = MAX(0, to - _charged_to(job_ptr));
	span_t span = { .tres = job_ptr->tres_alloc_cnt };

	/* Its nodes still boot, or it runs on another cluster. */
	if (!job_ptr->start_time || IS_JOB_POWER_UP_NODE(job_ptr) ||
	    IS_JOB_REVOKED(job_ptr))
		seconds = 0;
	span.wall_plain = seconds * _usage_factor(job_ptr);
	span.wall = span.wall_plain * pow(decay_per_second(), seconds);
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

extern void limits_charge(const job_record_t *job_ptr, time_t now)
{
	span_t span;

	if (!_is_counted(job_ptr))
		return;
	span = _usage(job_ptr, now);
	span.run_secs = _run_left(job_ptr, now);
	_add_span(job_ptr, &span);
}

extern void limits_advance(time_t now)
{
	/* A clock that was set back charges nothing a second time. */
	last_ran = MAX(last_ran, now);
	counted_at = now;
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
	span_t span;

	if (job_ptr->end_time_exp == (time_t) NO_VAL)
		return;
	if (job_ptr->end_time && (now > job_ptr->end_time))
		now = job_ptr->end_time;
	assoc_mgr_lock(&locks);
	span = _usage(job_ptr, now);
	span.run_secs = _run_left(job_ptr, began ? counted_at : 0);
	span.ends = true;
	_add_span(job_ptr, &span);
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

	if (!_is_counted(job_ptr))
		return 0;
	span.run_secs = _run_left(job_ptr, *(time_t *) now);
	_add_span(job_ptr, &span);
	return 0;
}

extern void limits_recount(void)
{
	slurmctld_lock_t job_locks = { .job = READ_LOCK, .part = READ_LOCK };
	assoc_mgr_lock_t locks = {
		.assoc = WRITE_LOCK,
		.qos = WRITE_LOCK,
		.tres = READ_LOCK,
	};
	time_t now;

	lock_slurmctld(job_locks);
	assoc_mgr_lock(&locks);
	now = time(NULL);
	_clear_run_secs();
	(void) list_for_each_ro(job_list, _count_left, &now);
	counted_at = now;
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
}

extern void limits_begin(time_t now)
{
	_follow_clock(now);
	decay_apply(last_ran, now);
	_clear_run_secs();
}

extern void limits_start(void)
{
	counted_at = 0;
	last_ran = decay_start();
}

extern void limits_save(void)
{
	decay_save(last_ran);
}
