/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/host.h"

#include "limits.h"
#include "statefile.h"

#define LAST_DECAY_FILE "priority_last_decay_ran"

#define SECONDS_A_DAY (24 * 60 * 60)
#define SECONDS_A_WEEK (7 * SECONDS_A_DAY)

/* last_ran: under the job lock (read: R, write: R of the loop, W of others);
 * the rest: the loop's thread. */
static time_t last_ran;
/* slurmctld has counted the run seconds of the jobs that run. Job lock. */
static bool assigned;
static time_t last_reset;
static time_t next_reset;
static uint16_t reset_period;
static double decay_factor = 1;	/* per second */
static bool reconfigured;

/* What one span of one job adds. */
typedef struct {
	double wall;			/* seconds x UsageFactor, decayed */
	double wall_plain;		/* the same, not decayed (NoDecay) */
	double billing;			/* billing TRES */
	uint64_t rest;			/* run seconds that are over */
	const uint64_t *tres;		/* tres_alloc_cnt */
	const job_record_t *job_ptr;
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

static void _take_off(uint64_t *left, uint64_t seconds, const char *kind,
		      const char *name, uint32_t job_id, int tres_pos)
{
	if (seconds <= *left) {
		*left -= seconds;
		return;
	}
	error("priority/budget: JobId=%u takes %"PRIu64" run seconds of %s off %s %s, which has %"PRIu64" left",
	      job_id, seconds, assoc_mgr_tres_name_array[tres_pos], kind, name,
	      *left);
	*left = 0;
}

/* RET: how much of a TRES the job has that limits count. */
static uint64_t _tres_count(const span_t *span, int i)
{
	if ((i == TRES_ARRAY_ENERGY) || (span->tres[i] == NO_CONSUME_VAL64))
		return 0;
	return span->tres[i];
}

/* Take a span's run seconds off one set of counters. */
static void _take_off_tres(uint64_t *run_secs, const span_t *span,
			   const char *kind, const char *name)
{
	if (!_limits_enforced() || !span->tres || !run_secs)
		return;
	for (int i = 0; i < slurmctld_tres_cnt; i++) {
		_take_off(&run_secs[i], span->rest * _tres_count(span, i),
			  kind, name, span->job_ptr->job_id, i);
	}
}

static void _add_tres(long double *raw, double wall, const span_t *span)
{
	if (!_limits_enforced() || !span->tres)
		return;
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		raw[i] += (long double) wall * _tres_count(span, i);
}

/* Newer releases count a QOS's run seconds per account and user as well. */
static void _take_off_qos(slurmdb_qos_rec_t *qos, const span_t *span)
{
	uint64_t *account, *user;

	_take_off_tres(qos->usage->grp_used_tres_run_secs, span, "QOS",
		       qos->name);
	if (!_limits_enforced())
		return;
	compat_qos_run_secs(qos, span->job_ptr, &account, &user);
	_take_off_tres(account, span, "an account in QOS", qos->name);
	_take_off_tres(user, span, "a user in QOS", qos->name);
}

static void _add_qos(slurmdb_qos_rec_t *qos, const span_t *span)
{
	double wall = (qos->flags & QOS_FLAG_NO_DECAY) ? span->wall_plain :
		span->wall;

	qos->usage->grp_used_wall += wall;
	qos->usage->usage_raw += (long double) wall * span->billing;
	_add_tres(qos->usage->usage_tres_raw, wall, span);
	_take_off_qos(qos, span);
}

static void _add_assoc(slurmdb_assoc_rec_t *assoc, const span_t *span)
{
	assoc->usage->grp_used_wall += span->wall;
	_add_tres(assoc->usage->usage_tres_raw, span->wall, span);
	_take_off_tres(assoc->usage->grp_used_tres_run_secs, span, "account",
		       assoc->acct);
}

/* To the job's QOS, its partition's if another, and its associations up to
 * root. */
static void _add_span(const job_record_t *job_ptr, const span_t *span)
{
	slurmdb_qos_rec_t *qos = job_ptr->qos_ptr;
	slurmdb_qos_rec_t *part_qos = job_ptr->part_ptr ?
		job_ptr->part_ptr->qos_ptr : NULL;

	if (qos)
		_add_qos(qos, span);
	if (part_qos && (part_qos != qos))
		_add_qos(part_qos, span);
	for (slurmdb_assoc_rec_t *assoc = job_ptr->assoc_ptr; assoc;
	     assoc = assoc->usage->parent_assoc_ptr)
		_add_assoc(assoc, span);
}

/*
 * Run seconds that a span settles. slurmctld adds TRES x time limit when a job
 * begins: so a running job takes off what it has run, never beyond its limit,
 * and one that ends takes off all that is left.
 */
static uint64_t _settled(const job_record_t *job_ptr, time_t from, time_t to)
{
	uint64_t limit_end = (uint64_t) job_ptr->start_time +
			     (uint64_t) job_ptr->time_limit * 60;

	if ((uint64_t) from >= limit_end)
		return 0;
	if (IS_JOB_FINISHED(job_ptr) || IS_JOB_COMPLETING(job_ptr) ||
	    IS_JOB_RESIZING(job_ptr))
		return limit_end - from;
	if (to > job_ptr->end_time_exp)
		return MAX(0, job_ptr->end_time_exp - from);
	return MAX(0, to - from);
}

/* Locks: job R, part R, assoc W, qos W, tres R. */
static void _charge(job_record_t *job_ptr, time_t to)
{
	double factor = _usage_factor(job_ptr), seconds;
	time_t from = MAX(job_ptr->start_time, last_ran);
	span_t span = {
		.tres = job_ptr->tres_alloc_cnt,
		.job_ptr = job_ptr,
	};

	seconds = MAX(0, to - from);
	span.wall_plain = seconds * factor;
	span.wall = span.wall_plain * pow(decay_factor, seconds);
	if (assigned)
		span.rest = _settled(job_ptr, from, to) * factor;
	if (job_ptr->billable_tres != (double) NO_VAL)
		span.billing = job_ptr->billable_tres;
	else if (span.tres)
		span.billing = span.tres[TRES_ARRAY_BILLING];
	_add_span(job_ptr, &span);
}

extern void limits_charge(job_record_t *job_ptr, time_t now)
{
	/* NO_VAL: its end has been charged. */
	if (job_ptr->assoc_ptr && (job_ptr->end_time_exp != (time_t) NO_VAL))
		_charge(job_ptr, now);
}

extern void limits_advance(time_t now)
{
	/* A clock that was set back charges nothing a second time. */
	last_ran = MAX(last_ran, now);
}

extern void limits_end(job_record_t *job_ptr, time_t now)
{
	assoc_mgr_lock_t locks = {
		.assoc = WRITE_LOCK,
		.qos = WRITE_LOCK,
		.tres = READ_LOCK,
	};

	if (job_ptr->end_time_exp == (time_t) NO_VAL)
		return;
	if (job_ptr->end_time && (now > job_ptr->end_time))
		now = job_ptr->end_time;
	assoc_mgr_lock(&locks);
	_charge(job_ptr, now);
	assoc_mgr_unlock(&locks);
	job_ptr->end_time_exp = (time_t) NO_VAL;
}

/* What slurmctld added at begin of a job that had run before last_ran. */
static int _take_off_past(void *item, void *arg)
{
	job_record_t *job_ptr = item;
	span_t span = {
		.tres = job_ptr->tres_alloc_cnt,
		.job_ptr = job_ptr,
	};

	(void) arg;
	if (!IS_JOB_RUNNING(job_ptr) || (job_ptr->start_time > last_ran) ||
	    (job_ptr->end_time_exp == (time_t) NO_VAL))
		return 0;
	span.rest = _usage_factor(job_ptr) * (last_ran - job_ptr->start_time);
	_add_span(job_ptr, &span);
	return 0;
}

extern void limits_reassign(void)
{
	slurmctld_lock_t job_locks = { .job = READ_LOCK, .part = READ_LOCK };
	assoc_mgr_lock_t locks = {
		.assoc = WRITE_LOCK,
		.qos = WRITE_LOCK,
		.tres = READ_LOCK,
	};

	lock_slurmctld(job_locks);
	assigned = true;
	assoc_mgr_lock(&locks);
	if (_limits_enforced())
		(void) list_for_each_ro(job_list, _take_off_past, NULL);
	assoc_mgr_unlock(&locks);
	unlock_slurmctld(job_locks);
}

static void _read_last_ran(void)
{
	uint32_t size;
	char *data = NULL;
	buf_t *buffer;

	last_ran = last_reset = 0;
	if (statefile_read(LAST_DECAY_FILE, &data, &size) != SLURM_SUCCESS)
		return;
	if (!(buffer = create_buf(data, size))) {
		xfree(data);
		return;
	}
	safe_unpack_time(&last_ran, buffer);
	safe_unpack_time(&last_reset, buffer);
	free_buf(buffer);
	return;

unpack_error:
	error("priority/budget: %s is incomplete; usage that limits see is not charged for the time slurmctld was down",
	      LAST_DECAY_FILE);
	last_ran = last_reset = 0;
	free_buf(buffer);
}

extern void limits_save(void)
{
	buf_t *buffer = init_buf(32);

	pack_time(last_ran, buffer);
	pack_time(last_reset, buffer);
	(void) statefile_write(LAST_DECAY_FILE, get_buf_data(buffer),
			       get_buf_offset(buffer));
	free_buf(buffer);
}

static void _read_settings(void)
{
	host_t host = host_get();
	double half_life = host.decay_hl;

	/* 2 ^ (-1 / half life), as stock rounds it, so that limits agree. */
	decay_factor = (half_life > 0) ? 1 - (0.693 / half_life) : 1;
	reset_period = host.reset_period;
	next_reset = 0;
}

extern void limits_start(void)
{
	assigned = false;
	_read_last_ran();
	if (!last_reset)
		last_reset = time(NULL);
	_read_settings();
}

extern void limits_configure(void)
{
	reconfigured = true;
}

/* First day of the month, quarter or year behind the one of `tm`. */
static void _next_first(struct tm *tm, uint16_t period)
{
	int months = 1;

	if (period == PRIORITY_RESET_QUARTERLY)
		months = 3;
	else if (period == PRIORITY_RESET_YEARLY)
		months = 12;
	tm->tm_mday = 1;
	tm->tm_mon = (tm->tm_mon / months + 1) * months;
	if (tm->tm_mon > 11) {
		tm->tm_mon = 0;
		tm->tm_year++;
	}
}

/* RET: when the usage is due to be reset after `last`, 0: never. */
static time_t _reset_after(time_t last, time_t now, uint16_t period)
{
	time_t step = 0, due;
	struct tm tm;

	if (!localtime_r(&last, &tm))
		return 0;
	tm.tm_sec = tm.tm_min = tm.tm_hour = 0;
	tm.tm_isdst = -1;
	switch (period) {
	case PRIORITY_RESET_DAILY:
		step = SECONDS_A_DAY;
		due = mktime(&tm) + SECONDS_A_DAY;
		break;
	case PRIORITY_RESET_WEEKLY:
		step = SECONDS_A_WEEK;
		due = mktime(&tm) + SECONDS_A_DAY * (7 - tm.tm_wday);
		break;
	case PRIORITY_RESET_MONTHLY:
	case PRIORITY_RESET_QUARTERLY:
	case PRIORITY_RESET_YEARLY:
		_next_first(&tm, period);
		due = mktime(&tm);
		break;
	default:
		return 0;
	}
	/* Missed resets are made up for once. */
	if (step && (due + step < now))
		due += (now - due - 1) / step * step;
	return due;
}

static void _scale_usage(double *wall, long double *tres_raw, double arg)
{
	*wall *= arg;
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		tres_raw[i] *= arg;
}

/* All usage that limits see times `factor`. Locks: assoc W, qos W. */
static void _scale_all(double factor, bool reset)
{
	sb_list_itr_t *itr = list_iterator_create(assoc_mgr_assoc_list);
	slurmdb_assoc_rec_t *assoc;
	slurmdb_qos_rec_t *qos;

	while ((assoc = list_next(itr))) {
		_scale_usage(&assoc->usage->grp_used_wall,
			     assoc->usage->usage_tres_raw, factor);
		if (assoc->leaf_usage && (assoc->leaf_usage != assoc->usage))
			_scale_usage(&assoc->leaf_usage->grp_used_wall,
				     assoc->leaf_usage->usage_tres_raw,
				     factor);
	}
	list_iterator_destroy(itr);

	itr = list_iterator_create(assoc_mgr_qos_list);
	while ((qos = list_next(itr))) {
		if (!reset && (qos->flags & QOS_FLAG_NO_DECAY))
			continue;
		qos->usage->usage_raw *= factor;
		_scale_usage(&qos->usage->grp_used_wall,
			     qos->usage->usage_tres_raw, factor);
	}
	list_iterator_destroy(itr);
}

static void _scale_locked(double factor, bool reset)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK };

	assoc_mgr_lock(&locks);
	_scale_all(factor, reset);
	assoc_mgr_unlock(&locks);
}

static void _reset_if_due(time_t now)
{
	if (reset_period == PRIORITY_RESET_NONE)
		return;
	if (reset_period == PRIORITY_RESET_NOW) {
		_scale_locked(0, true);
		reset_period = PRIORITY_RESET_NONE;
		last_reset = now;
		return;
	}
	if (!next_reset)
		next_reset = _reset_after(last_reset, now, reset_period);
	if (next_reset && (now >= next_reset)) {
		_scale_locked(0, true);
		last_reset = next_reset;
		next_reset = _reset_after(last_reset, now, reset_period);
	}
}

extern void limits_decay(time_t now)
{
	double factor;

	if (reconfigured) {
		reconfigured = false;
		_read_settings();
	}
	_reset_if_due(now);
	if (!last_ran || (now <= last_ran))
		return;
	factor = pow(decay_factor, now - last_ran);
	if (factor < 1)
		_scale_locked(MAX(factor, DBL_MIN), false);
}
